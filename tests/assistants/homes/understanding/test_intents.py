"""Intents from the words of a question, with a confidence that follows the evidence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.homes import cases
from madang.assistants.homes.understanding.intent_cues import read_entities
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.intents import read_intent


def test_the_examples_are_read_as_they_are_labelled() -> None:
    """Some are three words that two people may take differently: a few may stay undecided."""
    known = cases("homes-intent", "dev")
    wrong = [case["question"] for case in known if read_intent(case["question"]).intent.value != case["intent"]]
    assert len(wrong) < 0.02 * len(known), wrong


def test_examples_are_never_so_sure_that_a_follow_up_leaves_its_subject() -> None:
    guessed = read_intent("연봉 5천이고 무주택이야")
    assert guessed.intent is IntentType.LOAN_CONSULT
    assert guessed.confidence < 0.5


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("5억 전세를 보증금 3억으로 내리면 월세 상한은?", "legal_consult"),
        ("분당 아파트값 요즘 어때", "market_inquiry"),
        ("월 상환액 계산해줘 2억 4% 20년", "loan_consult"),
        ("특약사항 검토해줘: 임차인은 전입신고를 하지 않는다.", "contract_review"),
        ("근저당 1억 잡힌 빌라 전세 위험해?", "risk_analysis"),
        ("시세, 대출, 법률까지 종합 분석해줘", "comprehensive"),
        ("미국 부동산 투자 어때", "irrelevant"),
        ("이거 뭐야", "unclear"),
    ],
)
def test_other_wordings(question: str, intent: str) -> None:
    assert read_intent(question).intent.value == intent


def test_confidence_varies_over_the_set_and_more_evidence_is_surer() -> None:
    confidences = {read_intent(case["question"]).confidence for case in cases("homes-intent", "dev")}
    assert len(confidences) > 12
    weak, strong = (
        read_intent("집주인이 이상해요"),
        read_intent("집주인이 보증금을 안 돌려주는데 임차권등기명령 신청 방법"),
    )
    assert weak.intent is strong.intent is IntentType.LEGAL_CONSULT
    assert weak.confidence < strong.confidence


def test_guidance_instead_of_execution() -> None:
    assert not read_intent("안녕하세요").runs
    assert not read_intent("음...").runs
    assert read_intent("음...").confidence < 0.3
    assert read_intent("마포구 아파트 시세 알려줘").runs


def test_what_a_joined_question_joins_is_named() -> None:
    parts = read_intent("마포구 84㎡ 전세 시세와 대출까지").parts
    assert set(parts) >= {IntentType.MARKET_INQUIRY, IntentType.LOAN_CONSULT}


def test_entities_are_what_the_question_names() -> None:
    found = read_entities("마포구 84㎡ 아파트 전세 5억 이하, 주임법 7조도 궁금")
    assert found["areas"] == [84.0]
    assert found["deal"] == "전세"
    assert found["property"] == "아파트"
    assert found["amounts"][0]["won"] == 500_000_000
    assert found["articles"] == ["주택임대차보호법 제7조"]
    assert "마포구" in found["regions"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    reading = read_intent(text)
    assert 0.0 <= reading.confidence < 1.0


def test_generic_words_count_only_beside_a_word_of_housing() -> None:
    assert read_intent("여기 들어가도 될까").intent.value != "risk_analysis"
    assert read_intent("이 빌라 들어가도 될까").intent.value == "risk_analysis"


def test_what_happened_at_home_is_law_and_another_subject_is_irrelevant() -> None:
    assert read_intent("윗집에서 물이 떨어져 우리집 천장이 젖었는데 누구한테 말해").intent.value == "legal_consult"
    assert read_intent("첼로 줄은 어떤 게 소리가 부드럽지").intent.value == "irrelevant"
    assert read_intent("질문 하나만요").intent.value == "unclear"
