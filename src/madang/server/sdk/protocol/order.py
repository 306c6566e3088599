"""The order in which the subscriptions of one socket tell things.

JavaScript's client gives whatever comes over its socket to each of its subscriptions, and a run's end stops their
reading: an end that overtakes what another subscription has yet to tell loses it.
"""

import asyncio
from contextlib import suppress

# For how many seconds a run's end waits for the one who reads it, where a run was started over the same socket.
READER_COMES = 2.0


class Order:
    """The places of a socket's subscriptions in the log."""

    def __init__(self) -> None:
        self.started_runs = False
        self._places: set[Place] = set()
        self._moved = asyncio.Event()

    def join(self) -> "Place":
        """A place for a subscription that was asked for; until it moves, ends wait for it."""
        place = Place(self)
        self._places.add(place)
        self.moved()
        return place

    def leave(self, place: "Place") -> None:
        self._places.discard(place)
        self.moved()

    def moved(self) -> None:
        """Let those who wait look again."""
        self._moved.set()

    async def reader(self) -> None:
        """Returns when somebody reads more than ends."""
        while all(place.watches for place in self._places):
            await self._news()

    async def passed(self, number: int) -> None:
        """Returns when every subscription has told what comes before a number."""
        while any(place.number < number for place in self._places):
            await self._news()

    async def _news(self) -> None:
        self._moved.clear()
        await self._moved.wait()


class Place:
    """How far one subscription is."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self.number = -1
        # Whether it only asks how runs end.
        self.watches = False

    def reach(self, number: int) -> None:
        """Everything before this number is told."""
        self.number = number
        self._order.moved()

    async def before_end(self) -> None:
        """Returns when the end of a run, which is the next to tell, may be told."""
        if self.watches and self._order.started_runs:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._order.reader(), READER_COMES)
        await self._order.passed(self.number)
