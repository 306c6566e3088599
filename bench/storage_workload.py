"""The graphs that the storage benchmark runs, with Korean-looking text of natural repetitiveness."""

import operator
import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Annotated, Any, TypedDict

_SYLLABLES = (
    "가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허고노도로모보소오조초코토포호구누두루무부수우주추쿠투푸후"
    "기니디리미비시이지치키티피히은는을를에의와과한할함했합된될됨있없것들적인상정보계약임대보증금전세주택매매법률조항분석결과검토요청문서"
)
_TEAMS = ("search", "analysis", "document")


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[list[str], list[float]]:
    """Words whose frequency falls with their rank, as in any language."""
    pick = random.Random(7)
    words = ["".join(pick.choice(_SYLLABLES) for _ in range(pick.randint(1, 4))) for _ in range(3000)]
    return words, list(accumulate(1 / (rank + 10) for rank in range(len(words))))


@lru_cache(maxsize=65536)
def text(seed: int | str, size: int) -> str:
    """About `size` bytes of text, always the same for a seed."""
    words, weights = _vocabulary()
    pick = random.Random(seed)
    chosen: list[str] = []
    length = 0
    while length < size:
        [word] = pick.choices(words, cum_weights=weights)
        chosen.append(word)
        length += len(word) * 3 + 1
    return " ".join(chosen)


def question(turn: int) -> dict[str, Any]:
    from langchain_core.messages import HumanMessage

    return {"messages": [HumanMessage(content=text(turn * 2, 1000), id=f"h{turn}")]}


def said(turns: range) -> dict[str, Any]:
    """What these turns leave in the state, to be put there at once."""
    from langchain_core.messages import AIMessage

    messages: list[Any] = []
    for turn in turns:
        messages += question(turn)["messages"]
        messages.append(AIMessage(content=text(turn * 2 + 1, 1000), id=f"a{turn}"))
    return {"messages": messages, "turn": turns.stop - 1}


def prepare(turn: int) -> None:
    """Makes a turn's texts beforehand, so that making them isn't measured."""
    text(turn * 2 + 1, 1000)
    for team in _TEAMS:
        _result(team, turn)


def _result(team: str, turn: int) -> dict[str, Any]:
    """About 6.7 kB."""
    findings = [
        {
            "id": f"{team}-{number}",
            "title": text(turn * 100 + number, 60),
            "body": text(turn * 1000 + number + sum(map(ord, team)), 900),
            "source": {"doc": f"doc-{number}", "page": number},
        }
        for number in range(6)
    ]
    return {"team": team, "status": "completed", "turn": turn, "score": 0.5 + turn / 1e4, "findings": findings}


def _append(state: Sequence[Any] | None, writes: Sequence[Any]) -> list[Any]:
    result = list(state or [])
    for write in writes:
        result += write if isinstance(write, list) else [write]
    return result


def _state(kind: str) -> type[Any]:
    from langgraph.channels import DeltaChannel
    from langgraph.graph.message import add_messages

    growing: Any = add_messages if kind == "add_messages" else DeltaChannel(_append, snapshot_frequency=100)

    class State(TypedDict, total=False):
        messages: Annotated[list[Any], growing]
        team_results: Annotated[dict[str, Any], operator.or_]
        turn: int
        plan: dict[str, Any]
        summary: str

    return State


async def initialize(state: Any) -> dict[str, Any]:
    return {"turn": state.get("turn", 0) + 1}


async def plan(state: Any) -> dict[str, Any]:
    return {"plan": {"teams": list(_TEAMS), "intent": "legal", "turn": state["turn"]}}


async def team(given: Any) -> dict[str, Any]:
    return {"team_results": {given["team"]: _result(given["team"], given["turn"])}}


async def aggregate(state: Any) -> dict[str, Any]:
    return {"summary": ",".join(state["team_results"])}


async def respond(state: Any) -> dict[str, Any]:
    from langchain_core.messages import AIMessage

    return {"messages": [AIMessage(content=text(state["turn"] * 2 + 1, 1000), id=f"a{state['turn']}")]}


def build(saver: Any, kind: str) -> Any:
    """initialize → plan → three teams at once → aggregate → respond."""
    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Send

    def fan_out(state: Any) -> list[Send]:
        return [Send("team", {"team": name, "turn": state["turn"]}) for name in state["plan"]["teams"]]

    graph: Any = StateGraph(_state(kind))
    for node in (initialize, plan, team, aggregate, respond):
        graph.add_node(node.__name__, node)
    graph.add_edge(START, "initialize")
    graph.add_edge("initialize", "plan")
    graph.add_conditional_edges("plan", fan_out, ["team"])
    graph.add_edge("team", "aggregate")
    graph.add_edge("aggregate", "respond")
    graph.add_edge("respond", END)
    return graph.compile(checkpointer=saver)


class Nested(TypedDict, total=False):
    attachment: str
    notes: Annotated[list[Any], operator.add]


def nested_input(turn: int) -> dict[str, Any]:
    given: dict[str, Any] = {"notes": [text(f"note {turn}", 300)]}
    return given if turn else given | {"attachment": text("attachment", 1_000_000) * 5}


def build_nested(saver: Any) -> Any:
    """A graph whose one node is a graph with checkpoints of its own, beside a large value."""
    from langgraph.graph import START, StateGraph

    def note(state: Nested) -> dict[str, Any]:
        return {"notes": [text(f"inner {len(state['notes'])}", 300)]}

    inner: Any = StateGraph(Nested)
    inner.add_node("first", note)
    inner.add_node("second", note)
    inner.add_edge(START, "first")
    inner.add_edge("first", "second")
    outer: Any = StateGraph(Nested)
    outer.add_node("inner", inner.compile())
    outer.add_node("last", note)
    outer.add_edge(START, "inner")
    outer.add_edge("inner", "last")
    return outer.compile(checkpointer=saver)
