"""Events as a stream (SSE), from any number on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import StreamingResponse

from madang.errors import InvalidInput
from madang.events import of_turn
from madang.runtime import Runtime
from madang.server.identity import OwnSession, TheRuntime
from madang.server.wire import encode

router = APIRouter(tags=["events"])
MOST = 2**53
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "`id` is the event's number, `event` its type, `data` its frame; comments keep it alive",
        "content": {
            "text/event-stream": {
                "schema": {
                    "type": "object",
                    "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
                }
            }
        },
    }
}


@router.get("/sessions/{session_id}/events", response_class=StreamingResponse, responses=STREAM)
async def stream_events(
    session: OwnSession,
    runtime: TheRuntime,
    request: Request,
    after: Annotated[int, Query(ge=0, le=MOST, description="the last number you have seen")] = 0,
    follow: Annotated[bool, Query(description="false: end after what there is")] = True,
    last_event_id: Annotated[
        str | None, Header(description="as `after`; wins, since browsers repeat the address")
    ] = None,
) -> StreamingResponse:
    """Every event after a number, each once and in order: first those of the log, then live."""
    seen = check_seen(_number(last_event_id, after), session.last_seq)
    frames = frames_of(runtime, session.session_id, seen, follow)
    stream = with_heartbeats(frames, request.app.state.options.heartbeat)
    return StreamingResponse(stream, media_type="text/event-stream", headers=HEADERS)


def check_seen(seen: int, last: int) -> int:
    """Raises `InvalidInput` for a number that hasn't been given yet: waiting from there would lose events."""
    if seen > last:
        raise InvalidInput(f"after: {seen} is beyond the last number, {last}", field="after", last_seq=last)
    return seen


def _number(header: str | None, given: int) -> int:
    if header is None or not header.strip():
        return given
    if not header.strip().isdecimal() or len(header) > 16:
        raise InvalidInput("Last-Event-ID: should be a number", field="Last-Event-ID")
    return int(header)


async def frames_of(runtime: Runtime, session_id: str, after: int, follow: bool) -> AsyncIterator[dict[str, Any]]:
    """The frames after a number; without `follow`, those that are in the log now."""
    if follow:
        async for frame in runtime.hub.follow(session_id, after):
            for own in of_turn([frame]):
                yield own
        return
    while page := await runtime.events.read(session_id, after):
        for frame in of_turn(page):
            yield frame
        after = page[-1]["seq"]


def as_event(frame: dict[str, Any]) -> bytes:
    """A frame as a server-sent event."""
    return f"id: {frame['seq']}\nevent: {frame['type']}\ndata: {encode(frame)}\n\n".encode()


async def with_heartbeats(
    frames: AsyncIterator[dict[str, Any]], seconds: float, encoded: Callable[[dict[str, Any]], bytes] = as_event
) -> AsyncIterator[bytes]:
    """Frames as server-sent events, and a comment whenever nothing was said for so long."""
    coming: asyncio.Task[dict[str, Any]] | None = None
    try:
        while True:
            if coming is None:
                coming = asyncio.ensure_future(anext(frames))
            done, _ = await asyncio.wait({coming}, timeout=seconds)
            if not done:
                yield b": heartbeat\n\n"
                continue
            try:
                frame = coming.result()
            except StopAsyncIteration:
                return
            finally:
                coming = None
            yield encoded(frame)
    finally:
        if coming is not None:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)
        await frames.aclose()  # type: ignore[attr-defined]
