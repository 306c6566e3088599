"""Fan-out of event frames to whoever listens to a session, with bounded memory.

The log is the truth; the hub only wakes listeners up and saves them a read. A listener that falls behind loses its
queue, not its events: it reads on from the log.
"""

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from madang.errors import ServiceUnavailable

logger = logging.getLogger(__name__)

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
        # By session: the last number that its listeners were offered, and the last that there is said to be.
        self._offered: dict[str, int] = {}
        self._said: dict[str, int] = {}
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._waiting: dict[str, set[asyncio.Event]] = defaultdict(set)
        self.taps: list[Callable[[list[Frame]], None]] = []

    def publish(self, frames: list[Frame]) -> None:
        """Hand frames, already in the log, to those who listen; `taps` see the frames of every session."""
        for tap in self.taps:
            tap(frames)
        self._offer(frames)

    def heard(self, session_id: str, number: int) -> None:
        """Another process has brought a session's log to this number: read it for those who listen, once for all."""
        for waiting in self._waiting.get(session_id, ()):
            waiting.set()
        if session_id not in self._open or number <= self._offered.get(session_id, 0):
            return
        self._said[session_id] = max(number, self._said.get(session_id, 0))
        if session_id not in self._reading:
            self._reading[session_id] = asyncio.get_running_loop().create_task(self._read(session_id))

    @property
    def followed(self) -> set[str]:
        """The sessions that somebody listens to or waits for."""
        return {*self._open, *self._waiting}

    @contextmanager
    def waiting(self, session_id: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever something has happened in the session."""
        news = asyncio.Event()
        self._waiting[session_id].add(news)
        try:
            yield news
        finally:
            self._waiting[session_id].discard(news)
            if not self._waiting[session_id]:
                del self._waiting[session_id]

    async def _read(self, session_id: str) -> None:
        try:
            while listeners := self._open.get(session_id):
                after = self._offered.get(session_id) or min(one.after for one in listeners)
                if after >= self._said.get(session_id, 0):
                    return
                frames = await self._read_log(session_id, after)
                if not frames:
                    return
                self._offer(frames)
        except ServiceUnavailable:
            logger.info("what another process tells has to wait for the database")
        finally:
            self._reading.pop(session_id, None)

    def _offer(self, frames: list[Frame]) -> None:
        for frame in frames:
            session_id = frame["session_id"]
            for waiting in self._waiting.get(session_id, ()):
                waiting.set()
            if session_id in self._open:
                self._offered[session_id] = max(frame["seq"], self._offered.get(session_id, 0))
                for subscription in self._open[session_id]:
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
                self._offered.pop(subscription.session_id, None)
                self._said.pop(subscription.session_id, None)
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
