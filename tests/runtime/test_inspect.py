"""Looking into a session, editing it, forking it."""

from typing import Any

import pytest

from madang.errors import InvalidState, NotFound, SessionBusy
from madang.runtime.inspect import Inspector
from madang.runtime.service import Runtime, Turn
from tests.support.runtimes import Gate, new_session, open_trip, say


async def planned(runtime: Runtime) -> tuple[str, Inspector]:
    session = await new_session(runtime)
    await say(runtime, session, "오사카 3 100")
    runtime.served["trip"].services.calls.clear()
    return session, Inspector(runtime)


async def test_state_history_and_diff(runtime: Runtime) -> None:
    session, inspector = await planned(runtime)
    history = await inspector.history(session)
    assert history[0]["next"] == []
    assert all(row["run_id"] for row in history)
    first, last = history[-1]["checkpoint_id"], history[0]["checkpoint_id"]
    changes = await inspector.diff(session, first, last)
    assert changes["added"]["city"] == "오사카"
    assert (await inspector.state(session, last)) == (await inspector.state(session))
    with pytest.raises(NotFound):
        await inspector.state(session, "1ef00000-0000-6000-8000-000000000000")


async def test_a_field_with_its_source_and_its_past(runtime: Runtime) -> None:
    session, inspector = await planned(runtime)
    await say(runtime, session, "도쿄 3 100")
    field = await inspector.field(session, "flights")
    assert field["value"] == ["도쿄행"]
    assert (field["source"]["agent"], field["source"]["as_of"]) == ("flight", "2026-01-01")
    assert [c["value"] for c in field["history"] if c["value"]] == [["오사카행"], ["도쿄행"]]
    inner = await inspector.field(session, "results.plan.total")
    assert inner["source"]["agent"] == "money"
    with pytest.raises(NotFound):
        await inspector.field(session, "nothing.here")


async def test_an_edit_reruns_its_dependents_at_once(runtime: Runtime) -> None:
    session, inspector = await planned(runtime)
    run = await inspector.edit(session, {"nights": 5})
    assert run is not None
    outcome = await runtime.outcome(run.run_id)
    assert dict(runtime.served["trip"].services.calls) == {"hotel": 1, "itinerary": 1, "money": 1}
    assert outcome["state"]["results"]["search"]["hotels"] == ["오사카 호텔 5박"]
    assert outcome["state"]["provenance"]["nights"] == {"agent": "user", "source": "edit"}
    assert len((await runtime.messages.list(session)).items) == 3


async def test_an_edit_without_running(runtime: Runtime) -> None:
    session, inspector = await planned(runtime)
    assert await inspector.edit(session, {"flights": ["직접 고름"]}, run=False) is None
    assert (await inspector.state(session))["flights"] == ["직접 고름"]
    assert dict(runtime.served["trip"].services.calls) == {}


@pytest.mark.parametrize("changes", [{"nights": "셋"}, {"unknown": 1}, {"nights": 4, "flights": "한 줄"}])
async def test_a_bad_edit_changes_nothing(runtime: Runtime, changes: dict[str, Any]) -> None:
    session, inspector = await planned(runtime)
    before = await inspector.state(session)
    with pytest.raises(InvalidState) as refused:
        await inspector.edit(session, changes)
    assert refused.value.problems
    assert await inspector.state(session) == before


async def test_a_fork_goes_its_own_way(runtime: Runtime) -> None:
    session, inspector = await planned(runtime)
    at = (await inspector.history(session))[0]["checkpoint_id"]
    await say(runtime, session, "도쿄 3 100")
    runtime.served["trip"].services.calls.clear()
    fork = await inspector.fork(session, at)
    assert fork.parent_session_id == session
    messages = (await runtime.messages.list(fork.session_id)).items
    assert [message.content for message in messages][:1] == ["오사카 3 100"]
    assert len(messages) == 2
    outcome = await say(runtime, fork.session_id, "오사카 4 100")
    assert dict(runtime.served["trip"].services.calls) == {"hotel": 1, "itinerary": 1, "money": 1}
    assert outcome["state"]["session_id"] == fork.session_id
    assert (await inspector.state(session))["city"] == "도쿄"


async def test_busy_sessions_are_left_alone(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        await runtime.start(session, Turn(text="오사카 3"))
        await gate.entered.wait()
        inspector = Inspector(runtime)
        with pytest.raises(SessionBusy):
            await inspector.edit(session, {"nights": 4})
        with pytest.raises(SessionBusy):
            await inspector.fork(session)
        gate.open.set()
