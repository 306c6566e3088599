"""What travellers ask, by the guide's topic that answers it: phrasings by several authors and the labelled rounds."""

from collections.abc import Mapping
from datetime import date

from bench import Row
from bench.reading.labels import DATA
from bench.reading.topics import Examples, rounds, written
from madang.assistants.travel.data.facts import topics
from madang.assistants.travel.tools import topic_likeness
from madang.assistants.travel.tools.topic_likeness import SAID, UNSAID, likeness_to_topics
from madang.assistants.travel.understanding.asked import questions_of
from madang.assistants.travel.understanding.hearing import heard_on
from madang.assistants.travel.understanding.stories import OF_PLANS, parts_of
from madang.text.likeness import Likeness

LEARNT, NONE = topic_likeness.LEARNT, topic_likeness.NONE
TOPICS = DATA / "travel-topics"
LABELS = DATA.parent / "travel-topics.dev.txt"
WORDS, RIDGE = True, 0.3
TODAY = date(2026, 11, 18)
THRESHOLDS = (0.0, 0.04, 0.06, 0.08, 0.1, 0.12, SAID, 0.2)
_TUNED_ON = "first"  # its turns were in sight when the topics' own words were written


def labelled(*, without: str = "") -> Examples:
    """What the topics are learnt from, each text with its topics; `without` leaves a round out."""
    judged = (row for name, rows in rounds("travel", LABELS).items() if name != without for row in rows)
    return [*written(TOPICS), *judged]


def sure_topics() -> list[Row]:
    """For each threshold the turns of the rounds that are answered, and those with a topic that does not answer them;
    each round is judged by what was learnt without it."""
    judged = [
        (*_brought_up(text, model), {*gold})
        for name, rows in rounds("travel", LABELS).items()
        if name != _TUNED_ON
        for model in [Likeness.learn(labelled(without=name), words=WORDS, ridge=RIDGE)]
        for text, gold in rows
    ]
    rows = []
    for least in THRESHOLDS:
        found = [(_sure(said, like, least), gold) for said, like, gold in judged]
        answered = sum(bool(got) for got, _ in found)
        wrong = sum(bool(got - gold) for got, gold in found)
        note = f"{answered} of {len(found)} turns answered, {wrong} of them wrongly"
        right = sum(bool(got) and got <= gold for got, gold in found)
        rows.append(Row(measure=f"travel topics from {least:.2f} on: right", value=right / max(answered, 1), note=note))
    return rows


def _brought_up(text: str, model: Likeness) -> tuple[set[str], Mapping[str, float]]:
    heard = heard_on(text, TODAY)
    said = {topic for one in questions_of(heard, ()) for topic in one.question["topics"]} - OF_PLANS
    return said & {*topics()}, likeness_to_topics(text, parts_of(heard), model)


def _sure(said: set[str], like: Mapping[str, float], least: float) -> set[str]:
    alike = {topic for topic, score in like.items() if score >= UNSAID and score > like[NONE]} - OF_PLANS
    return alike | {topic for topic in said if like.get(topic, 0.0) >= least}
