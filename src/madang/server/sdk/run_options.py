"""How a run should go: what is offered, its stream modes, its config, the checkpoint it starts from."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from starlette.exceptions import HTTPException

from madang.errors import InvalidInput
from madang.runtime.run_config import USER
from madang.runtime.served_graph import ServedGraph
from madang.runtime.thread_events import MODES as THREAD_MODES
from madang.server.sdk.bodies import CheckpointConfig, RunCreateStateful
from madang.store.run_options import RunOptions

EVERY_MODE = ("values", "updates", "messages-tuple", "custom", "tasks", "checkpoints", "debug")
# `protocol`: its thread is followed by the thread protocol.
Watched = Literal["now", "later", "never", "protocol"]


def check_offered(given: RunCreateStateful) -> None:
    """Raises `InvalidInput` for what would silently not happen."""
    configured = config_of(given)["configurable"] if given.config is not None else {}
    if given.context and any(not name.startswith("checkpoint_") for name in configured):
        raise HTTPException(400, "context and config.configurable say the same thing in two ways: give one of them")


def check_input(served: ServedGraph, given: RunCreateStateful) -> None:
    """Raises `InvalidInput` for something said beside a command, which would be lost.

    Clients send an empty input beside one; a plain graph is given the command alone, as by LangGraph's own server.
    """
    if given.command is not None and given.input and not served.steerable:
        raise InvalidInput("command: can't be combined with input", field="command")


def check_nodes(served: ServedGraph, given: RunCreateStateful) -> None:
    """Raises `InvalidInput` for a node to stop at that the graph doesn't have; a factory's nodes aren't known yet."""
    nodes = served.nodes
    if nodes is None:
        return
    for field, named in (("interrupt_before", given.interrupt_before), ("interrupt_after", given.interrupt_after)):
        for node in named if isinstance(named, list) else ():
            if node not in nodes:
                raise InvalidInput(f"{field}: no node {node!r}", field=field)


def run_options(
    served: ServedGraph,
    given: RunCreateStateful,
    watched: Watched,
    user_id: int | None,
    *,
    command: Mapping[str, Any] | None = None,
    place: Mapping[str, Any] | None = None,
    assistant_id: str | None = None,
) -> RunOptions:
    """How the run should go; `place` is the checkpoint that it goes on from, if the client named none."""
    # Whoever joins a background run may ask for any mode; others are known beforehand.
    further = {"later": EVERY_MODE, "protocol": THREAD_MODES}.get(watched, ())
    asked = {*(given.stream_mode or ("values",)), *further}
    config = config_of(given)
    context = given.context if given.context is not None else served.context_from(config["configurable"])
    config["configurable"] |= place or {}
    if user_id is not None:
        config["configurable"][USER] = str(user_id)
    return RunOptions(
        stream_mode=tuple(sorted(served.client_modes(asked))),
        client_modes=tuple(given.stream_mode or ()),
        heard=watched == "now",
        thread_events=watched == "protocol",
        stream_subgraphs=given.stream_subgraphs,
        stream_resumable=given.stream_resumable,
        config=config,
        context=context,
        interrupt_before=_nodes(given.interrupt_before),
        interrupt_after=_nodes(given.interrupt_after),
        command=command,
        durability="exit" if given.checkpoint_during is False else given.durability,
        not_before=_moment(given.after_seconds),
        priority=given.priority or 0,
        assistant_id=assistant_id,
    )


def _moment(after_seconds: float | None) -> str | None:
    """When a run that is to wait may start."""
    return (datetime.now(UTC) + timedelta(seconds=after_seconds)).isoformat() if after_seconds else None


def _nodes(named: str | list[str] | None) -> str | tuple[str, ...] | None:
    return tuple(named) if isinstance(named, list) else named


def config_of(given: RunCreateStateful) -> dict[str, Any]:
    """The client's config without what only the server sets, and with the checkpoint to start from."""
    config = given.config.model_dump(exclude_none=True) if given.config is not None else {}
    reserved = ("thread_id", "run_id", "checkpoint_id", "checkpoint_ns", "checkpoint_map")
    configurable = {
        name: value
        for name, value in (config.get("configurable") or {}).items()
        if not name.startswith(("__", "langgraph_auth")) and name not in reserved
    }
    return {**config, "configurable": {**configurable, **(checkpoint_of(given) or {})}}


def checkpoint_of(given: RunCreateStateful) -> dict[str, Any] | None:
    """The checkpoint to start from, if one is named."""
    where = given.checkpoint or CheckpointConfig(checkpoint_id=given.checkpoint_id)
    if not where.checkpoint_id:
        return None
    return where.model_dump(include={"checkpoint_id", "checkpoint_ns", "checkpoint_map"}, exclude_none=True)
