"""Overhead of the turn graph: three empty agents and a report, beside a hand-written graph of the same shape."""

import asyncio
import operator
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Send

from bench import Row
from bench._fan import TEAMS, Diary, assistant

TURNS = 40


def _merge(left: dict[str, Any] | None, right: dict[str, Any]) -> dict[str, Any]:
    return {**(left or {}), **right}


class ByHand(TypedDict, total=False):
    query: str
    topic: str
    plan: list[str]
    results: Annotated[dict[str, Any], _merge]
    log: Annotated[list[str], operator.add]
    report: str
    response: str
    messages: Annotated[list[Any], add_messages]


def by_hand(saver: Any) -> Any:
    """The same supersteps, written as one would without the kit."""

    async def initialize(_state: ByHand) -> Any:
        return {"plan": [], "report": ""}

    async def planning(state: ByHand) -> Any:
        return {"topic": state["query"], "plan": list(TEAMS)}

    async def dispatch(state: ByHand) -> Any:
        return {"log": [f"start {state['topic']}"]}

    async def team(task: Any) -> Any:
        return {"results": {task["team"]: {"topic": task["topic"]}}}

    async def collect(_state: ByHand) -> Any:
        return {"log": ["collected"]}

    async def dispatch_report(_state: ByHand) -> Any:
        return {"log": ["report"]}

    async def reporter(task: Any) -> Any:
        return {"report": ",".join(sorted(task["results"]))}

    async def collect_report(_state: ByHand) -> Any:
        return {"log": ["collected"]}

    async def aggregate(_state: ByHand) -> Any:
        return {"log": ["aggregated"]}

    async def respond(state: ByHand) -> Any:
        answer = f"{state['topic']}: {state['report']}"
        return {"response": answer, "messages": [AIMessage(answer)]}

    def fan(state: ByHand) -> list[Send]:
        return [Send("team", {"team": name, "topic": state["topic"]}) for name in state["plan"]]

    def one(state: ByHand) -> list[Send]:
        return [Send("reporter", {"results": state["results"]})]

    graph: Any = StateGraph(ByHand)
    for node in (
        initialize, planning, dispatch, team, collect, dispatch_report, reporter, collect_report, aggregate, respond,
    ):  # fmt: skip
        graph.add_node(node.__name__, node)
    for a, b in (
        (START, "initialize"), ("initialize", "planning"), ("planning", "dispatch"), ("team", "collect"),
        ("collect", "dispatch_report"), ("reporter", "collect_report"), ("collect_report", "aggregate"),
        ("aggregate", "respond"), ("respond", END),
    ):  # fmt: skip
        graph.add_edge(a, b)
    graph.add_conditional_edges("dispatch", fan, ["team"])
    graph.add_conditional_edges("dispatch_report", one, ["reporter"])
    return graph.compile(checkpointer=saver)


async def _time(turn: Callable[[int], Awaitable[Any]]) -> float:
    await turn(-1)
    start = time.perf_counter()
    for n in range(TURNS):
        await turn(n)
    return (time.perf_counter() - start) / TURNS * 1000


async def _measure() -> list[Row]:
    from madang.graph import TurnContext, build
    from madang.runtime import Runtime, TurnRequest
    from madang.runtime.assistant_graph import AssistantGraph
    from madang.store import SessionSaver
    from madang.store.database import Database

    with tempfile.TemporaryDirectory() as folder:
        db = await Database.open(f"sqlite:///{folder}/turn.db")
        saver = SessionSaver(db)
        hand, kit = by_hand(saver), build(assistant, saver)
        context = TurnContext(today=date(2026, 1, 1), services=Diary())

        async def hand_turn(n: int) -> None:
            given = {"query": f"q{n}", "messages": [HumanMessage(f"q{n}")]}
            await hand.ainvoke(given, {"configurable": {"thread_id": "hand"}}, durability="sync")

        async def kit_turn(n: int) -> None:
            given = {"query": f"q{n}", "messages": [HumanMessage(f"q{n}")], "session_id": "kit", "request_id": f"r{n}"}
            config: Any = {"configurable": {"thread_id": "kit"}}
            await kit.ainvoke(given, config, context=context, durability="sync")

        by_hand_ms, kit_ms = await _time(hand_turn), await _time(kit_turn)
        runtime = Runtime(
            db, saver, {"fan": AssistantGraph("fan", kit, assistant, Diary())}, today=lambda: date(2026, 1, 1)
        )
        await runtime.sessions.create("run", assistant="fan")

        async def run_turn(n: int) -> None:
            await runtime.wait((await runtime.start("run", TurnRequest(text=f"q{n}"))).run_id)

        run_ms = await _time(run_turn)
        await runtime.close()
        await db.close()
    peer = "hand-written graph, same saver"
    return [
        Row(measure="turn graph", value=kit_ms, unit="ms", peer=peer, peer_value=by_hand_ms, goal="≤ 1.25"),
        Row(measure="durable run with events", value=run_ms, unit="ms", peer=peer, peer_value=by_hand_ms, goal="≤ 1.5"),
    ]


def run() -> list[Row]:
    return asyncio.run(_measure())


SUITES = {"turn": run}
