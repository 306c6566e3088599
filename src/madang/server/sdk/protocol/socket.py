"""The thread protocol over a WebSocket: commands in, their answers and the events of subscriptions out."""

import asyncio
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, WebSocket
from pydantic import ValidationError

from madang.errors import MadangError, NotFound, Unauthenticated
from madang.runtime import Runtime
from madang.runtime.state_json import dumps
from madang.server.identity import Identity, identify
from madang.server.options import ServerOptions
from madang.server.sdk.protocol.bodies import ProtocolCommand, ProtocolEventStreamRequest
from madang.server.sdk.protocol.commands import Caller, carried_out
from madang.server.sdk.protocol.order import Order, Place
from madang.server.sdk.protocol.subscriptions import events, listening
from madang.server.sockets import CLOSED, NO_CREDENTIALS, TRY_LATER, listed, welcome
from madang.store.sessions import Session

router = APIRouter()
# What clients of this protocol take as final: 4000 and the status of the same answer to a request.
NO_THREAD = 4404
MOST_SUBSCRIPTIONS = 100
# The commands that begin a run.
STARTS = ("run.start", "input.respond", "state.fork")


@router.websocket("/threads/{thread_id}/stream/events")
async def thread_socket(websocket: WebSocket, thread_id: str) -> None:
    """A socket on one thread, which the first command may make; 4401 without the credentials that are required."""
    await welcome(websocket)
    with suppress(*CLOSED):
        try:
            identity = await identify(websocket)
        except MadangError as error:
            await websocket.close(close_code(error), error.code)
            return
        line = ThreadLine(websocket, identity, thread_id)
        try:
            with listed(websocket, thread_id):
                await line.listen()
        finally:
            await line.close()


def close_code(error: MadangError) -> int:
    """How a socket is closed because of an error."""
    if isinstance(error, Unauthenticated):
        return NO_CREDENTIALS
    return NO_THREAD if isinstance(error, NotFound) else TRY_LATER


class ThreadLine:
    """One open socket."""

    def __init__(self, websocket: WebSocket, identity: Identity, thread_id: str) -> None:
        self._websocket = websocket
        self._identity = identity
        self._thread_id = thread_id
        self._runtime: Runtime = websocket.app.state.runtime
        self._options: ServerOptions = websocket.app.state.options
        self._subscriptions: dict[str, asyncio.Task[None]] = {}
        self._order = Order()

    async def listen(self) -> None:
        """Carry out commands until the client leaves. A thread that isn't the caller's closes the socket."""
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                if not self._identity.local:
                    self._identity = await identify(self._websocket)
                await self._obey(message.get("text"))
            except MadangError as error:
                await self._websocket.close(close_code(error), error.code)
                return

    async def _obey(self, text: str | None) -> None:
        if text is None or len(text) > self._options.max_frame_bytes:
            await self._refuse("a command is JSON text, and not that large")
            return
        try:
            command = ProtocolCommand.model_validate_json(text)
        except ValidationError as error:
            await self._refuse(f"not a command: {error.errors()[0]['msg']}")
            return
        caller = Caller(self._runtime, self._identity, self._thread_id)
        if command.method == "subscription.subscribe" and len(self._subscriptions) >= MOST_SUBSCRIPTIONS:
            await self._refuse("too many subscriptions", command.id)
            return
        if command.method == "subscription.subscribe":
            await self._subscribe(caller, command)
            return
        answer = await carried_out(caller, command)
        await self._send(answer)
        if answer["type"] == "error":
            return
        if command.method in STARTS:
            self._order.started_runs = True
        elif command.method == "subscription.unsubscribe":
            await self._unsubscribe(command.params["subscription_id"])

    async def _subscribe(self, caller: Caller, command: ProtocolCommand) -> None:
        place, following = self._order.join(), None
        try:
            answer = await carried_out(caller, command)
            if answer["type"] == "error":
                await self._send(answer)
                return
            params, session, answered = command.params, await caller.session(), asyncio.Event()
            following = asyncio.create_task(self._follow(session, params, place, answer, answered))
            following.add_done_callback(lambda _task: self._order.leave(place))
            following.add_done_callback(lambda _task: answered.set())
            self._subscriptions[answer["result"]["subscription_id"]] = following
            await answered.wait()
        finally:
            if following is None:
                self._order.leave(place)

    async def _unsubscribe(self, named: str) -> None:
        task = self._subscriptions.pop(named, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _follow(
        self, session: Session, given: dict[str, Any], place: Place, answer: dict[str, Any], answered: asyncio.Event
    ) -> None:
        params = ProtocolEventStreamRequest.model_validate(given)
        with suppress(*CLOSED):
            async with listening(self._runtime, session.session_id):
                await self._send(answer)
                answered.set()
                async for event in events(self._runtime, session, params, place):
                    await self._send(event)

    async def _refuse(self, message: str, command_id: int | None = None) -> None:
        await self._send({"type": "error", "id": command_id, "error": "invalid_argument", "message": message})

    async def _send(self, frame: dict[str, Any]) -> None:
        await self._websocket.send_text(dumps(frame).decode())

    async def close(self) -> None:
        """Stop sending."""
        for named in list(self._subscriptions):
            await self._unsubscribe(named)
