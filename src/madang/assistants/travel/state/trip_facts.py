"""Facts several experts read off the slots."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

WHO = ("num_people", "adults", "children", "infants")
WHERE = ("destination", "destinations")
STAYS = (*WHERE, "city_nights")
WHEN = ("depart_date", "assumptions.departure", "duration")
FROM = ("origin", "assumptions.start")


def slots_of(view: Mapping[str, Any]) -> dict[str, Any]:
    """An expert's reads as slots, with what was assumed in the place of what wasn't said."""
    slots = dict(view)
    for name, assumed in (("depart_date", "departure"), ("origin", "start")):
        if assumed in slots:
            slots[name] = slots.get(name) or slots[assumed]
    return slots


def cities_of(slots: Mapping[str, Any]) -> tuple[str, ...]:
    """The cities of the trip in order."""
    return tuple(slots.get("destinations") or [slots["destination"]])


def departure_of(state: Mapping[str, Any]) -> date:
    """The day of departure in a state: said, or assumed and marked as such."""
    return date.fromisoformat(state.get("depart_date") or state["assumptions"]["departure"])


def origin_of(state: Mapping[str, Any]) -> str:
    """Where the trip of a state starts: said, or assumed and marked as such."""
    return str(state.get("origin") or (state.get("assumptions") or {}).get("start") or "서울")


def of_tier(options: Sequence[Mapping[str, Any]], tier: str | None) -> Mapping[str, Any] | None:
    """The option of a tier; the first one if there is none."""
    return next((option for option in options if option["type"] == tier), options[0] if options else None)


def current_plan(state: Mapping[str, Any]) -> Mapping[str, Any]:
    """The plan the user has taken, else the recommended one."""
    tier = state.get("chosen_plan") or (state.get("recommendation") or {}).get("type")
    plan = of_tier(state["final_plans"], tier)
    assert plan is not None
    return plan


def entrance_fees(itinerary: Mapping[str, Any]) -> int:
    """Entrance fees of every stop, for one adult."""
    return sum(visit.get("fee") or 0 for day in itinerary.get("days", ()) for visit in day["places"])
