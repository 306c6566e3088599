"""What a traveller would find wrong with a finished trip: the state as it is shown, looked over plan by plan.

Nothing here uses the planner: hours, closing days and coordinates come from the cities' data, the rest from the state.
The ideas are those of public travel-planning benchmarks (complete information, within the city, sensible route, no
repeats, transport without conflicts, valid stay, budget, room rules, meals), and of what new users complained about.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bench.trips.days import DAY_CHECKS
from bench.trips.plans import PLAN_CHECKS, TRIP_CHECKS


class Check(NamedTuple):
    """One thing looked at; `why` says what is wrong, empty when nothing is."""

    name: str
    passed: bool
    why: str


def checked(state: Mapping[str, Any]) -> list[Check]:
    """Every check of a trip with its plans; a trip without plans fails as incomplete."""
    if not state.get("final_plans") or len(state.get("itineraries") or ()) != len(state["final_plans"]):
        return [Check("complete", False, f"no plans: {str(state['response']['answer'])[:200]}")]
    return list(_checked(state))


def _checked(state: Mapping[str, Any]) -> Iterator[Check]:
    for name, check in TRIP_CHECKS.items():
        yield _result(name, "", check(state))
    for plan in state["final_plans"]:
        for name, check_plan in PLAN_CHECKS.items():
            yield _result(name, plan["type"], check_plan(state, plan))
        days = next(one for one in state["itineraries"] if one["type"] == plan["flight_type"])
        for name, check_days in DAY_CHECKS.items():
            yield _result(name, plan["type"], check_days(state, days))


def _result(name: str, where: str, found: Iterator[str]) -> Check:
    problems = list(found)
    return Check(name, not problems, f"{where} {'; '.join(problems)}".strip() if problems else "")
