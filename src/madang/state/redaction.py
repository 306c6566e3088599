"""Values with what is sensitive taken out, at every depth; everything else keeps its value, type and place."""

import copy
from collections.abc import Collection
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from madang.state.fields import sensitive_names
from madang.state.patterns import redact_text
from madang.state.plain import is_message

__all__ = ["REDACTED", "redact", "redact_text", "redact_url"]

REDACTED = "***REDACTED***"
_TOO_DEEP = "…"
_MAX_DEPTH = 100


def redact(value: Any, *, fields: Collection[str] = frozenset(), state_type: type | None = None) -> Any:
    """`value` without the values of `fields` and of the fields `state_type` declares sensitive, and with personal
    numbers masked in every text (keys included). Nothing is changed in place; linear, also for shared or circular
    structures (a circle is cut with "…").
    """
    names = frozenset(fields) | (sensitive_names(state_type) if state_type else frozenset())
    return _Redaction(names).visit(value, 0)


class _Redaction:
    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.done: dict[int, tuple[Any, Any]] = {}

    def visit(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is str:
            return redact_text(value)
        if value is None or kind is int or kind is bool or kind is float:
            return value
        if depth > _MAX_DEPTH:
            return _TOO_DEEP
        identity = id(value)
        if identity not in self.done:
            # The value is kept beside its redacted form: an id is only unique among living objects.
            self.done[identity] = value, _TOO_DEEP
            self.done[identity] = value, self._container(value, depth + 1)
        return self.done[identity][1]

    def _container(self, value: Any, depth: int) -> Any:
        if isinstance(value, dict):
            return self._dict(value, depth)
        if isinstance(value, list):
            return [self.visit(item, depth) for item in value]
        if isinstance(value, tuple):
            items = [self.visit(item, depth) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
        if isinstance(value, set | frozenset):
            return type(value)(self.visit(item, depth) for item in value)
        return self._object(value, depth)

    def _dict(self, value: dict[Any, Any], depth: int) -> dict[Any, Any]:
        redacted: dict[Any, Any] = {}
        for key, item in value.items():
            redacted[self._key(key, redacted)] = self._entry(key, item, depth)
        if type(value) is dict:
            return redacted
        same_kind = copy.copy(value)
        same_kind.clear()
        same_kind.update(redacted)
        return same_kind

    def _entry(self, name: Any, item: Any, depth: int) -> Any:
        if item is not None and isinstance(name, str) and name in self.names:
            return REDACTED
        return self.visit(item, depth)

    def _key(self, key: Any, taken: dict[Any, Any]) -> Any:
        masked = redact_text(key) if isinstance(key, str) else key
        # Two keys that are masked alike stay two entries.
        number, unique = 1, masked
        while masked != key and unique in taken:
            number += 1
            unique = f"{masked} ({number})"
        return unique

    def _object(self, value: Any, depth: int) -> Any:
        if is_message(value):
            kept = {"content", "additional_kwargs", "tool_calls", "artifact", "name"}
            parts = {name: getattr(value, name) for name in kept if getattr(value, name, None)}
            return value.model_copy(update={name: self._entry(name, part, depth) for name, part in parts.items()})
        if hasattr(value, "model_copy") and not isinstance(value, type):
            return value.model_copy(update={name: self._entry(name, part, depth) for name, part in value})
        if is_dataclass(value) and not isinstance(value, type):
            changed = copy.copy(value)
            for field in dataclass_fields(value):
                object.__setattr__(changed, field.name, self._entry(field.name, getattr(value, field.name), depth))
            return changed
        return value


def redact_url(url: str) -> str:
    """`url` without its password."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    return urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", ":***@", 1)))
