"""A small real graph to fill a session with: messages, parallel tasks by Send, a subgraph, an interrupt."""

import operator
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send, interrupt
from typing_extensions import TypedDict


class Conversation(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    found: Annotated[dict[str, Any], operator.or_]
    turn: int
    phone: str


class Question(TypedDict):
    team: str
    turn: int


def build(saver: BaseCheckpointSaver[Any], *, ask: bool = False) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The graph; with `ask` it stops at a question before it answers."""

    def begin(state: Conversation) -> dict[str, Any]:
        return {"turn": state.get("turn", 0) + 1, "phone": "010-1234-5678"}

    def fan_out(state: Conversation) -> list[Send]:
        return [Send("team", {"team": team, "turn": state["turn"]}) for team in ("search", "analysis")]

    def team(state: Question) -> dict[str, Any]:
        return {"found": {state["team"]: [{"조항": f"제{state['turn']}조", "score": 0.5}] * 3}}

    def confirm(state: Conversation) -> dict[str, Any]:
        return {"phone": str(interrupt({"question": "계속할까요?"}))} if ask else {}

    def answer(state: Conversation) -> dict[str, Any]:
        return {"messages": [AIMessage(f"답 {state['turn']}", id=f"a{state['turn']}")]}

    inner = StateGraph(Conversation)
    inner.add_node("answer", answer)
    inner.add_edge(START, "answer")
    graph = StateGraph(Conversation)
    graph.add_node("begin", begin)
    graph.add_node("team", team, input_schema=Question)
    graph.add_node("confirm", confirm)
    graph.add_node("respond", inner.compile(checkpointer=True))
    graph.add_edge(START, "begin")
    graph.add_conditional_edges("begin", fan_out, ["team"])
    graph.add_edge("team", "confirm")
    graph.add_edge("confirm", "respond")
    graph.add_edge("respond", END)
    return graph.compile(checkpointer=saver)


def thread(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id}}


async def talk(saver: BaseCheckpointSaver[Any], session_id: str, turns: int = 2, *, ask: bool = False) -> None:
    """So many turns in a session; with `ask` the last one ends at a question."""
    for turn in range(turns):
        graph = build(saver, ask=ask and turn == turns - 1)
        message = HumanMessage(f"질문 {turn}, 제 번호는 010-9876-5432", id=f"{session_id}-{turn}-{ask}")
        await graph.ainvoke({"messages": [message]}, thread(session_id))
