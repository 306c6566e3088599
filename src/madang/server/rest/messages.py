"""Messages: read them, say something."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from madang.runtime import TurnRequest
from madang.server.identity import OwnSession, TheRuntime
from madang.server.rest.models import MessageShown, NewMessage, OutcomeShown, PageShown, RunShown, json_response
from madang.server.rest.sessions import Cursor, Limit
from madang.server.turns import accept
from madang.store.messages import Message

router = APIRouter(tags=["messages"])
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"model": OutcomeShown, "description": "with `wait=true`: the turn, complete"}
}


@router.get("/sessions/{session_id}/messages", response_model=PageShown[MessageShown])
async def list_messages(
    session: OwnSession,
    runtime: TheRuntime,
    limit: Limit = 100,
    cursor: Cursor = None,
    latest: Annotated[bool, Query(description="begin with the last ones; the cursor goes back")] = False,
) -> PageShown[Message]:
    """The messages in reading order, from the first one, or the last ones."""
    read = runtime.messages.latest if latest else runtime.messages.list
    page = await read(session.session_id, limit=limit, cursor=cursor)
    return PageShown(items=page.items, next_cursor=page.next_cursor)


@router.post("/sessions/{session_id}/messages", status_code=202, response_model=RunShown, responses=ANSWERS)
async def post_message(
    session: OwnSession, given: NewMessage, runtime: TheRuntime, wait: Annotated[bool, Query()] = False
) -> Any:
    """Say something. With `wait=true` the answer is in the response, else the run that will give it."""
    turn = TurnRequest(text=given.query, request_id=given.request_id, policy=given.multitask_strategy)
    run = await accept(runtime, session, turn)
    if wait:
        return json_response(await runtime.outcome(run.run_id))
    return run
