"""Responses of state, threads and runs."""

from typing import Any

from starlette.responses import Response

from madang.runtime.state_json import dumps


class Json(Response):
    """A response of state, threads or runs."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return dumps(content)
