"""One message read: what it changes in the slots and in the needs, and which words became which value."""

from collections.abc import Iterator, Mapping
import re
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from madang.assistants.travel.state.slots import EMPTY, Slots
from madang.assistants.travel.understanding.business import after_business
from madang.assistants.travel.understanding.needs import read_needs
from madang.assistants.travel.understanding.slots import SlotUpdate, apply, read_slots
from madang.assistants.travel.understanding.slots.masks import masked
from madang.assistants.travel.understanding.told import HIDDEN, told_text
from madang.graph.reading import Claim, Heard, overlap
from madang.text.message import Value

# More than ten people can't travel together here: 150으로 확정할게요 is money, whatever was asked.
_SUM_INSTEAD = re.compile(r"(?<![\d,.])(?:[2-9]\d|\d{3})(?:만|으로|로|이요|요|정도|\s|$)(?!\s?(?:명|인|분))")
_FIELDS: dict[str, tuple[str, ...]] = {
    "city": ("destination", "origin"),
    "region": ("destination",),
    "sight": ("must_visit_places",),
    "airline": ("preferred_airline",),
    "nights": ("duration", "city_nights"),
    "people": ("num_people", "adults", "children", "infants"),
    "money": ("budget", "budget_amount", "lodging_budget"),
    "date": ("depart_date", "depart_window", "return_date", "duration"),
}
_ROLES: dict[str, str] = {
    "destination": "destination",
    "day_trip": "destination",
    "origin": "origin",
    "must_visit": "must_visit_places",
    "avoid": "avoid_places",
    "nights": "duration",
    "travel_dates": "depart_window",
    "depart_date": "depart_date",
    "return_date": "return_date",
    "people": "num_people",
    "child_age": "num_people",
    "budget": "budget",
    "budget_per_person": "budget",
    "lodging_budget": "lodging_budget",
    "style": "travel_style",
    "pace": "pace",
    "airline": "preferred_airline",
    "lodging": "accommodation_preference",
    "booked": "booked",
    "diet": "diet",
    "access": "access",
    "pet": "pets",
    "climate": "climate",
}


@dataclass(frozen=True)
class TripReading:
    """What a message changes, and the claims on its words."""

    update: SlotUpdate
    needs: dict[str, Any] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)


def read_trip(heard: Heard, known: Mapping[str, Any], today: date, pending: str | None) -> TripReading:
    """The message in the light of what is known and of the question it may answer."""
    text = told_text(heard, settled=bool(known.get("destination")))
    if pending == "num_people" and _SUM_INSTEAD.search(text):
        pending = "budget"
    stay = after_business(heard)
    update = read_slots(masked(text, stay.hidden, HIDDEN) if stay else text, known, today, pending)
    if stay:
        update = replace(update, changes={**update.changes, **stay.changes})
    update = _same_party(heard, known, update)
    needs, claims = read_needs(heard, known)
    if stay:
        claims += [heard.claim(span, field, value, "parser") for span, field, value in stay.claims]
    return TripReading(update, needs, claims)


def _same_party(heard: Heard, known: Mapping[str, Any], update: SlotUpdate) -> SlotUpdate:
    """아기 병원 갈 일, of the child that is known: who travels stays as it was unless the party is spoken of."""
    young = known.get("children") or known.get("infants")
    if not young or "num_people" in update.changes or heard.roles_of("people", "child_age"):
        return update
    party = {"adults", "children", "infants"}
    changes = {name: value for name, value in update.changes.items() if name not in party}
    return replace(update, changes=changes, removals=tuple(name for name in update.removals if name not in party))


def claims_of(heard: Heard, slots: Slots, update: SlotUpdate, made: list[Claim], *, pending: bool) -> list[Claim]:
    """Claims for what went into the slots, beside those made: a value's words, or the words of a role whose slot is
    filled after the message."""
    after = apply(slots, update)
    taken = [claim["span"] for claim in made if claim["span"]]
    moved = {*update.changes, *update.removals}
    claims = list(made)
    for span, slot in _spoken(heard, moved, after):
        if not any(overlap(span, other) for other in taken):
            claims.append(heard.claim(span, slot, after.get(slot), "pending" if pending else _by(heard, span)))
            taken.append([*span])
    return claims


def _spoken(heard: Heard, moved: set[str], after: Slots) -> Iterator[tuple[tuple[int, int], str]]:
    for role in heard.roles:
        slot = _ROLES.get(role.name)
        if slot is None:
            continue
        others = _FIELDS.get(role.value.kind, ()) if role.value else ()
        chosen = next((name for name in (slot, *others) if name in moved), None)
        if chosen is None and after.get(slot) not in EMPTY and _says(role.value, after.get(slot)):
            chosen = slot
        if chosen:
            yield role.span, chosen
    for value in heard.message.values:
        chosen = next((name for name in _FIELDS.get(value.kind, ()) if name in moved), None)
        if chosen:
            yield value.span, chosen


def _says(value: Value | None, known: Any) -> bool:
    """Whether a value repeats what is known."""
    name = getattr(value.value, "name", None) if value else None
    return name is not None and (name == known or (isinstance(known, list) and name in known))


def _by(heard: Heard, span: tuple[int, int]) -> Any:
    role = heard.role_at(span)
    return "examples" if role is not None and role.value is None else "parser"
