"""A thread's state: now, at a checkpoint, over time; and changing it."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from madang.errors import InvalidInput, NotFound
from madang.runtime import Runtime, conversations
from madang.runtime.run_config import thread_config
from madang.runtime.served_graph import ServedGraph
from madang.server.identity import OwnSession, TheRuntime
from madang.server.sdk.bodies import CheckpointBody, ConfigBody, HistoryQuery, StateAt, StateChange, ThreadChanges
from madang.server.sdk.encoding import Json
from madang.server.sdk.finding import thread_of
from madang.server.sdk.shapes import place, selected, state_shape
from madang.server.sdk.threads import change_metadata
from madang.store.sessions import Session

router = APIRouter(prefix="/threads/{session_id}")
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
    runtime: Runtime, session: Session, checkpoint: CheckpointBody | None = None, *, subgraphs: bool = False
) -> dict[str, Any]:
    """The state now, or at a checkpoint. Raises `NotFound` for a checkpoint that isn't the thread's."""
    if session.assistant is None and (checkpoint is None or not checkpoint.checkpoint_id):
        return {**EMPTY, "checkpoint": place(thread_config(session.session_id))}
    if checkpoint is not None and checkpoint.checkpoint_ns:
        await _check_namespace(conversations.graph_of(runtime, session), checkpoint.checkpoint_ns)
    found = await conversations.snapshot(runtime, session, named(checkpoint), subgraphs=subgraphs)
    return state_shape(found)


def named(checkpoint: CheckpointBody | None) -> dict[str, Any] | None:
    """The checkpoint that a client names, as a place in the thread of the path."""
    return checkpoint.model_dump(exclude_none=True, exclude={"thread_id"}) if checkpoint is not None else None


async def _check_namespace(served: ServedGraph, namespace: str) -> None:
    """Raises `NotFound` for a namespace that is none of the graph's parts."""
    path = "|".join(part.partition(":")[0] for part in namespace.split("|"))
    parts = {name async for name, _ in served.graph.aget_subgraphs(recurse=True)}
    if path not in parts:
        raise NotFound(f"no subgraph {path!r}", checkpoint_ns=namespace)


@router.get("/state")
async def get_state(session: OwnSession, runtime: TheRuntime, subgraphs: bool = False, select: Select = None) -> Json:
    return Json(selected(await state_at(runtime, session, subgraphs=subgraphs), select))


@router.post("/state/checkpoint")
async def get_state_at(session: OwnSession, given: StateAt, runtime: TheRuntime) -> Json:
    found = await state_at(runtime, session, given.checkpoint, subgraphs=bool(given.subgraphs))
    return Json(selected(found, given.select))


@router.get("/state/{checkpoint_id}")
async def get_state_by_id(
    session: OwnSession, checkpoint_id: str, runtime: TheRuntime, subgraphs: bool = False, select: Select = None
) -> Json:
    where = CheckpointBody(checkpoint_id=checkpoint_id)
    return Json(selected(await state_at(runtime, session, where, subgraphs=subgraphs), select))


@router.post("/state")
async def change_state(session: OwnSession, given: StateChange, runtime: TheRuntime) -> Json:
    """Write to the state, at its newest checkpoint or as a fork from another."""
    where = given.checkpoint or (CheckpointBody(checkpoint_id=given.checkpoint_id) if given.checkpoint_id else None)
    if where is not None and where.checkpoint_id:
        await state_at(runtime, session, where)
    written = await conversations.update(runtime, session, given.values, named(where), given.as_node)
    if runtime.streams.followed(session.session_id):
        note = {"thread_id": session.session_id, "state": await state_at(runtime, session)}
        runtime.streams.tell(session.session_id, note)
    shape = place(written) or {}
    return Json({"checkpoint": shape, "configurable": shape, "checkpoint_id": shape.get("checkpoint_id")})


@router.patch("/state")
async def patch_state(session: OwnSession, given: ThreadChanges, runtime: TheRuntime) -> Json:
    """What the JavaScript client calls `patchState`: the thread's metadata."""
    return Json(await thread_of(runtime, await change_metadata(runtime, session, given.metadata or {})))


@router.post("/history")
async def history(session: OwnSession, given: HistoryQuery, runtime: TheRuntime) -> Json:
    return Json(await states_of(runtime, session, given))


@router.get("/history")
async def get_history(
    session: OwnSession,
    runtime: TheRuntime,
    limit: Annotated[int, Query(ge=1, le=1000)] = 10,
    before: str | None = None,
) -> Json:
    return Json(await states_of(runtime, session, HistoryQuery(limit=limit, before=before)))


async def states_of(runtime: Runtime, session: Session, wanted: HistoryQuery) -> list[dict[str, Any]]:
    """Past states, newest first."""
    if session.assistant is None:
        return []
    graph = conversations.graph_of(runtime, session).graph
    before = _before(session, wanted.before)
    within = wanted.checkpoint.checkpoint_ns if wanted.checkpoint is not None else None
    config = thread_config(session.session_id, named(CheckpointBody(checkpoint_ns=within)))
    try:
        found = graph.aget_state_history(config, filter=wanted.metadata, before=before, limit=wanted.limit)
        return [selected(state_shape(state), wanted.select) async for state in found]
    except ValueError as error:
        raise InvalidInput(f"the history can't be read: {error}") from error


def _before(session: Session, given: CheckpointBody | ConfigBody | str | None) -> dict[str, Any] | None:
    if given is None:
        return None
    if isinstance(given, ConfigBody):
        given = CheckpointBody.model_validate(given.configurable or {})
    where = CheckpointBody(checkpoint_id=given) if isinstance(given, str) else given
    return thread_config(session.session_id, named(where)) if where.checkpoint_id else None
