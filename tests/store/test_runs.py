"""Runs: finding them, orphans, controls, deleting."""

import asyncio
from collections.abc import Iterable

import pytest

from madang.errors import Conflict, NotFound, SessionBusy
from madang.store.database import Database
from madang.store.owners import Owner
from madang.store.runs import Run, Runs
from madang.store.sessions import Sessions
from madang.store.turns import NewRun, Turns
from tests.support.runs import begun

HERE, THERE = Owner("worker-1", "here", 100), Owner("worker-2", "there", 200)


@pytest.fixture
async def runs(db: Database) -> Runs:
    await Sessions(db).create("s")
    return Runs(db)


async def test_orphans_are_expired_or_of_an_owner_that_is_dead(db: Database, runs: Runs) -> None:
    async def running(session: str, owner: Owner, lease: float) -> Run:
        await Sessions(db).create(session)
        return await begun(db, session, owner=owner, lease=lease)

    expired = await running("a", THERE, -5)
    dead = await running("b", HERE, 60)
    await running("c", Owner("worker-3", "here", 100), 60)
    asked: list[str] = []

    def worker_1(owners: Iterable[str]) -> list[str]:
        asked.extend(owners)
        return ["worker-1"]

    assert await runs.find_orphans(worker_1) == [expired, dead]
    assert sorted(asked) == ["worker-1", "worker-2", "worker-3"]
    assert await runs.find_orphans(lambda _: []) == [expired]


async def test_controls_are_read_in_order(db: Database, runs: Runs) -> None:
    run = await Turns(db).queue("s", NewRun())
    await asyncio.gather(*(runs.control(run.run_id, "todo_skip", {"step_id": f"step_{n}"}) for n in range(6)))
    await runs.control(run.run_id, "cancel")
    asked = await runs.controls(run.run_id, run.session_id)
    assert {control.data["step_id"] for control in asked[:-1]} == {f"step_{n}" for n in range(6)}
    assert asked[-1].kind == "cancel"
    await Turns(db).cancel(run.run_id)
    with pytest.raises(Conflict):
        await runs.control(run.run_id, "todo_skip", {"step_id": "step_0"})


async def test_a_deleted_session_takes_its_runs_and_controls(db: Database, runs: Runs) -> None:
    run = await begun(db, "s")
    await runs.control(run.run_id, "cancel")
    await Sessions(db).delete("s")
    with pytest.raises(NotFound):
        await runs.control(run.run_id, "cancel")
    assert await runs.controls(run.run_id, run.session_id) == []
    assert (await runs.list()).items == []


async def test_listing_pages_newest_first(db: Database, runs: Runs) -> None:
    made = [(await Turns(db).queue("s", NewRun())).run_id for _ in range(5)]
    found: list[str] = []
    cursor = None
    while True:
        page = await runs.list("s", limit=2, cursor=cursor)
        found += [run.run_id for run in page.items]
        if (cursor := page.next_cursor) is None:
            break
    assert found == made[::-1]


async def test_a_running_run_is_not_deleted(db: Database, runs: Runs) -> None:
    run = await begun(db, "s")
    with pytest.raises(SessionBusy):
        await runs.delete(run.run_id)
    await Turns(db).end(run, "completed")
    assert await runs.delete(run.run_id) is True
    assert await runs.delete(run.run_id) is False
