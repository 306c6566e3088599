"""What a traveller would check of a finished trip, over random trips; and that the checks find what is wrong."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.trips.asked import random_trip
from bench.trips.checks import checked
from tests.support.trips import OSAKA, Traveller


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False, note_method_calls=False))
async def test_random_trips_are_as_asked_and_can_be_travelled(draw: Any) -> None:
    asked = random_trip(draw)
    state = await Traveller().say(asked.text)
    assert asked.misheard(state) == []
    found = checked(state)
    failed = [check for check in found if not check.passed]
    assert len(failed) <= len(found) // 10, failed
    assert {check.name for check in failed} <= {"sensible route", "no dead hours", "whole days filled", "meals"}


def first_visit(state: dict[str, Any]) -> dict[str, Any]:
    return next(visit for day in state["itineraries"][1]["days"] for visit in day["places"])


def moved(state: dict[str, Any]) -> None:
    first_visit(state)["latitude"] += 2


def too_early(state: dict[str, Any]) -> None:
    first_visit(state).update(start="04:00", end="05:00")


def twice(state: dict[str, Any]) -> None:
    days = state["itineraries"][1]["days"]
    days[2]["places"][0] = deepcopy(days[1]["places"][0])


def unfed(state: dict[str, Any]) -> None:
    for day in state["itineraries"][1]["days"]:
        day["meals"] = []
        day["places"] = [visit for visit in day["places"] if visit["category"] != "맛집"]


def idle(state: dict[str, Any]) -> None:
    day = state["itineraries"][1]["days"][1]
    day["places"], day["meals"] = day["places"][:1], []


def dearer(state: dict[str, Any]) -> None:
    state["final_plans"][1]["items"][0]["amount"] += 1000


def roomless(state: dict[str, Any]) -> None:
    state["hotel_options"][0]["nights"] -= 1


def over_budget(state: dict[str, Any]) -> None:
    state["budget"] = 100_000


def another_plans(state: dict[str, Any]) -> None:
    state["itinerary"] = state["itineraries"][0]


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (moved, "within the city"),
        (too_early, "opening hours"),
        (too_early, "days fit the plan's flights"),
        (twice, "no repeats"),
        (unfed, "meals"),
        (idle, "whole days filled"),
        (dearer, "sum of items"),
        (dearer, "own flights, stay and fees"),
        (roomless, "valid stay"),
        (over_budget, "budget"),
        (another_plans, "days shown are the plan's"),
    ],
)
async def test_what_is_wrong_is_found(spoil: Any, found: str) -> None:
    state = deepcopy(await Traveller().say(OSAKA))
    assert [check for check in checked(state) if not check.passed] == []
    spoil(state)
    assert found in {check.name for check in checked(state) if not check.passed}
