"""Paths into a state, such as `planning_state.execution_steps[step_0].status`.

A dot goes into a dict's entry. Brackets go into a list's item: the one with that id, otherwise the one at that
position (`[0]`, `[-1]`); `[#0]` is a position whatever the ids. A backslash makes the next character part of a name,
`\\e` is the empty name, and the empty path is the whole state.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

from madang.errors import InvalidInput, NotFound
from madang.state.plain import is_message

ID_KEYS = ("id", "step_id", "task_id", "interrupt_id", "document_id", "message_id", "run_id")

_SPECIAL = re.compile(r"([\\.\[\]])")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PART = re.compile(r"(?P<dot>\.?)(?P<name>(?:[^\\.\[\]]|\\.)+)|\[(?P<item>(?:[^\\\[\]]|\\.)+)\]", re.DOTALL)
_POSITION = re.compile(r"-?\d{1,9}")

Kind = Literal["key", "item", "position"]


def escape(name: str) -> str:
    """A key or an id as one name of a path."""
    return _SPECIAL.sub(r"\\\1", name) if name else r"\e"


def join(path: str, part: str | int) -> str:
    """The path one level down: a key of a dict (text) or a position of a list (number)."""
    if isinstance(part, int):
        return f"{path}[{part}]"
    return f"{path}.{escape(part)}" if path else escape(part)


def join_id(path: str, item_id: str | int) -> str:
    """The path of the list item with that id."""
    name = escape(str(item_id))
    return f"{path}[\\{name}]" if name.startswith("#") else f"{path}[{name}]"


def join_position(path: str, position: int) -> str:
    """The path of the list item at that position, in a list whose items may have ids."""
    return f"{path}[#{position}]"


def parse_path(path: str) -> list[tuple[str, Kind]]:
    """The path's names in order, each with what it is. Raises `InvalidInput` for a malformed path."""
    parts: list[tuple[str, Kind]] = []
    position = 0
    while position < len(path):
        match = _PART.match(path, position)
        if match is None or (match["name"] is not None and bool(match["dot"]) != bool(parts)):
            raise InvalidInput(f"malformed path {path!r} at character {position}", path=path)
        if match["name"] is not None:
            parts.append((_unescape(match["name"]), "key"))
        elif match["item"].startswith("#"):
            parts.append((match["item"][1:], "position"))
        else:
            parts.append((_unescape(match["item"]), "item"))
        position = match.end()
    return parts


def root_of(path: str) -> str:
    """The field of the state that the path begins with; empty if it names none. Raises `InvalidInput`."""
    parts = parse_path(path)
    return parts[0][0] if parts and parts[0][1] == "key" else ""


def item_id(item: Any) -> str | None:
    """The id of a list's item as text: the first of `ID_KEYS` that it has, or a message's own."""
    if isinstance(item, Mapping):
        for key in ID_KEYS:
            found = item.get(key)
            if isinstance(found, str) or (isinstance(found, int) and not isinstance(found, bool)):
                return str(found)
    elif is_message(item):
        return str(item.id) if item.id else None
    return None


def get_path(state: Any, path: str) -> Any:
    """The value at `path`. Raises `NotFound` if there is none, `InvalidInput` for a malformed path."""
    value = state
    for name, kind in parse_path(path):
        value = value[_position(value, name, kind, path)]
    return value


def set_path(state: Any, path: str, value: Any) -> Any:
    """A copy of `state` with `value` at `path`; everything beside the path is shared, nothing is changed.

    A new key of an existing dict may be set. Raises `NotFound` if something before the last name doesn't exist
    or a list has no such item, `InvalidInput` for a malformed path.
    """
    return _set(state, parse_path(path), value, path)


def _set(state: Any, parts: list[tuple[str, Kind]], value: Any, path: str) -> Any:
    if not parts:
        return value
    (name, kind), *rest = parts
    if not rest and kind == "key" and isinstance(state, Mapping):
        return {**state, name: value}
    where = _position(state, name, kind, path)
    changed = list(state) if isinstance(state, list | tuple) else dict(state)
    changed[where] = _set(state[where], rest, value, path)
    return changed


def _position(value: Any, name: str, kind: Kind, path: str) -> Any:
    """The key or index under which `name` is found in `value`."""
    if isinstance(value, Mapping) and kind == "key" and name in value:
        return name
    if isinstance(value, list | tuple) and kind != "key":
        if kind == "item":
            for index, item in enumerate(value):
                if item_id(item) == name:
                    return index
        if _POSITION.fullmatch(name) and -len(value) <= int(name) < len(value):
            return int(name)
    raise NotFound(f"nothing at {name!r} of {path!r}", path=path)


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda match: "" if match[1] == "e" else match[1], text)
