"""Plain data: what may be inside a state, checked and converted in one linear walk.

Plain means JSON (text keys, finite numbers of 64 bits, encodable text) and LangChain messages.
"""

import math
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import reduce
from pathlib import PurePath
from typing import Any
from uuid import UUID

from madang.errors import FieldProblem, InvalidState

MAX_DEPTH = 64
MAX_TEXT = 1_000_000
MAX_VALUES = 1_000_000
_MESSAGE_PARTS = ("content", "additional_kwargs", "tool_calls", "artifact")
_INT_LOW, _INT_HIGH = -(2**63), 2**64 - 1


@dataclass(frozen=True)
class Limits:
    """How large plain data may be: characters of one text, nesting, and the number of values in all."""

    text: int = MAX_TEXT
    depth: int = MAX_DEPTH
    values: int = MAX_VALUES


DEFAULT_LIMITS = Limits()


class _Refused(Exception):
    """Carries the way to the place where it was raised, innermost key first."""

    def __init__(self, reason: str, allowed: str | None = None) -> None:
        self.reason = reason
        self.allowed = allowed
        self.keys: list[str | int] = []


def check_json(value: Any, *, path: str = "", limits: Limits = DEFAULT_LIMITS) -> FieldProblem | None:
    """The first thing in `value` that is not plain data, or `None`. Never raises, also for circular structures."""
    from madang.state.paths import join

    try:
        _Walk(limits).visit(value, 0)
    except _Refused as refused:
        return FieldProblem(reduce(join, reversed(refused.keys), path), refused.reason, refused.allowed)
    return None


def json_safe(value: Any, *, limits: Limits = DEFAULT_LIMITS) -> Any:
    """`value` as plain JSON data: tuples and sets become lists, times, ids and enums text, messages dicts.

    Raises `InvalidState` for what has no such form (callables, open files, NaN, circular structures).
    """
    converted = _Conversion(limits).convert(value)
    problem = check_json(converted, limits=limits)
    if problem:
        raise InvalidState([problem])
    return converted


def is_message(value: Any) -> bool:
    """Whether it is a LangChain message object; doesn't import LangChain to find out."""
    return any(base.__module__ == "langchain_core.messages.base" for base in type(value).__mro__)


class _Walk:
    """One check. Containers met twice are measured once, so shared structure can't make it exponential."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.measured: dict[int, tuple[int, int]] = {}
        self.open: set[int] = set()

    def visit(self, value: Any, depth: int) -> tuple[int, int]:
        """Height and number of values below; raises `_Refused`."""
        kind = type(value)
        if kind is str:
            self._text(value)
        elif value is None or kind is bool:
            pass
        elif kind is int:
            if not _INT_LOW <= value <= _INT_HIGH:
                raise _Refused("the number is too large", "a number of 64 bits")
        elif kind is float:
            if not math.isfinite(value):
                raise _Refused(f"{value} is not a number", "a finite number")
        elif kind is dict or kind is list:
            return self._container(value, depth)
        elif is_message(value):
            return self._entries([(name, getattr(value, name, None)) for name in _MESSAGE_PARTS], depth)
        else:
            self._other(value, depth)
        return 0, 1

    def _text(self, value: str) -> None:
        if len(value) > self.limits.text:
            raise _Refused(f"the text has {len(value):,} characters", f"at most {self.limits.text:,}")
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise _Refused("the text holds half a character", "text that UTF-8 can express") from None

    def _container(self, value: Any, depth: int) -> tuple[int, int]:
        identity = id(value)
        if identity in self.open:
            raise _Refused("the structure contains itself")
        known = self.measured.get(identity)
        if known is None:
            self._check_depth(depth)
            self.open.add(identity)
            if type(value) is dict:
                self._keys(value)
                known = self._entries(value.items(), depth)
            else:
                known = self._entries(enumerate(value), depth)
            self.measured[identity] = known
            self.open.discard(identity)
        else:
            self._check_depth(depth + known[0])
        if known[1] > self.limits.values:
            raise _Refused("there are too many values", f"at most {self.limits.values:,}")
        return known

    def _keys(self, value: dict[Any, Any]) -> None:
        for key in value:
            if type(key) is not str:
                raise _Refused(f"the key {str(key)[:40]!r} is not text", "text keys")
            self._text(key)

    def _entries(self, entries: Iterable[tuple[str | int, Any]], depth: int) -> tuple[int, int]:
        height, count = 0, 1
        for key, item in entries:
            try:
                below, number = self.visit(item, depth + 1)
            except _Refused as refused:
                refused.keys.append(key)
                raise
            height, count = max(height, below), count + number
        return height + 1, count

    def _check_depth(self, depth: int) -> None:
        if depth > self.limits.depth:
            raise _Refused("it is nested too deeply", f"at most {self.limits.depth} levels")

    def _other(self, value: Any, depth: int) -> None:
        if isinstance(value, Enum):
            raise _Refused(f"{type(value).__name__} is an enum", "its value")
        for base in (str, int, float):
            if isinstance(value, base):
                self.visit(base(value), depth)
                return
        what = "a function" if callable(value) else f"a value of type {type(value).__name__}"
        raise _Refused(f"{what} can't be kept in state", "text, numbers, true/false, null, lists and dicts")


class _Conversion:
    """One conversion, bounded in depth and in the number of values."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.count = 0

    def convert(self, value: Any, depth: int = 0) -> Any:
        self.count += 1
        if depth > self.limits.depth:
            raise InvalidState([FieldProblem("", "it is nested too deeply", f"at most {self.limits.depth} levels")])
        if self.count > self.limits.values:
            raise InvalidState([FieldProblem("", "there are too many values", f"at most {self.limits.values:,}")])
        if isinstance(value, Enum):
            return self.convert(value.value, depth)
        if value is None or isinstance(value, str | int | float):
            return value
        if isinstance(value, Mapping):
            return {_key(key): self.convert(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.convert(item, depth + 1) for item in value]
        if isinstance(value, AbstractSet):
            return [self.convert(item, depth + 1) for item in sorted(value, key=repr)]
        return self._object(value, depth)

    def _object(self, value: Any, depth: int) -> Any:
        if isinstance(value, datetime | date | time):
            return value.isoformat()
        if isinstance(value, UUID | PurePath | Decimal):
            return str(value)
        if is_message(value):
            return self.convert(message_dict(value), depth)
        if is_dataclass(value) and not isinstance(value, type):
            return self.convert({field.name: getattr(value, field.name) for field in fields(value)}, depth)
        if hasattr(value, "model_dump") and not isinstance(value, type):
            return self.convert(value.model_dump(), depth)
        return value


def _key(key: Any) -> Any:
    return str(key) if isinstance(key, int | UUID) and not isinstance(key, bool) else key


_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "HumanMessageChunk": "user"}


def readable(value: Any) -> Any:
    """What stands in JSON for a value that is none: a message's own form, anything else as Python shows it."""
    return message_dict(value) if is_message(value) else repr(value)


def message_dict(message: Any) -> dict[str, Any]:
    """A LangChain message as `{role, content}`, with `id`, `name`, `tool_calls`, `tool_call_id` where it has them."""
    role = getattr(message, "role", None) or _ROLES.get(message.type, message.type)
    found: dict[str, Any] = {"role": role, "content": message.content}
    for name in ("id", "name", "tool_calls", "tool_call_id"):
        if getattr(message, name, None):
            found[name] = getattr(message, name)
    return found
