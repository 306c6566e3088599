"""Facts several experts read off the slots."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from madang.assistants.travel.tools.itinerary.windows import stays
from madang.assistants.travel.tools.party import Party, party_of

WHO = ("num_people", "adults", "children", "infants")
WHERE = ("destination", "destinations")
WHEN = ("depart_date", "duration", "assumptions")


def cities_of(slots: Mapping[str, Any]) -> tuple[str, ...]:
    """The cities of the trip in order."""
    return tuple(slots.get("destinations") or [slots["destination"]])


def depart_of(slots: Mapping[str, Any]) -> date:
    """The day of departure: said, or assumed and marked as such."""
    return date.fromisoformat(slots.get("depart_date") or slots["assumptions"]["depart_date"])


def origin_of(slots: Mapping[str, Any]) -> str:
    """Where the trip starts: said, or assumed and marked as such."""
    return str(slots.get("origin") or slots["assumptions"]["origin"])


def party(slots: Mapping[str, Any]) -> Party:
    """Who travels."""
    return party_of(slots["num_people"], slots.get("adults"), slots.get("children"), slots.get("infants"))


def stays_of(slots: Mapping[str, Any]) -> list[tuple[str, int]]:
    """The cities with the nights spent in each."""
    return stays(cities_of(slots), slots["duration"])


def recommended(options: list[dict[str, Any]], analysis: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The option an expert recommends."""
    tier = (analysis or {}).get("recommendation")
    return next((option for option in options if option["type"] == tier), options[0] if options else None)
