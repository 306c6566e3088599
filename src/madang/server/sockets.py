"""The open sockets of this process, by session: to close them when the session is deleted or the server stops."""

import asyncio
from collections import defaultdict

UNKNOWN_SESSION = 4004
NO_CREDENTIALS = 4401
GOING_AWAY = 1001


class Place:
    """One open socket. `ended` is set, with a close code, when the server wants it closed."""

    __slots__ = ("code", "ended", "session_id")

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.ended = asyncio.Event()
        self.code = GOING_AWAY

    def end(self, code: int) -> None:
        self.code = code
        self.ended.set()


class Sockets:
    """All open sockets."""

    def __init__(self) -> None:
        self._places: dict[str, set[Place]] = defaultdict(set)

    def __len__(self) -> int:
        return sum(map(len, self._places.values()))

    def add(self, session_id: str) -> Place:
        place = Place(session_id)
        self._places[session_id].add(place)
        return place

    def remove(self, place: Place) -> None:
        places = self._places.get(place.session_id)
        if places is not None:
            places.discard(place)
            if not places:
                del self._places[place.session_id]

    def end(self, session_id: str) -> None:
        """The session is gone: close whoever listens to it."""
        for place in list(self._places.get(session_id, ())):
            place.end(UNKNOWN_SESSION)

    async def close(self) -> None:
        """The server stops."""
        for places in list(self._places.values()):
            for place in list(places):
                place.end(GOING_AWAY)
