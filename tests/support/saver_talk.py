"""A graph of the plainest kind, and turns of it: what a saver has to bear."""

import operator
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Send

from madang.store import SessionSaver


class Talk(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    results: Annotated[dict[str, Any], operator.or_]
    turn: int


def talk_graph(saver: Any) -> Any:
    def plan(state: Talk) -> dict[str, Any]:
        return {"turn": state.get("turn", 0) + 1}

    def fan(state: Talk) -> list[Send]:
        return [Send("team", {"team": team, "turn": state["turn"]}) for team in ("a", "b")]

    def team(given: dict[str, Any]) -> dict[str, Any]:
        return {"results": {given["team"]: {"turn": given["turn"], "text": f"{given['team']} {given['turn']} " * 200}}}

    def answer(state: Talk) -> dict[str, Any]:
        return {"messages": [AIMessage(content=f"answer {state['turn']} " * 30, id=f"a{state['turn']}")]}

    graph: Any = StateGraph(Talk)
    for node in (plan, team, answer):
        graph.add_node(node.__name__, RunnableLambda(node, afunc=_on_the_loop(node)))
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", fan, ["team"])
    graph.add_edge("team", "answer")
    graph.add_edge("answer", END)
    return graph.compile(checkpointer=saver)


def _on_the_loop(node: Any) -> Any:
    """The node for an asynchronous run: in a thread of its own it could hold the state a moment longer than the run."""

    async def run(given: Any) -> Any:
        return node(given)

    return run


def config(thread: str = "t", **more: Any) -> Any:
    return {"configurable": {"thread_id": thread, **more}}


def question(number: int) -> Any:
    return {"messages": [HumanMessage(content=f"question {number} " * 30, id=f"h{number}")]}


async def talk(saver: SessionSaver, turns: int, thread: str = "t") -> Any:
    graph = talk_graph(saver)
    for number in range(1, turns + 1):
        await graph.ainvoke(question(number), config(thread))
    return graph
