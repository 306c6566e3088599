"""Two runtimes over one database: what one runs, the other may cancel, roll back, answer or recover, once."""

import asyncio
from typing import Any

import pytest

from madang.runtime import TurnRequest
from madang.store.owners import Owner
from madang.store.turns import NewRun, Turns
from tests.support.runs import begun
from tests.support.runtimes import Gate, new_session, open_trip, questions, say
from tests.support.trip_assistant import Services

LEASE = 0.3
ENDS = {"response", "workflow_interrupted", "error", "cancelled"}


async def ends(runtime: Any, session: str) -> list[str]:
    return [frame["type"] for frame in await runtime.events.read(session, 0) if frame["type"] in ENDS]


async def test_rolling_back_what_another_server_runs_leaves_the_session_as_it_was(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, lease=LEASE, agents=gate.agent()) as here, open_trip(db_url, lease=LEASE) as there:
        session = await new_session(there)
        await say(there, session, "오사카 3")
        before = (await there.served["trip"].snapshot(session)).values
        running = await here.start(session, TurnRequest(text="도쿄 4"))
        await gate.entered.wait()
        after = await say(there, session, "부산 2", policy="rollback")
        assert after["status"] == "completed"
        assert [run.run_id for run in (await there.runs.list(session)).items if run.run_id == running.run_id] == []
        values = (await there.served["trip"].snapshot(session)).values
        assert before["city"] == "오사카"
        assert values["city"] == "부산"
        said = [message.content for message in values["messages"] if message.type == "human"]
        assert said == ["오사카 3", "부산 2"]


async def test_cancelling_what_another_server_runs_ends_it_once(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, lease=LEASE, agents=gate.agent()) as here, open_trip(db_url, lease=LEASE) as there:
        session = await new_session(there)
        run = await here.start(session, TurnRequest(text="도쿄 4"))
        await gate.entered.wait()
        assert (await there.cancel(run.run_id)).status == "cancelled"
        assert (await there.cancel(run.run_id)).status == "cancelled"
        assert await ends(there, session) == ["cancelled"]


async def test_a_cancel_is_stored_before_it_acts(db_url: str) -> None:
    """The process that was told to cancel dies at once: whoever recovers the run ends it as cancelled."""
    async with open_trip(db_url, lease=LEASE) as runtime:
        session = await new_session(runtime)
        run = await begun(runtime.db, session, lease=-1, assistant="trip", input={"query": "오사카 3"}, request_id="r")
        await runtime.runs.control(run.run_id, "cancel")
        await runtime.recovery.recover()
        assert (await runtime.runs.get(run.run_id)).status == "cancelled"
        assert await ends(runtime, session) == ["cancelled"]


async def test_the_same_request_at_two_servers_is_one_turn(db_url: str) -> None:
    async with open_trip(db_url) as here, open_trip(db_url) as there:
        session = await new_session(here)
        turn = TurnRequest(text="오사카 3", request_id="once")
        runs = await asyncio.gather(*(one.start(session, turn) for one in (here, there, here, there)))
        assert len({run.run_id for run in runs}) == 1
        await asyncio.gather(*(one.wait(runs[0].run_id) for one in (here, there)))
        assert (await here.start(session, turn)).run_id == runs[0].run_id
        said = [message.content for message in (await here.messages.list(session)).items if message.role == "user"]
        assert said == ["오사카 3"]
        assert await ends(here, session) == ["response"]


async def test_an_answer_sent_four_times_is_taken_once(db_url: str) -> None:
    services = Services(asks={"itinerary"})
    async with open_trip(db_url, services) as here, open_trip(db_url, services) as there:
        session = await new_session(here)
        await say(here, session, "오사카 3")
        [question] = await questions(here, session)
        answer = {question["interrupt_id"]: {"decision": "approve"}}
        taken = await asyncio.gather(
            *(one.resume(session, answer) for one in (here, there, here, there)), return_exceptions=True
        )
        runs = [one for one in taken if not isinstance(one, BaseException)]
        assert len(runs) == 1
        assert {type(one).__name__ for one in taken} <= {"Run", "Conflict", "SessionBusy"}
        await here.wait(runs[0].run_id)
        said = [message.content for message in (await here.messages.list(session)).items if message.role == "user"]
        assert len(said) == 2


async def test_the_same_answer_in_words_sent_again_is_not_a_new_turn(db_url: str) -> None:
    services = Services(asks={"itinerary"})
    async with open_trip(db_url, services) as runtime:
        session = await new_session(runtime)
        first = await runtime.start(session, TurnRequest(text="오사카 3"))
        await runtime.wait(first.run_id)
        yes = TurnRequest(text="네", request_id="yes")
        again = [(await runtime.start(session, yes)).run_id for _ in range(3)]
        assert set(again) == {first.run_id}
        await runtime.wait(first.run_id)
        said = [message.content for message in (await runtime.messages.list(session)).items if message.role == "user"]
        assert said == ["오사카 3", "네"]


async def test_a_turn_queued_behind_a_question_waits_and_the_answer_goes_to_who_asked(db_url: str) -> None:
    gate, services = Gate(), Services(asks={"itinerary"})
    async with open_trip(db_url, services, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        asking = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        behind = await runtime.start(session, TurnRequest(text="도쿄 2"))
        gate.open.set()
        assert (await runtime.wait(asking.run_id)).status == "interrupted"
        assert (await runtime.runs.get(behind.run_id)).status == "queued"
        await runtime.recovery.recover()
        assert (await runtime.runs.get(behind.run_id)).status == "queued"
        services.asks = set()
        answered = await runtime.start(session, TurnRequest(text="네"))
        assert answered.run_id == asking.run_id
        assert (await runtime.wait(asking.run_id)).status == "completed"
        assert (await runtime.wait(behind.run_id)).status == "completed"


async def test_a_turn_that_kills_its_process_twice_is_ended_with_that_reason(db_url: str) -> None:
    async with open_trip(db_url) as runtime:
        session = await new_session(runtime)
        run = await begun(runtime.db, session, lease=-1, assistant="trip", input={"query": "오사카 3"}, request_id="r")
        run = await Turns(runtime.db).requeue(run)
        await Turns(runtime.db).claim(run, Owner("gone"), -1)
        await runtime.recovery.recover()
        ended = await runtime.runs.get(run.run_id)
        assert (ended.status, ended.error and ended.error["code"]) == ("failed", "died_twice")
        assert await ends(runtime, session) == ["error"]
        assert (await say(runtime, session, "오사카 3"))["status"] == "completed"


async def test_a_run_of_an_assistant_that_is_not_served_stops_nothing(db_url: str) -> None:
    async with open_trip(db_url) as runtime:
        lost = (await runtime.sessions.create(assistant="gone")).session_id
        await begun(runtime.db, lost, lease=-1, assistant="gone", request_id="a")
        other = (await runtime.sessions.create(assistant="gone")).session_id
        await Turns(runtime.db).queue(other, NewRun(assistant="gone", request_id="b"))
        session = await new_session(runtime)
        run = await begun(runtime.db, session, lease=-1, assistant="trip", input={"query": "오사카 3"}, request_id="r")
        assert await runtime.recovery.recover() == 1
        assert (await runtime.wait(run.run_id)).status == "completed"


async def test_two_servers_that_recover_at_once_run_each_turn_once(db_url: str) -> None:
    services = Services()
    async with open_trip(db_url, services) as here, open_trip(db_url, services) as there:
        sessions = [await new_session(here) for _ in range(4)]
        given: dict[str, Any] = {"assistant": "trip", "input": {"query": "오사카 3"}, "request_id": "r"}
        runs = [await begun(here.db, session, lease=-1, **given) for session in sessions]
        assert sum(await asyncio.gather(here.recovery.recover(), there.recovery.recover())) == 4
        await asyncio.gather(*(here.wait(run.run_id) for run in runs))
        for session in sessions:
            assert await ends(here, session) == ["response"]
        assert services.calls["flight"] == 4


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_cancel_beside_the_end_gives_one_end(db_url: str, when: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        gate.open.set()
        if when == "after":
            await runtime.wait(run.run_id)
        ended = await runtime.cancel(run.run_id)
        assert len(await ends(runtime, session)) == 1
        assert ended.status == ("completed" if when == "after" else ended.status)


async def test_a_turn_that_was_begun_goes_on_before_others(db_url: str) -> None:
    """Its server died in it. The other turn came later, over a server whose clock is behind."""
    async with open_trip(db_url) as runtime:
        session = await new_session(runtime)
        run = await begun(runtime.db, session, lease=-1, assistant="trip", input={"query": "오사카 3"}, request_id="r")
        later = await Turns(runtime.db).queue(session, NewRun(assistant="trip", input={"query": "도쿄 3"}))
        async with runtime.db.transaction() as tx:
            await tx.execute(
                "UPDATE runs SET created_at = '2020-01-01T00:00:00.000000+00:00' WHERE run_id = :run_id",
                {"run_id": later.run_id},
            )
        await Turns(runtime.db).requeue(run)
        found = await runtime.runs.next_queued(session)
        assert found is not None
        assert found.run_id == run.run_id


async def test_a_turn_waits_until_what_it_would_build_on_is_rolled_back(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        queued = await runtime.start(session, TurnRequest(text="도쿄 4"))
        last = await runtime.start(session, TurnRequest(text="부산 2", policy="rollback"))
        gate.open.set()
        await runtime.wait(queued.run_id)
        await runtime.wait(last.run_id)
        values = (await runtime.served["trip"].snapshot(session)).values
        said = [message.content for message in values["messages"] if message.type == "human"]
        assert said == ["도쿄 4", "부산 2"]
