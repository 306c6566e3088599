"""What a plan needs and the user hasn't said: assumed openly, and any of it can be corrected."""

import re
from collections.abc import Mapping, Sequence
from datetime import date

from madang.assistants.travel.data.climate import usual_nights
from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.state.slots import EMPTY, Slots
from madang.assistants.travel.state.trip import DEFAULT_ORIGIN, departure_for
from madang.assistants.travel.understanding.asked import Asked
from madang.assistants.travel.understanding.slots import SlotQuestion, SlotUpdate
from madang.graph.reading import Heard

BASICS = ("destination", "duration", "budget", "num_people", "travel_style", "depart_date", "origin")
_UNSURE = 0.15
_BARE = 14
_USUAL_NIGHTS = 3
_AGES = re.compile(r"(?<!\d)(?:\d{1,2}|[한두세네]|다섯|여섯|일곱|여덟|아홉|열)\s?(?:살|개월)")
_MOST_CHILDREN = 4


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


def guess(
    question: SlotQuestion | None, after: Slots, state: MultiAgentTravelState, heard: Heard, asked: Sequence[Asked]
) -> dict[str, str]:
    """Nights and people that a plan could be made with, when only those are missing and a plan is wanted. A bare
    answer to a question is followed by the next question instead."""
    if question is None or question.kind != "missing" or not after.get("destination"):
        return {}
    text, before = heard.message.text, state.get("assumptions") or {}
    if before.get("long"):
        return {}
    telling = len(text) > _BARE and not (asked and not cue("plans").search(text))
    guessed: dict[str, str] = {}
    if not after.get("duration"):
        nights = before.get("nights") or (str(_nights(after)) if telling and cue("plans").search(text) else "")
        if not nights:
            return {}
        guessed["nights"] = nights
    if not after.get("num_people"):
        people = before.get("people") or (str(_people(text)) if telling or guessed else "")
        if not people:
            return {}
        guessed["people"] = people
    return guessed


def _nights(after: Slots) -> int:
    low, high = usual_nights(str(after["destination"])) or (_USUAL_NIGHTS, _USUAL_NIGHTS)
    return (low + high) // 2


def _people(text: str) -> int:
    """Those that the words speak of, else two."""
    if cue("parents").search(text):
        return 4 if cue("couple").search(text) else 3
    young = min(_MOST_CHILDREN, len(_AGES.findall(text)))
    if cue("alone").search(text) and not cue("couple").search(text):
        return 1 + young
    return 2 + young


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
