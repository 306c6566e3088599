"""What understanding a message gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from madang.assistants.travel.state.travel_state import BUDGET, NIGHTS, PEOPLE
from madang.assistants.travel.tools.particles import topic
from madang.errors import FieldProblem
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
LIMITS: dict[str, Range] = {"duration": NIGHTS, "budget": BUDGET, "num_people": PEOPLE}
REQUIRED = ("destination", "duration", "budget", "num_people", "travel_style")


def allowed(name: str) -> str:
    """The range of a slot as people say it: 1박~14박, 10만원~1000만원."""
    return str(LIMITS[name]).translate({ord(","): None, ord(" "): None}).replace("0000원", "만원")


Kind = Literal["missing", "refused", "ambiguous", "narrow", "unknown"]


@dataclass(frozen=True)
class Question:
    """One question to the user, about one slot, with choices where there are few."""

    slot: str
    text: str
    kind: Kind = "missing"
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class SlotUpdate:
    """Changes and removals to apply, values refused by name, and the one question to ask next (None: complete)."""

    changes: dict[str, Any] = field(default_factory=dict)
    removals: tuple[str, ...] = ()
    problems: tuple[FieldProblem, ...] = ()
    questions: tuple[Question, ...] = ()
    next_question: Question | None = None
    cues: frozenset[str] = frozenset()

    @property
    def complete(self) -> bool:
        return self.next_question is None


class Draft:
    """The slots while a message is being read; every reader writes into it."""

    def __init__(self, slots: Slots) -> None:
        self.before = {name: slots.get(name) for name in SLOTS}
        self.now = dict(self.before)
        self.problems: list[FieldProblem] = []
        self.questions: list[Question] = []
        self.cues: set[str] = set()

    def get(self, name: str) -> Any:
        return self.now.get(name)

    def set(self, name: str, value: Any) -> None:
        self.now[name] = value

    def put_number(self, name: str, value: int) -> bool:
        """Set a bounded slot, or refuse the value by name and keep the slot as it was."""
        if value in LIMITS[name]:
            self.set(name, value)
            return True
        if name == "duration" and value == 0:
            self.refuse(name, "당일치기는 아직 계획해 드리지 못합니다", allowed(name))
            return False
        self.refuse(name, f"{topic(_SAID[name].format(value=value))} 받을 수 없습니다", allowed(name))
        return False

    def refuse(self, name: str, reason: str, allowed: str | None = None) -> None:
        self.problems.append(FieldProblem(name, reason, allowed))

    def changes(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """What differs now, empty values counted as removed."""
        changed = {name: value for name, value in self.now.items() if value not in EMPTY and value != self.before[name]}
        removed = tuple(name for name, value in self.now.items() if value in EMPTY and self.before[name] not in EMPTY)
        return changed, removed


EMPTY: tuple[Any, ...] = (None, [], {}, "")
_SAID = {"duration": "{value}박", "budget": "{value:,}원", "num_people": "{value}명"}


def apply(slots: Slots, update: SlotUpdate) -> dict[str, Any]:
    """The slots after the update; the ones given are left as they are. Lists are emptied, other slots become None."""
    lists = ("destinations", "travel_style", "must_visit_places")
    gone: dict[str, Any] = {name: [] if name in lists else None for name in update.removals}
    return {**slots, **update.changes, **gone}
