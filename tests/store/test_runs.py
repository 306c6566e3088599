"""Runs: leases, fencing tokens, legal transitions, orphans, controls."""

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from madang.errors import Conflict, Fenced, IllegalTransition, NotFound, SessionBusy
from madang.store.database import Database
from madang.store.runs import LivePids, Owner, Run, Runs
from madang.store.sessions import Sessions

HERE = Owner("here", 100, "worker-1")
THERE = Owner("there", 200, "worker-2")


@pytest.fixture
async def runs(db: Database) -> Runs:
    await Sessions(db).create("s")
    return Runs(db)


async def test_a_run_is_durable_before_it_starts(runs: Runs) -> None:
    made = await runs.create("s", assistant="homes", input={"query": "전세"}, request_id="q1", metadata={"a": 1})
    assert (made.status, made.fence, made.input) == ("queued", 0, {"query": "전세"})
    assert await runs.get(made.run_id) == made
    with pytest.raises(Conflict):
        await runs.create("s", run_id=made.run_id)
    with pytest.raises(NotFound):
        await runs.create("nowhere")
    with pytest.raises(NotFound):
        await runs.get("nothing")


async def test_claim_finish_and_what_is_kept(runs: Runs) -> None:
    run = await runs.create("s", input="hi")
    fence = await runs.claim(run.run_id, HERE, 30)
    running = await runs.get(run.run_id)
    assert (running.status, running.owner_host, running.owner_pid, running.attempts) == ("running", "here", 100, 1)
    done = await runs.finish(run.run_id, fence, "completed", result={"answer": "네"}, usage={"tokens": 3})
    assert (done.status, done.result, done.usage, done.owner_host) == (
        "completed",
        {"answer": "네"},
        {"tokens": 3},
        None,
    )
    assert done.started_at is not None
    assert done.ended_at is not None
    with pytest.raises(IllegalTransition):
        await runs.claim(run.run_id, HERE, 30)
    with pytest.raises(Fenced):
        await runs.finish(run.run_id, fence, "failed")


async def test_only_one_run_of_a_session_runs(runs: Runs) -> None:
    first, second = await runs.create("s"), await runs.create("s")
    fence = await runs.claim(first.run_id, HERE, 30)
    with pytest.raises(SessionBusy) as busy:
        await runs.claim(second.run_id, THERE, 30)
    assert busy.value.details["run_id"] == first.run_id
    assert [r.run_id for r in await runs.queued()] == []
    await runs.finish(first.run_id, fence, "completed")
    following = await runs.next_queued("s")
    assert following is not None
    assert following.run_id == second.run_id
    assert [r.run_id for r in await runs.queued()] == [second.run_id]
    await runs.claim(second.run_id, THERE, 30)


async def test_of_many_claims_one_wins(db: Database, runs: Runs) -> None:
    made = [await runs.create("s") for _ in range(3)]
    claims = [runs.claim(run.run_id, HERE, 30) for run in made for _ in range(5)]
    results = await asyncio.gather(*claims, return_exceptions=True)
    assert sum(isinstance(result, int) for result in results) == 1
    assert {type(r) for r in results} <= {int, SessionBusy, IllegalTransition}
    assert len((await runs.list("s", status="running")).items) == 1


async def test_a_token_is_void_once_another_holder_has_claimed(runs: Runs) -> None:
    run = await runs.create("s")
    old = await runs.claim(run.run_id, HERE, 30)
    await runs.requeue(await runs.get(run.run_id))
    assert await runs.heartbeat({run.run_id: old}, 30) == (set(), set())
    new = await runs.claim(run.run_id, THERE, 30)
    assert new > old
    assert await runs.heartbeat({run.run_id: old}, 30) == (set(), set())
    for stale in (runs.finish(run.run_id, old, "completed"), runs.release("x", 1)):
        with pytest.raises(Fenced):
            await stale
    assert (await runs.finish(run.run_id, new, "failed", error={"code": "x"})).error == {"code": "x"}


async def test_a_heartbeat_extends_the_lease_and_saves_from_being_requeued(runs: Runs) -> None:
    run = await runs.create("s")
    fence = await runs.claim(run.run_id, HERE, -1)
    seen = (await runs.find_orphans(datetime.now(UTC), "other", ()))[0]
    assert await runs.heartbeat({run.run_id: fence, "gone": 1}, 60) == ({run.run_id}, set())
    assert await runs.find_orphans(datetime.now(UTC), "other", ()) == []
    with pytest.raises(Fenced):
        await runs.requeue(seen)
    assert (await runs.get(run.run_id)).status == "running"


async def test_a_heartbeat_tells_what_is_to_be_cancelled(db: Database, runs: Runs) -> None:
    await Sessions(db).create("t")
    one, two = await runs.create("s"), await runs.create("t")
    held = {run.run_id: await runs.claim(run.run_id, HERE, 30) for run in (one, two)}
    await runs.control(two.run_id, "todo_skip", {"step_id": "step_0"})
    await runs.control(one.run_id, "cancel")
    assert await runs.heartbeat(held, 30) == (set(held), {one.run_id})


async def test_orphans_are_expired_or_of_a_dead_process_here(db: Database, runs: Runs) -> None:
    async def running(session: str, owner: Owner, lease: float) -> Run:
        await Sessions(db).create(session)
        run = await runs.create(session)
        await runs.claim(run.run_id, owner, lease)
        return await runs.get(run.run_id)

    expired = await running("a", THERE, -5)
    dead_here = await running("b", HERE, 60)
    await running("c", Owner("here", 101), 60)
    await running("d", Owner("there", 100), 60)
    at = datetime.now(UTC)
    assert await runs.find_orphans(at, "here", {101}) == [expired, dead_here]
    later = await runs.find_orphans(at + timedelta(minutes=2), "here", {100, 101})
    assert len(later) == 4


async def test_interrupted_runs_go_on_or_are_cancelled(runs: Runs) -> None:
    run = await runs.create("s")
    first = await runs.claim(run.run_id, HERE, 30)
    interrupted = await runs.finish(run.run_id, first, "interrupted")
    assert interrupted.ended_at is None
    second = await runs.claim(run.run_id, THERE, 30)
    assert second > first
    await runs.finish(run.run_id, second, "interrupted")
    assert (await runs.cancel(run.run_id)).status == "cancelled"
    with pytest.raises(IllegalTransition):
        await runs.cancel(run.run_id)


async def test_cancelling_voids_the_holders_token(runs: Runs) -> None:
    run = await runs.create("s")
    fence = await runs.claim(run.run_id, HERE, 30)
    await runs.cancel(run.run_id)
    with pytest.raises(Fenced):
        await runs.finish(run.run_id, fence, "completed")
    assert (await runs.get(run.run_id)).status == "cancelled"


async def test_illegal_ends_are_refused(runs: Runs) -> None:
    run = await runs.create("s")
    fence = await runs.claim(run.run_id, HERE, 30)
    with pytest.raises(IllegalTransition):
        await runs.finish(run.run_id, fence, "running")
    with pytest.raises(IllegalTransition):
        await runs.finish(run.run_id, fence, "done")
    assert (await runs.release(run.run_id, fence)).status == "queued"


async def test_a_deleted_session_takes_its_runs_and_their_tokens(db: Database, runs: Runs) -> None:
    run = await runs.create("s")
    fence = await runs.claim(run.run_id, HERE, 30)
    await runs.control(run.run_id, "cancel")
    await Sessions(db).delete("s")
    with pytest.raises(Fenced):
        await runs.finish(run.run_id, fence, "completed")
    with pytest.raises(NotFound):
        await runs.control(run.run_id, "cancel")
    assert await runs.controls(run.run_id) == []
    assert (await runs.list()).items == []


async def test_controls_are_read_in_order_from_any_on(runs: Runs) -> None:
    run = await runs.create("s")
    await asyncio.gather(*(runs.control(run.run_id, "todo_skip", {"step_id": f"step_{n}"}) for n in range(6)))
    asked = await runs.controls(run.run_id)
    assert [c.idx for c in asked] == [1, 2, 3, 4, 5, 6]
    assert {c.data["step_id"] for c in asked} == {f"step_{n}" for n in range(6)}
    assert await runs.controls(run.run_id, after=4) == asked[4:]
    await runs.cancel(run.run_id)
    with pytest.raises(Conflict):
        await runs.control(run.run_id, "todo_skip", {"step_id": "step_0"})


async def test_listing_pages_newest_first(runs: Runs) -> None:
    made = [(await runs.create("s")).run_id for _ in range(5)]
    found: list[str] = []
    cursor = None
    while True:
        page = await runs.list("s", limit=2, cursor=cursor)
        found += [run.run_id for run in page.items]
        if (cursor := page.next_cursor) is None:
            break
    assert found == made[::-1]


async def test_a_running_run_is_not_deleted(runs: Runs) -> None:
    run = await runs.create("s")
    fence = await runs.claim(run.run_id, HERE, 30)
    with pytest.raises(SessionBusy):
        await runs.delete(run.run_id)
    await runs.finish(run.run_id, fence, "completed")
    assert await runs.delete(run.run_id) is True
    assert await runs.delete(run.run_id) is False


def test_live_pids() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    alive = LivePids()
    assert os.getpid() in alive
    assert ended.pid not in alive
    assert 0 not in alive
