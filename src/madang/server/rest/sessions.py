"""Conversations: begin, list, rename, delete."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from madang.errors import Conflict, InvalidInput
from madang.runtime import conversations
from madang.server.identity import (
    OwnSession,
    TheRuntime,
    Who,
    check_metadata_changes,
    owned_by,
    owned_metadata,
)
from madang.server.rest.models import NewSession, PageShown, SessionChanges, SessionShown
from madang.server.sockets import Sockets
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


@router.get("/sessions", response_model=PageShown[SessionShown])
async def list_sessions(
    runtime: TheRuntime,
    who: Who,
    assistant: Annotated[str | None, Query(max_length=255)] = None,
    search: Annotated[str | None, Query(max_length=500, description="text in titles")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> PageShown[Session]:
    """Your conversations, most recently used first."""
    page = await runtime.sessions.list(**owned_by(who), assistant=assistant, search=search, limit=limit, cursor=cursor)
    return PageShown(items=page.items, next_cursor=page.next_cursor)


@router.get("/sessions/{session_id}", response_model=SessionShown)
async def get_session(session: OwnSession) -> Session:
    """One conversation."""
    return session


@router.patch("/sessions/{session_id}", response_model=SessionShown)
async def change_session(session: OwnSession, given: SessionChanges, runtime: TheRuntime) -> Session:
    """Rename a conversation, or change its metadata."""
    if given.metadata is not None:
        check_metadata_changes(given.metadata)
        session = await runtime.sessions.update_metadata(session.session_id, given.metadata)
    if given.title is not None:
        session = await runtime.sessions.rename(session.session_id, given.title)
    return session


@router.delete("/sessions/{session_id}", status_code=204)
async def delete_session(session: OwnSession, runtime: TheRuntime, request: Request) -> None:
    """Delete a conversation with everything on it. A turn that runs is stopped first."""
    await conversations.delete(runtime, session)
    sockets: Sockets = request.app.state.sockets
    await sockets.end(session.session_id)
