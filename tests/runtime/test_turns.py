"""Turns through the runtime: events in order, policies, questions, cancelling, skipping."""

import asyncio
from typing import Any

import pytest

from madang.errors import Conflict, InvalidInput, NotFound, SessionBusy
from madang.runtime import Runtime, TurnRequest
from madang.state.steps import TERMINAL_STEPS
from madang.store import SessionSaver
from tests.support.runtimes import Gate, new_session, open_trip, say
from tests.support.trip_assistant import statuses


def kinds(outcome: dict[str, Any]) -> list[str]:
    """Event types in order, repeats counted once."""
    types = [event["type"] for event in outcome["events"]]
    return [kind for i, kind in enumerate(types) if i == 0 or types[i - 1] != kind]


async def test_events_of_a_pipeline_arrive_in_order(runtime: Runtime) -> None:
    session = await new_session(runtime)
    outcome = await say(runtime, session, "오사카 3 100")
    assert kinds(outcome) == [
        "planning_start", "plan_ready", "execution_start", "todo_updated", "token", "response",
    ]  # fmt: skip
    assert [event["seq"] for event in outcome["events"]] == list(range(1, len(outcome["events"]) + 1))
    assert outcome["status"] == "completed"
    assert outcome["response"]["answer"] == outcome["events"][-1]["answer"]
    updates = [event for event in outcome["events"] if event["type"] == "todo_updated"]
    assert len(updates) == 8
    assert all(step["result"] is None or "kind" in step["result"] for u in updates for step in u["execution_steps"])


async def test_a_reused_plan_says_what_is_kept(runtime: Runtime) -> None:
    session = await new_session(runtime)
    await say(runtime, session, "오사카 3 100")
    outcome = await say(runtime, session, "오사카 3 200")
    assert kinds(outcome)[:3] == ["planning_start", "data_reuse_notification", "plan_ready"]
    kept = next(event for event in outcome["events"] if event["type"] == "data_reuse_notification")
    assert [step["agent"] for step in kept["steps"]] == ["flight", "hotel", "itinerary"]
    changed = [event for event in outcome["events"] if event["type"] == "todo_updated"]
    assert len(changed) == 2


async def test_events_of_a_failing_plan(db_url: str) -> None:
    async with open_trip(db_url) as runtime:
        runtime.served["trip"].services.faults = {"flight": OSError("점검")}
        outcome = await say(runtime, await new_session(runtime), "오사카 3")
    assert kinds(outcome)[-1] == "response"
    assert outcome["response"]["structured_data"]["failures"][0]["error"] == "점검"
    assert outcome["status"] == "completed"


async def test_a_clarification_ends_the_turn(runtime: Runtime) -> None:
    outcome = await say(runtime, await new_session(runtime), "안녕")
    assert kinds(outcome) == ["planning_start", "token", "response"]
    assert outcome["response"]["type"] == "clarification"
    assert outcome["status"] == "completed"


async def test_messages_are_kept_in_order(runtime: Runtime) -> None:
    session = await new_session(runtime)
    await say(runtime, session, "오사카 3 100")
    await say(runtime, session, "안녕")
    messages = (await runtime.messages.list(session)).items
    assert [message.role for message in messages] == ["user", "assistant", "user", "assistant"]
    assert messages[0].content == "오사카 3 100"


async def test_estimates_are_medians_of_earlier_runs(runtime: Runtime) -> None:
    session = await new_session(runtime)
    first = await say(runtime, session, "오사카 3 100")
    assert first["state"]["plan"]["estimated_total_time"] is None
    second = await say(runtime, session, "도쿄 3 100")
    assert second["state"]["plan"]["estimated_total_time"] > 0


@pytest.mark.parametrize("text", ["", "   ", "\n"])
async def test_an_empty_message_is_refused(runtime: Runtime, text: str) -> None:
    session = await new_session(runtime)
    with pytest.raises(InvalidInput, match="empty"):
        await runtime.start(session, TurnRequest(text=text))
    assert (await runtime.messages.list(session)).items == []


async def test_unknown_sessions_policies_and_huge_texts_are_refused(runtime: Runtime) -> None:
    with pytest.raises(NotFound):
        await runtime.start("nowhere", TurnRequest(text="오사카 3"))
    session = await new_session(runtime)
    with pytest.raises(InvalidInput, match="multitask_strategy"):
        await runtime.start(session, TurnRequest(text="x", policy="later"))  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="longer"):
        await runtime.start(session, TurnRequest(text="가" * 100_001))


async def test_reject(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        first = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        with pytest.raises(SessionBusy):
            await runtime.start(session, TurnRequest(text="도쿄 3", policy="reject"))
        gate.open.set()
        assert (await runtime.wait(first.run_id)).status == "completed"
        assert len((await runtime.messages.list(session)).items) == 2


async def test_enqueue(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        first = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        second = await runtime.start(session, TurnRequest(text="도쿄 4"))
        assert second.status == "queued"
        gate.open.set()
        outcome = await runtime.outcome(second.run_id)
        assert outcome["state"]["city"] == "도쿄"
        assert (await runtime.runs.get(first.run_id)).status == "completed"
        firsts = [e["seq"] for e in await runtime.events.of_run(session, first.run_id)]
        seconds = [e["seq"] for e in await runtime.events.of_run(session, second.run_id)]
        assert max(firsts) < min(seconds)


@pytest.mark.parametrize("policy", ["interrupt", "rollback"])
async def test_interrupt_and_rollback(db_url: str, policy: Any) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        first = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        gate.open.set()
        gate.entered.clear()
        second = await runtime.start(session, TurnRequest(text="도쿄 4", policy=policy))
        outcome = await runtime.outcome(second.run_id)
        assert outcome["status"] == "completed"
        assert outcome["state"]["city"] == "도쿄"
        asked = [m["content"] for m in outcome["state"]["messages"] if m["role"] == "user"]
        if policy == "rollback":
            assert asked == ["도쿄 4"]
            with pytest.raises(NotFound):
                await runtime.runs.get(first.run_id)
        else:
            assert asked == ["오사카 3", "도쿄 4"]
            assert (await runtime.runs.get(first.run_id)).status == "cancelled"


async def test_cancel_keeps_finished_siblings(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        follow = runtime.hub.follow(session, 0)
        async for frame in follow:
            steps = {s["agent"]: s["status"] for s in frame.get("execution_steps", ())}
            if steps.get("hotel") == "completed":
                break
        await follow.aclose()  # type: ignore[attr-defined]
        cancelled = await runtime.cancel(run.run_id)
        assert cancelled.status == "cancelled"
        outcome = await runtime.outcome(run.run_id)
        assert statuses(outcome["state"]) == {
            "flight": "skipped", "hotel": "completed", "itinerary": "skipped", "money": "skipped",
        }  # fmt: skip
        assert {s["error"] for s in outcome["state"]["execution_steps"]} == {None, "cancelled"}
        assert outcome["events"][-1]["type"] == "cancelled"
        services = runtime.served["trip"].services
        services.calls.clear()
        gate.open.set()
        again = await say(runtime, session, "오사카 3")
        assert again["status"] == "completed"
        assert "hotel" not in services.calls


async def test_a_step_that_ends_as_its_turn_is_cancelled_is_told_one_end(
    db_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LangGraph may not wait for what such a step wrote: it is stored while the turn is closed without it."""
    ended, closing = asyncio.Event(), asyncio.Event()
    late: list[asyncio.Task[None]] = []
    put, put_writes = SessionSaver.aput, SessionSaver.aput_writes

    async def store_late(*write: Any) -> None:
        await closing.wait()
        await put_writes(*write)

    async def not_waited_for(self: SessionSaver, config: Any, writes: Any, *task: Any) -> None:
        if any(channel == "step_records" for channel, _ in writes):
            late.append(asyncio.create_task(store_late(self, config, writes, *task)))
            ended.set()
        else:
            await put_writes(self, config, writes, *task)

    async def put_after_it(self: SessionSaver, config: Any, checkpoint: Any, metadata: Any, versions: Any) -> Any:
        if metadata["source"] == "update":
            closing.set()
            await late[0]
        return await put(self, config, checkpoint, metadata, versions)

    monkeypatch.setattr(SessionSaver, "aput_writes", not_waited_for)
    monkeypatch.setattr(SessionSaver, "aput", put_after_it)
    async with open_trip(db_url, agents=Gate().agent()) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        await ended.wait()
        await runtime.cancel(run.run_id)
        frames = await runtime.events.of_run(session, run.run_id)
        told = [s["status"] for f in frames for s in f.get("execution_steps", ()) if s["agent"] == "hotel"]
        assert [status for status in dict.fromkeys(told) if status in TERMINAL_STEPS] == ["skipped"]


async def test_cancelling_what_is_over_changes_nothing(runtime: Runtime) -> None:
    session = await new_session(runtime)
    outcome = await say(runtime, session, "오사카 3")
    runs = (await runtime.runs.list(session)).items
    assert (await runtime.cancel(runs[0].run_id)).status == "completed"
    assert (await runtime.events.last_seq(session)) == outcome["events"][-1]["seq"]


async def test_skip_a_pending_step(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        await runtime.skip(run.run_id, "step_3")
        with pytest.raises(Conflict, match="in_progress"):
            await runtime.skip(run.run_id, "step_0")
        with pytest.raises(NotFound):
            await runtime.skip(run.run_id, "step_9")
        gate.open.set()
        outcome = await runtime.outcome(run.run_id)
        assert statuses(outcome["state"])["money"] == "skipped"
        assert "money" not in runtime.served["trip"].services.calls


async def test_a_hundred_sessions_at_once_do_not_mix(runtime: Runtime) -> None:
    sessions = [await new_session(runtime) for _ in range(100)]
    cities = [f"도시{i}" for i in range(100)]
    outcomes = await asyncio.gather(*(say(runtime, s, f"{c} 3") for s, c in zip(sessions, cities, strict=True)))
    for session, city, outcome in zip(sessions, cities, outcomes, strict=True):
        assert outcome["state"]["city"] == city
        assert outcome["state"]["flights"] == [f"{city}행"]
        assert {event["session_id"] for event in outcome["events"]} == {session}
        assert [event["seq"] for event in outcome["events"]] == list(range(1, len(outcome["events"]) + 1))


async def test_two_messages_at_once_both_end(runtime: Runtime) -> None:
    session = await new_session(runtime)
    first, second = await asyncio.gather(say(runtime, session, "오사카 3"), say(runtime, session, "도쿄 3"))
    assert {first["status"], second["status"]} == {"completed"}
    assert len((await runtime.messages.list(session)).items) == 4


async def test_a_failing_assistant_fails_the_run_and_says_so(db_url: str) -> None:
    async def broken(_state: Any, _context: Any) -> Any:
        raise RuntimeError("내부 사정")

    async with open_trip(db_url, respond=broken) as runtime:
        outcome = await say(runtime, await new_session(runtime), "오사카 3")
        assert outcome["status"] == "failed"
        assert outcome["events"][-1]["type"] == "error"
        assert "내부 사정" not in str(outcome["events"])
