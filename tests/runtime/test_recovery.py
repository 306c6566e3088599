"""Runs whose owner is gone are taken over, and a late write of the former owner is refused."""

import asyncio

import pytest

from madang.errors import Fenced, ServiceUnavailable
from madang.events import TERMINAL
from madang.runtime import Runtime, TurnRequest, runner
from madang.server.app import begin_work
from madang.store.owners import Owner
from madang.store.runs import Run
from madang.store.turns import Turns
from tests.support.runs import begun
from tests.support.runtimes import Gate, new_session, open_trip, say
from tests.support.trip_assistant import Services

ELSEWHERE = Owner(host="elsewhere", pid=1, id="worker-1")


async def elsewhere(runtime: Runtime, session: str, lease: float = 60) -> Run:
    """A run of the session that another process runs."""
    given = {"assistant": "trip", "input": {"query": "오사카 3"}, "request_id": "r"}
    return await begun(runtime.db, session, owner=ELSEWHERE, lease=lease, **given)


async def test_an_expired_lease_is_taken_over_while_the_server_runs(db_url: str) -> None:
    async with open_trip(db_url, lease=0.1) as runtime:
        session = await new_session(runtime)
        run = await elsewhere(runtime, session, lease=0.05)
        runtime.recovery.watch()
        outcome = await runtime.outcome(run.run_id)
        assert outcome["status"] == "completed"
        assert await Turns(runtime.db).heartbeat([run], 30) == (set(), set())
        with pytest.raises(Fenced):
            await runtime.events.append(session, run.run_id, run.fence, [])


async def test_a_lease_that_holds_is_left_alone(db_url: str) -> None:
    async with open_trip(db_url) as runtime:
        session = await new_session(runtime)
        run = await elsewhere(runtime, session)
        assert await runtime.recovery.recover() == 0
        assert (await runtime.runs.get(run.run_id)).status == "running"


async def test_a_message_for_a_session_that_runs_elsewhere_waits_its_turn(db_url: str) -> None:
    async with open_trip(db_url, lease=0.1) as runtime:
        session = await new_session(runtime)
        run = await elsewhere(runtime, session)
        queued = await runtime.start(session, TurnRequest(text="도쿄 3"))
        assert (await runtime.runs.get(queued.run_id)).status == "queued"
        await Turns(runtime.db).end(run, "completed")
        runtime.recovery.watch()
        assert (await runtime.outcome(queued.run_id))["status"] == "completed"


async def test_a_database_that_is_held_as_a_server_starts_does_not_stop_it(
    db_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_trip(db_url, lease=0.3) as runtime:
        session = await new_session(runtime)
        run = await begun(runtime.db, session, lease=-1, assistant="trip", input={"query": "오사카 3"}, request_id="r")
        requeue, held = runtime.turns.requeue, [ServiceUnavailable("locked by another process")]

        async def requeue_later(orphan: Run) -> Run:
            if held:
                raise held.pop()
            return await requeue(orphan)

        monkeypatch.setattr(runtime.turns, "requeue", requeue_later)
        await begin_work(runtime, 0)
        assert not held
        assert (await runtime.wait(run.run_id)).status == "completed"


async def test_a_process_ends_although_the_database_takes_nothing_back(
    db_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "HAND_BACK", 0.1)
    gate, asked = Gate(), asyncio.Event()

    async def away(_self: Turns, _run: Run) -> Run:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        monkeypatch.setattr(Turns, "release", away)
        await runtime.close(grace=0)
        assert asked.is_set()
        assert (await runtime.runs.get(run.run_id)).status == "running"


async def test_a_question_that_was_being_given_up_as_its_process_died_is_cancelled(db_url: str) -> None:
    """Its steps are marked, its end is not stored: nothing is left to run, and it is no turn that was answered."""
    async with open_trip(db_url, Services(asks={"itinerary"})) as runtime:
        session = await new_session(runtime)
        asked = await say(runtime, session, "오사카 3")
        assert asked["status"] == "interrupted"
        run = await runtime.runs.waiting(session)
        assert run is not None
        held = await runtime.turns.claim(run, ELSEWHERE, -1)
        await runtime.served["trip"].close_cancelled(held, "")
        assert await runtime.recovery.recover() == 1
        assert (await runtime.wait(run.run_id)).status == "cancelled"
        ends = [frame["type"] for frame in await runtime.events.read(session) if frame["type"] in TERMINAL]
        assert ends == ["workflow_interrupted", "cancelled"]


async def test_a_run_that_was_to_stop_as_its_process_died_is_not_run_again(db_url: str) -> None:
    services = Services()
    async with open_trip(db_url, services) as runtime:
        session = await new_session(runtime)
        run = await elsewhere(runtime, session, lease=-1)
        await runtime.runs.control(run.run_id, "cancel")
        assert await runtime.recovery.recover() == 1
        assert (await runtime.wait(run.run_id)).status == "cancelled"
        assert services.calls["flight"] == 0
