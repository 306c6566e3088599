"""What a plan needs and the user hasn't said: assumed openly, and any of it can be corrected."""

from collections.abc import Mapping
from datetime import date

from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.slots import EMPTY, Slots
from madang.assistants.travel.state.trip import DEFAULT_ORIGIN, departure_for
from madang.assistants.travel.understanding.slots import SlotUpdate

BASICS = ("destination", "duration", "budget", "num_people", "travel_style", "depart_date", "origin")
_UNSURE = 0.15


def assume(slots: Slots, state: MultiAgentTravelState, today: date) -> tuple[dict[str, str], list[str]]:
    """Departure and start of the trip where they weren't said, and which of them come from memory."""
    assumed: dict[str, str] = {}
    remembered: list[str] = []
    if not slots.get("depart_date"):
        assumed["departure"] = _departure(slots.get("depart_window"), state, today)
    if not slots.get("origin"):
        liked = (state.get("user_preferences") or {}).get("origin")
        assumed["start"] = str(liked or DEFAULT_ORIGIN)
        remembered += ["origin"] if liked else []
    return assumed, remembered


def certainty(slots: Slots, assumed: Mapping[str, str], update: SlotUpdate) -> float:
    """How much of the plan rests on what was said: the share of its basics not assumed, less for what was unclear."""
    said = float(sum(slots.get(name) not in EMPTY for name in BASICS))
    if slots.get("depart_window") and "departure" in assumed:
        said += 0.5
    unclear = len(update.problems) + len(update.questions)
    return round(max(0.05, said / len(BASICS) - _UNSURE * unclear), 2)


def _departure(window: Mapping[str, str] | None, state: MultiAgentTravelState, today: date) -> str:
    """The day assumed before as long as it can hold, so that a plan doesn't move by itself."""
    before = (state.get("assumptions") or {}).get("departure")
    if before and before >= today.isoformat() and (not window or window["from"] <= before <= window["to"]):
        return str(before)
    return departure_for(window, today).isoformat()
