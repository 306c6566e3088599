"""Fan-out of event frames to whoever listens to a session, with bounded memory.

The log is the truth; the hub only wakes listeners up and saves them a read. A listener that falls behind loses its
queue, not its events: it reads on from the log.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

Frame = dict[str, Any]
ReadLog = Callable[[str, int], Awaitable[list[Frame]]]


class Subscription:
    """A listener's place: at most `limit` frames wait in it, older ones are read from the log again."""

    def __init__(self, session_id: str, after: int, limit: int) -> None:
        self.session_id = session_id
        self.after = after
        self._frames: deque[Frame] = deque(maxlen=limit)
        self._wake = asyncio.Event()
        self.closed = False

    def offer(self, frame: Frame) -> None:
        self._frames.append(frame)
        self._wake.set()

    def close(self) -> None:
        self.closed = True
        self._wake.set()

    async def wait(self) -> None:
        """Returns when there is something new, or the subscription is closed."""
        await self._wake.wait()
        self._wake.clear()

    def take(self) -> list[Frame] | None:
        """The waiting frames that follow `after` without a gap; None if some are missing and must be read."""
        frames = [frame for frame in self._frames if frame["seq"] > self.after]
        self._frames.clear()
        if frames and frames[0]["seq"] != self.after + 1:
            return None
        return frames


class Hub:
    """All subscriptions of one process."""

    def __init__(self, read_log: ReadLog, *, limit: int = 256) -> None:
        self._read_log = read_log
        self._limit = limit
        self._open: dict[str, set[Subscription]] = defaultdict(set)
        self.taps: list[Callable[[list[Frame]], None]] = []

    def publish(self, frames: list[Frame]) -> None:
        """Hand frames, already in the log, to those who listen; `taps` see the frames of every session."""
        for tap in self.taps:
            tap(frames)
        for frame in frames:
            for subscription in self._open.get(frame["session_id"], ()):
                subscription.offer(frame)

    def subscribe(self, session_id: str, after: int) -> Subscription:
        subscription = Subscription(session_id, after, self._limit)
        self._open[session_id].add(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        listeners = self._open.get(subscription.session_id)
        if listeners is not None:
            listeners.discard(subscription)
            if not listeners:
                del self._open[subscription.session_id]
        subscription.close()

    async def follow(self, session_id: str, after: int) -> AsyncIterator[Frame]:
        """Every frame after that number, first from the log, then live, each exactly once and in order."""
        subscription = self.subscribe(session_id, after)
        try:
            while not subscription.closed:
                while page := await self._read_log(session_id, subscription.after):
                    for frame in page:
                        subscription.after = frame["seq"]
                        yield frame
                while True:
                    await subscription.wait()
                    frames = subscription.take()
                    if frames is None or subscription.closed:
                        break
                    for frame in frames:
                        subscription.after = frame["seq"]
                        yield frame
        finally:
            self.unsubscribe(subscription)

    def close(self) -> None:
        """End every subscription."""
        for listeners in list(self._open.values()):
            for subscription in list(listeners):
                subscription.close()
