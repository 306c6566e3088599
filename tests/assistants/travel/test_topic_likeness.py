"""The guide's topics, learnt from what people wrote."""

from bench.reading import travel_topics
from madang.assistants.travel.data.facts import topics
from madang.assistants.travel.tools.topic_likeness import NONE, SAID, likeness_to_topics


def test_every_label_of_a_round_is_a_topic() -> None:
    named = {topic for _, found in travel_topics.labelled() for topic in found}
    assert named == {*topics(), NONE} & named


def test_what_is_about_a_topic_is_told_from_what_is_not() -> None:
    about = likeness_to_topics("군대 아직 안 간 스물여섯인데 허가 없이 비행기 타도 되나요", [])
    assert max(about, key=lambda topic: about[topic]) == "military_permit"
    assert likeness_to_topics("내일 점심에는 김치찌개 먹고 싶다", []).get("military_permit", 0.0) < SAID
    assert set(about) <= {*topics(), NONE}
