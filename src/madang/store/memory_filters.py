"""Which memories a search means: filters on values, conditions on namespaces."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langgraph.store.base import MatchCondition

from madang.errors import InvalidInput

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def matches(value: Any, wanted: Any) -> bool:
    """Whether `value` is what a filter asks for: equal, equal in the named parts, or true under `$` operators.

    Raises `InvalidInput` for an operator that doesn't exist.
    """
    if isinstance(wanted, Mapping):
        if any(str(key).startswith("$") for key in wanted):
            return all(_holds(value, name, operand) for name, operand in wanted.items())
        return isinstance(value, Mapping) and all(matches(value.get(key), part) for key, part in wanted.items())
    if isinstance(wanted, list | tuple):
        same_length = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same_length and all(map(matches, value, wanted))
    return bool(value == wanted)


def _holds(value: Any, name: str, operand: Any) -> bool:
    if name == "$eq":
        return bool(value == operand)
    if name == "$ne":
        return bool(value != operand)
    if name == "$in":
        return any(value == one for one in operand)
    if name == "$nin":
        return all(value != one for one in operand)
    if name in _ORDER:
        comparable = all(isinstance(side, int | float) for side in (value, operand)) or all(
            isinstance(side, str) for side in (value, operand)
        )
        return comparable and _ORDER[name](value, operand)
    raise InvalidInput(f"filter: no operator {name!r}", field="filter")


def namespace_matches(condition: MatchCondition, namespace: Sequence[str]) -> bool:
    """Whether a namespace begins or ends as the condition says; `*` stands for any label."""
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for wanted, label in zip(path, part, strict=True))
