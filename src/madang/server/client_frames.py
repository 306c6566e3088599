"""What a client says over the socket."""

from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from madang.errors import InvalidInput
from madang.server.rest.models import Id, Policy
from madang.state.nesting import check_nesting


class BadFrame(InvalidInput):
    """The frame is not JSON, or not one that we know."""

    code = "bad_frame"


class QueryFrame(BaseModel):
    """A user turn."""

    type: Literal["query"]
    query: str = Field(min_length=1, max_length=100_000)
    request_id: Id | None = None
    multitask_strategy: Policy = "enqueue"


class InterruptResponseFrame(BaseModel):
    """Answers an interrupt."""

    type: Literal["interrupt_response"]
    interrupt_id: Id
    value: Any


class TodoSkipFrame(BaseModel):
    """Skip a pending step."""

    type: Literal["todo_skip"]
    step_id: Id


class CancelFrame(BaseModel):
    """Stop the running turn."""

    type: Literal["cancel"]


class ResumeFrame(BaseModel):
    """Replay everything after that number, then go on live."""

    type: Literal["resume"]
    after: int = Field(ge=0, le=2**53)


ClientFrame = QueryFrame | InterruptResponseFrame | TodoSkipFrame | CancelFrame | ResumeFrame
TYPES = ("query", "interrupt_response", "todo_skip", "cancel", "resume")
_adapter: TypeAdapter[ClientFrame] = TypeAdapter(Annotated[ClientFrame, Field(discriminator="type")])


def parse(text: str) -> ClientFrame:
    """The frame in a text. Raises `BadFrame` for what is no frame of ours, `InvalidInput` for wrong fields."""
    check_nesting(text)
    try:
        given = orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError) as error:
        raise BadFrame(f"not JSON: {error}") from error
    if not isinstance(given, dict):
        raise BadFrame("a frame is a JSON object")
    if given.get("type") not in TYPES:
        raise BadFrame(f"type: {str(given.get('type'))[:80]!r} is not one of {', '.join(TYPES)}")
    try:
        return _adapter.validate_python(given)
    except ValidationError as error:
        said = "; ".join(f"{'.'.join(map(str, e['loc'][1:]))}: {e['msg']}" for e in error.errors())
        raise InvalidInput(said) from error


def request_of(text: str) -> str | None:
    """The request a frame names, so that an error can name it too."""
    try:
        named = orjson.loads(text)["request_id"]
    except (orjson.JSONDecodeError, UnicodeEncodeError, KeyError, TypeError, IndexError):
        return None
    return named if isinstance(named, str) else None
