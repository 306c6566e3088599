"""Conversations: begin, list, rename, delete."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from madang.errors import Conflict, InvalidInput
from madang.runtime import conversations
from madang.server.identity import (
    OwnSession,
    TheRuntime,
    Who,
    authorise_deleted,
    check_metadata_changes,
    owned_by,
    owned_metadata,
)
from madang.server.options import ServerOptions
from madang.server.rest.models import NewSession, PageShown, SessionChanges, SessionListed, SessionShown
from madang.server.sockets import Sockets
from madang.store.columns import timestamp
from madang.store.sessions import Session

router = APIRouter(tags=["sessions"])
Limit = Annotated[int, Query(ge=1, le=1000)]
Cursor = Annotated[str | None, Query(max_length=2000, description="`next_cursor` of the page before")]


@router.post("/sessions", status_code=201, response_model=SessionShown)
async def create_session(given: NewSession, runtime: TheRuntime, who: Who) -> Session:
    """Begin a conversation with an assistant."""
    if given.assistant not in runtime.served:
        known = ", ".join(sorted(runtime.served))
        raise InvalidInput(f"assistant: {given.assistant!r} is not one of {known}", field="assistant")
    try:
        return await runtime.sessions.create(
            given.session_id,
            assistant=given.assistant,
            user_id=who.user_id,
            title=given.title,
            metadata=owned_metadata(who, given.metadata),
        )
    except Conflict:
        # The same words whoever has the id.
        raise Conflict("this session id can't be used", session_id=given.session_id) from None


@router.get("/sessions", response_model=PageShown[SessionListed], response_model_exclude_unset=True)
async def list_sessions(
    runtime: TheRuntime,
    who: Who,
    assistant: Annotated[str | None, Query(max_length=255)] = None,
    q: Annotated[str | None, Query(max_length=200, description="text in titles, questions and answers")] = None,
    archived: Annotated[bool | None, Query(description="only those that are archived, or that aren't")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> dict[str, Any]:
    """Your conversations, most recently used first. Where texts are encrypted, a search opens a bounded number of them:
    a page may have few items, or none, and a `next_cursor` that goes on."""
    wanted = q.strip() if q else None
    sessions = runtime.sessions
    page = await sessions.list(
        **owned_by(who), assistant=assistant, search=wanted, archived=archived, limit=limit, cursor=cursor
    )
    ids = [session.session_id for session in page.items]
    standings = await sessions.standings(ids) if ids else {}
    snippets = await sessions.snippets(ids, wanted) if ids and wanted else {}
    items = [
        {**session.as_dict(), "archived": session.archived, "status": standings.get(name) or "idle"}
        | ({"snippet": snippets.get(name)} if wanted else {})
        for name, session in zip(ids, page.items, strict=True)
    ]
    return {"items": items, "next_cursor": page.next_cursor}


@router.get("/sessions/{session_id}", response_model=SessionShown)
async def get_session(session: OwnSession) -> Session:
    """One conversation."""
    return session


@router.patch("/sessions/{session_id}", response_model=SessionShown)
async def change_session(session: OwnSession, given: SessionChanges, runtime: TheRuntime) -> Session:
    """Rename a conversation, archive it or bring it back, change its metadata."""
    if given.archived is not None:
        session = await runtime.sessions.archive(session.session_id, given.archived)
    if given.metadata is not None:
        check_metadata_changes(given.metadata)
        session = await runtime.sessions.update_metadata(session.session_id, given.metadata)
    if given.title is not None:
        session = await runtime.sessions.rename(session.session_id, given.title)
    return session


@router.delete("/sessions/{session_id}", status_code=204)
async def delete_session(session: OwnSession, runtime: TheRuntime, request: Request) -> None:
    """Delete a conversation with all that is on it; a turn that runs is stopped. For half a minute it can come back."""
    options: ServerOptions = request.app.state.options
    await conversations.put_aside(runtime, session, options.undo_seconds)
    sockets: Sockets = request.app.state.sockets
    await sockets.end(session.session_id)


@router.post("/sessions/{session_id}/restore", response_model=SessionShown)
async def restore_session(session_id: str, runtime: TheRuntime, who: Who, request: Request) -> Session:
    """Undo a deletion, within half a minute of it; after that nothing is left to restore."""
    options: ServerOptions = request.app.state.options
    since = timestamp(datetime.now(UTC) - timedelta(seconds=options.undo_seconds))
    deleted = await authorise_deleted(runtime, who, session_id, since)
    return await runtime.sessions.restore(deleted.session_id, since)
