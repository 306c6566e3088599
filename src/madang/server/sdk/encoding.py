"""Responses of state, threads and runs."""

from typing import Any

from starlette.responses import Response
from typing_extensions import TypedDict

from madang.runtime.state_json import dumps
from madang.server.unfinished import TurnStream


class Json(Response):
    """A response of state, threads or runs."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return dumps(content)


class EventStream(TurnStream):
    """Server-sent events."""

    media_type = "text/event-stream"


# For the document: an answer without a body.
DONE: dict[int | str, dict[str, Any]] = {204: {"description": "done"}}


class Assistant(TypedDict):
    """An assistant as clients know it, for the document."""

    assistant_id: str
    graph_id: str
    name: str
    description: str | None
    config: dict[str, Any]
    context: dict[str, Any]
    metadata: dict[str, Any]
    version: int
    created_at: str
    updated_at: str
