"""Which types may be made from stored bytes. Every other is found, named and refused before anything is made of it."""

import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import ormsgpack
from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_METHODS, SAFE_MSGPACK_TYPES
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from madang.errors import FieldProblem, InvalidInput, InvalidState, UnreadableData
from madang.state.declared import declared_types

Allow = Iterable[type | tuple[str, ...]] | Literal["langgraph"]
"""Types, TypedDicts that declare them, (module, name) pairs; or LangGraph's own policy, which makes anything."""

MOST_NESTED = 32
_PLAIN = (
    ormsgpack.OPT_NON_STR_KEYS
    | ormsgpack.OPT_PASSTHROUGH_DATACLASS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_ENUM
    | ormsgpack.OPT_PASSTHROUGH_UUID
    | ormsgpack.OPT_REPLACE_SURROGATES
)
_BY_NAME, _BY_METHOD, _NUMPY, _SNAPSHOT = frozenset([0, 1, 2, 4, 5]), 3, 6, 7


class ForbiddenType(UnreadableData):
    """A type that isn't allowed."""

    def __init__(self, name: str) -> None:
        super().__init__(f"a type that is not allowed: {name}", type=name)
        self.name = name


class StrictSerializer(SerializerProtocol):
    """LangGraph's serialiser for its safe types and those allowed; raises `ForbiddenType` at any other, both ways."""

    def __init__(self, allow: Iterable[Any] = ()) -> None:
        self.allowed: set[tuple[str, ...]] = set(SAFE_MSGPACK_TYPES)
        self.allow(allow)

    def allow(self, types: Iterable[Any]) -> None:
        """Also these from now on, for all who share this serialiser."""
        for item in types:
            self.allowed |= {item} if isinstance(item, tuple) else declared_types(item)
            if isinstance(item, type):
                self.allowed.add((item.__module__, item.__name__))
        self._inner = JsonPlusSerializer(allowed_msgpack_modules=self.allowed)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        if obj is not None and not isinstance(obj, bytes | bytearray):
            try:
                return "msgpack", ormsgpack.packb(obj, option=_PLAIN)
            except ormsgpack.MsgpackEncodeError:
                # Not plain data, or not storable: LangGraph's serialiser knows.
                pass
        kind, raw = self._inner.dumps_typed(obj)
        if kind == "msgpack":
            _Search(self.allowed).plain(raw)
        return kind, raw

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        kind, raw = data
        if kind == "msgpack":
            search = _Search(self.allowed)
            value = search.plain(raw)
            return self._inner.loads_typed(data) if search.met else value
        if kind == "json":
            # Only LangGraph's savers of long ago wrote this, and only `madang db adopt` reads it.
            json.loads(raw, object_hook=self._check_constructor)
        elif kind not in ("null", "bytes", "bytearray"):
            raise ForbiddenType(f"serialised as {kind!r}")
        return self._inner.loads_typed(data)

    def _check_constructor(self, value: dict[str, Any]) -> None:
        if "lc" not in value:
            return
        path = value.get("id")
        *modules, name = map(str, path if isinstance(path, list) and path else [path])
        key = (".".join(modules), name)
        message = key[0].startswith("langchain") and ".messages" in key[0] and _is_message(key[1])
        if value.get("type") != "constructor" or (key not in self.allowed and not message):
            raise ForbiddenType(".".join(key))


def serializer(allow: Allow) -> SerializerProtocol:
    """A strict one, unless LangGraph's own policy is asked for by its name."""
    return JsonPlusSerializer() if allow == "langgraph" else StrictSerializer(allow)


class _Search:
    """One look through serialised bytes, which makes nothing but plain data."""

    __slots__ = ("_allowed", "_depth", "_refused", "met")

    def __init__(self, allowed: Collection[tuple[str, ...]]) -> None:
        self._allowed = allowed
        self._depth = 0
        self._refused = ""
        self.met = False

    def plain(self, raw: bytes) -> Any:
        """The value, if nothing was `met` that is more than plain. Raises `ForbiddenType` or `UnreadableData`."""
        try:
            return ormsgpack.unpackb(raw, ext_hook=self._visit, option=ormsgpack.OPT_NON_STR_KEYS)
        except (ValueError, TypeError, RecursionError) as error:
            if self._refused:
                raise ForbiddenType(self._refused) from None
            raise UnreadableData(f"serialised data is damaged or too deep: {error}") from error

    def _visit(self, code: int, data: bytes) -> None:
        self.met = True
        self._depth += 1
        if self._depth > MOST_NESTED:
            self._refuse(f"more than {MOST_NESTED} types inside each other")
        parts = ormsgpack.unpackb(data, ext_hook=self._visit, option=ormsgpack.OPT_NON_STR_KEYS)
        self._depth -= 1
        if code in _BY_NAME:
            self._check(parts, self._allowed, 2)
        elif code == _BY_METHOD:
            self._check([parts[0], parts[1], parts[3]], SAFE_MSGPACK_METHODS, 3)
        elif code not in (_NUMPY, _SNAPSHOT):
            self._refuse(f"extension {code}")

    def _check(self, parts: Any, allowed: Collection[tuple[str, ...]], length: int) -> None:
        key = tuple(parts[:length])
        if not all(type(part) is str for part in key) or key not in allowed:
            self._refuse(".".join(map(str, key)))

    def _refuse(self, what: str) -> None:
        self._refused = self._refused or what
        raise ValueError(what)


def _is_message(name: str) -> bool:
    return any(name == known and ".messages." in module for module, known in SAFE_MSGPACK_TYPES)


@contextmanager
def reading(channel: str, session_id: str) -> Iterator[None]:
    """Names the channel in whose stored value a type was met that isn't allowed."""
    try:
        yield
    except ForbiddenType as refused:
        raise UnreadableData(
            f"channel {channel!r} of session {session_id} holds a type that is not allowed: {refused.name}",
            channel=channel,
            type=refused.name,
            session_id=session_id,
        ) from None


@contextmanager
def writing(channel: str) -> Iterator[None]:
    """Names the channel whose value could be stored, but not read again."""
    try:
        yield
    except ForbiddenType as refused:
        how = "declare the type in the state of a served graph, or name it in SessionSaver(…, allow=[…])"
        raise InvalidState([FieldProblem(channel, f"holds {refused.name}, which is not allowed", how)]) from None
    except InvalidInput as refused:
        raise InvalidState([FieldProblem(channel, str(refused))]) from None
