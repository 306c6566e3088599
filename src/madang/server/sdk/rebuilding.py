"""A run's stream made again from its checkpoints, for a client that comes back when the stream itself isn't kept."""

from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from madang.errors import StoredDataError
from madang.runtime import Runtime
from madang.runtime.served_graph import ServedGraph
from madang.runtime.streams import RunStream
from madang.store.runs import Run

KEY = "stored"
STEPS = 50
INTERRUPT = "__interrupt__"


async def rebuilt(runtime: Runtime, run: Run) -> RunStream | None:
    """The state after each of its last steps, what each node wrote, the messages that came of it; None if none is left.

    What nodes streamed themselves, tokens and the insides of subgraphs are not kept, so they are not in it.
    """
    served = runtime.served.get(run.assistant or "")
    if served is None:
        return None
    config = {"configurable": {"thread_id": run.session_id}}
    try:
        history = served.graph.aget_state_history(config, filter={"run_id": run.run_id}, limit=STEPS)
        newest_first = [state async for state in history]
    except StoredDataError:
        return None
    if not newest_first:
        return None
    stream = RunStream(resumable=True, key=KEY)
    stream.begin(run.run_id, run.attempts)
    for mode, payload in _parts(newest_first[::-1]):
        stream.add(((), mode, _shown(served, payload) if mode == "values" else payload))
    stream.close()
    return stream


def _shown(served: ServedGraph, values: Any) -> Any:
    """Values as clients see them: an output schema leaves channels out, but never what is asked."""
    shown = served.output(values)
    asked = values.get(INTERRUPT) if isinstance(values, Mapping) else None
    return {**shown, INTERRUPT: asked} if asked is not None and isinstance(shown, Mapping) else shown


def _parts(states: list[Any]) -> Iterator[tuple[str, Any]]:
    known = {message.id for message in _messages(states[0].values)}
    for state in states:
        for message in _messages(state.values):
            if message.id not in known and isinstance(message, AIMessage):
                yield "messages", (message, {"langgraph_step": (state.metadata or {}).get("step")})
            known.add(message.id)
        if (state.metadata or {}).get("source") == "input":
            continue
        yield "values", state.values
        for task in state.tasks:
            if getattr(task, "result", None) is not None:
                yield "updates", {task.name: task.result}
        if state.interrupts:
            asked = {INTERRUPT: list(state.interrupts)}
            yield "updates", asked
            yield "values", {**state.values, **asked} if isinstance(state.values, Mapping) else state.values


def _messages(values: Any) -> list[BaseMessage]:
    listed = values.get("messages") if isinstance(values, Mapping) else None
    return [m for m in listed if isinstance(m, BaseMessage)] if isinstance(listed, list) else []
