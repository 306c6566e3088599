"""Commands by request, events by server-sent events."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import StreamingResponse

from madang.server.identity import OwnThread, TheRuntime, Who
from madang.server.rest.events import STREAM, with_heartbeats
from madang.server.sdk.encoding import EventStream, Json
from madang.server.sdk.protocol.bodies import ProtocolCommand, ProtocolEventStreamRequest
from madang.server.sdk.protocol.commands import Caller, carried_out
from madang.server.sdk.protocol.order import Order
from madang.server.sdk.protocol.subscriptions import events, listening
from madang.server.sdk.runs import heartbeat_of
from madang.server.sdk.streaming import event_stream, sse
from madang.store.sessions import Session

router = APIRouter(prefix="/threads/{thread_id}")


@router.post("/commands", response_model=dict[str, Any])
async def commands(thread_id: str, given: ProtocolCommand, runtime: TheRuntime, who: Who) -> Json:
    """One command; its result or its error under its id."""
    return Json(await carried_out(Caller(runtime, who, thread_id), given))


async def listened_to(session: OwnThread, runtime: TheRuntime) -> AsyncIterator[Session]:
    """The caller's thread, with runs that tell what they do: from before the answer begins until it is over."""
    async with listening(runtime, session.session_id):
        yield session


@router.post("/stream/events", response_class=EventStream, responses=STREAM)
async def stream_events(
    session: Annotated[Session, Depends(listened_to)],
    given: ProtocolEventStreamRequest,
    runtime: TheRuntime,
    request: Request,
) -> StreamingResponse:
    """What happens in the thread after a number, as long as the client listens."""
    told = with_heartbeats(events(runtime, session, given, Order().join()), heartbeat_of(request), _encoded)
    return event_stream(told, {"Cache-Control": "no-store"})


def _encoded(event: dict[str, Any]) -> bytes:
    return sse(event["method"], event, str(event["seq"]))
