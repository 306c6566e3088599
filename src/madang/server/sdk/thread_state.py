"""A thread's state: now, at a checkpoint, over time; and changing it."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from langgraph_sdk.schema import Thread, ThreadState, ThreadUpdateStateResponse

from madang.errors import InvalidInput, NotFound
from madang.runtime import Runtime, conversations
from madang.runtime.run_config import thread_config
from madang.runtime.served_graph import ServedGraph
from madang.server.identity import OwnThread, TheRuntime
from madang.server.sdk.bodies import (
    CheckpointConfig,
    Config,
    ThreadPatch,
    ThreadStateCheckpointRequest,
    ThreadStateSearch,
    ThreadStateUpdate,
)
from madang.server.sdk.encoding import Json
from madang.server.sdk.finding import thread_of
from madang.server.sdk.history import by_turn
from madang.server.sdk.shapes import place, selected, state_shape
from madang.server.sdk.threads import change_metadata
from madang.store.sessions import Session

router = APIRouter(prefix="/threads/{thread_id}")
Select = Annotated[list[str] | None, Query()]
EMPTY: dict[str, Any] = {
    "values": {},
    "next": [],
    "tasks": [],
    "interrupts": [],
    "metadata": {},
    "created_at": None,
    "parent_checkpoint": None,
    "checkpoint_id": None,
    "parent_checkpoint_id": None,
}


async def state_at(
    runtime: Runtime, session: Session, checkpoint: CheckpointConfig | None = None, *, subgraphs: bool = False
) -> dict[str, Any]:
    """The state now, or at a checkpoint. Raises `NotFound` for a checkpoint that isn't the thread's."""
    if session.assistant is None and (checkpoint is None or not checkpoint.checkpoint_id):
        return {**EMPTY, "checkpoint": place(thread_config(session.session_id))}
    if checkpoint is not None and checkpoint.checkpoint_ns:
        await _check_namespace(conversations.graph_of(runtime, session), checkpoint.checkpoint_ns)
    found = await conversations.snapshot(runtime, session, named(checkpoint), subgraphs=subgraphs)
    return state_shape(found)


def named(checkpoint: CheckpointConfig | None) -> dict[str, Any] | None:
    """The checkpoint that a client names, as a place in the thread of the path."""
    return checkpoint.model_dump(exclude_none=True, exclude={"thread_id"}) if checkpoint is not None else None


async def _check_namespace(served: ServedGraph, namespace: str) -> None:
    """Raises `NotFound` for a namespace that is none of the graph's parts."""
    path = "|".join(part.partition(":")[0] for part in namespace.split("|"))
    parts = {name async for name, _ in served.graph.aget_subgraphs(recurse=True)}
    if path not in parts:
        raise NotFound(f"no subgraph {path!r}", checkpoint_ns=namespace)


@router.get("/state", response_model=ThreadState)
async def get_state(session: OwnThread, runtime: TheRuntime, subgraphs: bool = False, select: Select = None) -> Json:
    return Json(selected(await state_at(runtime, session, subgraphs=subgraphs), select))


@router.post("/state/checkpoint", response_model=ThreadState)
async def get_state_at(session: OwnThread, given: ThreadStateCheckpointRequest, runtime: TheRuntime) -> Json:
    found = await state_at(runtime, session, given.checkpoint, subgraphs=bool(given.subgraphs))
    return Json(selected(found, given.select))


@router.get("/state/{checkpoint_id}", response_model=ThreadState)
async def get_state_by_id(
    session: OwnThread, checkpoint_id: str, runtime: TheRuntime, subgraphs: bool = False, select: Select = None
) -> Json:
    where = CheckpointConfig(checkpoint_id=checkpoint_id)
    return Json(selected(await state_at(runtime, session, where, subgraphs=subgraphs), select))


@router.post("/state", response_model=ThreadUpdateStateResponse)
async def change_state(session: OwnThread, given: ThreadStateUpdate, runtime: TheRuntime) -> Json:
    """Write to the state, at its newest checkpoint or as a fork from another."""
    where = given.checkpoint or (CheckpointConfig(checkpoint_id=given.checkpoint_id) if given.checkpoint_id else None)
    if where is not None and where.checkpoint_id:
        await state_at(runtime, session, where)
    written = await conversations.update(runtime, session, given.values, named(where), given.as_node)
    if runtime.streams.followed(session.session_id):
        note = {"thread_id": session.session_id, "state": await state_at(runtime, session)}
        runtime.streams.tell(session.session_id, note)
    shape = place(written) or {}
    return Json({"checkpoint": shape, "configurable": shape, "checkpoint_id": shape.get("checkpoint_id")})


@router.patch("/state", response_model=Thread)
async def patch_state(session: OwnThread, given: ThreadPatch, runtime: TheRuntime) -> Json:
    """What the JavaScript client calls `patchState`: the thread's metadata."""
    return Json(await thread_of(runtime, await change_metadata(runtime, session, given.metadata or {})))


@router.post("/history", response_model=list[ThreadState])
async def history(session: OwnThread, given: ThreadStateSearch, runtime: TheRuntime) -> Json:
    return Json(await states_of(runtime, session, given))


@router.get("/history", response_model=list[ThreadState])
async def get_history(
    session: OwnThread,
    runtime: TheRuntime,
    limit: Annotated[int, Query(ge=1, le=1000)] = 10,
    before: str | None = None,
) -> Json:
    return Json(await states_of(runtime, session, ThreadStateSearch(limit=limit, before=before)))


async def states_of(runtime: Runtime, session: Session, wanted: ThreadStateSearch) -> list[dict[str, Any]]:
    """Past states, newest first; of an assistant few a turn, unless they are looked for by what they say."""
    if session.assistant is None:
        return []
    served = conversations.graph_of(runtime, session)
    graph = served.graph
    before = _before(session, wanted.before)
    within = wanted.checkpoint.checkpoint_ns if wanted.checkpoint is not None else None
    config = thread_config(session.session_id, named(CheckpointConfig(checkpoint_ns=within)))
    try:
        if served.history_by_turn and not within and not wanted.metadata:
            whole = graph.aget_state_history(config, before=before)
            turns = await by_turn(whole, session.session_id, wanted.limit)
            return [selected(state_shape(state), wanted.select) for state in turns]
        found = graph.aget_state_history(config, filter=wanted.metadata, before=before, limit=wanted.limit)
        return [selected(state_shape(state), wanted.select) async for state in found]
    except ValueError as error:
        raise InvalidInput(f"the history can't be read: {error}") from error


def _before(session: Session, given: CheckpointConfig | Config | str | None) -> dict[str, Any] | None:
    if given is None:
        return None
    if isinstance(given, Config):
        given = CheckpointConfig.model_validate(given.configurable or {})
    where = CheckpointConfig(checkpoint_id=given) if isinstance(given, str) else given
    return thread_config(session.session_id, named(where)) if where.checkpoint_id else None
