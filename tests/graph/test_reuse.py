"""Change one thing, redo only what depends on it."""

from typing import Annotated, Any

import pytest

from madang.state.fields import Turn
from madang.state.reducers import keep_latest
from tests.support.trip_assistant import Talk, TripState, statuses, trip_assistant

ALL = {"flight": 1, "hotel": 1, "itinerary": 1, "money": 1}


@pytest.mark.parametrize(
    ("second", "called"),
    [
        ("오사카 3 100", {}),
        ("오사카 3 200", {"money": 1}),
        ("오사카 4 100", {"hotel": 1, "itinerary": 1, "money": 1}),
        ("도쿄 3 100", ALL),
        ("도쿄 4 200", ALL),
    ],
)
async def test_a_correction_runs_exactly_the_dependents(second: str, called: dict[str, int]) -> None:
    talk = Talk()
    await talk.say("오사카 3 100")
    assert talk.called == ALL
    state = await talk.say(second)
    assert talk.called == called
    assert {name for name, status in statuses(state).items() if status == "completed"} == set(called)
    assert {name for name, status in statuses(state).items() if status == "kept"} == set(ALL) - set(called)


async def test_results_are_still_there_after_a_turn_that_did_not_need_them() -> None:
    talk = Talk()
    first = await talk.say("오사카 3 100")
    between = await talk.say("안녕")
    assert between["results"] == {}
    again = await talk.say("오사카 3 100")
    assert talk.called == {}
    assert again["results"] == first["results"]
    assert again["response"] == first["response"]


async def test_a_result_is_stored_once() -> None:
    talk = Talk()
    state = await talk.say("오사카 3 100")
    assert all(record["parked"] == {} for record in state["step_records"].values())
    parked = await talk.say("안녕")
    assert parked["step_records"]["hotel"]["parked"] == {"results.search.hotels": ["오사카 호텔 3박"]}
    back = await talk.say("오사카 3 100")
    assert all(record["parked"] == {} for record in back["step_records"].values())


async def test_going_back_to_an_earlier_value_refills_when_the_newer_one_failed() -> None:
    talk = Talk()
    first = await talk.say("오사카 3 100")
    talk.services.faults = {"flight": OSError("점검 중")}
    broken = await talk.say("도쿄 3 100")
    assert broken["flights"] == []
    talk.services.faults = {}
    back = await talk.say("오사카 3 100")
    assert "flight" not in talk.called
    assert back["flights"] == first["flights"]


async def test_an_unchanged_intermediate_result_stops_the_rerun() -> None:
    """Early cut-off: the hotel runs again (its data changed) but says the same, so nothing after it runs."""
    talk = Talk()
    await talk.say("오사카 3 100")
    talk.services.data_versions = {"hotels": "2"}
    state = await talk.say("오사카 3 100")
    assert talk.called == {"hotel": 1}
    assert statuses(state)["itinerary"] == "kept"


async def test_edited_state_reruns_dependents_without_a_new_message() -> None:
    talk = Talk()
    first = await talk.say("오사카 3 100")
    await talk.graph.aupdate_state(talk.config, {"flights": ["직접 고른 편"]}, as_node="respond")
    state = await talk.say("", rerun=True, messages=[])
    assert talk.called == {"itinerary": 1, "money": 1}
    assert state["flights"] == ["직접 고른 편"]
    assert state["results"]["plan"]["days"] != first["results"]["plan"]["days"]


async def test_a_fork_reruns_from_where_it_branched() -> None:
    talk = Talk()
    await talk.say("오사카 3 100")
    history = [snapshot async for snapshot in talk.graph.aget_state_history(talk.config)]
    end_of_first = history[0].config
    await talk.say("도쿄 3 100")
    talk.config = end_of_first
    state = await talk.say("오사카 5 100")
    assert talk.called == {"hotel": 1, "itinerary": 1, "money": 1}
    assert state["city"] == "오사카"


async def test_a_turn_field_with_a_reducer_and_no_value_begins_as_its_default() -> None:
    class Optional(TripState, total=False):
        extra: Annotated[dict[str, Any] | None, Turn(None), keep_latest]

    talk = Talk(trip_assistant(state=Optional))
    assert (await talk.say("오사카 3"))["extra"] is None
    assert (await talk.say("오사카 4"))["extra"] is None
