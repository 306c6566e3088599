"""The slots of a trip, their limits, and the five that every trip needs, checked."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.config import JsonDict

from madang.assistants.travel.state.travel_state import BUDGET, NIGHTS, PEOPLE
from madang.state.fields import Range

Slots = Mapping[str, Any]
"""Slot name to JSON value, as in `MultiAgentTravelState`; what isn't known is absent, None or empty."""

SLOTS = (
    "destination",
    "destinations",
    "city_nights",
    "duration",
    "budget",
    "budget_basis",
    "budget_amount",
    "budget_total_said",
    "num_people",
    "adults",
    "children",
    "infants",
    "travel_style",
    "origin",
    "depart_date",
    "return_date",
    "depart_window",
    "preferred_airline",
    "accommodation_preference",
    "budget_flexibility",
    "must_visit_places",
    "pace",
)
NEEDS = (
    "arrive_time",
    "leave_time",
    "rest_times",
    "outings_a_day",
    "max_flight",
    "transport",
    "no_transport",
    "lodging_budget",
    "booked",
    "climate",
    "scope",
    "child_months",
    "diet",
    "access",
    "pets",
    "avoid",
    "wishes",
)
"""What the trip must respect beside its slots: applied by the experts that can, named where nothing can be checked."""
ONLY_KEPT = frozenset({"pets", "wishes", "child_months", "climate", "scope"})
"""Needs that no expert reads: kept for answers and named as not checked."""

LIMITS: dict[str, Range] = {"duration": NIGHTS, "budget": BUDGET, "num_people": PEOPLE}
LIST_SLOTS = ("destinations", "travel_style", "must_visit_places")
LIST_NEEDS = ("rest_times", "no_transport", "booked", "child_months", "diet", "access", "pets", "avoid", "wishes")
REQUIRED = ("destination", "duration", "num_people")
"""What a first plan can't be made without; the rest is assumed openly and asked for beside it."""
BESIDE = ("budget", "travel_style")
"""What is asked for beside a plan."""
EMPTY: tuple[Any, ...] = (None, [], {}, "")


def allowed(name: str) -> str:
    """The range of a slot as people say it: 1박~14박, 10만원~1000만원."""
    return str(LIMITS[name]).translate({ord(","): None, ord(" "): None}).replace("0000원", "만원")


def _bounds(limits: Range) -> JsonDict:
    return {"minimum": limits.low, "maximum": limits.high}


class TravelStateModel(BaseModel):
    """The slots of a state, checked; other fields of the state are let through unread.

    Raises pydantic's `ValidationError`, with messages meant for the user.
    """

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    destination: str | None = Field(None, max_length=200)
    duration: int | None = Field(None, strict=True, json_schema_extra=_bounds(NIGHTS))
    budget: int | None = Field(None, strict=True, json_schema_extra=_bounds(BUDGET))
    num_people: int | None = Field(None, strict=True, json_schema_extra=_bounds(PEOPLE))
    travel_style: list[str] = Field(default_factory=list, max_length=50)

    @field_validator("duration")
    @classmethod
    def validate_duration(cls, nights: int | None) -> int | None:
        return _within(nights, lambda n: n in NIGHTS, "기간은 1박~14박이어야 합니다")

    @field_validator("budget")
    @classmethod
    def validate_budget(cls, won: int | None) -> int | None:
        _within(won, lambda n: n >= 100_000, "예산은 최소 10만원 이상이어야 합니다")
        return _within(won, lambda n: n in BUDGET, "예산은 최대 1000만원 이하여야 합니다")

    @field_validator("num_people")
    @classmethod
    def validate_num_people(cls, people: int | None) -> int | None:
        return _within(people, lambda n: n in PEOPLE, "인원은 1명~10명이어야 합니다")

    def is_complete(self) -> bool:
        """Whether every slot is known."""
        return all([self.destination, self.duration, self.budget, self.num_people, self.travel_style])


def _within(number: int | None, fits: Callable[[int], bool], message: str) -> int | None:
    if number is not None and not fits(number):
        raise ValueError(message)
    return number
