"""A channel's stored value: its recipe, and for a list how it grew from an earlier version.

An append stores only what is new, as a delta on the version before. After `LONGEST` deltas, or when little is left of
the earlier list, a root is stored: its items in runs of `SEGMENT`, which the next root shares.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from madang.store.saver.live import LiveMessages
from madang.store.saver.messages import Frozen, same_all
from madang.store.saver.recipes import (
    SEGMENT,
    SHORT_LIST,
    Corrupt,
    Node,
    Splitter,
    is_snapshot,
    pack,
    references,
    unpack,
)

LONGEST = 64
RUN = 32
_FIXED_WEIGHT, _ITEM = 600, 24
LIST_KINDS = ("list", "delta", "snapshot-list")


@dataclass(slots=True)
class Shape:
    """What one version of a channel is made of. Never changed once made."""

    kind: str
    node: Node = None
    root: str = ""
    depth: int = 0
    segments: tuple[bytes, ...] = ()
    frozen: list[Frozen | None] | None = field(default=None, compare=False)

    def references(self) -> set[bytes]:
        return {*references(self.node), *self.segments}

    @property
    def weight(self) -> int:
        """About how many bytes it takes, without the messages and addresses that it shares with other versions."""
        return _FIXED_WEIGHT + _ITEM * (len(self.node) if type(self.node) in (list, dict) else 0)


ABSENT = Shape("absent")
"""A version at which a channel has no value."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A value ready to be stored: the row's type and recipe, its shape, and the addresses that are new in it."""

    kind: str
    recipe: bytes
    shape: Shape
    fresh: frozenset[bytes] | set[bytes]
    led: int = 0
    """How many leading messages are those that were kept live."""


@dataclass(frozen=True, slots=True)
class Base:
    """The version of a channel that a new one may build on."""

    version: str
    shape: Shape
    live: LiveMessages | None = None


def encode(value: Any, splitter: Splitter, version: str = "", base: Base | None = None) -> Encoded:
    """Takes a value apart; `base` is the channel's version before, if its row is sure to be there."""
    if value is None:
        return Encoded("null", b"", Shape("null"), frozenset())
    if is_snapshot(value):
        inner = value.value
        if _is_list(inner):
            return root_of(splitter, "snapshot-list", [splitter.part(item) for item in inner], version)
        return _tree("snapshot", splitter.split(inner))
    if type(value) is bytearray:
        return _tree("bytearray", splitter.part(bytes(value)))
    if not _is_list(value):
        return _tree("msgpack", splitter.split(value))
    if base is None or base.shape.kind not in ("list", "delta"):
        return root_of(splitter, "list", [splitter.part(item) for item in value], version)
    return _grown(value, splitter, version, base)


def _is_list(value: Any) -> bool:
    return type(value) is list and not (value and type(value[0]) in (int, float, bool))


def _tree(kind: str, node: Node) -> Encoded:
    return Encoded(kind, pack(node), Shape(kind, node), set(references(node)))


def root_of(splitter: Splitter, kind: str, items: list[Node], version: str) -> Encoded:
    whole = len(items) // SEGMENT * SEGMENT
    segments = tuple(splitter.segment(items[i : i + SEGMENT]) for i in range(0, whole, SEGMENT))
    shape = Shape(kind, items, version, 0, segments)
    return Encoded(kind, pack([list(segments), items[whole:]]), shape, shape.references())


def _grown(value: list[Any], splitter: Splitter, version: str, base: Base) -> Encoded:
    old = base.shape
    led = len(old.node) if _leads(base, value) else 0
    keep, added = (led, [*map(splitter.part, value[led:])]) if led else _difference(value, splitter, old)
    items = [*old.node[:keep], *added]
    frozen = old.frozen[:keep] if old.frozen is not None else None
    if keep <= SHORT_LIST or keep * 2 < len(old.node) or old.depth >= LONGEST or version <= base.version:
        made = root_of(splitter, "list", items, version)
        made.shape.frozen = frozen
        return replace(made, led=led)
    recipe = pack([old.root, base.version, keep, added])
    shape = Shape("delta", items, old.root, old.depth + 1, (), frozen)
    return Encoded("delta", recipe, shape, set(references(added)), led)


def _leads(base: Base, value: list[Any]) -> bool:
    return base.live is not None and len(base.live) == len(base.shape.node) and base.live.lead(value)


def _difference(value: list[Any], splitter: Splitter, old: Shape) -> tuple[int, list[Node]]:
    """How many leading items stay as they are, and the nodes of those after them."""
    items: Sequence[Node] = old.node
    frozen = old.frozen or []
    both = min(len(value), len(items))
    for start in range(0, both, RUN):
        stop = min(start + RUN, both)
        if stop <= len(frozen) and same_all(value[start:stop], frozen[start:stop]):
            continue
        for keep in range(start, stop):
            ready = frozen[keep] if keep < len(frozen) else None
            if ready is not None and ready.same(value[keep]):
                continue
            part = splitter.part(value[keep])
            if part != items[keep] or type(part) is not type(items[keep]):
                return keep, [part, *map(splitter.part, value[keep + 1 :])]
    return both, [splitter.part(item) for item in value[both:]]


def decode(kind: str, recipe: bytes, version: str) -> Shape:
    """The shape of a row that stands alone (not a delta); a list's segments must still be filled in."""
    return Shape("null") if kind == "null" else from_node(kind, unpack(recipe), version)


def from_node(kind: str, node: Node, version: str = "") -> Shape:
    """The shape of an unpacked recipe. Raises `Corrupt`."""
    if kind in ("list", "snapshot-list"):
        segments, tail = node
        return Shape(kind, tail, version, 0, tuple(segments))
    if kind not in ("null", "msgpack", "bytearray", "snapshot", "history"):
        raise Corrupt(f"stored by a newer Madang: {kind!r}")
    return Shape(kind, node)


def to_node(shape: Shape) -> Node:
    """The opposite of `from_node`: a list with its items as they are."""
    return [[], shape.node] if shape.kind in ("list", "snapshot-list") else shape.node


def decode_delta(recipe: bytes) -> tuple[str, str, int, list[Node]]:
    """A delta's root version, base version, how many items it keeps, and what it adds."""
    try:
        root, base, keep, added = unpack(recipe)
    except (TypeError, ValueError) as error:
        raise Corrupt("a stored delta is damaged") from error
    return root, base, keep, added
