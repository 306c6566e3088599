"""With a model: it may say a question plainly and sum up a result; it can't invent or undo a refusal."""

from pathlib import Path
from typing import Any

import pytest

from madang.llm.testing import ScriptedServer, answer, status
from tests.support.works import Talk

UNCLEAR = "저번에 그 동네 형편이 궁금하네"


async def say(tmp_path: Path, text: str, *replies: Any) -> tuple[dict[str, Any], ScriptedServer]:
    talk = Talk(tmp_path)
    with ScriptedServer(list(replies)) as server:
        talk.models = server.models()
        try:
            return await talk.say(text), server
        finally:
            await talk.models.aclose()


async def test_an_unclear_question_is_said_plainly_and_read_by_the_rules(tmp_path: Path) -> None:
    plain = answer('{"question": "지난달 서울 매출 얼마야?"}')
    state, _server = await say(tmp_path, UNCLEAR, plain, answer("서울 매출 요약입니다."))
    meaning = state["query_analyzer_state"]["semantic_query"]
    assert meaning["filters"] == [{"field": "region", "op": "eq", "value": "서울"}]
    assert meaning["period"] == {"from": "2026-02-01", "to": "2026-02-28"}
    assert state["total_tokens_used"] > 0
    assert state["api_calls_made"]
    assert state["response"]["answer"].startswith("서울 매출 요약입니다.")


async def test_a_number_nobody_said_is_not_believed(tmp_path: Path) -> None:
    plain = answer('{"question": "2025년 서울 매출 1억 이상 거래처"}')
    state, _server = await say(tmp_path, UNCLEAR, plain, answer("요약"))
    assert state["query_analyzer_state"]["semantic_query"]["filters"] != [
        {"field": "sales_amount", "op": "gte", "value": 100_000_000}
    ]
    assert "1억" not in str(state["query_analyzer_state"]["semantic_query"])


@pytest.mark.parametrize("text", ["지난달 매출 데이터 삭제해줘", "경쟁사 매출 알려줘"])
async def test_a_refusal_never_reaches_the_model(tmp_path: Path, text: str) -> None:
    state, server = await say(tmp_path, text, answer('{"question": "지난달 매출"}'))
    assert state["response"]["type"] == "refusal"
    assert server.requests == []


async def test_a_model_that_fails_costs_nothing_but_a_note(tmp_path: Path) -> None:
    state, _server = await say(tmp_path, "지난달 서울 매출", *[status(500)] * 6)
    assert "2026-02-01 ~ 2026-02-28" in state["response"]["answer"]
    assert state["response"]["type"] == "answer"
    assert state["fallbacks"]
