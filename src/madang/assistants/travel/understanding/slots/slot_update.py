"""What understanding a message gives."""

from dataclasses import dataclass, field
from typing import Any, Literal

from madang.assistants.travel.state.slots import EMPTY, LIMITS, LIST_SLOTS, SLOTS, Slots, allowed
from madang.errors import FieldProblem
from madang.text.particles import with_topic

QuestionKind = Literal["missing", "refused", "ambiguous", "narrow", "unknown"]


@dataclass(frozen=True)
class SlotQuestion:
    """One question to the user, about one slot, with choices where there are few."""

    slot: str
    text: str
    kind: QuestionKind = "missing"
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class SlotUpdate:
    """Changes and removals to apply, values refused by name, and the one question to ask next (None: complete)."""

    changes: dict[str, Any] = field(default_factory=dict)
    removals: tuple[str, ...] = ()
    problems: tuple[FieldProblem, ...] = ()
    questions: tuple[SlotQuestion, ...] = ()
    next_question: SlotQuestion | None = None
    cues: frozenset[str] = frozenset()


class Draft:
    """The slots while a message is being read; every reader writes into it."""

    def __init__(self, slots: Slots) -> None:
        self.before = {name: slots.get(name) for name in SLOTS}
        self.now = dict(self.before)
        self.problems: list[FieldProblem] = []
        self.questions: list[SlotQuestion] = []
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
        self.refuse(name, f"{with_topic(_SAID[name].format(value=value))} 받을 수 없습니다", allowed(name))
        return False

    def refuse(self, name: str, reason: str, allowed: str | None = None) -> None:
        self.problems.append(FieldProblem(name, reason, allowed))

    def changes(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """What differs now, empty values counted as removed."""
        changed = {name: value for name, value in self.now.items() if value not in EMPTY and value != self.before[name]}
        removed = tuple(name for name, value in self.now.items() if value in EMPTY and self.before[name] not in EMPTY)
        return changed, removed


_SAID = {"duration": "{value}박", "budget": "{value:,}원", "num_people": "{value}명"}


def apply(slots: Slots, update: SlotUpdate) -> dict[str, Any]:
    """The slots after the update; the ones given are left as they are. Lists are emptied, other slots become None."""
    gone: dict[str, Any] = {name: [] if name in LIST_SLOTS else None for name in update.removals}
    return {**slots, **update.changes, **gone}
