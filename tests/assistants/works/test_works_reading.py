"""What a reader of the works assistant sees: blocks that stay apart, drafts in Korean."""

import re
from pathlib import Path
from typing import Any

import pytest

from madang.bench.works import dialogues
from tests.assistants.reading import glued
from tests.assistants.works.talking import Talk

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


async def draft_of(talk: Talk) -> dict[str, Any]:
    snapshot = await talk.graph.aget_state(talk.config)
    draft: dict[str, Any] = snapshot.interrupts[0].value["draft"]
    return draft


@pytest.mark.parametrize("text", [*ASKED, *MORE])
async def test_blocks_of_an_answer_stay_apart(talk: Talk, text: str) -> None:
    state = await talk.say(text)
    for said in [*(await talk.asked()), (state.get("response") or {}).get("answer") or ""]:
        assert not glued(said)


async def test_a_draft_is_read_in_korean(talk: Talk) -> None:
    await talk.say("제품설명회 신청서 만들어줘. 3월 20일, 참석 12명, 1인당 8만원")
    draft = await draft_of(talk)
    assert draft["title"] == "제품설명회 신청서"
    assert draft["fields"]["참석 인원"] == "12명"
    assert draft["fields"]["1인당 식음료 비용"] == "80,000원"
    assert all(re.search(r"[가-힣]", name) for name in [*draft["fields"], *draft["missing"]])
    assert "| 참석 인원 | 12명 |" in draft["markdown"]
    assert "(아직 없음)" in draft["markdown"]


async def test_a_draft_s_own_fields_are_taken_back_as_an_answer(talk: Talk) -> None:
    await talk.say("제품설명회 신청서 만들어줘. 3월 20일, 참석 12명, 1인당 8만원")
    before = await draft_of(talk)
    rest = {"장소": "회의실", "대상 기관": "한빛내과의원", "제품": "마루정", "참석 인원": "15명"}
    state = await talk.answer({"fields": {**before["fields"], **rest}})
    assert state["document_generation"]["form_data"]["attendees"] == 15
    assert state["document_generation"]["form_data"]["cost_per_person"] == 80_000
    assert state["document_generation"]["form_data"]["date"] == "2026-03-20"
