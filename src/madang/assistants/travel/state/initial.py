"""What a conversation begins with, and what is left of it when the trip is forgotten."""

import uuid
from typing import Any, cast

from madang.assistants.travel.state.slots import LIST_NEEDS, LIST_SLOTS, NEEDS, SLOTS
from madang.assistants.travel.state.travel_state import SCHEMA_VERSION, MultiAgentTravelState, TravelState
from madang.state.clock import now_iso

GREETING = "안녕하세요! 여행 계획을 도와드리겠습니다. 어디로 여행 가고 싶으세요?"
_FLAGS = ("flights_searched", "hotels_searched", "itinerary_planned", "budget_analyzed", "plans_generated")


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


def initial() -> dict[str, Any]:
    """A new conversation's state, without what the runtime gives."""
    state = _no_trip() | dict(create_initial_state())
    return {name: value for name, value in state.items() if name not in ("session_id", "errors")}


def forgotten_trip(state: MultiAgentTravelState) -> dict[str, Any]:
    """An update that forgets the trip. Records of earlier steps are made stale: their results are gone too."""
    records = state.get("step_records") or {}
    stale = {name: {**record, "fingerprint": "", "parked": {}} for name, record in records.items()}
    return {**_no_trip(), "info_collected": False, "step_records": stale}


def no_results() -> dict[str, Any]:
    """The fields that the experts write, empty."""
    return {
        "flight_options": [],
        "hotel_options": [],
        "itinerary": {},
        "final_plans": [],
        "flight_analysis": None,
        "flight_times": [],
        "hotel_analysis": None,
        "itineraries": [],
        "itinerary_optimization": None,
        "budget_breakdown": None,
        "recommendation": None,
    }


def no_wishes() -> dict[str, Any]:
    """Wishes about a finished plan: none."""
    return {"flight_tier": None, "hotel_tier": None, "direct_only": False, "day_paces": {}, "avoid_places": []}


def _no_trip() -> dict[str, Any]:
    return {
        **{name: [] if name in LIST_SLOTS else None for name in SLOTS},
        **{name: [] if name in LIST_NEEDS else None for name in NEEDS},
        **no_results(),
        **no_wishes(),
        **dict.fromkeys(_FLAGS, False),
        "chosen_plan": None,
        "assumptions": {},
        "remembered": [],
        "considered": [],
        "spoken_of": [],
        "pending": None,
    }
