"""The open sockets of this process, by session: to close them when the session is deleted or the server stops."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

from starlette.websockets import WebSocket, WebSocketDisconnect

from madang.server.identity import SUBPROTOCOL
from madang.server.rechecking import Rechecks

CLOSED = (WebSocketDisconnect, RuntimeError)
UNKNOWN_SESSION = 4004
NO_CREDENTIALS = 4401
GOING_AWAY = 1001
TRY_LATER = 1013


class Place:
    """One open socket."""

    __slots__ = ("session_id", "websocket")

    def __init__(self, session_id: str, websocket: WebSocket) -> None:
        self.session_id = session_id
        self.websocket = websocket

    async def end(self, code: int) -> None:
        with suppress(*CLOSED):
            await self.websocket.close(code)


class Sockets:
    """All open sockets."""

    def __init__(self) -> None:
        self._places: dict[str, set[Place]] = defaultdict(set)

    def __len__(self) -> int:
        return sum(map(len, self._places.values()))

    def add(self, session_id: str, websocket: WebSocket) -> Place:
        place = Place(session_id, websocket)
        self._places[session_id].add(place)
        return place

    def remove(self, place: Place) -> None:
        places = self._places.get(place.session_id)
        if places is not None:
            places.discard(place)
            if not places:
                del self._places[place.session_id]

    async def end(self, session_id: str) -> None:
        """The session is gone: close whoever listens to it."""
        await asyncio.gather(*(place.end(UNKNOWN_SESSION) for place in self._places.get(session_id, ())))

    async def close(self) -> None:
        """The server stops."""
        open_now = [place for places in self._places.values() for place in places]
        await asyncio.gather(*(place.end(GOING_AWAY) for place in open_now))


async def welcome(websocket: WebSocket) -> None:
    """Accept a socket, under our protocol's name if the client offers it."""
    offered = websocket.headers.get("sec-websocket-protocol", "")
    chosen = SUBPROTOCOL if SUBPROTOCOL in [name.strip() for name in offered.split(",")] else None
    await websocket.accept(subprotocol=chosen)


@contextmanager
def listed(websocket: WebSocket, session_id: str) -> Iterator[None]:
    """Among the open sockets meanwhile: closed with its session, its credentials or the server."""
    sockets: Sockets = websocket.app.state.sockets
    rechecks: Rechecks = websocket.app.state.rechecks
    place = sockets.add(session_id, websocket)
    try:
        with rechecks.watching(websocket, partial(place.end, NO_CREDENTIALS)):
            yield
    finally:
        sockets.remove(place)
