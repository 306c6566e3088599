"""A plain LangGraph graph that knows nothing of Madang: a subgraph, an interrupt, a streamed message, the store."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.config import get_store, get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from typing_extensions import TypedDict


class Talk(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    count: int
    approved: str


class Gate:
    """Lets a test hold the graph inside a node."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.open = asyncio.Event()


gates: dict[str, Gate] = {}


def last_text(state: Talk) -> str:
    return str(state["messages"][-1].content) if state.get("messages") else ""


async def count(state: Talk) -> dict[str, Any]:
    get_stream_writer()({"counting": state.get("count", 0)})
    return {"count": state.get("count", 0) + 1}


async def think(state: Talk, config: RunnableConfig) -> dict[str, Any]:
    """Answers word by word; waits at a gate named after the thread if there is one; fails when told to."""
    gate = gates.get(str((config.get("configurable") or {}).get("thread_id")))
    if gate is not None:
        gate.reached.set()
        await gate.open.wait()
    text = last_text(state)
    if text == "fail":
        raise RuntimeError("told to fail")
    if text.startswith("remember "):
        await get_store().aput(("facts",), "last", {"text": text.removeprefix("remember ")})
    model = GenericFakeChatModel(messages=iter([AIMessage(f"you said {text}")]))
    return {"messages": [await model.ainvoke([HumanMessage(text)], config)]}


async def approve(state: Talk) -> dict[str, Any]:
    if not any("approve" in str(message.content) for message in state["messages"][-2:]):
        return {}
    return {"approved": interrupt({"question": "go on?", "count": state["count"]})}


def build() -> StateGraph[Any, Any, Any, Any]:
    inner = StateGraph(Talk).add_node("count", count).add_edge(START, "count").add_edge("count", END).compile()
    outer = StateGraph(Talk).add_node("counter", inner).add_node("think", think).add_node("approve", approve)
    outer.add_edge(START, "counter").add_edge("counter", "think").add_edge("think", "approve")
    return outer.add_edge("approve", END)


graph = build().compile(name="talk")


@dataclass
class Manner:
    """What a client may tell each run."""

    tone: str = "plain"


async def ask(state: Talk, runtime: Runtime[Manner]) -> dict[str, Any]:
    tone = runtime.context.tone if runtime.context else "plain"
    return {"approved": interrupt({"question": "inside?", "tone": tone})}


def build_asking() -> StateGraph[Any, Any, Any, Any]:
    """A graph whose question comes from inside a subgraph, in the manner that the run's context says."""
    inner: StateGraph[Any, Any, Any, Any] = StateGraph(Talk, context_schema=Manner)
    inner.add_node("ask", ask).add_edge(START, "ask")
    outer: StateGraph[Any, Any, Any, Any] = StateGraph(Talk, context_schema=Manner)
    outer.add_node("inner", inner.compile()).add_node("count", count)
    return outer.add_edge(START, "inner").add_edge("inner", "count")


asking = build_asking().compile(name="asking")


def factory(config: RunnableConfig) -> StateGraph[Any, Any, Any, Any]:
    """A graph that depends on the run's config."""
    word = (config.get("configurable") or {}).get("word", "nothing")

    async def say(state: Talk) -> dict[str, Any]:
        return {"messages": [AIMessage(f"configured with {word}")]}

    return StateGraph(Talk).add_node("say", say).add_edge(START, "say").add_edge("say", END)


async def async_factory() -> StateGraph[Any, Any, Any, Any]:
    return build()


@tool
def add(first: int, second: int) -> int:
    """Add two numbers."""
    return first + second


async def call(state: Talk) -> dict[str, Any]:
    """Calls a tool, then says what it gave."""
    if isinstance(state["messages"][-1], ToolMessage):
        return {"messages": [AIMessage(f"the sum is {last_text(state)}")]}
    wanted = {"name": "add", "args": {"first": 1, "second": 2}, "id": "call-1"}
    return {"messages": [AIMessage("", tool_calls=[wanted])]}


def build_adding() -> StateGraph[Any, Any, Any, Any]:
    """A graph with a tool."""

    def after(state: Talk) -> str:
        return "tools" if getattr(state["messages"][-1], "tool_calls", None) else END

    outer = StateGraph(Talk).add_node("call", call).add_node("tools", ToolNode([add]))
    outer.add_edge(START, "call").add_conditional_edges("call", after, ["tools", END])
    return outer.add_edge("tools", "call")


adding = build_adding().compile(name="adding")
