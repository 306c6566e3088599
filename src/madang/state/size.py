"""Keeping a state small: measured by field, large values moved out and back, conversations shortened."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import orjson

from madang.errors import InvalidInput, UnreadableData
from madang.state.paths import get_path, join, set_path
from madang.state.plain import is_message, readable
from madang.state.steps import summarise

Message = TypeVar("Message")

SIZE_LIMIT = 64_000
_REFERENCE = {"$blob", "bytes", "summary"}
_OPTIONS = orjson.OPT_NON_STR_KEYS


class Blobs(Protocol):
    """Where large values go. `get` raises `NotFound` for an unknown id."""

    def put(self, data: bytes, /) -> str: ...

    def get(self, blob_id: str, /) -> bytes: ...


def measure(state: Mapping[str, Any]) -> dict[str, int]:
    """Bytes of each field as JSON, largest first."""
    sizes = {name: _bytes_of(value) for name, value in state.items()}
    return dict(sorted(sizes.items(), key=lambda entry: -entry[1]))


def offload(
    state: Mapping[str, Any],
    *,
    limit: int = SIZE_LIMIT,
    blobs: Blobs,
    keep: Collection[str] = ("messages", "execution_steps"),
) -> tuple[dict[str, Any], dict[str, str]]:
    """The state with every value over `limit` bytes replaced by a reference with a summary, and the ids by path.

    The innermost value that is too large goes, so what is beside it stays readable. Fields named in `keep`, at any
    depth, stay in place with only what is inside them moved, and so do message objects: shorten conversations with
    `trim_messages`. Raises `InvalidInput` for a limit below 1.
    """
    if limit < 1:
        raise InvalidInput(f"the size limit must be at least 1, not {limit}")
    moving = _Offloading(limit, blobs, frozenset(keep))
    large = {name for name, size in measure(state).items() if size > limit}
    small = {
        name: moving.visit(value, join("", name), name)[0] if name in large else value for name, value in state.items()
    }
    return small, moving.moved


def restore(state: Any, blobs: Blobs) -> Any:
    """The state with every reference replaced by its value again.

    Raises what `blobs.get` raises, and `UnreadableData` for a blob of another length than its reference says.
    """
    if is_reference(state):
        data = blobs.get(state["$blob"])
        if len(data) != state["bytes"]:
            raise UnreadableData(f"blob {state['$blob']} has {len(data)} bytes, not {state['bytes']}")
        return restore(orjson.loads(data), blobs)
    if isinstance(state, dict):
        return {key: restore(value, blobs) for key, value in state.items()}
    return [restore(item, blobs) for item in state] if isinstance(state, list) else state


def holds_reference(state: Any) -> bool:
    """Whether anything of the state was moved out."""
    waiting = [state]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if is_reference(value):
                return True
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return False


def is_reference(value: Any) -> bool:
    """Whether it stands for a value that was moved out."""
    return isinstance(value, dict) and value.keys() == _REFERENCE


def compress_messages(messages: Sequence[Message], max_length: int = 20) -> list[Message]:
    """The first message (the greeting) and the latest, `max_length` in all. Raises `InvalidInput` below 1."""
    _check_count(max_length)
    if len(messages) <= max_length:
        return list(messages)
    return [messages[0], *messages[len(messages) - max_length + 1 :]]


def trim_messages(messages: Sequence[Any], keep: int) -> list[Any]:
    """`RemoveMessage`s, for a field under `add_messages`, that leave the latest `keep` messages.

    An answer of a tool is not kept without the call before it. Messages without an id can't be removed and stay.
    Raises `InvalidInput` if `keep` is below 1.
    """
    from langchain_core.messages import RemoveMessage

    _check_count(keep)
    first = max(0, len(messages) - keep)
    while 0 < first < len(messages) - 1 and _part(messages[first], "type", "role") == "tool":
        first += 1
    ids = [_part(message, "id") for message in messages[:first]]
    return [RemoveMessage(id=message_id) for message_id in ids if message_id]


def cleanup(state: Mapping[str, Any], *, drop: Collection[str] = (), summaries: Collection[str] = ()) -> dict[str, Any]:
    """The state without the fields in `drop`, and with a summary in place of the value at each path of `summaries`."""
    kept: dict[str, Any] = {name: value for name, value in state.items() if name not in drop}
    for path in summaries:
        kept = set_path(kept, path, summarise(get_path(kept, path)))
    return kept


class _Offloading:
    """One walk, from the leaves up, that knows the size of everything below."""

    def __init__(self, limit: int, blobs: Blobs, keep: frozenset[str]) -> None:
        self.limit = limit
        self.blobs = blobs
        self.keep = keep
        self.moved: dict[str, str] = {}

    def visit(self, value: Any, path: str, name: str | None = None) -> tuple[Any, int]:
        """The value, or its reference, and its size; a size of -1 means that it must stay where it is."""
        if isinstance(value, dict) and not is_reference(value):
            below = {key: self.visit(item, join(path, key), key) for key, item in value.items()}
            kept: Any = {key: item for key, (item, _) in below.items()}
            sizes = [size for _, size in below.values()]
            overhead = 2 + sum(len(str(key)) + 4 for key in kept)
        elif isinstance(value, list):
            items = [self.visit(item, join(path, index)) for index, item in enumerate(value)]
            kept, sizes, overhead = [item for item, _ in items], [size for _, size in items], 2 + len(items)
        else:
            kept, sizes, overhead = value, [-1 if is_message(value) else _bytes_of_leaf(value)], 0
        if name in self.keep or min(sizes, default=0) < 0:
            return kept, -1
        size = sum(sizes) + overhead
        return self._moved(kept, path) if size > self.limit and not is_reference(kept) else (kept, size)

    def _moved(self, value: Any, path: str) -> tuple[Any, int]:
        data = orjson.dumps(value)
        blob_id = self.moved[path] = self.blobs.put(data)
        reference = {"$blob": blob_id, "bytes": len(data), "summary": summarise(value)}
        return reference, _bytes_of(reference)


def _bytes_of(value: Any) -> int:
    try:
        return len(orjson.dumps(value, default=readable, option=_OPTIONS))
    except TypeError:
        return len(repr(value).encode(errors="replace"))


def _bytes_of_leaf(value: Any) -> int:
    if type(value) is str:
        return len(value) + 2 if value.isascii() else len(value.encode(errors="replace")) + 2
    return len(repr(value)) if value is None or isinstance(value, int | float) else _bytes_of(value)


def _part(message: Any, *names: str) -> Any:
    found = (message.get(name) if isinstance(message, Mapping) else getattr(message, name, None) for name in names)
    return next((part for part in found if part is not None), None)


def _check_count(count: int) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InvalidInput(f"at least 1 message must be kept, not {count!r}")
