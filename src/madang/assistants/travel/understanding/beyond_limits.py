"""Trips larger than a plan can be: a group beyond ten is planned as ten and said so, a stay beyond two weeks gets
advice instead of days; neither is sent away with a question."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from madang.assistants.travel.state.slots import LIMITS
from madang.assistants.travel.understanding.slots import SlotUpdate
from madang.errors import FieldProblem

_NUMBER = re.compile(r"(?P<count>[\d,]+)")
_LARGEST_GROUP = 60
MOST = 10  # people of a plan, as in LIMITS


def _refused(update: SlotUpdate, field: str) -> int:
    """The number that was refused for a slot; 0 when none was."""
    found = next((problem for problem in update.problems if problem.field == field), None)
    match = _NUMBER.search(found.reason) if found else None
    return int(match["count"].replace(",", "")) if match else 0


def group_of(update: SlotUpdate, assumed: Mapping[str, str]) -> int:
    """How many a group beyond the limit has; 0 for any other party."""
    count = _refused(update, "num_people")
    return count if MOST < count <= _LARGEST_GROUP else int(assumed.get("group") or 0)


def long_stay_of(update: SlotUpdate, assumed: Mapping[str, str]) -> int:
    """The nights of a stay beyond the limit; 0 for any other."""
    return _refused(update, "duration") or int(assumed.get("long") or 0)


def without_refusals(update: SlotUpdate, *fields: str) -> SlotUpdate:
    """The update with what was refused in these slots left out of its questions."""
    problems: tuple[FieldProblem, ...] = tuple(one for one in update.problems if one.field not in fields)
    asked = update.next_question
    if asked and asked.slot in fields:
        asked = update.questions[0] if update.questions else None
    return replace(update, problems=problems, next_question=asked)


def as_ten(changed: dict[str, Any], after: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A group's money, for the ten that are planned: each one's share stays as it was said."""
    amount = after.get("budget_amount")
    if after.get("budget_basis") != "per_person" or not amount:
        return changed, after
    whole = amount * MOST
    budget = whole if whole in LIMITS["budget"] else None
    return {**changed, "budget": budget}, {**after, "budget": budget}
