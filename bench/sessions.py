"""The cost of a turn beside ten thousand, a hundred thousand and a million other sessions in one Postgres.

Each size has a database of its own, filled with copies of a real conversation as retention leaves it: its last turn
with one checkpoint. They take their turns in turn, so that whatever else the machine does weighs on all alike.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import psycopg

from bench import Row
from bench._copies import copy, some
from bench._fan import Diary, assistant
from tests.support.postgres import PostgresServer, create_database

if TYPE_CHECKING:
    from madang.runtime import Runtime

SIZES = (10_000, 100_000, 1_000_000)
WARM_UP = 30
PAGES = "SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()"
BYTES = "SELECT pg_database_size(current_database())"


def sessions(*, most: int = SIZES[-1], turns: int = 300) -> list[Row]:
    """`turns` beside 10⁴, 10⁵ … up to `most` sessions: on new ones, on some of those, and again on the same."""
    with tempfile.TemporaryDirectory(prefix="sessions-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        postgres = PostgresServer.create(home / "postgres")
        try:
            urls = {size: create_database(postgres.url) for size in SIZES if size <= most}
            found = asyncio.run(_measure(urls, turns))
        finally:
            postgres.remove()
    return list(_rows(found, turns))


def _rows(found: "list[Beside]", turns: int) -> Iterator[Row]:
    few = found[0]
    for one in found:
        yield Row(
            measure=f"a turn beside {one.size:,} sessions",
            value=median(one.times),
            unit="ms",
            peer=f"beside {few.size:,}",
            peer_value=median(few.times),
            goal="≤ 1.3 ×" if one.size == SIZES[-1] else "",
            note=f"median of {turns}; the database has {one.bytes / 2**30:.1f} GB",
        )
        yield Row(
            measure=f"pages of Postgres that it touches beside {one.size:,}",
            value=one.pages / turns,
            peer=f"beside {few.size:,}",
            peer_value=few.pages / turns,
        )


@dataclass
class Beside:
    """A runtime over the database of one size, and what its turns cost."""

    size: int
    url: str
    runtime: "Runtime"
    known: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    pages: int = 0
    bytes: int = 0

    async def turn(self, number: int) -> None:
        """On a new session, on one of the many, then again on that one."""
        if number % 3 == 0:
            session_id = (await self.runtime.sessions.create(assistant="fan")).session_id
        else:
            session_id = self.known[number // 3]
        begun = time.perf_counter()
        await say(self.runtime, session_id, f"turn {number}")
        self.times.append((time.perf_counter() - begun) * 1000)

    def ask(self, question: str) -> int:
        with psycopg.connect(self.url) as connection:
            [[answer]] = connection.execute(question)
            return int(answer)


async def say(runtime: "Runtime", session_id: str, text: str) -> None:
    """A turn, until it has ended as it should."""
    from madang.runtime import TurnRequest

    run = await runtime.start(session_id, TurnRequest(text=text))
    outcome = await runtime.outcome(run.run_id)
    assert outcome["status"] == "completed", outcome


async def _measure(urls: dict[int, str], turns: int) -> list[Beside]:
    async with AsyncExitStack() as stack:
        found = [await _filled(stack, url, size, turns) for size, url in urls.items()]
        for number in range(turns + WARM_UP):
            if number == WARM_UP:
                for one in found:
                    one.times, one.pages = [], -one.ask(PAGES)
            for one in found:
                await one.turn(number)
        # Its connections tell Postgres what they read when they have nothing to do for a second.
        await asyncio.sleep(2)
        for one in found:
            one.pages += one.ask(PAGES)
            one.bytes = one.ask(BYTES)
    return found


async def _filled(stack: AsyncExitStack, url: str, size: int, turns: int) -> Beside:
    from madang.graph import build
    from madang.runtime import Runtime
    from madang.runtime.assistant_graph import AssistantGraph
    from madang.store import SessionSaver
    from madang.store.database import Database
    from madang.store.retention import Retention, prune

    begun = time.monotonic()
    db = await Database.open(url)
    stack.push_async_callback(db.close)
    saver = SessionSaver(db)
    served = AssistantGraph("fan", build(assistant, saver), assistant, Diary())
    runtime = Runtime(db, saver, {"fan": served}, today=lambda: date(2026, 1, 1))
    stack.push_async_callback(runtime.close)
    original = (await runtime.sessions.create(assistant="fan")).session_id
    await say(runtime, original, "a message of some length, as people write them")
    await prune(db, saver, Retention(keep_last=1))
    await asyncio.to_thread(copy, url, original, size)
    one = Beside(size, url, runtime, await asyncio.to_thread(some, url, original, (turns + WARM_UP) // 3 + 1))
    sys.stderr.write(f"{size:,} sessions: {one.ask(BYTES) / 2**30:.2f} GB in {time.monotonic() - begun:.0f} s\n")
    return one


SUITES = {"sessions": sessions}
