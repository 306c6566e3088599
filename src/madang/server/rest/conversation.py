"""A conversation as it is read, and what its reader thinks of it."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from madang.runtime.transcript import transcript
from madang.server.identity import OwnSession, TheRuntime
from madang.server.rest.models import (
    ConversationShown,
    FeedbackShown,
    Id,
    NewFeedback,
    SessionShown,
    json_response,
)
from madang.store.messages import NEWEST
from madang.store.transcripts import Transcripts

router = APIRouter(prefix="/sessions/{session_id}", tags=["conversation"])
MessageId = Annotated[int, Path(ge=1, lt=NEWEST)]


@router.get("/conversation", response_model=ConversationShown)
async def get_conversation(
    session: OwnSession,
    runtime: TheRuntime,
    before: Annotated[
        Id | None, Query(description="turns before this one: its `run_id`, or the `message_id` of its question")
    ] = None,
    branch: Annotated[Id | None, Query(description="the branch through this run, not the newest")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """The last turns of a conversation, oldest first, with all that belongs to them, in one request.

    A socket with `?after=last_seq` goes on from here without a gap.
    """
    found = await transcript(runtime, session, before=before, branch=branch, limit=limit)
    return json_response({"session": SessionShown.model_validate(session).model_dump(), **found})


@router.put("/messages/{message_id}/feedback", response_model=FeedbackShown)
async def give_feedback(
    session: OwnSession, message_id: MessageId, given: NewFeedback, runtime: TheRuntime
) -> FeedbackShown:
    """Say what you think of a message; a `rating` of null takes it back."""
    await Transcripts(runtime.db).judge(session.session_id, message_id, given.rating, given.reason)
    return FeedbackShown(message_id=message_id, rating=given.rating, reason=given.reason)
