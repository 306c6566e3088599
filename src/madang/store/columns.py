"""Values on their way into and out of columns: times, JSON, ids and text that both backends can hold."""

import json
import re
import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from madang.errors import InvalidInput, InvalidName, MadangError, UnreadableData

MAX_ID = 255
MAX_DEPTH = 200
_NESTS = (Mapping, list, tuple)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


def now() -> str:
    """The present moment in UTC, always with microseconds, so that text sorts like time."""
    return timestamp(datetime.now(UTC))


def timestamp(moment: datetime) -> str:
    """`moment` as stored: UTC, microseconds."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def new_id() -> str:
    """An id of ours."""
    return str(uuid.uuid4())


def check_id(value: str, what: str = "session_id") -> str:
    """`value` if it can be an id: 1 to 255 characters, no control characters. Raises `InvalidName`."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidName(f"{what}: empty", field=what)
    if len(value) > MAX_ID:
        raise InvalidName(f"{what}: {len(value)} characters, at most {MAX_ID}", field=what)
    if _CONTROL.search(value):
        raise InvalidName(f"{what}: control characters", field=what)
    return value


def check_text(value: str, what: str) -> str:
    """`value` if both backends can hold it: text without NUL or lone surrogates. Raises `InvalidInput`."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what}: {type(value).__name__} instead of text", field=what)
    if _UNSTORABLE.search(value):
        raise InvalidInput(f"{what}: holds a NUL character or half a surrogate pair", field=what)
    return value


def check_depth(value: Any, what: str, error: type[MadangError] = InvalidInput) -> None:
    """Raises `error` if lists and dicts are nested deeper than whoever gets the value could follow."""
    level = [value] if isinstance(value, _NESTS) else []
    for _ in range(MAX_DEPTH):
        parts = (part for one in level for part in (one.values() if isinstance(one, Mapping) else one))
        level = [part for part in parts if isinstance(part, _NESTS)]
    if level:
        raise error(f"{what}: nested deeper than {MAX_DEPTH}", field=what)


def to_json(value: Any, what: str) -> str:
    """JSON text of `value`. Raises `InvalidInput` for what JSON, or a database, can't hold."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as problem:
        raise InvalidInput(f"{what}: not JSON ({problem})", field=what) from problem
    if _may_be_deep(text):
        check_depth(value, what)
    if "\\u0000" in text and _holds_unstorable(value):
        raise InvalidInput(f"{what}: holds a NUL character", field=what)
    return check_text(text, what)


def _holds_unstorable(value: Any) -> bool:
    if isinstance(value, str):
        return _UNSTORABLE.search(value) is not None
    if isinstance(value, Mapping):
        return any(_holds_unstorable(part) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple):
        return any(map(_holds_unstorable, value))
    return False


def from_json(stored: Any, what: str) -> Any:
    """The value of a JSON column, which one backend gives parsed and the other as text. Raises `UnreadableData`."""
    if not isinstance(stored, str | bytes):
        return stored
    try:
        value = json.loads(stored)
    except (ValueError, RecursionError) as problem:
        raise UnreadableData(f"{what}: not JSON", field=what) from problem
    if _may_be_deep(stored):
        check_depth(value, what, UnreadableData)
    return value


def _may_be_deep(text: str | bytes) -> bool:
    """Quickly: with fewer brackets than levels there is nothing to look for."""
    shown = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return shown.count("[") + shown.count("{") > MAX_DEPTH


def many(dialect: str, values: Iterable[str]) -> list[str] | str:
    """A list of texts as one parameter: an array, or JSON for SQLite's `json_each`."""
    return list(values) if dialect == "postgres" else json.dumps(list(values))


def storable(value: Any) -> Any:
    """`value` with U+FFFD for the characters that a database can't hold: a log must not fail over one."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {storable(key): storable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [storable(part) for part in value]
    return value
