"""How long a whole travel plan takes without a model, beside a turn that only asks back and beside a correction."""

import asyncio
import statistics
import tempfile
import time
from datetime import date
from typing import Any

from langchain_core.messages import HumanMessage

from bench import Row

TRIPS = (
    "오사카 4박5일 둘이 250만원, 맛집이랑 관광 위주로",
    "방콕 4박5일 4명 500만원 휴양",
    "도쿄랑 교토 4박5일 둘이 300만원 쇼핑",
    "제주 4박5일 가족 4명 애 둘 200만원 자연",
)
ROUNDS = 5


class _Clock:
    """Turns of the travel assistant over SQLite, timed."""

    def __init__(self, graph: Any, services: Any) -> None:
        self.graph, self.services, self.turns = graph, services, 0

    async def turn(self, session: str, text: str) -> float:
        from madang.graph import TurnContext

        self.turns += 1
        given = {
            "query": text,
            "session_id": session,
            "request_id": f"r{self.turns}",
            "messages": [HumanMessage(text)],
        }
        context = TurnContext(today=date(2026, 11, 16), services=self.services)
        started = time.perf_counter()
        await self.graph.ainvoke(given, {"configurable": {"thread_id": session}}, context=context, durability="sync")
        return (time.perf_counter() - started) * 1000


async def _measure() -> list[Row]:
    from madang.assistants.travel.graph import assistant
    from madang.assistants.travel.services import TravelServices
    from madang.graph import build
    from madang.store import SessionSaver
    from madang.store.database import Database

    with tempfile.TemporaryDirectory() as folder:
        db = await Database.open(f"sqlite:///{folder}/travel.db")
        clock = _Clock(build(assistant, SessionSaver(db)), TravelServices())
        await clock.turn("warm", TRIPS[0])
        asked, planned, nights, budget = [], [], [], []
        for turn in range(ROUNDS):
            for at, trip in enumerate(TRIPS):
                session = f"{turn}-{at}"
                asked.append(await clock.turn(session, "안녕하세요"))
                planned.append(await clock.turn(session, trip))
                nights.append(await clock.turn(session, "아니 5박으로"))
                budget.append(await clock.turn(session, "예산 400만원으로"))
        await db.close()
    empty = statistics.median(asked)
    peer = "a turn that only asks back"
    return [
        _row("whole plan of 5 days", planned, peer, empty, goal="≤ 20 ×"),
        _row("correction of the nights", nights, peer, empty),
        _row("correction of the budget", budget, peer, empty),
    ]


def _row(measure: str, times: list[float], peer: str, empty: float, goal: str = "") -> Row:
    value = statistics.median(times)
    note = f"{value - empty:.0f} ms more; slowest {max(times):.0f} ms; no model, SQLite, every superstep durable"
    return Row(measure=measure, value=value, unit="ms", peer=peer, peer_value=empty, goal=goal, note=note)


def run() -> list[Row]:
    """The rows, medians over several trips."""
    return asyncio.run(_measure())


SUITES = {"travel-plan": run}
