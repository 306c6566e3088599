"""Changing a thread's state from outside, as if a node had written it."""

from collections.abc import Sequence
from typing import Any

from langgraph.errors import InvalidUpdateError
from langgraph.types import StateUpdate

from madang.errors import InvalidInput, NotFound
from madang.runtime.execute import command_of
from madang.runtime.served_graph import ServedGraph, find_served
from madang.runtime.service import Runtime
from madang.server.sdk.bodies import CheckpointBody, Superstep
from madang.store.sessions import Session


def config_at(session: Session, checkpoint: CheckpointBody | None = None) -> dict[str, Any]:
    """LangGraph's config for a thread, now or at a checkpoint; the thread is always the one in the path."""
    given = checkpoint.model_dump(exclude_none=True) if checkpoint is not None else {}
    return {"configurable": {**given, "thread_id": session.session_id}}


def served_for(runtime: Runtime, session: Session) -> ServedGraph:
    """The graph of a thread. Raises `NotFound` for one that has had no run and names no graph."""
    if session.assistant is None:
        raise NotFound(
            f"thread {session.session_id!r} has no graph yet: run an assistant on it, or create it with a graph_id",
            thread_id=session.session_id,
        )
    return find_served(runtime.served, session.assistant)


async def update_state(
    runtime: Runtime, session: Session, config: dict[str, Any], values: Any, as_node: str | None
) -> dict[str, Any]:
    """Write to the state; the config of the checkpoint that holds it.

    Raises `InvalidState` naming fields that an assistant of ours can't hold, `InvalidInput` for what LangGraph refuses.
    """
    served = served_for(runtime, session)
    update = None if values is None else served.read_update(values)
    try:
        written: dict[str, Any] = await served.graph.aupdate_state(config, update, as_node=as_node or served.edit_node)
    except (InvalidUpdateError, ValueError, KeyError, TypeError) as error:
        raise InvalidInput(f"the state can't be updated: {_said(error)}") from error
    return written


async def apply_supersteps(runtime: Runtime, session: Session, supersteps: Sequence[Superstep]) -> None:
    """Bring a new thread to where another one stood. Raises `InvalidInput`, `NotFound`."""
    served = served_for(runtime, session)
    if not served.steerable:
        raise InvalidInput("supersteps: are for graphs; copy the thread of an assistant", field="supersteps")
    steps = [
        [StateUpdate(_values(update), update.as_node, None) for update in superstep.updates] for superstep in supersteps
    ]
    try:
        await served.graph.abulk_update_state(config_at(session), steps)
    except (InvalidUpdateError, ValueError, KeyError, TypeError) as error:
        raise InvalidInput(f"supersteps: {_said(error)}", field="supersteps") from error


def _values(update: Superstep.Update) -> Any:
    return command_of(update.command.model_dump()) if update.command is not None else update.values


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__
