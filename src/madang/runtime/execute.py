"""Driving one run through its graph, from wherever it stands, to where it ends or waits."""

import logging
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END
from langgraph.types import Command, Send

from madang.graph.assistant import Assistant, nest
from madang.graph.context import TurnContext
from madang.graph.nodes import open_questions
from madang.runtime.live import Live
from madang.runtime.plain_graphs import graph_input
from madang.runtime.served import Served
from madang.state.steps import TERMINAL_STEPS, transition_step
from madang.store.runs import Run

logger = logging.getLogger(__name__)
RECURSION_LIMIT = 200
Snapshot = Any


def config_of(run: Run) -> dict[str, Any]:
    """LangGraph's config for a run that is running: its writes are refused once it is gone or superseded."""
    given = run.kwargs.get("config") or {}
    place = {"thread_id": run.session_id, "run_id": run.run_id, "fence": run.fence}
    return {
        **{key: given[key] for key in ("tags", "recursion_limit") if key in given},
        "recursion_limit": given.get("recursion_limit") or RECURSION_LIMIT,
        "configurable": {**(given.get("configurable") or {}), **place},
        "metadata": {**run.metadata, "run_id": run.run_id},
    }


async def drive(
    served: Served, live: Live, context: TurnContext | None, modes: list[str], user_id: int | None = None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Run until the graph ends or waits; the state it stands at then, and what it waits for."""
    config = config_of(live.run)
    given, going_on = await _input(served, live)
    if going_on:
        # It goes on from where it stands, not from the checkpoint that it was started at.
        for name in ("checkpoint_id", "checkpoint_ns", "checkpoint_map"):
            config["configurable"].pop(name, None)
    async with served.graph_for(config, user_id) as graph:
        last = await _stream(graph, given, config, served, live, context, modes)
        if served.assistant is not None and live.state and not open_questions(live.state):
            return live.state, []
        if last is not None:
            return last, []
        snapshot = await graph.aget_state({"configurable": {"thread_id": live.run.session_id}})
    values = dict(snapshot.values) if isinstance(snapshot.values, Mapping) else {}
    return values, pending_interrupts(snapshot)


async def _stream(
    graph: Any,
    given: Any,
    config: dict[str, Any],
    served: Served,
    live: Live,
    context: TurnContext | None,
    modes: list[str],
) -> dict[str, Any] | None:
    """Run the graph and pass on what it streams; the values of a plain graph that ended, if no more can be asked."""
    options = {
        name: live.run.kwargs[name] for name in ("interrupt_before", "interrupt_after") if live.run.kwargs.get(name)
    }
    subgraphs = bool(live.run.kwargs.get("stream_subgraphs"))
    # Its values tell how a plain graph ended, without a look at the database.
    wanted = modes if served.assistant is not None or "values" in modes else [*modes, "values"]
    last: Any = None
    async for part in graph.astream(
        given,
        config,
        context=context if served.assistant is not None else live.run.kwargs.get("context"),
        stream_mode=wanted,
        durability="sync",
        subgraphs=subgraphs,
        **options,
    ):
        streamed = part if subgraphs else ((), *part)
        namespace, mode, payload = streamed
        if mode == "values" and not namespace:
            last = payload
        if mode in modes:
            for listener in live.listeners:
                listener(streamed)
    stops = bool(options) or any(getattr(graph, f"interrupt_{when}_nodes", ()) for when in ("before", "after"))
    ended = served.assistant is None and not stops and isinstance(last, Mapping) and "__interrupt__" not in last
    return dict(last) if ended else None


def goes_on(run: Run) -> bool:
    """Whether a claimed run was claimed before, or took over from another one: its turn has begun already."""
    return run.attempts > 1 or bool(run.kwargs.get("resumes"))


async def _input(served: Served, live: Live) -> tuple[Any, bool]:
    """What to start with, and whether the run goes on: its own input, an answer to what it waits for, or nothing."""
    run = live.run
    resume: Mapping[str, Any] = run.kwargs.get("resume") or {}
    earlier = run.kwargs.get("resumes") or []
    if goes_on(run):
        snapshot = await served.graph.aget_state({"configurable": {"thread_id": run.session_id}})
        stood = (snapshot.metadata or {}).get("run_id")
        if stood == run.run_id or stood in earlier:
            live.state = dict(snapshot.values)
        if stood == run.run_id:
            answers = {i.id: resume[i.id] for i in snapshot.interrupts if i.id in resume}
            return (command_of({**(run.kwargs.get("command") or {}), "resume": answers}) if answers else None), True
    if command := run.kwargs.get("command"):
        return command_of(command), False
    if (run.kwargs.get("config") or {}).get("configurable", {}).get("checkpoint_id") and run.input is None:
        return None, False
    if served.assistant is None:
        return graph_input(served.graph, run.input, run.request_id), False
    return turn_input(run), False


def command_of(given: Mapping[str, Any]) -> Command[Any]:
    """LangGraph's command from its JSON form."""
    goto = given.get("goto") or ()
    places = goto if isinstance(goto, list | tuple) else [goto]
    return Command(
        update=given.get("update"),
        resume=given.get("resume"),
        goto=[Send(place["node"], place.get("input")) if isinstance(place, dict) else place for place in places],
    )


def turn_input(run: Run) -> dict[str, Any]:
    """A run's input as the turn graph takes it."""
    given = dict(run.input or {})
    query = given.get("query") or ""
    messages = [HumanMessage(query, id=f"{run.request_id}:question")] if query and not given.get("rerun") else []
    return {
        **given,
        "query": query,
        "messages": messages,
        "rerun": bool(given.get("rerun")),
        "session_id": run.session_id,
        "request_id": run.request_id,
    }


def pending_interrupts(snapshot: Snapshot) -> list[dict[str, Any]]:
    """What a snapshot waits for, as clients see it."""
    shown = ("kind", "question", "choices", "draft", "step_id", "field")
    return [
        {
            "interrupt_id": i.id,
            **({k: i.value.get(k) for k in shown} if isinstance(i.value, dict) else {"value": i.value}),
        }
        for i in snapshot.interrupts
    ]


async def close_cancelled(served: Served, run: Run, streamed: str) -> dict[str, Any]:
    """Commit what finished before the run was cancelled and mark the rest; what was kept.

    Updating as `END` makes LangGraph apply the writes of finished tasks and drop the others: no sibling is lost.
    """
    thread = {"configurable": {"thread_id": run.session_id}}
    config = config_of(run) if run.status == "running" else thread
    begun = await served.graph.aget_state(thread)
    if served.assistant is None or (begun.metadata or {}).get("run_id") != run.run_id:
        return {"steps": [], "streamed": streamed}
    await served.graph.aupdate_state(config, None, as_node=END)
    settled = (await served.graph.aget_state(thread)).values
    if update := _cancelled_update(served.assistant, settled, run, streamed):
        await served.graph.aupdate_state(config, update, as_node="respond")
        await served.graph.aupdate_state(config, None, as_node=END)
    steps = served.assistant.steps(settled)
    done = [step["step_id"] for step in steps if step["status"] == "completed"]
    return {"steps": done, "streamed": streamed}


def _cancelled_update(assistant: Assistant, values: Mapping[str, Any], run: Run, streamed: str) -> dict[str, Any]:
    open_steps = [s for s in assistant.steps(values) if s["status"] not in TERMINAL_STEPS]
    update: dict[str, Any] = {}
    if open_steps:
        update = nest(assistant.steps_at, [transition_step(s, "skipped", error="cancelled") for s in open_steps])
    if streamed:
        kept = AIMessage(streamed, id=f"{run.request_id}:partial", additional_kwargs={"cancelled": True})
        update["messages"] = [kept]
    return update
