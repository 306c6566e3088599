"""Periodic jobs: in one process of all, again when they are due, whatever one of them raises."""

import asyncio
from pathlib import Path

from madang.bootstrap import open_runtime
from madang.runtime.periodic import Periodic
from madang.settings import Settings
from madang.store.database import Database
from tests.support import plain_graph


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


async def test_retention_is_one_when_a_limit_is_set(db_url: str, tmp_path: Path) -> None:
    apps = {"talk": plain_graph.graph}
    for keep_last, named in ((0, []), (1, ["retention"])):
        settings = Settings(db=db_url, data_dir=tmp_path, keep_last=keep_last)
        async with open_runtime(settings, apps=apps, installed=False) as runtime:
            jobs = [job for job in runtime.periodic.jobs if job.name == "retention"]
            assert [job.name for job in jobs] == named
            for job in jobs:
                await job.work()
