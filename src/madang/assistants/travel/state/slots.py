"""The five slots every trip needs, checked; and the state a conversation begins with."""

import uuid
from collections.abc import Callable
from typing import cast

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.config import JsonDict

from madang.assistants.travel.state.travel_state import BUDGET, NIGHTS, PEOPLE, SCHEMA_VERSION, TravelState
from madang.state.clock import now_iso
from madang.state.fields import Range

GREETING = "안녕하세요! 여행 계획을 도와드리겠습니다. 어디로 여행 가고 싶으세요?"


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


def create_initial_state(session_id: str | None = None) -> TravelState:
    """The state of a new conversation: nothing known, and the greeting said. Messages are `{role, content}`."""
    now = now_iso()
    return cast(
        TravelState,
        {
            "destination": None,
            "duration": None,
            "budget": None,
            "num_people": None,
            "travel_style": [],
            "budget_flexibility": None,
            "info_collected": False,
            "current_step": "collecting",
            "flight_options": [],
            "hotel_options": [],
            "itinerary": {},
            "messages": [{"role": "assistant", "content": GREETING}],
            "session_id": session_id or str(uuid.uuid4()),
            "created_at": now,
            "updated_at": now,
            "errors": [],
            "schema_version": SCHEMA_VERSION,
        },
    )


def _within(number: int | None, fits: Callable[[int], bool], message: str) -> int | None:
    if number is not None and not fits(number):
        raise ValueError(message)
    return number
