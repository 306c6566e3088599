"""Runs: finding them, orphans, controls, deleting."""

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from madang.errors import Conflict, NotFound, SessionBusy
from madang.store.database import Database
from madang.store.runs import LivePids, Run, Runs
from madang.store.sessions import Sessions
from madang.store.turns import NewRun, Owner, Turns
from tests.support.runs import begun

HERE = Owner("here", 100, "worker-1")
THERE = Owner("there", 200, "worker-2")


@pytest.fixture
async def runs(db: Database) -> Runs:
    await Sessions(db).create("s")
    return Runs(db)


async def test_orphans_are_expired_or_of_a_dead_process_here(db: Database, runs: Runs) -> None:
    async def running(session: str, owner: Owner, lease: float) -> Run:
        await Sessions(db).create(session)
        return await begun(db, session, owner=owner, lease=lease)

    expired = await running("a", THERE, -5)
    dead_here = await running("b", HERE, 60)
    await running("c", Owner("here", 101), 60)
    await running("d", Owner("there", 100), 60)
    at = datetime.now(UTC)
    assert await runs.find_orphans(at, "here", {101}) == [expired, dead_here]
    later = await runs.find_orphans(at + timedelta(minutes=2), "here", {100, 101})
    assert len(later) == 4


async def test_controls_are_read_in_order(db: Database, runs: Runs) -> None:
    run = await Turns(db).queue("s", NewRun())
    await asyncio.gather(*(runs.control(run.run_id, "todo_skip", {"step_id": f"step_{n}"}) for n in range(6)))
    await runs.control(run.run_id, "cancel")
    asked = await runs.controls(run.run_id)
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
    assert await runs.controls(run.run_id) == []
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


def test_live_pids() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    alive = LivePids()
    assert os.getpid() in alive
    assert ended.pid not in alive
    assert 0 not in alive
