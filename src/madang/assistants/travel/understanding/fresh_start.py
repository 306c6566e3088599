"""Starting over: the trip is forgotten, the conversation and what is remembered of the user stay."""

import re
from typing import Any

from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.understanding.slots import SLOTS

_FRESH = re.compile(
    r"처음부터|리셋|초기화|다\s?(?:지우|지워|잊)|새(?:로운)?\s?여행\s?(?:계획|으로|짜|시작)|(?:아예|완전)\s?(?:새로|다시)"
    r"|다른\s?여행\s?(?:계획|짜|으로)"
)
_LISTS = ("destinations", "travel_style", "must_visit_places")
_FLAGS = ("flights_searched", "hotels_searched", "itinerary_planned", "budget_analyzed", "plans_generated")
_RESULTS: dict[str, Any] = {
    "flight_options": [],
    "hotel_options": [],
    "itinerary": {},
    "final_plans": [],
    "flight_analysis": None,
    "flight_times": None,
    "hotel_analysis": None,
    "itinerary_optimization": None,
    "budget_breakdown": None,
    "recommendation": None,
}
_WISHES: dict[str, Any] = {
    "flight_tier": None,
    "hotel_tier": None,
    "direct_only": False,
    "day_paces": {},
    "avoid_places": [],
    "chosen_plan": None,
    "assumptions": {},
    "remembered": [],
    "waived": [],
    "pending_slot": None,
    "pending_choices": [],
}


def wants_fresh_start(state: MultiAgentTravelState) -> bool:
    return bool(_FRESH.search(state["query"]))


def emptied(state: MultiAgentTravelState) -> dict[str, Any]:
    """An update that forgets the trip. Records of earlier steps are made stale: their results are gone too."""
    records = state.get("step_records") or {}
    return {
        **{name: [] if name in _LISTS else None for name in SLOTS},
        **_RESULTS,
        **_WISHES,
        **dict.fromkeys(_FLAGS, False),
        "info_collected": False,
        "step_records": {name: {**record, "fingerprint": "", "parked": {}} for name, record in records.items()},
    }
