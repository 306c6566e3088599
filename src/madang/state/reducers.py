"""Reducers: how two writes to one field become one value.

All are pure, take `None` on the left for "nothing yet", and can be pickled. What each promises beyond that
(associative, idempotent, commutative) is in its docstring and property-tested.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any

from madang.errors import InvalidInput
from madang.state.steps import TERMINAL_STEPS

Reducer = Callable[[Any, Any], Any]
_TRACKED = frozenset({"status", "progress_percentage", "completed_at", "result", "error", "execution_time"})


def append(left: Sequence[Any] | None, right: Sequence[Any] | None) -> list[Any]:
    """Both lists, one after the other. Associative."""
    return [*(left or ()), *(right or ())]


def append_unique(left: Iterable[Any] | None, right: Iterable[Any] | None) -> list[Any]:
    """Every item once, in order of first appearance; `1`, `1.0` and `True` differ. Associative, idempotent."""
    seen: dict[Any, Any] = {}
    for item in [*(left or ()), *(right or ())]:
        seen.setdefault(freeze(item), item)
    return list(seen.values())


def set_union(left: Iterable[Any] | None, right: Iterable[Any] | None) -> Any:
    """The union: a set of sets, a sorted list of lists. Associative, commutative, idempotent."""
    both = [*(left or ()), *(right or ())]
    if isinstance(right if right is not None else left, AbstractSet):
        return set(both)
    return sorted({freeze(item): item for item in both}.values(), key=lambda item: repr(freeze(item)))


def keep_latest(left: Any, right: Any) -> Any:  # noqa: ARG001
    """The later write, `None` included. Associative, idempotent."""
    return right


def merge_by_key(left: Mapping[str, Any] | None, right: Mapping[str, Any] | None) -> dict[str, Any]:
    """Entries of both; the later write of a key wins whole. Associative, idempotent."""
    return {**(left or {}), **(right or {})}


def merge_fields(
    left: Mapping[str, Any] | None, right: Mapping[str, Any] | None, reducers: Mapping[str, Reducer]
) -> dict[str, Any] | None:
    """Fields of both: by their reducers, otherwise the later write wins. `None` changes nothing.

    Associative and idempotent if the reducers are.
    """
    if left is None or right is None:
        kept = left if right is None else right
        return None if kept is None else dict(kept)
    both = left.keys() & right.keys() & reducers.keys()
    return {**left, **right, **{name: reducers[name](left[name], right[name]) for name in both}}


def merge_steps(left: Sequence[Mapping[str, Any]] | None, right: Sequence[Mapping[str, Any]] | None) -> list[Any]:
    """Steps by `step_id`, in order of first appearance; a part of a step may be written. Associative, idempotent.

    Later fields win, except that a write that ends a step states its whole outcome (status, progress, result, error,
    completed_at, execution_time), which only another such write changes, and `started_at` stays as first set.
    Raises `InvalidInput` for a step without an id.
    """
    merged: dict[str | int, dict[str, Any]] = {}
    for step in [*(left or ()), *(right or ())]:
        step_id = _id_of(step, "step_id")
        merged[step_id] = _merge_step(merged[step_id], step) if step_id in merged else dict(step)
    return list(merged.values())


def add_messages(left: Any, right: Any) -> Any:
    """LangGraph's own reducer: by message id, `RemoveMessage` removes, `{role, content}` dicts are accepted."""
    from langgraph.graph.message import add_messages as langgraph_add_messages

    return langgraph_add_messages(left if left is not None else [], right if right is not None else [])


@dataclass(frozen=True)
class MergeToDepth:
    """Made by `merge_to_depth`."""

    depth: int

    @property
    def __name__(self) -> str:
        return f"merge_to_depth_{self.depth}"

    def __call__(self, left: Mapping[str, Any] | None, right: Mapping[str, Any] | None) -> dict[str, Any]:
        return _merge(left or {}, right or {}, self.depth)

    def __reduce__(self) -> tuple[Any, ...]:
        return merge_to_depth, (self.depth,)


@dataclass(frozen=True)
class MergeById:
    """Made by `merge_by_id`."""

    key: str

    @property
    def __name__(self) -> str:
        return f"merge_by_id_{self.key}"

    def __call__(
        self, left: Sequence[Mapping[str, Any]] | None, right: Sequence[Mapping[str, Any]] | None
    ) -> list[dict[str, Any]]:
        merged: dict[str | int, dict[str, Any]] = {}
        for item in [*(left or ()), *(right or ())]:
            item_id = _id_of(item, self.key)
            merged[item_id] = {**merged.get(item_id, {}), **item}
        return list(merged.values())

    def __reduce__(self) -> tuple[Any, ...]:
        return merge_by_id, (self.key,)


@cache
def merge_to_depth(depth: int) -> MergeToDepth:
    """A reducer that merges dicts inside dicts, `depth` levels down; below that the later write wins whole.

    Associative as long as a key of the merged levels always holds a dict; idempotent.
    """
    if depth < 1:
        raise InvalidInput(f"depth must be at least 1, not {depth}")
    return MergeToDepth(depth)


@cache
def merge_by_id(key: str) -> MergeById:
    """A reducer of lists of dicts that merges items with the same `key`, in order of first appearance.

    Associative, idempotent. The reducer raises `InvalidInput` for an item without that key.
    """
    return MergeById(key)


def freeze(value: Any) -> Any:
    """A hashable stand-in: equal exactly if the values are equal and of the same types."""
    if isinstance(value, Mapping):
        return dict, frozenset((freeze(key), freeze(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return type(value), tuple(map(freeze, value))
    if isinstance(value, AbstractSet):
        return set, frozenset(map(freeze, value))
    try:
        hash(value)
    except TypeError:
        return type(value), repr(value)
    return type(value), value


def _merge(left: Mapping[str, Any], right: Mapping[str, Any], depth: int) -> dict[str, Any]:
    merged = {**left, **right}
    if depth > 1:
        for key in left.keys() & right.keys():
            if isinstance(left[key], Mapping) and isinstance(right[key], Mapping):
                merged[key] = _merge(left[key], right[key], depth - 1)
    return merged


def _merge_step(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**left, **right}
    ended = left.get("status") in TERMINAL_STEPS, right.get("status") in TERMINAL_STEPS
    if ended[0] != ended[1]:
        outcome = left if ended[0] else right
        for field in _TRACKED & merged.keys():
            if field in outcome:
                merged[field] = outcome[field]
            else:
                del merged[field]
    if left.get("started_at") is not None:
        merged["started_at"] = left["started_at"]
    return merged


def _id_of(item: Any, key: str) -> str | int:
    found = item.get(key) if isinstance(item, Mapping) else None
    if not isinstance(found, str | int) or isinstance(found, bool):
        raise InvalidInput(f"an item of this list needs {key!r}", item=repr(item)[:200])
    return found
