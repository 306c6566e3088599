"""The WebSocket: one conversation, both ways."""

import asyncio
import logging
from contextlib import aclosing, suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket

from madang.errors import Conflict, InvalidInput, MadangError, NotFound, Unauthenticated
from madang.events import Connected, Error, Event, of_turn
from madang.runtime import Runtime, TurnRequest
from madang.server.client_frames import (
    BadFrame,
    CancelFrame,
    ClientFrame,
    InterruptResponseFrame,
    QueryFrame,
    ResumeFrame,
    TodoSkipFrame,
    parse,
    request_of,
)
from madang.server.identity import Identity, authorise, identify
from madang.server.options import ServerOptions
from madang.server.rest.events import check_seen
from madang.server.sockets import CLOSED, NO_CREDENTIALS, TRY_LATER, UNKNOWN_SESSION, listed, welcome
from madang.server.turns import accept
from madang.server.wire import encode, own_frame
from madang.store.sessions import Session

router = APIRouter()
logger = logging.getLogger(__name__)


@router.websocket("/ws/{session_id}")
async def converse(
    websocket: WebSocket, session_id: str, after: Annotated[int | None, Query(ge=0, le=2**53)] = None
) -> None:
    """A socket on one session: 4004 if it isn't the caller's, 4401 without the credentials that are required."""
    await welcome(websocket)
    with suppress(*CLOSED):
        try:
            identity = await identify(websocket)
            session = await authorise(websocket.app.state.runtime, identity, session_id)
        except MadangError as error:
            await websocket.close(close_code(error), error.code)
            return
        connection = Connection(websocket, identity, session)
        try:
            with listed(websocket, session_id):
                await connection.open(after)
                await connection.listen()
        finally:
            await connection.close()


def close_code(error: MadangError) -> int:
    """How a socket is closed because of an error."""
    if isinstance(error, Unauthenticated):
        return NO_CREDENTIALS
    return UNKNOWN_SESSION if isinstance(error, NotFound) else TRY_LATER


class Connection:
    """One open socket: what the session says goes out, what the client says comes in."""

    def __init__(self, websocket: WebSocket, identity: Identity, session: Session) -> None:
        self._websocket = websocket
        self._identity = identity
        self._session = session
        self._session_id = session.session_id
        self._assistant = session.assistant or ""
        self._last_seq = session.last_seq
        self._runtime: Runtime = websocket.app.state.runtime
        self._options: ServerOptions = websocket.app.state.options
        self._sender: asyncio.Task[None] | None = None
        self._grace: asyncio.TimerHandle | None = None

    async def open(self, after: int | None) -> None:
        """Greet, then go on live. A client that will say `resume` first has a moment to do so, so that what it
        missed comes before what is new."""
        run = await self._runtime.runs.running(self._session_id)
        running = None
        if run is not None:
            running = {"run_id": run.run_id, "request_id": run.request_id, "status": run.status}
        await self._send(Connected(assistant=self._assistant, last_seq=self._last_seq, running=running))
        if after is not None:
            try:
                self._start_sending(check_seen(after, self._last_seq))
            except InvalidInput as error:
                await self._send(Error(error=error.code, message=error.message))
        if self._sender is None:
            self._grace = asyncio.get_running_loop().call_later(
                self._options.resume_grace, self._start_sending, self._last_seq
            )

    async def listen(self) -> None:
        """Do what the client says until it leaves."""
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            try:
                await self._check()
                await self._carry_out(_readable(text, self._options.max_frame_bytes))
            except (Unauthenticated, _Gone) as error:
                await self._websocket.close(close_code(error), error.code)
                return
            except MadangError as error:
                await self._send(Error(error=error.code, message=error.message), request_of(text or ""))
            except CLOSED:
                raise
            except Exception:
                logger.exception("socket frame failed", extra={"session_id": self._session_id})
                await self._send(
                    Error(error="internal", message="처리하는 중에 문제가 생겼습니다."), request_of(text or "")
                )

    async def _check(self) -> None:
        """Credentials may have been revoked and the session deleted since the socket was opened."""
        if not self._identity.local:
            self._identity = await identify(self._websocket)
        try:
            self._session = await authorise(self._runtime, self._identity, self._session_id)
        except NotFound as error:
            raise _Gone(error.message) from error

    async def _carry_out(self, frame: ClientFrame) -> None:
        if isinstance(frame, ResumeFrame):
            seen = check_seen(frame.after, self._session.last_seq)
            await self._stop_sending()
            self._start_sending(seen)
            return
        self._start_sending(self._last_seq)
        match frame:
            case QueryFrame():
                turn = TurnRequest(text=frame.query, request_id=frame.request_id, policy=frame.multitask_strategy)
                await accept(self._runtime, self._session, turn)
            case InterruptResponseFrame():
                await self._runtime.resume(self._session_id, {frame.interrupt_id: frame.value})
            case TodoSkipFrame():
                await self._runtime.skip(await self._current("skip"), frame.step_id)
            case CancelFrame():
                await self._runtime.cancel(await self._current("cancel"))

    async def _current(self, purpose: str) -> str:
        """The turn that runs, else the one that waits for an answer, else the next one."""
        runtime = self._runtime
        found = (
            await runtime.runs.running(self._session_id)
            or await runtime.runs.waiting(self._session_id)
            or await runtime.runs.next_queued(self._session_id)
        )
        if found is None:
            raise Conflict(f"there is no turn to {purpose}")
        return found.run_id

    def _start_sending(self, after: int) -> None:
        """Begin to send what comes after a number, unless it has begun."""
        self._cancel_grace()
        if self._sender is None:
            self._sender = asyncio.create_task(self._follow(after))

    async def _follow(self, after: int) -> None:
        # A client that reads slowly holds up only this loop; the hub reads on from the log for it.
        with suppress(*CLOSED):
            async with aclosing(self._runtime.hub.follow(self._session_id, after)) as frames:  # type: ignore[type-var]
                async for frame in frames:
                    if not of_turn([frame]):
                        continue
                    await self._websocket.send_text(encode(frame))

    async def _send(self, event: Event, request_id: str | None = None) -> None:
        frame: dict[str, Any] = own_frame(event, self._session_id, request_id)
        await self._websocket.send_text(encode(frame))

    def _cancel_grace(self) -> None:
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None

    async def _stop_sending(self) -> None:
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.gather(self._sender, return_exceptions=True)
            self._sender = None

    async def close(self) -> None:
        """Stop sending."""
        self._cancel_grace()
        await self._stop_sending()


class _Gone(NotFound):
    """The session is not there any more, or not the caller's."""


def _readable(text: str | None, limit: int) -> ClientFrame:
    if text is None:
        raise BadFrame("binary frames are not accepted; send JSON as text")
    if len(text) > limit:
        raise BadFrame(f"the frame is larger than {limit:,} characters")
    return parse(text)
