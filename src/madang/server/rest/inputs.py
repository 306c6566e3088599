"""An assistant's inputs: what was understood, set directly."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query

from madang.runtime import conversations
from madang.runtime.previewing import preview_inputs
from madang.server.identity import OwnSession, TheRuntime
from madang.server.language import Language
from madang.server.rest.models import InputShown, Json, OutcomeShown, PreviewShown, RunShown, json_response
from madang.server.rest.waiting import accepted, waited

router = APIRouter(prefix="/sessions/{session_id}/inputs", tags=["inputs"])
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "model": OutcomeShown | PreviewShown,
        "description": "with `wait` the turn, complete; with `preview` its steps",
    }
}


@router.get("", response_model=list[InputShown])
async def get_inputs(session: OwnSession, runtime: TheRuntime, language: Language) -> list[dict[str, Any]]:
    """What the assistant can be told, with what it has understood so far and from which words."""
    return await conversations.inputs(runtime, session, language)


@router.patch("", status_code=202, response_model=RunShown, responses=ANSWERS)
async def set_inputs(
    session: OwnSession,
    given: Annotated[Json, Body(examples=[{"destination": "오사카", "duration": 3}], min_length=1)],
    runtime: TheRuntime,
    language: Language,
    wait: Annotated[bool, Query(description="answer when the turn is over")] = False,
    preview: Annotated[bool, Query(description="only say which steps would run; nothing is changed")] = False,
) -> Any:
    """A turn without a message: all inputs named are set, or none. Null clears one; what depends on them runs again."""
    if preview:
        return json_response(await preview_inputs(runtime, session, given, language))
    run = await conversations.set_inputs(runtime, session, given, language)
    return await waited(runtime, run) if wait else accepted(run)
