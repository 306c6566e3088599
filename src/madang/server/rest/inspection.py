"""Looking into a conversation's state, editing it, forking it."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from madang.runtime import conversations
from madang.runtime.outcome import plain
from madang.runtime.previewing import preview_edit
from madang.runtime.served_graph import pending_questions
from madang.server.identity import OwnSession, TheRuntime
from madang.server.language import Language
from madang.server.rest.models import (
    CheckpointShown,
    DiffShown,
    Edit,
    EditShown,
    FieldShown,
    Fork,
    Id,
    PageShown,
    PreviewShown,
    RunShown,
    SessionShown,
    StateShown,
    json_response,
)
from madang.server.rest.sessions import Limit
from madang.store.sessions import Session

router = APIRouter(prefix="/sessions/{session_id}", tags=["state"])
At = Annotated[Id | None, Query(description="a checkpoint; the present state if none is named")]


@router.get("/state", response_model=StateShown)
async def get_state(session: OwnSession, runtime: TheRuntime, checkpoint_id: At = None) -> Response:
    """The whole state, now or at a checkpoint."""
    place = {"checkpoint_id": checkpoint_id} if checkpoint_id is not None else None
    snapshot = await conversations.snapshot(runtime, session, place)
    return json_response(
        {
            "session_id": session.session_id,
            "checkpoint_id": snapshot.config["configurable"].get("checkpoint_id"),
            "created_at": snapshot.created_at,
            "next": list(snapshot.next),
            "interrupts": plain(pending_questions(snapshot)),
            "state": plain(dict(snapshot.values)),
        }
    )


@router.get("/history", response_model=PageShown[CheckpointShown])
async def get_history(
    session: OwnSession,
    runtime: TheRuntime,
    limit: Limit = 50,
    cursor: Annotated[Id | None, Query(description="`next_cursor` of the page before")] = None,
) -> dict[str, Any]:
    """The checkpoints, newest first, with what wrote them."""
    found = await conversations.history(runtime, session, limit, before=cursor)
    return {"items": found, "next_cursor": found[-1]["checkpoint_id"] if len(found) == limit else None}


@router.get("/diff", response_model=DiffShown)
async def get_diff(
    session: OwnSession,
    runtime: TheRuntime,
    before: Annotated[Id, Query(alias="from", description="a checkpoint")],
    after: Annotated[Id | None, Query(alias="to", description="another; the present state if none is named")] = None,
) -> Response:
    """What changed between two checkpoints, by path."""
    return json_response(await conversations.diff(runtime, session, before, after))


@router.get("/fields/{path:path}", response_model=FieldShown)
async def get_field(session: OwnSession, runtime: TheRuntime, path: str) -> Response:
    """One field: its value, where it came from, how it changed."""
    return json_response(await conversations.field(runtime, session, path))


PREVIEWED: dict[int | str, dict[str, Any]] = {
    200: {"model": EditShown | PreviewShown, "description": "nothing to run; or with `preview` what would run"},
    202: {"model": EditShown},
}


@router.post("/state", response_model=EditShown | PreviewShown, responses=PREVIEWED)
async def edit_state(
    session: OwnSession,
    given: Edit,
    runtime: TheRuntime,
    language: Language,
    run: Annotated[bool | None, Query(description="as in the body")] = None,
    preview: Annotated[bool, Query(description="only say which steps would run; nothing is changed")] = False,
) -> Response:
    """Set values by path, validated. What depends on them runs again at once (202), unless `run` is false (200)."""
    if preview:
        return json_response(await preview_edit(runtime, session, given.changes, language))
    started = await conversations.edit(runtime, session, given.changes, run=given.run if run is None else run)
    shown = RunShown.model_validate(started).model_dump() if started is not None else None
    state = await conversations.state(runtime, session)
    return json_response({"run": shown, "state": state}, 200 if started is None else 202)


@router.post("/fork", status_code=201, response_model=SessionShown)
async def fork_session(session: OwnSession, given: Fork, runtime: TheRuntime) -> Session:
    """A new conversation with state and messages up to a point; its `parent_session_id` is this one."""
    return await conversations.fork(runtime, session, given.checkpoint_id, given.title)
