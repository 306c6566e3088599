"""A failed step does not fail the turn."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from madang.graph import Context, Revision, StepRequest, TurnContext, agent
from tests.support.trip_assistant import AGENTS, City, Flights, Services, Talk, replaced, statuses, trip_assistant


async def test_others_go_on_and_the_answer_says_what_is_missing_and_why() -> None:
    talk = Talk()
    talk.services.faults = {"flight": OSError("항공사 응답 없음")}
    state = await talk.say("오사카 3")
    assert statuses(state) == {"flight": "failed", "hotel": "completed", "itinerary": "skipped", "money": "skipped"}
    answer = state["response"]["answer"]
    assert "항공 검색: 항공사 응답 없음" in answer
    assert [f["task"] for f in state["response"]["structured_data"]["failures"]] == ["항공 검색", "일정", "예산"]
    assert "- 일정, 예산: 필요한 결과가 없습니다" in answer.splitlines()


async def test_a_fallback_takes_the_place_of_what_failed() -> None:
    talk = Talk()
    talk.services.faults = {"hotel": OSError("만실")}
    state = await talk.say("오사카 3 10")
    assert statuses(state) == {
        "flight": "completed",
        "hotel": "failed",
        "hostel": "completed",
        "itinerary": "completed",
        "money": "completed",
    }
    assert state["results"]["plan"]["days"] == ["오사카행", "오사카 호스텔"]
    assert "failures" not in state["response"]["structured_data"]


async def test_a_failed_fallback_is_said_too() -> None:
    talk = Talk()
    talk.services.faults = {"hotel": OSError("만실"), "hostel": OSError("여기도 만실")}
    state = await talk.say("오사카 3")
    assert "여기도 만실" in state["response"]["answer"]
    assert statuses(state)["itinerary"] == "skipped"


async def test_retries_with_a_transient_error() -> None:
    @agent(task="항공 검색", name="flight", retries=2)
    async def flight(trip: City, ctx: Context[Services]) -> Flights:
        ctx.services.calls["flight"] += 1
        if ctx.services.calls["flight"] < 3:
            raise OSError("잠깐")
        return {"flights": [trip.city]}

    talk = Talk(trip_assistant(agents=replaced(flight)))
    state = await talk.say("오사카 3")
    assert talk.called["flight"] == 3
    assert statuses(state)["flight"] == "completed"


async def test_a_breach_is_not_retried() -> None:
    @agent(task="항공 검색", name="flight", retries=2)
    async def flight(trip: City, ctx: Context[Services]) -> Flights:
        ctx.services.calls["flight"] += 1
        return {"hotels": []}  # type: ignore[typeddict-item, typeddict-unknown-key]

    talk = Talk(trip_assistant(agents=replaced(flight)))
    await talk.say("오사카 3")
    assert talk.called["flight"] == 1


async def test_a_step_that_takes_too_long_fails_alone() -> None:
    never = asyncio.Event()

    @agent(task="항공 검색", name="flight", timeout=0.05)
    async def flight(trip: City, ctx: Context[Services]) -> Flights:
        await never.wait()
        return {"flights": []}

    talk = Talk(trip_assistant(agents=replaced(flight)))
    state = await talk.say("오사카 3")
    assert statuses(state)["flight"] == "failed"
    assert "0.05초" in state["failures"][0]["error"]
    assert statuses(state)["hotel"] == "completed"


@pytest.mark.parametrize("bound", [0, 1, 3])
async def test_replanning_is_bounded(bound: int) -> None:
    async def replan(_state: Mapping[str, Any], _context: TurnContext) -> Revision:
        return Revision(steps=[StepRequest("flight")])

    talk = Talk(trip_assistant(agents=AGENTS, replan=replan, max_replans=bound))
    state = await talk.say("오사카 3")
    assert talk.called["flight"] == 1 + bound
    assert state["replans"] == bound
    assert state["response"]["type"] == "answer"
