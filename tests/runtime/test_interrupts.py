"""Questions that a running plan has: answered, in words, abandoned, cancelled, and over a restart."""

from typing import Any

import pytest

from madang.errors import Conflict, IllegalTransition, NotFound
from madang.runtime import Runtime, TurnRequest, conversations
from madang.store.run_options import RunOptions
from tests.support.runtimes import new_session, open_trip, questions, say
from tests.support.trip_assistant import Services, statuses


def asking() -> Services:
    services = Services()
    services.asks = {"itinerary"}
    return services


async def ask(runtime: Runtime) -> tuple[str, dict[str, Any]]:
    session = await new_session(runtime)
    outcome = await say(runtime, session, "오사카 3")
    assert outcome["status"] == "interrupted"
    assert outcome["response"]["type"] == "approval"
    runtime.served["trip"].services.calls.clear()
    return session, outcome


async def test_the_question_is_an_event_with_its_draft(db_url: str) -> None:
    async with open_trip(db_url, asking()) as runtime:
        _session, outcome = await ask(runtime)
        last = outcome["events"][-1]
        assert last["type"] == "workflow_interrupted"
        assert last["interrupts"][0]["draft"] == {"days": 3}
        assert last["interrupts"][0]["kind"] == "approval"


async def test_resumed_by_id_no_sibling_runs_again(db_url: str) -> None:
    async with open_trip(db_url, asking()) as runtime:
        session, outcome = await ask(runtime)
        wanted = outcome["events"][-1]["interrupts"][0]["interrupt_id"]
        with pytest.raises(NotFound):
            await runtime.resume(session, {"wrong": "x"})
        run = await runtime.resume(session, {wanted: {"decision": "approve"}})
        done = await runtime.outcome(run.run_id)
        assert done["status"] == "completed"
        assert dict(runtime.served["trip"].services.calls) == {"itinerary": 1, "money": 1}
        assert [e["seq"] for e in done["events"]] == list(range(1, len(done["events"]) + 1))
        assert [e["type"] for e in done["events"]].count("planning_start") == 1


async def test_plain_text_that_fits_answers_it(db_url: str) -> None:
    async with open_trip(db_url, asking()) as runtime:
        session, _outcome = await ask(runtime)
        done = await say(runtime, session, "네 진행해주세요")
        assert done["status"] == "completed"
        assert dict(runtime.served["trip"].services.calls) == {"itinerary": 1, "money": 1}


async def test_plain_text_that_does_not_fit_abandons_it(db_url: str) -> None:
    async with open_trip(db_url, asking()) as runtime:
        session, outcome = await ask(runtime)
        runtime.served["trip"].services.asks = set()
        done = await say(runtime, session, "오사카 3 500")
        assert done["request_id"] != outcome["request_id"]
        assert done["status"] == "completed"
        assert dict(runtime.served["trip"].services.calls) == {"itinerary": 1, "money": 1}
        assert statuses(done["state"])["flight"] == "kept"


async def test_an_edit_ends_the_question_before_it_writes(db_url: str) -> None:
    """Else an answer that was read before would go on with a turn whose state is gone, and plan it anew."""
    async with open_trip(db_url, asking()) as runtime:
        session, outcome = await ask(runtime)
        waiting = await runtime.runs.waiting(session)
        assert waiting is not None
        runtime.served["trip"].services.asks = set()
        edited = await conversations.edit(runtime, await runtime.sessions.get(session), {"nights": 5})
        assert edited is not None
        with pytest.raises(IllegalTransition):
            await runtime.turns.claim(waiting, runtime.runner.owner, 30)
        assert (await runtime.runs.get(waiting.run_id)).status == "cancelled"
        done = await runtime.outcome(edited.run_id)
        assert done["request_id"] != outcome["request_id"]
        assert done["state"]["results"]["search"]["hotels"] == ["오사카 호텔 5박"]


async def test_cancelled_while_it_waits(db_url: str) -> None:
    async with open_trip(db_url, asking()) as runtime:
        session, _outcome = await ask(runtime)
        waiting = await runtime.runs.waiting(session)
        assert waiting is not None
        assert (await runtime.cancel(waiting.run_id)).status == "cancelled"
        runtime.served["trip"].services.asks = set()
        done = await say(runtime, session, "오사카 3")
        assert dict(runtime.served["trip"].services.calls) == {"itinerary": 1, "money": 1}
        assert done["status"] == "completed"


async def test_it_survives_a_restart(db_url: str) -> None:
    async with open_trip(db_url, asking()) as runtime:
        session, _outcome = await ask(runtime)
    async with open_trip(db_url, asking()) as later:
        assert await later.recovery.recover() == 0
        [pending] = await questions(later, session)
        run = await later.resume(session, {pending["interrupt_id"]: {"decision": "approve"}})
        done = await later.outcome(run.run_id)
        assert done["status"] == "completed"
        assert dict(later.served["trip"].services.calls) == {"itinerary": 1, "money": 1}


async def test_a_run_that_was_shut_down_goes_on_after_the_restart(db_url: str) -> None:
    from tests.support.runtimes import Gate

    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        await runtime.close(grace=0)
        assert (await runtime.runs.get(run.run_id)).status == "queued"
    async with open_trip(db_url) as later:
        await later.recovery.recover()
        done = await later.outcome(run.run_id)
        assert done["status"] == "completed"
        assert [e["seq"] for e in done["events"]] == list(range(1, len(done["events"]) + 1))


async def test_a_run_takes_over_from_one_that_waits(db_url: str) -> None:
    async with open_trip(db_url, services=Services(asks={"itinerary"})) as runtime:
        session = (await runtime.sessions.create(assistant="trip")).session_id
        first = await runtime.start(session, TurnRequest(text="오사카 3 100"))
        assert (await runtime.wait(first.run_id)).status == "interrupted"
        [asked] = await questions(runtime, session)
        turn = TurnRequest(options=RunOptions(), metadata={"by": "client"})
        second = await runtime.resume(session, {asked["interrupt_id"]: "ok"}, turn)
        outcome = await runtime.outcome(second.run_id)
        assert second.run_id != first.run_id
        assert second.request_id == first.request_id
        assert (outcome["status"], outcome["response"]["answer"]) == ("completed", "합계 2100")  # type: ignore[index]
        assert (await runtime.runs.get(first.run_id)).status == "cancelled"
        types = [frame["type"] for frame in await runtime.events.read(session, 0)]
        assert types.count("planning_start") == types.count("workflow_interrupted") == types.count("response") == 1
        assert "cancelled" not in types
        with pytest.raises(Conflict):
            await runtime.resume(session, {asked["interrupt_id"]: "ok"}, turn)


async def test_an_answer_sent_again_when_its_turn_is_over_begins_no_other(db_url: str) -> None:
    async with open_trip(db_url, asking()) as runtime:
        session, _outcome = await ask(runtime)
        answer = TurnRequest(text="네 진행해주세요", request_id="answer-1")
        run = await runtime.start(session, answer)
        assert (await runtime.wait(run.run_id)).status == "completed"
        again = await runtime.start(session, answer)
        assert again.run_id == run.run_id
        said = [message.content for message in (await runtime.messages.list(session)).items]
        assert said.count("네 진행해주세요") == 1


async def test_rolling_back_forgets_the_whole_turn_of_a_run_that_took_over(db_url: str) -> None:
    async with open_trip(db_url, asking()) as runtime:
        session, outcome = await ask(runtime)
        wanted = outcome["events"][-1]["interrupts"][0]["interrupt_id"]
        second = await runtime.resume(session, {wanted: "ok"}, TurnRequest(options=RunOptions()))
        await runtime.rollback(second.run_id)
        assert (await runtime.runs.list(session)).items == []
        assert (await runtime.messages.list(session)).items == []
        assert await questions(runtime, session) == []
        runtime.served["trip"].services.asks = set()
        assert (await say(runtime, session, "도쿄 2 9"))["status"] == "completed"
