"""Threads: chat sessions under the SDK's names."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response
from langgraph_sdk.schema import Thread

from madang.errors import Conflict, NotFound
from madang.runtime import Runtime, conversations
from madang.server.identity import (
    LIFETIME,
    Identity,
    OwnThread,
    TheRuntime,
    Who,
    authorise,
    check_metadata_changes,
    owned_metadata,
)
from madang.server.sdk.assistants import graph_of
from madang.server.sdk.bodies import (
    ThreadCountRequest,
    ThreadCreate,
    ThreadPatch,
    ThreadPruneRequest,
    ThreadSearchRequest,
    TtlBody,
)
from madang.server.sdk.encoding import DONE, Json
from madang.server.sdk.finding import count_threads, find_threads, thread_of
from madang.server.sdk.inputs import state_updates
from madang.server.sdk.shapes import selected, ttl_shape
from madang.server.sockets import Sockets
from madang.store.sessions import Session

router = APIRouter(prefix="/threads")
DERIVED = ("graph_id", "assistant_id")


async def create_thread(
    runtime: Runtime,
    who: Identity,
    thread_id: str | None,
    metadata: Mapping[str, Any] | None,
    *,
    passing: bool = False,
    ttl: TtlBody | None = None,
) -> Session:
    """A new thread of the caller; `graph_id` in the metadata chooses its assistant. Raises `Conflict`, `NotFound`."""
    given = dict(metadata or {})
    check_metadata_changes(given)
    graph = given.get("graph_id") or given.get("assistant_id")
    assistant = (await graph_of(runtime, who, str(graph))).name if graph else None
    title = given.get("title")
    kept = {name: value for name, value in given.items() if name not in DERIVED}
    try:
        return await runtime.sessions.create(
            thread_id,
            assistant=assistant,
            user_id=who.user_id,
            title=title if isinstance(title, str) else None,
            metadata={**owned_metadata(who, kept), **_lifetime(runtime, ttl)},
            passing=passing,
        )
    except Conflict:
        # The same words whoever has the id.
        raise Conflict("this thread id can't be used: it exists", thread_id=thread_id) from None


def _lifetime(runtime: Runtime, ttl: TtlBody | None) -> dict[str, Any]:
    kept = ttl.model_dump() if ttl is not None else runtime.thread_ttl
    return {LIFETIME: dict(kept)} if kept is not None else {}


@router.post("", response_model=Thread)
async def create(given: ThreadCreate, runtime: TheRuntime, who: Who) -> Json:
    if given.thread_id is not None and given.if_exists == "do_nothing":
        try:
            return Json(await thread_of(runtime, await authorise(runtime, who, given.thread_id)))
        except NotFound:
            pass
    session = await create_thread(runtime, who, given.thread_id, given.metadata, ttl=given.ttl)
    if given.supersteps:
        try:
            await conversations.replay(runtime, session, [state_updates(step) for step in given.supersteps])
        except Exception:
            await runtime.sessions.delete(session.session_id)
            raise
    return Json(await thread_of(runtime, session))


@router.post("/search", response_model=list[Thread])
async def search(given: ThreadSearchRequest, runtime: TheRuntime, who: Who) -> Json:
    found, more = await find_threads(runtime, who, given)
    keep = [*given.select, *(["extracted"] if given.extract else [])] if given.select else None
    headers = {"X-Pagination-Next": str(given.offset + given.limit)} if more else None
    return Json([selected(shape, keep) for shape in found], headers=headers)


@router.post("/count", response_model=int)
async def count(given: ThreadCountRequest, runtime: TheRuntime, who: Who) -> Json:
    return Json(await count_threads(runtime, who, given))


@router.post("/prune", response_model=dict[str, int])
async def prune(given: ThreadPruneRequest, runtime: TheRuntime, who: Who, request: Request) -> Json:
    """Delete threads, or keep only their newest state. Threads that aren't the caller's are left out."""
    pruned = 0
    for thread_id in dict.fromkeys(given.thread_ids):
        try:
            session = await authorise(runtime, who, thread_id)
        except NotFound:
            continue
        if given.strategy == "delete":
            await delete_thread(runtime, session, request)
        else:
            await conversations.check_not_busy(runtime, session)
            await runtime.saver.aprune([session.session_id], strategy="keep_latest")
        pruned += 1
    return Json({"pruned_count": pruned})


@router.get("/{thread_id}", response_model=Thread)
async def get(session: OwnThread, runtime: TheRuntime, include: str = "") -> Json:
    shape = await thread_of(runtime, session)
    return Json({**shape, "ttl": ttl_shape(session)} if "ttl" in include.split(",") else shape)


@router.patch("/{thread_id}", response_model=Thread, responses=DONE)
async def patch(
    session: OwnThread, given: ThreadPatch, runtime: TheRuntime, prefer: Annotated[str, Header()] = ""
) -> Response:
    changed = await change_metadata(runtime, session, given.metadata or {})
    if given.ttl is not None:
        changed = await runtime.sessions.update_metadata(session.session_id, {LIFETIME: given.ttl.model_dump()})
    return Response(status_code=204) if "return=minimal" in prefer else Json(await thread_of(runtime, changed))


async def change_metadata(runtime: Runtime, session: Session, changes: Mapping[str, Any]) -> Session:
    """The session with its metadata changed; a title is the session's title too."""
    check_metadata_changes(changes)
    kept = {name: value for name, value in changes.items() if name not in DERIVED}
    if kept:
        session = await runtime.sessions.update_metadata(session.session_id, kept)
    if isinstance(kept.get("title"), str):
        session = await runtime.sessions.rename(session.session_id, kept["title"])
    return session


@router.delete("/{thread_id}", status_code=204)
async def delete(session: OwnThread, runtime: TheRuntime, request: Request) -> Response:
    await delete_thread(runtime, session, request)
    return Response(status_code=204)


async def delete_thread(runtime: Runtime, session: Session, request: Request) -> None:
    """Delete a thread with everything on it. A run that runs is stopped first."""
    await conversations.delete(runtime, session)
    sockets: Sockets = request.app.state.sockets
    await sockets.end(session.session_id)


@router.post("/{thread_id}/copy", response_model=Thread)
async def copy(session: OwnThread, runtime: TheRuntime) -> Json:
    return Json(await thread_of(runtime, await conversations.copy(runtime, session)))
