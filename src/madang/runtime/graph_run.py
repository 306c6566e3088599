"""One run through its graph, from wherever it stands to where it ends or waits."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from langgraph.types import Command, Send

from madang.runtime.active_run import ActiveRun
from madang.runtime.run_config import run_config, thread_config
from madang.runtime.served_graph import ServedGraph, as_fields, pending_questions

EVENTS = "events"
Streamed = tuple[tuple[str, ...], str, Any]


async def run_graph(
    served: ServedGraph, active: ActiveRun, context: Any, owner: str
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Run until the graph ends or waits; the state it stands at then, and what it waits for."""
    config = run_config(active.run)
    given, continuing = await _first_input(served, active)
    if continuing:
        # It goes on from where it stands, not from the checkpoint that it was started at.
        for name in ("checkpoint_id", "checkpoint_ns", "checkpoint_map"):
            config["configurable"].pop(name, None)
    async with served.for_run(config, owner, context) as graph:
        ended = await _stream(graph, given, config, served, active, context)
        if ended is not None:
            return ended, []
        snapshot = await graph.aget_state(thread_config(active.run.session_id))
    return as_fields(snapshot.values), pending_questions(snapshot)


async def _stream(
    graph: Any, given: Any, config: dict[str, Any], served: ServedGraph, active: ActiveRun, context: Any
) -> dict[str, Any] | None:
    """Run the graph and pass on what it streams; the values that it ended at, if they are known."""
    options = active.run.options
    last: Any = None
    how = {
        "context": context,
        "stream_mode": [mode for mode in served.run_modes(options.stream_mode) if mode != EVENTS],
        "output_keys": served.output_keys,
        # `async` would let a step begin before the one before it is stored.
        "durability": "exit" if options.durability == "exit" else "sync",
        "subgraphs": options.stream_subgraphs,
        "interrupt_before": options.interrupt_before,
        "interrupt_after": options.interrupt_after,
    }
    parts = _with_events if EVENTS in options.stream_mode else _parts
    async for streamed in parts(graph, given, config, how):
        namespace, mode, payload = streamed
        if mode == "values" and not namespace:
            last = payload
        if mode in options.stream_mode:
            for listener in active.listeners:
                listener(streamed)
    places = ("interrupt_before", "interrupt_after")
    may_stop = any(getattr(options, place) or getattr(graph, f"{place}_nodes", ()) for place in places)
    return served.ended_at(active.state, last, may_stop=may_stop)


async def _parts(graph: Any, given: Any, config: dict[str, Any], how: dict[str, Any]) -> AsyncIterator[Streamed]:
    async for part in graph.astream(given, config, **how):
        yield part if how["subgraphs"] else ((), *part)


async def _with_events(graph: Any, given: Any, config: dict[str, Any], how: dict[str, Any]) -> AsyncIterator[Streamed]:
    """What the graph streams, and every event of everything that runs inside it."""
    root: str | None = None
    async for event in graph.astream_events(given, config, version="v2", **how):
        root = root or event["run_id"]
        if event["event"] == "on_chain_stream" and event["run_id"] == root:
            part = event["data"]["chunk"]
            yield part if how["subgraphs"] else ((), *part)
        yield (), EVENTS, event


async def _first_input(served: ServedGraph, active: ActiveRun) -> tuple[Any, bool]:
    """What to start with, and whether the run goes on: its own input, an answer to what it waits for, or nothing."""
    run, options = active.run, active.run.options
    if run.begun_before:
        snapshot = await served.snapshot(run.session_id)
        stood = (snapshot.metadata or {}).get("run_id")
        if stood in run.turn_run_ids:
            active.state = as_fields(snapshot.values)
        if stood == run.run_id:
            # Written from outside, with nothing left to run: its process died as it was being cancelled.
            active.was_closed = not snapshot.next and (snapshot.metadata or {}).get("source") == "update"
            answers = {i.id: options.answers[i.id] for i in snapshot.interrupts if i.id in options.answers}
            return (command_of({**(options.command or {}), "resume": answers}) if answers else None), True
    if options.command:
        return command_of(options.command), False
    if options.configurable.get("checkpoint_id") and run.input is None:
        return None, False
    return served.run_input(run), False


def command_of(given: Mapping[str, Any]) -> Command[Any]:
    """LangGraph's command from its JSON form."""
    goto = given.get("goto") or ()
    places = goto if isinstance(goto, list | tuple) else [goto]
    return Command(
        update=_pairs(given.get("update")),
        resume=given.get("resume"),
        goto=[Send(place["node"], place.get("input")) if isinstance(place, dict) else place for place in places],
    )


def _pairs(update: Any) -> Any:
    """An update as a node gives it; pairs of a field and a value are lists in JSON."""
    if isinstance(update, list) and all(isinstance(one, list) and len(one) == 2 for one in update):
        return [(name, value) for name, value in update]
    return update
