"""Messages: read them, say something."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from madang.runtime import Runtime, TurnRequest, branching
from madang.runtime.attaching import with_files
from madang.runtime.file_text import FileText
from madang.server.identity import OwnSession, TheRuntime
from madang.server.rest.models import Again, MessageShown, NewMessage, OutcomeShown, PageShown, RunShown
from madang.server.rest.sessions import Cursor, Limit
from madang.server.rest.waiting import waited
from madang.server.turns import known_run
from madang.store.attachments import Attachments
from madang.store.messages import Message
from madang.store.runs import Run

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
    """Say something. With `wait=true` the answer is in the response, else (and where the server ends before the turn
    does) the run that will give it.

    With `edit_of` it is asked instead of an earlier question, from the state before that; the old branch is kept.
    """
    if given.interrupt_id is not None:
        return await _answered(
            runtime, await runtime.resume(session.session_id, {given.interrupt_id: given.value}), wait
        )
    turn = TurnRequest(text=given.query, request_id=given.request_id, policy=given.multitask_strategy)
    turn.check()
    if given.files:
        found = await Attachments(runtime.db).get(session.session_id, given.files)
        texts = [FileText(one.name, one.kind, one.content, one.row_count) for one in found]
        turn = with_files(turn, texts, given.files)
    known = await known_run(runtime, session, turn)
    if known is None and given.edit_of is not None:
        turn = await branching.edited(runtime, session, given.edit_of, turn)
    elif known is None and given.branch is not None:
        turn = await branching.after(runtime, session, given.branch, turn)
    run = known or await runtime.start(session.session_id, turn, session=session)
    return await _answered(runtime, run, wait)


@router.post("/sessions/{session_id}/regenerate", status_code=202, response_model=RunShown, responses=ANSWERS)
async def regenerate(
    session: OwnSession, given: Again, runtime: TheRuntime, wait: Annotated[bool, Query()] = False
) -> Any:
    """Ask a question again, from the state before it: a branch beside the answer there is."""
    run = None
    if given.request_id is not None:
        run = await runtime.runs.of_request(session.session_id, given.request_id)
    if run is None:
        turn = await branching.again(runtime, session, given.message_id, given.request_id)
        run = await runtime.start(session.session_id, turn, session=session)
    return await _answered(runtime, run, wait)


async def _answered(runtime: Runtime, run: Run, wait: bool) -> Any:
    return await waited(runtime, run) if wait else run
