"""The planner's checker over random trips: how many of a traveller's checks hold, and which don't."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from random import Random
from typing import Any

from bench import Row
from bench.trips.asked import TODAY, Asked, random_trip
from bench.trips.checks import Check, checked

AS_ASKED = "as asked"


def trips(count: int = 200, seed: int = 18) -> list[tuple[Asked, list[Check]]]:
    """Random trips, each planned in one turn without a model, with its checks."""
    return asyncio.run(_planned([random_trip(draw) for draw in [Random(seed)] for _ in range(count)]))


async def _planned(asked: list[Asked]) -> list[tuple[Asked, list[Check]]]:
    from langgraph.checkpoint.memory import InMemorySaver

    from madang.assistants.travel.graph import assistant
    from madang.graph import build

    graph = build(assistant, InMemorySaver())
    return [(one, _checked(one, await _state(graph, one, f"t{at}"))) for at, one in enumerate(asked)]


def _checked(one: Asked, state: dict[str, Any]) -> list[Check]:
    wrong = one.misheard(state)
    return [Check(AS_ASKED, not wrong, "; ".join(wrong)), *checked(state)]


async def _state(graph: Any, one: Asked, session: str) -> dict[str, Any]:
    from langchain_core.messages import HumanMessage

    from madang.assistants.travel.services import TravelServices
    from madang.graph import TurnContext

    given: Mapping[str, Any] = {
        "query": one.text,
        "session_id": session,
        "request_id": session,
        "messages": [HumanMessage(one.text)],
    }
    context = TurnContext(today=TODAY, services=TravelServices())
    return dict(await graph.ainvoke(given, {"configurable": {"thread_id": session}}, context=context))


def eval_trips(count: int = 200, seed: int = 18) -> list[Row]:
    """The share that holds, in all and by check; what fails is named in the note."""
    results: dict[str, list[tuple[str, Check]]] = defaultdict(list)
    for asked, checks in trips(count, seed):
        for check in checks:
            results[check.name].append((asked.text, check))
    every = [check for found in results.values() for _, check in found]
    rows = [
        Row(
            measure="checks of planned trips that hold",
            value=sum(check.passed for check in every) / len(every),
            goal="≥ 0.99",
            note=f"{len(every)} checks of {count} random trips, seed {seed}",
        )
    ]
    for name, found in results.items():
        failing = [f"“{text}”: {check.why}" for text, check in found if not check.passed]
        share = 1 - len(failing) / len(found)
        rows.append(Row(measure=f"· {name}", value=share, note=" | ".join(failing)[:2000] or f"{len(found)} checks"))
    return rows


SUITES = {"eval-trips": eval_trips}
