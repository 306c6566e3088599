"""REST: sessions and their turns."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from madang.runtime.served import find_served
from madang.runtime.service import Policy, Runtime, Turn

router = APIRouter()


class NewSession(BaseModel):
    """A conversation to begin."""

    assistant: str = Field(examples=["homes"])
    session_id: str | None = Field(None, max_length=255)
    title: str | None = Field(None, max_length=500)


class NewMessage(BaseModel):
    """A user's message."""

    query: str = Field(min_length=1, max_length=100_000, examples=["전세금 5% 인상 가능해?"])
    request_id: str | None = Field(None, max_length=255)
    multitask_strategy: Policy = "enqueue"


def runtime_of(request: Request) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


@router.get("/assistants")
async def assistants(request: Request) -> list[dict[str, Any]]:
    """Which assistants there are."""
    return [describe(served) for served in runtime_of(request).served.values()]


def describe(served: Any) -> dict[str, Any]:
    """An assistant as a client sees it."""
    own = served.assistant
    return {
        "name": served.name,
        "title": own.title if own else served.name,
        "description": own.description if own else "",
        "greeting": own.greeting if own else "",
        "examples": list(own.examples) if own else [],
    }


@router.post("/sessions", status_code=201)
async def create_session(request: Request, given: NewSession) -> dict[str, Any]:
    """Begin a conversation."""
    runtime = runtime_of(request)
    find_served(runtime.served, given.assistant)
    made = await runtime.sessions.create(given.session_id, assistant=given.assistant, title=given.title)
    return made.as_dict()


@router.post("/sessions/{session_id}/messages", status_code=202)
async def post_message(
    request: Request, response: Response, session_id: str, given: NewMessage, wait: Annotated[bool, Query()] = False
) -> dict[str, Any]:
    """Say something. With `wait=true` the answer is in the response, else the run that will give it."""
    runtime = runtime_of(request)
    turn = Turn(text=given.query, request_id=given.request_id, policy=given.multitask_strategy)
    run = await runtime.start(session_id, turn)
    if wait:
        response.status_code = 200
        return dict(await runtime.outcome(run.run_id))
    return run.as_dict()
