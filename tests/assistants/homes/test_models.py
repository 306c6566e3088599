"""The ten call points with a scripted model: all are used, none can fail a turn, nothing unsourced is said."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from madang.assistants.homes.answering import call_points as answering
from madang.assistants.homes.understanding import call_points as understanding
from madang.llm.testing import Request, ScriptedReply, ScriptedServer, answer, raw, refusal, status, tool_call
from tests.support.homes import CLAUSES, Talk, intent, response, sources, steps

QUESTION = "마포구 84㎡ 전세 시세와 대출, 그리고 보증금 지키는 법까지 종합적으로 알려줘"
POINTS = [point() for point in (*understanding.POINTS, *answering.POINTS)]
TEN = {point.name.removeprefix("homes.") for point in POINTS} - {"teams_simple"}

GOOD: dict[str, Any] = {
    "intent": {
        "intent": "comprehensive",
        "confidence": 0.88,
        "keywords": ["시세", "대출"],
        "parts": ["market_inquiry", "loan_consult", "legal_consult"],
    },
    "teams": {"teams": ["search", "analysis"]},
    "teams_simple": {"teams": ["search"]},
    "decompose": {
        "questions": [
            {"intent": "market_inquiry", "question": "마포구 84㎡ 전세 시세"},
            {"intent": "loan_consult", "question": "전세 대출"},
            {"intent": "legal_consult", "question": "보증금을 지키려면 확정일자와 전입신고"},
        ]
    },
    "keywords": {"legal": ["대항력", "확정일자"], "real_estate": ["시세"], "loan": ["전세대출"], "general": []},
    "search_tools": {"tools": ["legal", "real_estate", "loan"]},
    "analysis_tools": {"tools": ["market_analysis", "loan_analysis", "report"]},
    "contract": {"opinions": []},
    "insights": {"insights": ["전세 시세는 추정값입니다."]},
    "report": {
        "summary": "마포구 전세를 살펴보았습니다.",
        "key_findings": [],
        "recommendations": ["실거래가를 확인하세요."],
    },
    "answer": "확정일자와 전입신고로 보증금을 지킬 수 있습니다.",
}

REVIEW = {**GOOD["intent"], "intent": "contract_review", "parts": ["contract_review"]}


def point_of(request: Request) -> str:
    """Which call point a request comes from, by its prompt."""
    said = request["messages"][0]["content"]
    for point in POINTS:
        if point.prompt.system and said.startswith(point.prompt.system.split("{")[0][:60]):
            return point.name.removeprefix("homes.")
    raise AssertionError(f"no call point says {said[:80]!r}")


def reply_with(value: Any) -> ScriptedReply:
    return answer(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


@asynccontextmanager
async def scripted(**changes: Any) -> AsyncIterator[tuple[Talk, list[str]]]:
    """A conversation with a model that answers well, but for the changes; and the points it was asked at."""
    asked: list[str] = []

    def choose(request: Request) -> ScriptedReply:
        name = point_of(request)
        asked.append(name)
        given = changes.get(name, GOOD[name])
        return given if isinstance(given, ScriptedReply) else reply_with(given)

    with ScriptedServer(choose) as server:
        models = server.models(breaker_threshold=1000)
        yield Talk(models=models), asked
        await models.aclose()


async def test_all_ten_call_points_are_used() -> None:
    async with scripted() as (talk, asked):
        state = await talk.say(QUESTION)
        assert intent(state) == "comprehensive"
        assert state["planning_state"]["intent_confidence"] == 0.88
        assert set(steps(state)) == {
            "legal_search", "market_search", "loan_search", "market_analysis", "loan_analysis", "report",
        }  # fmt: skip
        assert state["legal_question"] == "보증금을 지키려면 확정일자와 전입신고"
        assert state["legal_terms"] == ["대항력"], "a word that the question has is not added to it"
        assert response(state)["answer"].startswith(GOOD["answer"])
        streamed = "".join(part["text"] for part in talk.written if part.get("type") == "token")
        assert streamed == response(state)["answer"]
    async with scripted(intent=REVIEW) as (talk, more):
        await talk.say(f"이 계약서 검토해줘\n{CLAUSES}")
    assert set(asked) | set(more) == TEN
    assert set(state["usage"]["llm"]) >= {f"homes.{name}" for name in TEN - {"contract"}}
    assert state["fallbacks"] == []


FAULTS: dict[str, Callable[[], ScriptedReply]] = {
    "500": lambda: status(500),
    "429": lambda: status(429),
    "bad json": lambda: answer("{nope"),
    "refusal": refusal,
    "nonsense": lambda: answer('{"weather": "맑음"}'),
    "tool call": lambda: tool_call("rm", "{}"),
    "not a completion": lambda: raw("[]"),
    "empty": lambda: answer(""),
}


@pytest.mark.parametrize("name", sorted(TEN - {"contract", "answer"}))
@pytest.mark.parametrize("fault", ["500", "nonsense"])
async def test_a_failure_at_any_point_falls_back_and_is_noted(name: str, fault: str) -> None:
    async with scripted(**{name: FAULTS[fault]()}) as (talk, _asked):
        state = await talk.say(QUESTION)
    assert response(state)["answer"]
    assert {note["point"] for note in state["fallbacks"]} == {f"homes.{name}"}
    assert not state["failures"]


@pytest.mark.parametrize("fault", sorted(FAULTS))
async def test_every_kind_of_failure_everywhere_at_once_leaves_the_answer_of_no_model(fault: str) -> None:
    plain = await Talk().say("전세금 5% 인상 가능해?")
    async with scripted(**{name: FAULTS[fault]() for name in GOOD}) as (talk, _asked):
        state = await talk.say("전세금 5% 인상 가능해?")
    assert response(state)["answer"] == response(plain)["answer"]
    assert sources(state) == sources(plain)
    assert {note["point"] for note in state["fallbacks"]} >= {"homes.intent", "homes.teams"}


async def test_a_model_that_does_not_answer_in_time_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading
    from dataclasses import replace

    from madang.llm.testing import held

    quick = replace(understanding.intent_point(), timeout=0.05)
    monkeypatch.setattr(understanding, "intent_point", lambda: quick)
    async with scripted(intent=held(answer("{}"), threading.Event())) as (talk, _asked):
        state = await talk.say("전세금 5% 인상 가능해?")
    assert intent(state) == "legal_consult"
    assert [note["reason"] for note in state["fallbacks"]] == ["timeout"]


async def test_a_wrong_citation_or_figure_is_dropped_and_flagged() -> None:
    said = (
        "네, 5% 안에서는 올릴 수 있습니다. 주택임대차보호법 제7조에 따른 한도입니다. "
        "주택임대차보호법 제99조도 같은 뜻입니다. 위반하면 7,777만원을 물어야 합니다."
    )
    legal = {"intent": "legal_consult", "confidence": 0.9, "keywords": ["인상"], "parts": ["legal_consult"]}
    async with scripted(intent=legal, teams={"teams": ["search"]}, search_tools={"tools": ["legal"]}, answer=said) as (
        talk,
        _,
    ):
        state = await talk.say("전세금 5% 인상 가능해?")
    text = response(state)["answer"]
    assert "제7조" in text
    assert "제99조" not in text
    assert "7,777만원" not in text
    assert {claim["kind"] for claim in response(state)["structured_data"]["flagged"]} == {"citation", "figure"}


async def test_an_unsourced_insight_or_report_is_dropped() -> None:
    async with scripted(
        insights={"insights": ["전세는 3,333만원입니다.", "민법 제9999조를 보세요."]},
        report={"summary": "수익률은 88%입니다.", "key_findings": ["금리는 99%입니다."], "recommendations": []},
    ) as (talk, _asked):
        state = await talk.say(QUESTION)
    told = state["team_results"]["analysis"]
    text = json.dumps(told, ensure_ascii=False)
    assert not any(wrong in text for wrong in ("3,333만원", "9999", "88%", "99%"))
    assert told["insights"]
    assert told["report"]["summary"]


async def test_a_model_may_add_a_clause_that_stands_in_the_contract_and_nothing_else() -> None:
    opinions = [
        {
            "clause": "월세는 매월 말일에 임대인 계좌로 지급한다",
            "concern": "연체 기준이 없습니다.",
            "article": "민법 제1조",
        },
        {"clause": "임차인은 애완동물을 키울 수 없다", "concern": "계약서에 없는 말입니다."},
        {"clause": "임대인은 매년 보증금을 10% 인상할 수 있다", "concern": "이미 찾은 조항입니다."},
    ]
    async with scripted(intent=REVIEW, contract={"opinions": opinions}) as (talk, _asked):
        state = await talk.say(f"이 계약서 검토해줘\n{CLAUSES}")
    risks = state["team_results"]["analysis"]["raw_analysis"]["contract_analysis"]["risks"]
    [added] = [risk for risk in risks if risk["found_by"] == "model"]
    assert added["clause"] == opinions[0]["clause"]
    assert added["articles"] == [], "an article that no rule knows is not cited"
    assert len(risks) == 4


async def test_a_second_simpler_try_chooses_the_teams() -> None:
    async with scripted(teams=answer("{nope")) as (talk, asked):
        await talk.say("전세금 5% 인상 가능해?")
    assert "teams_simple" in asked


async def test_a_choice_that_can_not_be_carried_out_is_not() -> None:
    async with scripted(
        intent={"intent": "legal_consult", "confidence": 0.9, "keywords": [], "parts": ["legal_consult"]},
        teams={"teams": ["search", "analysis", "document"]},
        search_tools={"tools": ["property", "legal", "moon"]},
        analysis_tools={"tools": ["contract_analysis", "roi_analysis"]},
    ) as (talk, _asked):
        state = await talk.say("전세금 5% 인상 가능해?")
    assert steps(state) == {"legal_search": "completed"}


async def test_nothing_personal_is_sent() -> None:
    sent: list[str] = []

    def choose(request: Request) -> ScriptedReply:
        sent.append(json.dumps(request, ensure_ascii=False))
        return reply_with(GOOD[point_of(request)])

    with ScriptedServer(choose) as server:
        models = server.models()
        await Talk(models=models).say("제 번호는 010-1234-5678이고 주민번호 900101-1234567인데 전세금 5% 인상 가능해?")
        await models.aclose()
    assert sent
    assert not any("010-1234-5678" in text or "900101-1234567" in text for text in sent)
