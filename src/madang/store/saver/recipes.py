"""How a value is put together from content-addressed chunks.

A recipe is msgpack of the value's own shape in which a large part is replaced by its chunk's address (`bin`), and what
msgpack alone can't say is an extension. Small values are their own recipe.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import ormsgpack
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.types import _DeltaSnapshot
from langgraph.types import Send

from madang.errors import UnreadableData
from madang.store.codec import check_size

INLINE = 160
SPLIT = 8192
SEGMENT = 64
SHORT_LIST = 4
_SMALL_TEXT = 40
_EXT_INLINE, _EXT_SEND = 101, 102
_BIG_INT = 2**63

Node = Any
"""A scalar, a list or dict of nodes, an address (`bytes`), an `Inline` or a `Sent`."""


class Inline(NamedTuple):
    """A small part in its serialised form."""

    raw: bytes


class Sent(NamedTuple):
    """A `Send` whose argument is stored in parts."""

    node: str
    arg: Node


class Corrupt(UnreadableData):
    """A recipe that can't be followed."""


@dataclass(slots=True)
class Splitter:
    """Takes values apart. `chunks` collects the parts, by address."""

    serde: SerializerProtocol
    address: Callable[[bytes], bytes]
    chunks: dict[bytes, bytes] = field(default_factory=dict)

    def split(self, value: Any) -> Node:
        """The node of a whole value: a list by its elements, a dict by its entries."""
        kind = type(value)
        if kind is list and not _all_numbers(value):
            return [self.part(item) for item in value]
        if kind is dict and all(type(key) is str for key in value):
            return {key: self.part(item) for key, item in value.items()}
        return self.part(value)

    def part(self, value: Any) -> Node:
        """The node of a part: in parts itself only if it is large, a list of messages or the argument of a `Send`."""
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if (kind is int and -_BIG_INT <= value < _BIG_INT) or (kind is str and len(value) <= _SMALL_TEXT):
            return value
        if kind is list and value and isinstance(value[0], BaseMessage):
            return [self.part(item) for item in value]
        if kind is Send and getattr(value, "timeout", None) is None:
            return Sent(value.node, self.split(value.arg))
        raw = dump(self.serde, value)
        if len(raw) <= INLINE:
            return Inline(raw)
        if len(raw) > SPLIT and kind in (list, dict):
            return self.split(value) if len(raw) > INLINE * len(value) else self.keep(raw)
        return self.keep(raw)

    def keep(self, raw: bytes) -> bytes:
        address = self.address(check_size(raw))
        self.chunks[address] = raw
        return address

    def segment(self, items: list[Node]) -> bytes:
        """A run of a list's items as a chunk of its own."""
        return self.keep(pack(items))


def dump(serde: SerializerProtocol, value: Any) -> bytes:
    """Msgpack of any value that LangGraph's serialiser takes."""
    kind, raw = serde.dumps_typed(value)
    if kind == "msgpack":
        return raw
    return b"\xc0" if kind == "null" else ormsgpack.packb(bytes(raw))


def load(serde: SerializerProtocol, raw: bytes) -> Any:
    return serde.loads_typed(("msgpack", raw))


def pack(node: Node) -> bytes:
    return ormsgpack.packb(node, default=_default, option=ormsgpack.OPT_PASSTHROUGH_TUPLE)


def unpack(raw: bytes) -> Node:
    """The opposite of `pack`. Raises `Corrupt`."""
    try:
        return ormsgpack.unpackb(raw, ext_hook=_hook)
    except (ValueError, TypeError) as error:
        raise Corrupt(f"a stored recipe is damaged: {error}") from error


def references(node: Node) -> Iterator[bytes]:
    """Every address in a node."""
    kind = type(node)
    if kind is bytes:
        yield node
    elif kind is list:
        for item in node:
            yield from references(item)
    elif kind is dict:
        for item in node.values():
            yield from references(item)
    elif kind is Sent:
        yield from references(node.arg)


def build(node: Node, serde: SerializerProtocol, chunk: Callable[[bytes], Any]) -> Any:
    """The value of a node, made anew."""
    kind = type(node)
    if kind is bytes:
        return chunk(node)
    if kind is list:
        return [chunk(item) if type(item) is bytes else build(item, serde, chunk) for item in node]
    if kind is dict:
        return {key: build(item, serde, chunk) for key, item in node.items()}
    if kind is Inline:
        return load(serde, node.raw)
    if kind is Sent:
        return Send(node.node, build(node.arg, serde, chunk))
    return node


def is_snapshot(value: Any) -> bool:
    return type(value) is _DeltaSnapshot


def snapshot(value: Any) -> Any:
    return _DeltaSnapshot(value)


def _default(node: Any) -> ormsgpack.Ext:
    if type(node) is Inline:
        return ormsgpack.Ext(_EXT_INLINE, node.raw)
    if type(node) is Sent:
        return ormsgpack.Ext(_EXT_SEND, pack([node.node, node.arg]))
    raise TypeError(f"not part of a recipe: {type(node).__name__}")


def _hook(code: int, data: bytes) -> Any:
    if code == _EXT_INLINE:
        return Inline(data)
    if code == _EXT_SEND:
        return Sent(*unpack(data))
    raise ValueError(f"extension {code}")


def _all_numbers(value: list[Any]) -> bool:
    return len(value) > SEGMENT and all(type(item) in (int, float, bool) for item in value)
