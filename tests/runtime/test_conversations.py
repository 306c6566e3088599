"""Looking into a session, editing it, forking it."""

from typing import Any

import pytest

from madang.errors import InvalidInput, InvalidState, NotFound, SessionBusy
from madang.runtime import Runtime, TurnRequest, conversations
from madang.store.sessions import Session
from tests.support.runs import begun
from tests.support.runtimes import Gate, new_session, open_trip, say


async def planned(runtime: Runtime) -> Session:
    session = await new_session(runtime)
    await say(runtime, session, "오사카 3 100")
    runtime.served["trip"].services.calls.clear()
    return await runtime.sessions.get(session)


async def test_state_history_and_diff(runtime: Runtime) -> None:
    session = await planned(runtime)
    history = await conversations.history(runtime, session)
    assert history[0]["next"] == []
    assert all(row["run_id"] for row in history)
    first, last = history[-1]["checkpoint_id"], history[0]["checkpoint_id"]
    changes = await conversations.diff(runtime, session, first, last)
    assert changes["added"]["city"] == "오사카"
    assert (await conversations.state(runtime, session, last)) == (await conversations.state(runtime, session))
    with pytest.raises(NotFound):
        await conversations.state(runtime, session, "1ef00000-0000-6000-8000-000000000000")


async def test_a_field_with_its_source_and_its_past(runtime: Runtime) -> None:
    session = await planned(runtime)
    await say(runtime, session.session_id, "도쿄 3 100")
    field = await conversations.field(runtime, session, "flights")
    assert field["value"] == ["도쿄행"]
    assert (field["source"]["agent"], field["source"]["as_of"]) == ("flight", "2026-01-01")
    assert [c["value"] for c in field["history"] if c["value"]] == [["오사카행"], ["도쿄행"]]
    inner = await conversations.field(runtime, session, "results.plan.total")
    assert inner["source"]["agent"] == "money"
    with pytest.raises(NotFound):
        await conversations.field(runtime, session, "nothing.here")


async def test_an_edit_reruns_its_dependents_at_once(runtime: Runtime) -> None:
    session = await planned(runtime)
    run = await conversations.edit(runtime, session, {"nights": 5})
    assert run is not None
    outcome = await runtime.outcome(run.run_id)
    assert dict(runtime.served["trip"].services.calls) == {"hotel": 1, "itinerary": 1, "money": 1}
    assert outcome["state"]["results"]["search"]["hotels"] == ["오사카 호텔 5박"]
    assert outcome["state"]["provenance"]["nights"] == {"agent": "user", "source": "edit"}
    assert len((await runtime.messages.list(session.session_id)).items) == 3


async def test_an_edit_without_running(runtime: Runtime) -> None:
    session = await planned(runtime)
    assert await conversations.edit(runtime, session, {"flights": ["직접 고름"]}, run=False) is None
    assert (await conversations.state(runtime, session))["flights"] == ["직접 고름"]
    assert dict(runtime.served["trip"].services.calls) == {}


@pytest.mark.parametrize("changes", [{"nights": "셋"}, {"unknown": 1}, {"nights": 4, "flights": "한 줄"}])
async def test_a_bad_edit_changes_nothing(runtime: Runtime, changes: dict[str, Any]) -> None:
    session = await planned(runtime)
    before = await conversations.state(runtime, session)
    with pytest.raises(InvalidState) as refused:
        await conversations.edit(runtime, session, changes)
    assert refused.value.problems
    assert await conversations.state(runtime, session) == before


async def test_a_fork_goes_its_own_way(runtime: Runtime) -> None:
    session = await planned(runtime)
    at = (await conversations.history(runtime, session))[0]["checkpoint_id"]
    await say(runtime, session.session_id, "도쿄 3 100")
    runtime.served["trip"].services.calls.clear()
    fork = await conversations.fork(runtime, session, at)
    assert fork.parent_session_id == session.session_id
    messages = (await runtime.messages.list(fork.session_id)).items
    assert [message.content for message in messages][:1] == ["오사카 3 100"]
    assert len(messages) == 2
    outcome = await say(runtime, fork.session_id, "오사카 4 100")
    assert dict(runtime.served["trip"].services.calls) == {"hotel": 1, "itinerary": 1, "money": 1}
    assert outcome["state"]["session_id"] == fork.session_id
    assert (await conversations.state(runtime, session))["city"] == "도쿄"


async def test_a_copy_has_the_whole_past_and_goes_its_own_way(runtime: Runtime) -> None:
    session = await planned(runtime)
    await say(runtime, session.session_id, "도쿄 3 100")
    copy = await conversations.copy(runtime, session)
    assert copy.parent_session_id == session.session_id
    past = [row["checkpoint_id"] for row in await conversations.history(runtime, session)]
    assert [row["checkpoint_id"] for row in await conversations.history(runtime, copy)][-len(past) :] == past
    said = [(m.role, m.content) for m in (await runtime.messages.list(session.session_id)).items]
    assert [(m.role, m.content) for m in (await runtime.messages.list(copy.session_id)).items] == said
    outcome = await say(runtime, copy.session_id, "삿포로 3 100")
    assert outcome["state"]["session_id"] == copy.session_id
    assert (await conversations.state(runtime, session))["city"] == "도쿄"


async def test_nothing_is_left_of_a_fork_or_a_copy_that_fails(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await planned(runtime)

    async def broken(*_args: Any, **_options: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(runtime.messages, "copy", broken)
    for operation in (conversations.fork, conversations.copy):
        with pytest.raises(OSError, match="disk full"):
            await operation(runtime, session)
    assert await runtime.sessions.count() == 1


@pytest.mark.parametrize("field", ["session_id", "request_id", "schema_version"])
async def test_what_the_server_sets_is_not_edited(runtime: Runtime, field: str) -> None:
    session = await planned(runtime)
    with pytest.raises(InvalidInput, match=field):
        await conversations.edit(runtime, session, {field: "mine"})
    with pytest.raises(InvalidInput, match=field):
        await conversations.update(runtime, session, {field: "mine"})


async def test_a_deleted_conversation_leaves_no_run(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        for text in ("오사카 3", "도쿄 3"):
            await runtime.start(session, TurnRequest(text=text))
        await gate.entered.wait()
        await conversations.delete(runtime, await runtime.sessions.get(session))
        assert await runtime.sessions.find(session) is None
        assert (await runtime.runs.list()).items == []


async def test_busy_sessions_are_left_alone(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        found = await runtime.sessions.get(session)
        with pytest.raises(SessionBusy):
            await conversations.edit(runtime, found, {"nights": 4})
        for operation in (conversations.fork, conversations.copy):
            with pytest.raises(SessionBusy):
                await operation(runtime, found)
        gate.open.set()


async def test_a_turn_that_is_about_to_go_on_is_not_written_over(runtime: Runtime) -> None:
    """Its server has handed it back, or an answer was taken for a worker: it goes on from where it stands."""
    session = await planned(runtime)
    run = await begun(runtime.db, session.session_id, assistant="trip", input={"query": "도쿄 3"}, request_id="r")
    await runtime.turns.release(run)
    before = await conversations.state(runtime, session)
    with pytest.raises(SessionBusy):
        await conversations.edit(runtime, session, {"nights": 5})
    with pytest.raises(SessionBusy):
        await conversations.update(runtime, session, {"nights": 5})
    assert await conversations.state(runtime, session) == before


async def test_a_write_from_outside_that_comes_beside_a_turn_is_refused_by_the_store(
    db_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def looked_before(*_: Any) -> None: ...

    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        found = await runtime.sessions.get(session)
        monkeypatch.setattr(conversations, "check_not_busy", looked_before)
        with pytest.raises(SessionBusy):
            await conversations.edit(runtime, found, {"nights": 4})
        with pytest.raises(SessionBusy):
            await conversations.update(runtime, found, {"nights": 4})
        gate.open.set()
        outcome = await runtime.outcome(run.run_id)
        assert (outcome["status"], outcome["state"]["nights"]) == ("completed", 3)


async def test_half_a_fork_is_in_no_list(runtime: Runtime) -> None:
    """What a crash leaves of a fork: a session that was never finished."""
    session = await planned(runtime)
    whole = await conversations.fork(runtime, session)
    await runtime.sessions.create(assistant="trip", parent_session_id=session.session_id, unfinished=True)
    listed = {one.session_id for one in (await runtime.sessions.list()).items}
    assert listed == {session.session_id, whole.session_id}
