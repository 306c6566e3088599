"""Values as JSON, exactly: plain JSON where a value is that, else LangGraph's serialised bytes in base64.

A list's items and a dict's entries are kept once each, so a conversation's many versions share them.
"""

import base64
import binascii
import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.errors import UnreadableData
from madang.store.columns import MAX_DEPTH, check_depth

LARGEST = 256 << 20
"""No value is put together of more bytes: a part may be referred to any number of times."""
_KINDS = ("msgpack", "bytes", "bytearray", "null")
Entry = dict[str, Any]


class ValueWriter:
    """Collects values; `entries` is the table that their numbers refer to."""

    def __init__(self, serde: SerializerProtocol) -> None:
        self.entries: list[Entry] = []
        self._serde = serde
        self._numbers: dict[str, int] = {}

    def add(self, value: Any) -> int:
        """The number of `value` in the table."""
        if type(value) is list and value:
            return self._put({"list": [self._part(item) for item in value]})
        if type(value) is dict and value and all(type(key) is str for key in value):
            return self._put({"dict": {key: self._part(item) for key, item in value.items()}})
        return self._part(value)

    def _part(self, value: Any) -> int:
        if is_plain(value):
            return self._put({"json": value})
        kind, data = self._serde.dumps_typed(value)
        return self._put({"type": kind, "bytes": base64.b64encode(data).decode()})

    def _put(self, entry: Entry) -> int:
        # Key order belongs to the value: two dicts that differ only in it stay two.
        key = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.entries)
            self.entries.append(entry)
        return number


class ValueReader:
    """Gives back what a `ValueWriter` collected. Raises `UnreadableData` for a table that isn't one."""

    def __init__(self, entries: Sequence[Any], serde: SerializerProtocol) -> None:
        self._entries = entries
        self._serde = serde
        self._sizes: dict[Any, int] = {}

    def get(self, number: Any) -> Any:
        """The value of a number, made anew."""
        match self._entry(number):
            case {"list": [*parts]}:
                self._check_size(number, parts)
                return [self._part(part) for part in parts]
            case {"dict": dict(parts)}:
                self._check_size(number, parts.values())
                return {key: self._part(part) for key, part in parts.items()}
        return self._part(number)

    def _part(self, number: Any) -> Any:
        match self._entry(number):
            case {"json": value} if is_plain(value):
                return value
            case {"type": str(kind), "bytes": str(data)} if kind in _KINDS:
                return self._load(number, kind, data)
            case {"type": str(kind)} if kind not in _KINDS:
                raise UnreadableData(f"values: value {number} is serialised as {kind!r}, which is not allowed")
        raise UnreadableData(f"values: value {number} has no known form")

    def _entry(self, number: Any) -> Any:
        if type(number) is not int or not 0 <= number < len(self._entries):
            raise UnreadableData(f"values: no value {number!r}")
        return self._entries[number]

    def _check_size(self, number: int, parts: Iterable[Any]) -> None:
        total = 0
        for part in parts:
            if part not in self._sizes:
                self._sizes[part] = len(json.dumps(self._entry(part)))
            total += self._sizes[part]
        if total > LARGEST:
            raise UnreadableData(f"values: value {number} would have {total} bytes, at most {LARGEST}")

    def _load(self, number: int, kind: str, data: str) -> Any:
        try:
            value = self._serde.loads_typed((kind, base64.b64decode(data, validate=True)))
        except binascii.Error as problem:
            raise UnreadableData(f"values: value {number} is not base64") from problem
        except UnreadableData:
            raise
        except Exception as problem:
            # A serialiser may raise anything over damaged bytes.
            raise UnreadableData(f"values: value {number} can't be read ({problem})") from problem
        check_depth(value, f"values: value {number}", UnreadableData)
        return value


def is_plain(value: Any, depth: int = 0) -> bool:
    """Whether JSON gives back exactly this value: of JSON's own types at every depth, finite, storable text."""
    kind = type(value)
    if value is None or kind is bool or kind is int:
        return True
    if kind is float:
        return math.isfinite(value)
    if kind is str:
        return not any("\ud800" <= character <= "\udfff" for character in value)
    if depth > MAX_DEPTH:
        return False
    if kind is list:
        return all(is_plain(item, depth + 1) for item in value)
    if kind is dict:
        return all(type(key) is str and is_plain(key) and is_plain(item, depth + 1) for key, item in value.items())
    return False
