"""Streams that are broken off, not ended, where the server ends before what they tell of: an orderly end would be
taken for that of the turn, and after a broken connection clients go on at another server."""

from contextlib import suppress

from starlette.responses import StreamingResponse
from starlette.types import Send


class Unfinished(Exception):
    """The server ends before the turn that is streamed does."""


class TurnStream(StreamingResponse):
    """A response that is left incomplete where its content raises `Unfinished`."""

    async def stream_response(self, send: Send) -> None:
        with suppress(Unfinished):
            await super().stream_response(send)
