"""Rooms with walls: declared reads in, declared writes out."""

from typing import Annotated, Any

import pytest

from madang.errors import InvalidAssistant
from madang.graph import Agent, At, Context, Reads, agent, build
from tests.support.trip_assistant import City, Days, Flights, Talk, declared, replaced, statuses, trip_assistant


def flight_that(do: Any) -> Agent:
    @agent(task="항공 검색", name="flight")
    async def flight(trip: City, ctx: Context) -> Flights:
        result: Flights = do(trip)
        return result

    return flight


@pytest.mark.parametrize(
    ("do", "named"),
    [
        (lambda trip: {"flights": [str(trip.nights)]}, "'nights'"),
        (lambda trip: {"flights": [], "city": "도쿄"}, "'city'"),
        (lambda trip: {}, "'flights'"),
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
    class Found(Reads):
        flights: list[str]

    @agent(task="일정", name="itinerary")
    async def itinerary(trip: Found, ctx: Context) -> Days:
        trip.flights.append("몰래")
        return {"days": []}

    talk = Talk(trip_assistant(agents=replaced(itinerary)))
    state = await talk.say("오사카 3")
    assert statuses(state)["itinerary"] == "failed"
    assert state["flights"] == ["오사카행"]


async def test_a_field_that_must_have_a_value_is_named_when_it_has_none() -> None:
    @agent(task="항공 검색")
    async def flight(nights: int, budget: int | None, flights_wanted: str = "아무거나") -> Flights:
        return {"flights": [f"{nights} {budget} {flights_wanted}"]}

    class State(trip_assistant().state):  # type: ignore[misc]
        flights_wanted: str

    from madang.graph import StepRequest, Understanding

    async def understand(state: Any, _ctx: Any) -> Understanding:
        given = {"3": {"nights": 3}, "0": {}}[state["query"]]
        return Understanding(update=given, steps=[StepRequest("flight")])

    async def respond(state: Any, _ctx: Any) -> Any:
        from madang.graph import Answer

        return Answer(answer=str(state.get("flights")))

    inputs = ("nights", "budget", "flights_wanted")
    parts = {"agents": [flight], "understand": understand, "respond": respond, "state": State, "inputs": inputs}
    state = await Talk(trip_assistant(**parts)).say("3")
    assert state["flights"] == ["3 None 아무거나"]
    state = await Talk(trip_assistant(**parts)).say("0")
    assert "'flight'" in state["failures"][0]["error"]
    assert "'nights'" in state["failures"][0]["error"]


CITY = {"city": str}
FLIGHTS = {"flights": list[str]}


def result(name: str) -> dict[str, Any]:
    return {f"results.{name}": dict[str, Any]}


@pytest.mark.parametrize(
    ("agents", "says"),
    [
        ([declared("a", result("b"), result("a")), declared("b", result("a"), result("b"))], "wait for"),
        ([declared("a", FLIGHTS, result("a"))], "which no agent writes"),
        ([declared("a", CITY, {"nothing": str})], "no field 'nothing'"),
        ([declared("a", CITY, FLIGHTS), declared("b", CITY, FLIGHTS)], "has no reducer"),
        ([declared("a", CITY, FLIGHTS), declared("a", CITY, {"budget": int})], "same name"),
        ([declared("a", CITY, FLIGHTS, fallback="gone")], "does not exist"),
        ([declared("a", CITY, FLIGHTS, fallback="b"), declared("b", CITY, result("b"))], "does not write"),
        ([declared("a", {"city": int}, FLIGHTS)], "'city' as <class 'int'>"),
        ([declared("a", {"city.x": str}, FLIGHTS)], "does not declare"),
        ([declared("a", CITY, {"flights": list[int]})], "'flights' as"),
        ([declared("a", CITY, {"flights": str})], "'flights' as"),
    ],
)
def test_what_does_not_hold_together_is_found_when_it_is_built(agents: list[Agent], says: str) -> None:
    with pytest.raises(InvalidAssistant, match=says):
        build(trip_assistant(agents=agents))


def test_a_fallback_is_not_a_second_writer() -> None:
    agents = [declared("a", CITY, FLIGHTS, fallback="b"), declared("b", CITY, FLIGHTS)]
    build(trip_assistant(agents=agents))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"reads": CITY, "writes": CITY}, "cycle"),
        ({"reads": {"results": dict[str, Any]}, "writes": result("a")}, "cycle"),
        ({"reads": {}, "writes": {}}, "writes nothing"),
        ({"reads": CITY, "writes": FLIGHTS, "timeout": 0}, "timeout"),
        ({"reads": CITY, "writes": FLIGHTS, "retries": -1}, "retries"),
        ({"reads": CITY, "writes": FLIGHTS, "runs": 0}, "runs"),
        ({"reads": CITY, "writes": FLIGHTS, "runs": 2}, "takes no argument"),
    ],
)
def test_a_declaration_that_can_not_work_is_refused(options: Any, says: str) -> None:
    with pytest.raises(InvalidAssistant, match=says):
        declared("x", **options)


def test_a_function_that_does_not_say_what_it_reads_or_writes_is_refused() -> None:
    async def no_result(trip: City, ctx: Context) -> dict[str, Any]:
        return {}

    async def untyped(trip, ctx: Context) -> Flights:  # type: ignore[no-untyped-def]
        return {"flights": []}

    class Twice(Reads):
        city: str
        town: Annotated[str, At("city")]

    async def twice(trip: Twice, ctx: Context) -> Flights:
        return {"flights": []}

    for function, says in ((no_result, "what it writes"), (untyped, "without a type"), (twice, "two names")):
        with pytest.raises(InvalidAssistant, match=says):
            agent(task="x")(function)
