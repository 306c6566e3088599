"""The guide: each topic is found by its own examples, no word is found across a blank, figures in it are counted."""

from datetime import date

import pytest

from madang.assistants.works.tools.guide import (
    Spoken,
    Topic,
    in_english,
    terms_in,
    topic_of,
    topics,
    topics_about,
    topics_in,
)
from madang.assistants.works.tools.guide_text import english_text, guide_text
from madang.assistants.works.tools.topic_reader import LEARNT, NONE, likely_topics
from madang.text.likeness import Likeness

TODAY = date(2026, 11, 18)


def test_every_topic_is_learnt() -> None:
    assert set(Likeness.load(LEARNT).labels) == {one.id for one in topics()} | {NONE}


def test_a_message_is_most_like_the_topic_it_asks_about() -> None:
    likely = likely_topics(["거래처 약사님이 알약이 부서진 채로 왔다고 하시는데 어디에 알려야 할까요"])
    assert max(likely, key=lambda name: likely[name]) == "quality_complaint"
    figures = likely_topics(["지난달 지점별 매출 알려줘"])
    assert max(figures, key=lambda name: figures[name]) == NONE


@pytest.mark.parametrize("topic", topics(), ids=lambda one: one.id)
def test_a_topic_is_found_first_by_its_examples(topic: Topic) -> None:
    for example in topic.examples:
        assert next(iter(topics_in(example))).id == topic.id, example
    assert topic.basis
    assert all(other in {one.id for one in topics()} for other in topic.over)


def test_a_short_word_never_reaches_over_a_blank() -> None:
    assert "원두" in Spoken("만 원짜리 원두 사가려고요")
    assert "원두" not in Spoken("의원 두 군데")
    assert "빈손으로" in Spoken("빈 손으로 가요")


def test_ordinary_questions_about_figures_are_no_topic() -> None:
    for text in (
        "지난달 지점별 매출 알려줘",
        "이번 분기 목표 대비 실적은?",
        "최근 3개월 방문 없는 거래처",
        "그럼 부산은?",
    ):
        assert topics_in(text) == [], text


def test_what_is_withheld_is_counted() -> None:
    said = guide_text([topic_of("withholding")], "강연료 50만원 원천징수 얼마 떼요", TODAY)
    assert "44,000원" in said
    assert "456,000원" in said


def test_working_days_left_are_counted() -> None:
    said = guide_text([topic_of("annual_leave")], "연차 남은 거 11일인데 말일 퇴사면 다 쓸 수 있나요", TODAY)
    assert "**8일**" in said
    assert "3일 모자랍니다" in said


def test_words_of_the_trade_are_told_only_when_asked() -> None:
    assert "커버리지" in terms_in("커버리지가 무슨 뜻인가요")
    assert terms_in("강남1팀 커버리지 뽑아줘") == {}


def test_a_reader_who_judges_is_given_every_topic_that_is_named() -> None:
    text = "내일 제품설명 가는데 원장님이 간호사 네 분 도시락까지 부탁하셨고 정산은 지출보고서에 쓴대요"
    assert topics_in("원장님이 도시락을 부탁하셨어요") == []
    assert {"meal", "expense_report"} <= {one.id for one in topics_about(text, 5)}
    assert topics_about("지난달 지점별 매출 알려줘", 5) == []
    assert len(topics_about(" ".join(one.examples[0] for one in topics()), 5)) == 5


def test_every_english_text_is_of_a_topic() -> None:
    told = {one.id: in_english(one) for one in topics()}
    assert sum(one is not None for one in told.values()) >= 35
    assert in_english(topic_of("tired")) is None
    present = in_english(topic_of("present"))
    assert present is not None
    assert "KRW 10,000" in english_text([present])
