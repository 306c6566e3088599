"""Periodic jobs: in one process of all, again when they are due, whatever one of them raises."""

import asyncio

from madang.runtime.periodic import Periodic
from madang.store.database import Database


async def test_of_several_processes_one_does_it(db: Database) -> None:
    first, second = Periodic(db), Periodic(db)
    for one in (first, second):
        one.add("sweep", 3600, asyncio.Event().wait)
    taken = await asyncio.gather(*(one.due(one.jobs[0]) for one in (first, second, first)))
    assert sorted(taken) == [False, False, True]


async def test_it_is_done_again_when_it_is_due(db: Database) -> None:
    periodic = Periodic(db)
    periodic.add("sweep", 0.0, asyncio.Event().wait)
    assert [await periodic.due(periodic.jobs[0]) for _ in range(3)] == [True, True, True]


async def test_one_that_fails_is_called_again_and_keeps_no_other(db: Database) -> None:
    done = asyncio.Event()
    failed = 0

    async def fail() -> None:
        nonlocal failed
        failed += 1
        if failed == 2:
            done.set()
        raise RuntimeError("no")

    other = asyncio.Event()

    async def work() -> None:
        other.set()

    periodic = Periodic(db)
    periodic.add("fails", 0.0, fail)
    periodic.add("works", 3600, work)
    running = asyncio.create_task(periodic.run())
    await asyncio.wait_for(asyncio.gather(done.wait(), other.wait()), 20)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
