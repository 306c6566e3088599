"""The turn graph: pure wiring, the same for every assistant."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from langgraph.errors import NodeError
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, RetryPolicy

from madang.graph import nodes
from madang.graph.agent import Agent
from madang.graph.assistant import Assistant
from madang.graph.context import TurnContext
from madang.graph.planning import State
from madang.graph.records import Update
from madang.graph.tasks import run_step, step_failed, worth_retrying

Node = Callable[[Assistant, State, TurnContext], Awaitable[Update]]
TurnGraph = CompiledStateGraph[Any, TurnContext, Any, Any]


def build(assistant: Assistant, checkpointer: Any = None, store: Any = None) -> TurnGraph:
    """Check the assistant and compile its graph. Raises `InvalidAssistant`."""
    assistant.check()
    graph: StateGraph[Any, TurnContext, Any, Any] = StateGraph(assistant.state, context_schema=TurnContext)
    for node in (nodes.initialize, nodes.planning, nodes.dispatch, nodes.collect, nodes.aggregate, nodes.respond):
        graph.add_node(node.__name__, _bind(assistant, node))
    graph.add_node("ask_user", nodes.ask_user)
    for agent in assistant.agents:
        _add_agent(graph, assistant, agent)
        graph.add_edge(agent.name, "collect")
    agents = [agent.name for agent in assistant.agents]
    graph.add_edge(START, "initialize")
    graph.add_edge("initialize", "planning")
    graph.add_conditional_edges("planning", _route(assistant, _after_planning), ["dispatch", "respond"])
    graph.add_conditional_edges("dispatch", _route(assistant, nodes.send_started), [*agents, "collect"])
    graph.add_conditional_edges("collect", _route(assistant, nodes.after_collect), [*agents, "ask_user", "aggregate"])
    graph.add_edge("ask_user", "dispatch")
    # A step of its own: that all teams are done is a state that clients and the seeds look for.
    graph.add_edge("aggregate", "respond")
    graph.add_edge("respond", END)
    return graph.compile(checkpointer=checkpointer, store=store, name=assistant.name)


def _after_planning(assistant: Assistant, state: State) -> str:
    return "respond" if assistant.response(state) is not None else "dispatch"


def _route(assistant: Assistant, choose: Callable[[Assistant, State], Any]) -> Callable[[State], Awaitable[Any]]:
    # Async, though it waits for nothing: LangGraph would send it to a thread.
    async def route(state: Any) -> Any:
        return choose(assistant, state)

    return route


def _reporting(runtime: Runtime[TurnContext]) -> TurnContext:
    """The context with a `write` that reaches both LangGraph's stream and whoever runs the turn."""
    listen, stream = runtime.context.write, runtime.stream_writer

    def write(part: dict[str, Any]) -> None:
        stream(part)
        listen(part)

    return replace(runtime.context, write=write, fallbacks=[], usage={})


def _bind(assistant: Assistant, node: Node) -> Callable[..., Awaitable[Update]]:
    async def bound(state: Any, runtime: Runtime[TurnContext]) -> Update:
        return await node(assistant, state, _reporting(runtime))

    return bound


def _add_agent(graph: StateGraph[Any, TurnContext, Any, Any], assistant: Assistant, agent: Agent) -> None:
    async def run(state: Any, runtime: Runtime[TurnContext]) -> Update:
        return await run_step(assistant, agent, state, _reporting(runtime))

    async def failed(state: Any, error: NodeError) -> Command[str]:
        return step_failed(assistant, agent, state, error.error)

    graph.add_node(
        agent.name,
        run,
        timeout=agent.timeout,
        retry_policy=RetryPolicy(max_attempts=agent.retries + 1, initial_interval=0.2, retry_on=worth_retrying),
        error_handler=failed,
    )
