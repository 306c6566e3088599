"""Fan-out: each listener gets each frame once and in order, and memory stays bounded."""

import asyncio
from typing import Any

from madang.runtime.hub import Frame, Hub
from tests.support.waiting import then


class Log:
    """An event log in memory."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.reads = 0

    async def read(self, session_id: str, after: int) -> list[Frame]:
        self.reads += 1
        return [f for f in self.frames if f["session_id"] == session_id and f["seq"] > after][:100]

    def add(self, hub: Hub, count: int) -> None:
        for _ in range(count):
            frame = {"session_id": "s", "seq": len(self.frames) + 1}
            self.frames.append(frame)
            hub.publish([frame])


async def take(hub: Hub, after: int, until: int) -> list[int]:
    seen: list[int] = []
    async for frame in hub.follow("s", after):
        seen.append(frame["seq"])
        if frame["seq"] >= until:
            break
    return seen


async def test_what_was_missed_then_what_comes() -> None:
    log = Log()
    hub = Hub(log.read)
    log.add(hub, 250)
    seen, _ = await asyncio.gather(take(hub, 40, 300), then(log.add, hub, 50))
    assert seen == list(range(41, 301))


async def test_a_slow_listener_reads_on_from_the_log_and_hurts_nobody() -> None:
    log = Log()
    hub = Hub(log.read, limit=10)
    seen: list[int] = []
    slow: Any = hub.follow("s", 0)
    log.add(hub, 1)
    seen.append((await anext(slow))["seq"])
    quick, _ = await asyncio.gather(take(hub, 1, 1001), then(log.add, hub, 1000))
    assert quick == list(range(2, 1002))
    assert all(len(subscription._frames) <= 10 for subscription in hub._open["s"])
    async for frame in slow:
        seen.append(frame["seq"])
        if frame["seq"] == 1001:
            break
    await slow.aclose()
    assert seen == list(range(1, 1002))


async def test_closing_ends_every_listener() -> None:
    log = Log()
    hub = Hub(log.read)
    seen, _ = await asyncio.gather(take(hub, 0, 10), then(hub.close))
    assert seen == []
