"""What a reader of the works assistant sees: blocks that stay apart, drafts in Korean."""

import re
from pathlib import Path

import pytest

from bench.works import dialogues
from tests.support.layout import glued
from tests.support.works import Talk

ASKED = [dialogue["turns"][0]["user"] for dialogue in dialogues("dev")[::3]]
MORE = (
    "지난달 지점별 매출 알려줘",
    "올해 월별 매출 추이",
    "지난달 서울 매출 얼마야?",
    "한빛날개내과 지난달 매출",
    "의사에게 식사 12만원 제공해도 돼?",
    "식사 접대 규정 알려줘",
    "지난달 매출 데이터 삭제해줘",
    "다음 달 매출 예측해줘",
    "지난달 월간 보고서 만들어줘",
    "최근 실적 알려줘",
    "안녕",
)


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path)


@pytest.mark.parametrize("text", [*ASKED, *MORE])
async def test_blocks_of_an_answer_stay_apart(talk: Talk, text: str) -> None:
    state = await talk.say(text)
    for said in [*(await talk.asked()), (state.get("response") or {}).get("answer") or ""]:
        assert not glued(said)


async def test_a_draft_is_read_in_korean(talk: Talk) -> None:
    state = await talk.say("제품설명회 신청서 만들어줘. 3월 20일, 참석 12명, 1인당 8만원")
    answer, missing = state["response"]["answer"], state["document_generation"]["missing"]
    assert answer.startswith("제품설명회 신청서 초안입니다(1판).")
    assert "| 참석 인원 | 12명 |" in answer
    assert "| 1인당 식음료 | 80,000원 |" in answer
    assert "(미정)" in answer
    assert all(re.search(r"[가-힣]", name) for name in missing)


async def test_fields_named_in_a_message_fill_the_draft(talk: Talk) -> None:
    await talk.say("제품설명회 신청서 만들어줘. 3월 20일, 참석 12명, 1인당 8만원")
    state = await talk.say("장소: 회의실, 대상 기관: 한빛내과의원, 제품: 마루정, 참석 인원: 15명")
    form = state["document_generation"]["form_data"]
    assert (form["attendees"], form["cost_per_person"], form["date"]) == (15, 80_000, "2026-03-20")
    assert (form["place"], form["customer"]) == ("회의실", "한빛내과의원")


@pytest.mark.parametrize("text", [*MORE, "강연료 규정 알려줘", "경조사비 한도 규정 찾아줘"])
async def test_no_internal_word_is_said(talk: Talk, text: str) -> None:
    answer = (await talk.say(text))["response"]["answer"]
    assert not re.search(r"[a-z]+_[a-z]+|\b(?:limit|days|hybrid|md|docx)\b|\bv\d", answer)


async def test_figures_of_a_table_have_their_units_and_the_first_is_told_in_a_sentence(talk: Talk) -> None:
    answer = (await talk.say("지난달 지점별 매출 알려줘"))["response"]["answer"]
    assert "| 지점 | 매출(원) |" in answer
    assert re.search(r"지점 \d+곳 가운데 .+의 매출이 [\d,]+원\(.+\)으로 가장 많습니다\.", answer)


async def test_where_nothing_stands_out_only_the_count_is_told(talk: Talk) -> None:
    answer = (await talk.say("최근 3개월 방문 없는 거래처"))["response"]["answer"]
    assert re.search(r"거래처 \d+곳입니다\.", answer)
    assert "가장" not in answer


async def test_a_visit_report_keeps_what_was_said(talk: Talk) -> None:
    await talk.say("방문보고서 써줘")
    said = "어제 한빛내과의원 방문, 목적은 신제품 소개, 원장님 반응 좋았음, 다음주 재방문"
    form = (await talk.say(said))["document_generation"]["form_data"]
    assert form["purpose"] == "신제품 소개"
    assert form["content"] == "원장님 반응 좋았음, 다음주 재방문"


async def test_what_is_filed_is_told_in_words(talk: Talk) -> None:
    await talk.say("방문보고서 써줘")
    written = await talk.say("어제 한빛내과의원 방문, 목적은 신제품 소개, 원장님 반응 좋았음")
    assert "방문보고서 2판" in written["response"]["answer"]
    answer = (await talk.say("저장해줘"))["response"]["answer"]
    assert "보관했습니다" in answer
    assert not re.search(r"[a-z]{3,}", answer)


async def test_a_report_says_its_heading_once(talk: Talk) -> None:
    answer = (await talk.say("지난달 월간 보고서 만들어줘"))["response"]["answer"]
    assert answer.count("지점별 매출, 달성률, 방문 횟수") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("이번 달 방문 가장 적은 담당자", r"방문 횟수가 가장 적은 담당자는 .+, 방문 횟수 \d+회입니다\."),
        ("올해 월별 매출", r"\d+개 구간 가운데 \d{4}-\d\d의 매출이 .+으로 가장 많습니다\."),
        ("이번 분기 팀별 증감률", r"팀 \d+개 가운데 .+의 증감률이 .+%로 가장 높습니다\."),
    ],
)
async def test_what_was_asked_is_answered_in_the_first_sentence(talk: Talk, text: str, told: str) -> None:
    assert re.search(told, (await talk.say(text))["response"]["answer"])
