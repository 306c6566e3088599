"""What changed between two states: found, applied and inverted in linear time.

A difference is a tree of nodes in JSON form, one per container that changed:

    {"op": "replace", "old", "new"}
    {"op": "dict",  "added": {key: value}, "removed": {key: value}, "changed": {key: node}}
    {"op": "list",  "changed": [[position, node]], "at", "removed": [values], "added": [values], "some_ids"}
    {"op": "items", "added": {id: value}, "removed": {id: value}, "changed": {id: node}, "order": null | [old, new]}

`list` pairs items by position between a common beginning and end and splices the rest at `at`; `items` is for lists
whose items all have ids.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from madang.errors import InvalidInput
from madang.state.paths import item_id, join, join_id, join_position
from madang.state.plain import MAX_DEPTH, Limits, json_safe

Node = dict[str, Any]


@dataclass(frozen=True)
class Diff:
    """The difference of two states; false if there is none."""

    root: Node | None = None

    def __bool__(self) -> bool:
        return self.root is not None

    @cached_property
    def added(self) -> dict[str, Any]:
        """New values by path."""
        return {path: new for kind, path, _, new in self._flat if kind == "added"}

    @cached_property
    def removed(self) -> dict[str, Any]:
        """Values that are gone, by path."""
        return {path: old for kind, path, old, _ in self._flat if kind == "removed"}

    @cached_property
    def changed(self) -> dict[str, tuple[Any, Any]]:
        """Old and new value by path."""
        return {path: (old, new) for kind, path, old, new in self._flat if kind == "changed"}

    @cached_property
    def reordered(self) -> dict[str, tuple[list[str], list[str]]]:
        """Old and new order of ids, by the path of the list."""
        return {path: (old, new) for kind, path, old, new in self._flat if kind == "reordered"}

    @cached_property
    def _flat(self) -> list[tuple[str, str, Any, Any]]:
        return list(_flatten(self.root, "")) if self.root else []

    def as_dict(self) -> dict[str, Any]:
        """The difference as JSON data; message objects become `{role, content}` dicts."""
        # Every level of the state is two of the difference.
        return {"diff": json_safe(self.root, limits=Limits(depth=3 * MAX_DEPTH))}


def diff(a: Any, b: Any) -> Diff:
    """What turns `a` into `b`. Types count: 1, 1.0 and true differ. Raises `InvalidInput` for bottomless nesting."""
    try:
        return Diff(_Comparison().node(a, b))
    except RecursionError:
        raise InvalidInput("the states are nested too deeply to compare") from None


def apply(difference: Diff, a: Any) -> Any:
    """`b`, if `difference` is `diff(a, b)`; `a` is not changed. Raises `InvalidInput` if it doesn't fit `a`."""
    return a if difference.root is None else _apply(difference.root, a)


class _Comparison:
    """One comparison. Each container is hashed once, so unequal ones are told apart without walking them again."""

    def __init__(self) -> None:
        self.hashes: dict[int, int] = {}

    def node(self, a: Any, b: Any) -> Node | None:
        if self.equal(a, b):
            return None
        if type(a) is dict and type(b) is dict:
            return self._dict(a, b)
        if type(a) is list and type(b) is list:
            ids = _ids(a), _ids(b)
            if ids[0] is not None and ids[1] is not None and (a or b):
                return self._items(dict(zip(ids[0], a, strict=True)), dict(zip(ids[1], b, strict=True)))
            return self._list(a, b)
        return {"op": "replace", "old": a, "new": b}

    def equal(self, a: Any, b: Any) -> bool:
        # Equal values are never walked again, so the full comparison costs no more than their size.
        return type(a) is type(b) and (a is b or (self._hash(a) == self._hash(b) and bool(a == b)))

    def _hash(self, value: Any) -> int:
        if type(value) is not dict and type(value) is not list:
            try:
                return hash((type(value), value))
            except TypeError:
                return hash((type(value), repr(value)))
        known = self.hashes.get(id(value))
        if known is None:
            if type(value) is dict:
                known = hash(frozenset((key, self._hash(item)) for key, item in value.items()))
            else:
                known = hash(tuple(map(self._hash, value)))
            self.hashes[id(value)] = known
        return known

    def _dict(self, a: dict[str, Any], b: dict[str, Any]) -> Node:
        return {"op": "dict", **self._entries(a, b)}

    def _items(self, a: dict[str, Any], b: dict[str, Any]) -> Node:
        entries = self._entries(a, b)
        order = None
        if _default_order(a, b) != list(b) or _default_order(b, a) != list(a):
            order = [list(a), list(b)]
        return {"op": "items", **entries, "order": order}

    def _entries(self, a: dict[str, Any], b: dict[str, Any]) -> Node:
        both = {key: self.node(value, b[key]) for key, value in a.items() if key in b}
        return {
            "added": {key: value for key, value in b.items() if key not in a},
            "removed": {key: value for key, value in a.items() if key not in b},
            "changed": {key: node for key, node in both.items() if node is not None},
        }

    def _list(self, a: list[Any], b: list[Any]) -> Node:
        shorter = min(len(a), len(b))
        start = 0
        while start < shorter and self.equal(a[start], b[start]):
            start += 1
        end = 0
        while end < shorter - start and self.equal(a[-1 - end], b[-1 - end]):
            end += 1
        at = shorter - end
        pairs = ((index, self.node(a[index], b[index])) for index in range(start, at))
        return {
            "op": "list",
            "changed": [[index, node] for index, node in pairs if node is not None],
            "at": at,
            "removed": a[at : len(a) - end],
            "added": b[at : len(b) - end],
            "some_ids": any(item_id(item) is not None for item in [*a, *b]),
        }


def _ids(items: list[Any]) -> list[str] | None:
    """The items' ids if each has one and all differ."""
    ids = [item_id(item) for item in items]
    found = [one for one in ids if one is not None]
    return found if len(set(found)) == len(items) else None


def _default_order(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    """Where items go if nothing else is said: the kept ones as they were, the new ones after them."""
    return [key for key in a if key in b] + [key for key in b if key not in a]


def _apply(node: Node, a: Any) -> Any:
    match node["op"]:
        case "dict" if isinstance(a, dict):
            return _apply_entries(node, a)
        case "items" if isinstance(a, list):
            ids = _ids(a)
            if ids is None:
                raise _misfit()
            entries = _apply_entries(node, dict(zip(ids, a, strict=True)))
            if node["order"] is None:
                return list(entries.values())
            if sorted(entries) != sorted(node["order"][1]):
                raise _misfit()
            return [entries[key] for key in node["order"][1]]
        case "list" if isinstance(a, list):
            return _apply_list(node, a)
        case "replace" if a == node["old"]:
            return node["new"]
    raise _misfit()


def _apply_entries(node: Node, a: dict[str, Any]) -> dict[str, Any]:
    if node["added"].keys() & a.keys() or not (node["removed"].keys() | node["changed"].keys()) <= a.keys():
        raise _misfit()
    kept = {key: value for key, value in a.items() if key not in node["removed"]}
    changed = {key: _apply(child, a[key]) for key, child in node["changed"].items()}
    return {**kept, **changed, **node["added"]}


def _apply_list(node: Node, a: list[Any]) -> list[Any]:
    at, removed = node["at"], node["removed"]
    if a[at : at + len(removed)] != removed or any(index >= len(a) for index, _ in node["changed"]):
        raise _misfit()
    result = list(a)
    for index, child in node["changed"]:
        result[index] = _apply(child, a[index])
    result[at : at + len(removed)] = node["added"]
    return result


def _misfit() -> InvalidInput:
    return InvalidInput("the difference doesn't fit this state")


def _flatten(node: Node, path: str) -> Iterator[tuple[str, str, Any, Any]]:
    """Each change as (kind, path, old, new)."""
    if node["op"] == "replace":
        yield "changed", path, node["old"], node["new"]
        return
    if node["op"] == "list":
        place = join_position if node["some_ids"] else join
        children = ((place(path, index), child) for index, child in node["changed"])
        removed = [(place(path, node["at"] + index), value) for index, value in enumerate(node["removed"])]
        added = [(place(path, node["at"] + index), value) for index, value in enumerate(node["added"])]
    else:
        step = join if node["op"] == "dict" else join_id
        children = ((step(path, key), child) for key, child in node["changed"].items())
        removed = [(step(path, key), value) for key, value in node["removed"].items()]
        added = [(step(path, key), value) for key, value in node["added"].items()]
    for where, child in children:
        yield from _flatten(child, where)
    yield from (("removed", where, value, None) for where, value in removed)
    yield from (("added", where, None, value) for where, value in added)
    if node.get("order"):
        yield "reordered", path, *node["order"]
