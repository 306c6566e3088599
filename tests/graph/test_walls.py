"""Rooms with walls: declared reads in, declared writes out."""

from typing import Any

import pytest

from madang.errors import InvalidAssistant
from madang.graph import Agent, AgentContext, View, agent, build
from tests.graph.trip import AGENTS, Talk, statuses, trip_assistant


def replaced(changed: Agent) -> tuple[Agent, ...]:
    return tuple(changed if a.name == changed.name else a for a in AGENTS)


def flight_that(do: Any) -> Agent:
    @agent(reads=("city",), writes=("flights",), task="항공 검색", name="flight")
    async def flight(trip: View, ctx: AgentContext) -> dict[str, Any]:
        result: dict[str, Any] = do(trip)
        return result

    return flight


@pytest.mark.parametrize(
    ("do", "named"),
    [
        (lambda trip: {"flights": [str(trip.nights)]}, "'nights'"),
        (lambda trip: {"flights": [str(trip["budget"])]}, "'budget'"),
        (lambda trip: {"flights": [], "city": "도쿄"}, "'city'"),
        (lambda trip: {"flights": "문자열"}, "flights"),
        (lambda trip: {"flights": [1, 2]}, "flights"),
        (lambda trip: ["목록"], "list"),
    ],
)
async def test_a_breach_fails_the_step_and_names_agent_and_field(do: Any, named: str) -> None:
    talk = Talk(trip_assistant(agents=replaced(flight_that(do))))
    state = await talk.say("오사카 3")
    assert statuses(state)["flight"] == "failed"
    assert statuses(state)["hotel"] == "completed"
    [failure] = state["failures"]
    assert "flight" in failure["error"]
    assert named in failure["error"]
    assert state["city"] == "오사카"


async def test_what_is_read_can_not_be_changed() -> None:
    @agent(reads=("flights",), writes=("results.plan.days",), task="일정", name="itinerary")
    async def itinerary(trip: View, ctx: AgentContext) -> dict[str, Any]:
        trip.flights.append("몰래")
        return {"days": []}

    talk = Talk(trip_assistant(agents=replaced(itinerary)))
    state = await talk.say("오사카 3")
    assert statuses(state)["itinerary"] == "failed"
    assert state["flights"] == ["오사카행"]


def declared(name: str, reads: tuple[str, ...], writes: tuple[str, ...], **options: Any) -> Agent:
    async def function(_view: View, _ctx: AgentContext) -> dict[str, Any]:
        return {}

    return agent(name=name, reads=reads, writes=writes, task=name, **options)(function)


@pytest.mark.parametrize(
    ("agents", "says"),
    [
        ([declared("a", ("results.b",), ("results.a",)), declared("b", ("results.a",), ("results.b",))], "wait for"),
        ([declared("a", ("flights",), ("results.a",))], "which no agent writes"),
        ([declared("a", ("city",), ("nothing",))], "no field 'nothing'"),
        ([declared("a", ("city",), ("flights",)), declared("b", ("city",), ("flights",))], "has no reducer"),
        ([declared("a", ("city",), ("flights",)), declared("a", ("city",), ("budget",))], "same name"),
        ([declared("a", ("city",), ("flights",), fallback="gone")], "does not exist"),
        (
            [declared("a", ("city",), ("flights",), fallback="b"), declared("b", ("city",), ("results.b",))],
            "does not write",
        ),
    ],
)
def test_what_does_not_hold_together_is_found_when_it_is_built(agents: list[Agent], says: str) -> None:
    with pytest.raises(InvalidAssistant, match=says):
        build(trip_assistant(agents=agents))


def test_a_fallback_is_not_a_second_writer() -> None:
    agents = [declared("a", ("city",), ("flights",), fallback="b"), declared("b", ("city",), ("flights",))]
    build(trip_assistant(agents=agents))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"reads": ("city",), "writes": ("city",)}, "cycle"),
        ({"reads": ("results",), "writes": ("results.a",)}, "cycle"),
        ({"reads": (), "writes": ()}, "writes nothing"),
        ({"reads": ("a.x", "b.x"), "writes": ("c",)}, "same name"),
        ({"reads": "city", "writes": ("c",)}, "tuple"),
        ({"reads": ("city",), "writes": ("c",), "timeout": 0}, "timeout"),
        ({"reads": ("city",), "writes": ("c",), "retries": -1}, "retries"),
    ],
)
def test_a_declaration_that_can_not_work_is_refused(options: Any, says: str) -> None:
    with pytest.raises(InvalidAssistant, match=says):
        declared("x", **options)
