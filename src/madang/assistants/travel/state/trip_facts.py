"""Facts read off a state: the cities, the start and the day of departure, the option of a tier, the plan in force."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal, TypeVar

from madang.assistants.travel.state.results import (
    FlightOption,
    HotelOption,
    Itinerary,
    Meal,
    Move,
    Stay,
    Tier,
    TripPlan,
    Visit,
)
from madang.assistants.travel.state.travel_state import MultiAgentTravelState
from madang.assistants.travel.state.trip import DEFAULT_ORIGIN

PlanPart = Literal["flight_type", "hotel_type"]
Option = TypeVar("Option", FlightOption, HotelOption, TripPlan)


def cities_of(slots: Mapping[str, Any]) -> tuple[str, ...]:
    """The cities of the trip in order."""
    return tuple(slots.get("destinations") or [slots["destination"]])


def departure_of(state: MultiAgentTravelState) -> date:
    """The day of departure: said, or assumed and marked as such."""
    return date.fromisoformat(state.get("depart_date") or state["assumptions"]["departure"])


def origin_of(state: MultiAgentTravelState) -> str:
    """Where the trip starts: said, or assumed and marked as such."""
    return state.get("origin") or (state.get("assumptions") or {}).get("start") or DEFAULT_ORIGIN


def nights_of(state: Mapping[str, Any]) -> int:
    """How many nights: said, or assumed and marked as such."""
    return int(state.get("duration") or (state.get("assumptions") or {}).get("nights") or 0)


def people_of(state: Mapping[str, Any]) -> int:
    """How many travel: said, or assumed and marked as such."""
    return int(state.get("num_people") or (state.get("assumptions") or {}).get("people") or 0)


def clock_span(item: Visit | Meal | Move) -> str:
    """From when to when: "09:00–11:30"; a way that ends on the next day, "09:00–07:45(+1일)"."""
    hour, _, minute = item["end"].partition(":")
    days, hours = divmod(int(hour), 24)
    late = f"(+{days}일)" if days else ""
    return f"{item['start']}–{hours:02d}:{minute}{late}"


def of_tier(options: Sequence[Option], tier: Tier | None) -> Option:
    """The option of a tier; the first one if there is none."""
    return next((option for option in options if option["type"] == tier), options[0])


def stays_of(option: HotelOption) -> Sequence[Stay]:
    """The stays of an option, city by city."""
    return option.get("stays") or [option]


def current_plan(state: MultiAgentTravelState) -> TripPlan:
    """The plan the user has taken, else the recommended one."""
    recommended = state.get("recommendation")
    return of_tier(state["final_plans"], state.get("chosen_plan") or (recommended["type"] if recommended else None))


def moved_parts(state: MultiAgentTravelState) -> set[PlanPart]:
    """Of which option the plan has another one than before the turn."""
    before = state.get("before")
    if not before or not state.get("final_plans"):
        return set()
    plan = current_plan(state)
    parts: tuple[PlanPart, ...] = ("flight_type", "hotel_type")
    return {part for part in parts if plan[part] != before.get(part, plan[part])}


def itinerary_of(found: Sequence[Itinerary], plan: TripPlan) -> Itinerary:
    """The days of a plan: those within the hours of its flights."""
    return next((one for one in found if one["type"] == plan["flight_type"]), found[0])


def entrance_fees(itinerary: Itinerary) -> int:
    """Entrance fees of every stop, for one adult."""
    return sum(visit["fee"] or 0 for day in itinerary.get("days", ()) for visit in day["places"])
