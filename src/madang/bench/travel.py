"""How well the travel assistant reads slots, on dialogues written before the reader.

Each turn of `data/travel-slots.*.jsonl` says what the turn changes; the expected state is their accumulation, with the
return date and a total basis filled in. `dev` was tuned on, `test` never looked at.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.resources import files
from typing import Any

from madang.assistants.travel.tools.slots import apply, understand
from madang.bench import Row

COMPARED = (
    "destination", "destinations", "duration", "budget", "budget_basis", "num_people", "adults", "children", "infants",
    "travel_style", "origin", "depart_date", "return_date", "depart_window", "preferred_airline",
    "accommodation_preference", "budget_flexibility", "must_visit_places", "pace",
)  # fmt: skip
_EMPTY: tuple[Any, ...] = (None, [], {}, "")
_SETS = ("travel_style", "must_visit_places", "destinations")


@dataclass
class Score:
    """Counts over one set of dialogues."""

    slots: int = 0
    right: int = 0
    changed: int = 0
    changed_right: int = 0
    turns: int = 0
    exact_turns: int = 0
    dialogues: int = 0
    exact_dialogues: int = 0
    asked: int = 0
    asked_right: int = 0
    refused: int = 0
    refused_right: int = 0


def dialogues(split: str) -> list[dict[str, Any]]:
    """The dialogues of `dev` or `test`."""
    text = (files("madang.bench") / "data" / f"travel-slots.{split}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def score(split: str) -> tuple[Score, list[str]]:
    """The score of a set and a line for each wrong slot."""
    total, wrong = Score(), []
    for dialogue in dialogues(split):
        exact = True
        for turn, (right, missed) in enumerate(_turns(dialogue, total)):
            exact = exact and right
            wrong += [f"{dialogue['id']}.{turn} {line}" for line in missed]
        total.dialogues += 1
        total.exact_dialogues += exact
    return total, wrong


def _turns(dialogue: dict[str, Any], total: Score) -> Iterator[tuple[bool, list[str]]]:
    slots: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    pending: str | None = "destination"
    today = date.fromisoformat(dialogue["today"])
    for turn in dialogue["turns"]:
        update = understand(turn["user"], slots, today, pending)
        slots = apply(slots, update)
        pending = update.next_question.slot if update.next_question else None
        expected = _expected(expected, turn["changes"])
        missed = []
        for name in COMPARED:
            want, got = _plain(name, expected.get(name)), _plain(name, slots.get(name))
            if want in _EMPTY and got in _EMPTY and name not in turn["changes"]:
                continue
            total.slots += 1
            total.right += want == got
            if name in turn["changes"]:
                total.changed += 1
                total.changed_right += want == got
            if want != got:
                missed.append(f"{turn['user']!r} {name}: wanted {want!r}, got {got!r}")
        if "asks" in turn:
            total.asked += 1
            total.asked_right += pending == turn["asks"]
            if pending != turn["asks"]:
                missed.append(f"{turn['user']!r} asks: wanted {turn['asks']}, got {pending}")
        for name in turn.get("problems", []):
            total.refused += 1
            total.refused_right += any(problem.field == name for problem in update.problems)
        total.turns += 1
        right = not any(": wanted" in line and " asks:" not in line for line in missed)
        total.exact_turns += right
        yield right, missed


def _expected(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    after = {**before, **changes}
    if "budget" in changes and changes["budget"] and "budget_basis" not in changes:
        after["budget_basis"] = before.get("budget_basis") or "total"
    if "budget" in changes and changes["budget"] is None:
        after["budget_basis"] = None
    depart, nights = after.get("depart_date"), after.get("duration")
    after["return_date"] = (
        (date.fromisoformat(depart) + timedelta(days=nights)).isoformat() if depart and nights else None
    )
    return after


def _plain(name: str, value: Any) -> Any:
    return sorted(value) if name in _SETS and isinstance(value, list) else value


def eval_travel() -> list[Row]:
    """Slot accuracy per turn and per dialogue, on both halves."""
    rows = []
    for split, note in (("dev", "tuned on"), ("test", "not looked at")):
        found, _ = score(split)
        rows += [
            Row(
                measure=f"slots right after each turn ({split})",
                value=found.right / found.slots,
                goal="≥ 0.92",
                note=note,
            ),
            Row(measure=f"slots a turn changed, right ({split})", value=found.changed_right / found.changed, note=note),
            Row(measure=f"turns with every slot right ({split})", value=found.exact_turns / found.turns, note=note),
            Row(
                measure=f"dialogues right throughout ({split})",
                value=found.exact_dialogues / found.dialogues,
                note=note,
            ),
            Row(measure=f"questions as expected ({split})", value=found.asked_right / max(1, found.asked), note=note),
            Row(measure=f"bad values refused ({split})", value=found.refused_right / max(1, found.refused), note=note),
        ]
    return rows


SUITES = {"eval-travel": eval_travel}
