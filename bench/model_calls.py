"""How many calls of a model a turn takes, and how many before its first sentence: fifteen typical turns, five each.

The model is scripted: whatever the turn, it names the steps that belong to it and answers in one general sentence. What
is counted is ours: which calls are made, in which order.
"""

import asyncio
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import Row
from bench.people import TODAY
from madang.llm.testing import Request, ScriptedReply, ScriptedServer, answer

Turn = tuple[str, str, str, list[dict[str, Any]], list[tuple[str, Any, str]]]
QUERY: dict[str, Any] = {
    "metrics": ["sales_amount"], "dimensions": ["branch"], "filters": [],
    "period": {"from": "2026-10-01", "to": "2026-10-31"}, "compare": None, "sort": None, "limit": None,
}  # fmt: skip
LAW: list[dict[str, Any]] = [{"agent": "legal_search"}]
TRIP: list[dict[str, Any]] = [{"agent": "coordinator", "arguments": {"change": None}}]
OSAKA: list[tuple[str, Any, str]] = [
    ("destination", "오사카", "오사카"),
    ("duration", 3, "3박"),
    ("num_people", 2, "둘이"),
]


def step(agent: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"agent": agent, **({"arguments": arguments} if arguments else {})}]


BY_PRODUCT = {**QUERY, "dimensions": ["product"], "limit": 5}
MAPO: list[tuple[str, Any, str]] = [("region", "마포구", "마포구")]
TURNS: dict[str, list[Turn]] = {
    "homes": [
        ("곰팡이가 심한데 도배를 제 돈으로 하래요 맞나요", "ask_whether", "legal_consult", LAW, []),
        ("보증금 2억인데 8% 올려달래요 얼마까지 되나요", "ask_how_much", "legal_consult", LAW, []),
        ("마포구 84㎡ 전세 시세 알려줘", "ask_how_much", "market_inquiry", step("market_search"), MAPO),
        ("청년 전세대출 뭐가 있어요", "ask_what", "loan_consult", step("loan_search"), []),
        ("집주인한테 보낼 수리 요청 문자 써줘", "order", "legal_consult", LAW, []),
    ],
    "travel": [
        ("오사카 3박 둘이 가려고요 짜줘", "order", "plan_trip", TRIP, OSAKA),
        ("따뜻한 데 어디가 좋아요", "ask_which", "recommend", step("destination_advisor"), []),
        ("일본 비자 필요해요?", "ask_whether", "answer_questions", [], []),
        ("유모차는 비행기에 어떻게 실어요?", "ask_how", "answer_questions", [], []),
        ("오사카 3박 둘이 예산 100만원이면 되나요?", "ask_whether", "plan_trip", TRIP, OSAKA),
    ],
    "works": [
        ("지난달 지점별 매출", "ask_how_much", "analysis", step("DataAnalysisAgent", queries=[QUERY]), []),
        ("의사 점심 8만원 사도 돼?", "ask_whether", "check", step("ComplianceValidationAgent", text="점심 8만원"), []),
        ("강연료 규정 찾아줘", "ask_what", "search", step("InformationRetrievalAgent", text="강연료"), []),
        (
            "메모 저장해줘: 김원장 샘플 요청",
            "order",
            "store",
            step("StorageDecisionAgent", note="샘플 요청"),
            [],
        ),
        ("제품별 매출 상위 다섯", "ask_how_much", "analysis", step("DataAnalysisAgent", queries=[BY_PRODUCT]), []),
    ],
}


def reading(turn: Turn) -> str:
    text, kind, intent, steps, claims = turn
    said = [{"field": field, "value": value, "quote": quote, "message": None} for field, value, quote in claims]
    acts = [{"quote": text, "kind": kind, "task": "chat", "restated": text}]
    return json.dumps(
        {
            "language": "ko", "intent": intent, "acts": acts,
            "claims": said, "cleared": [], "steps": steps, "queries": [text], "keywords": [], "ask": None,
        },
        ensure_ascii=False,
    )  # fmt: skip


async def played(assistant: str, turns: Sequence[Turn]) -> list[tuple[int, int]]:
    """For each turn: the calls it took, and those that had ended before its first sentence."""
    from madang.bootstrap import open_runtime
    from madang.runtime import TurnRequest
    from madang.settings import Settings

    counts: list[tuple[int, int]] = []
    current: list[Turn] = []

    def choose(request: Request) -> ScriptedReply:
        understands = "이해 담당" in json.dumps(request["messages"][0], ensure_ascii=False)
        return answer(reading(current[-1]) if understands else "차근차근 살펴보면 도움이 돼요. [G]")

    with tempfile.TemporaryDirectory() as place, ScriptedServer(choose) as server:
        settings = Settings(data_dir=Path(place), db=f"sqlite:///{place}/t.db", llm="", embeddings="")
        models = server.models()
        async with open_runtime(settings, only=assistant, today=TODAY, models=models) as runtime:
            for turn in turns:
                current.append(turn)
                before = len(server.requests)
                session = await runtime.sessions.create(assistant=assistant)
                run = await runtime.start(session.session_id, TurnRequest(text=turn[0]))
                await runtime.outcome(run.run_id)
                sent = server.requests[before:]
                structured = [one for one in sent if not one.get("stream")]
                counts.append((len(sent), len(structured)))
        await models.aclose()
    return counts


def model_calls() -> list[Row]:
    """Calls a turn, and calls that end before the first sentence is sent."""
    rows = []
    for assistant, turns in TURNS.items():
        counts = asyncio.run(played(assistant, turns))
        for (text, *_), (calls, before) in zip(turns, counts, strict=True):
            note = f"first sentence after {before} call(s)"
            rows.append(
                Row(measure=f"{assistant}: {text}", value=calls, unit="calls", goal="≤ 2, first ≤ 1", note=note)
            )
    return rows


SUITES = {"eval-model-calls": model_calls}
