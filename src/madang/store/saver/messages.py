"""Chat messages kept ready: a private form that makes fresh copies quickly and notices any change.

A conversation's messages are read and compared at every step. Decoding each anew is what makes long threads slow;
handing out one shared object would let a graph that edits it in place corrupt what is kept.
"""

import gc
from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from operator import attrgetter, is_, itemgetter
from typing import Any, Protocol, TypeVar, cast

from langchain_core.messages import BaseMessage
from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_TYPES
from pydantic import BaseModel

F = TypeVar("F", bound=Hashable)
_IMMUTABLE = (str, int, float, bool, type(None))
_PLAIN = (dict, list)


class _Pick(Protocol):
    def __call__(self, values: dict[str, Any], /) -> tuple[Any, ...]: ...


@lru_cache(maxsize=256)
def _pick(names: tuple[str, ...]) -> _Pick:
    return cast("_Pick", itemgetter(*names, names[0]))


@lru_cache(maxsize=1024)
def _shared(form: F) -> F:
    """One object for all that are equal: a conversation has thousands of messages and a few forms."""
    return form


class Frozen:
    """One message as it was decoded from its stored bytes."""

    __slots__ = (
        "_cls",
        "_extra",
        "_fields",
        "_fields_set",
        "_fixed",
        "_moving",
        "_pick",
        "_types",
        "_values",
        "form",
        "size",
    )

    def __init__(self, message: BaseMessage, size: int) -> None:
        self.size = size
        self._cls = type(message)
        self._values = dict(message.__dict__)
        self._fields_set = message.__pydantic_fields_set__
        self._extra = copy_plain(message.__pydantic_extra__)
        self._moving = tuple(
            (name, copy_plain(value)) for name, value in self._values.items() if type(value) not in _IMMUTABLE
        )
        self._values.update(self._moving)
        self._fields = len(self._values)
        self._pick = _pick(tuple(name for name, value in self._values.items() if type(value) in _IMMUTABLE))
        self._fixed = self._pick(self._values)
        self._types = _shared(tuple(map(type, self._values.values())))
        self.form = _shared(self._form())

    def _form(self) -> "_Form | None":
        if self._extra or float in self._types or any(value for _, value in self._moving):
            return None
        return self._cls, type(self._extra), tuple((name, type(value)) for name, value in self._moving)

    def thaw(self) -> BaseMessage:
        """A new message that nobody else holds."""
        values = self._values.copy()
        for name, value in self._moving:
            values[name] = copy_plain(value) if value else type(value)()
        message = self._cls.__new__(self._cls)
        put = object.__setattr__
        put(message, "__dict__", values)
        # Shared: a decoded message has all its fields set, so setting one adds nothing.
        put(message, "__pydantic_fields_set__", self._fields_set)
        put(message, "__pydantic_extra__", copy_plain(self._extra) if self._extra else self._extra and {})
        put(message, "__pydantic_private__", None)
        return message

    def same(self, message: Any) -> bool:
        """Whether storing `message` would store these bytes again."""
        if type(message) is not self._cls:
            return False
        values = message.__dict__
        if len(values) != self._fields or bool(message.__pydantic_extra__) or self._extra:
            return False
        try:
            fixed = self._pick(values)
        except KeyError:
            return False
        if not all(map(is_, fixed, self._fixed)) and not all(map(equal, fixed, self._fixed)):
            return False
        return all(equal(values.get(name), value) for name, value in self._moving)


def thaw_all(frozen: Sequence[Frozen]) -> list[BaseMessage]:
    """New messages for a whole conversation: steps over all of them take a fraction of a call for each."""
    values = list(map(dict.copy, map(_VALUES, frozen)))
    by_form: dict[_Form | None, list[int]] = defaultdict(list)
    for position, form in enumerate(map(_FORM, frozen)):
        by_form[form].append(position)
    made: list[Any] = [None] * len(frozen)
    for form, positions in by_form.items():
        if form is None:
            for position in positions:
                made[position] = frozen[position].thaw()
            continue
        own = [values[position] for position in positions]
        for position, message in zip(positions, _of_form(form, own), strict=True):
            made[position] = message
            _SET_FIELDS(message, frozen[position]._fields_set)
    return made


def _of_form(form: "_Form", values: list[dict[str, Any]]) -> list[BaseMessage]:
    cls, extra, moving = form
    for name, kind in moving:
        if kind is dict:
            for own in values:
                own[name] = {}
        else:
            for own in values:
                own[name] = []
    made = [cls.__new__(cls) for _ in values]
    _run(map(_SET_DICT, made, values))
    extras: list[dict[str, Any] | None] = [{} if extra is dict else None for _ in values]
    _run(map(_SET_EXTRA, made, extras))
    _run(map(_SET_PRIVATE, made, [None] * len(values)))
    return made


def same_all(messages: Sequence[Any], frozen: Sequence[Frozen | None]) -> bool:
    """Whether each message is surely `same`; it may be that some are and this can't tell."""
    if None in frozen or None in map(_FORM, frozen) or not all(map(is_, map(type, messages), map(_CLASS, frozen))):
        return False
    values = list(map(_DICT, messages))
    if any(map(_EXTRA, messages)) or values != list(map(_VALUES, frozen)):
        return False
    types = list(map(type, chain.from_iterable(map(dict.values, values))))
    return types == list(chain.from_iterable(map(_TYPES, frozen)))


_Form = tuple[type[BaseMessage], type, tuple[tuple[str, type], ...]]
_VALUES, _FORM, _CLASS, _TYPES = (attrgetter(name) for name in ("_values", "form", "_cls", "_types"))
_DICT, _EXTRA = attrgetter("__dict__"), attrgetter("__pydantic_extra__")
_SET_DICT, _SET_FIELDS, _SET_EXTRA, _SET_PRIVATE = (
    vars(BaseModel)[name].__set__
    for name in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)


def _run(steps: Iterable[None]) -> None:
    deque(steps, maxlen=0)


@contextmanager
def many_objects() -> Iterator[None]:
    """Holds the garbage collector off while thousands of objects are made that are all still in use."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def freeze(value: Any, size: int) -> Frozen | None:
    """The kept form of a message made of plain data only; `None` for anything else."""
    if not isinstance(value, BaseMessage) or (type(value).__module__, type(value).__name__) not in SAFE_MSGPACK_TYPES:
        return None
    if value.__pydantic_private__ or not all(is_plain(part) for part in value.__dict__.values()):
        return None
    if not is_plain(value.__pydantic_extra__ or {}) or not any(type(v) in _IMMUTABLE for v in value.__dict__.values()):
        return None
    return Frozen(value, size)


def is_plain(value: Any) -> bool:
    kind = type(value)
    if kind in _IMMUTABLE:
        return True
    if kind is dict:
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    return kind is list and all(map(is_plain, value))


def copy_plain(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        return {key: copy_plain(item) for key, item in value.items()}
    if kind is list:
        return [copy_plain(item) for item in value]
    return value


def equal(left: Any, right: Any) -> bool:
    """Equal in value and type at every depth: True is not 1, and an enum is not its text."""
    kind = type(left)
    if kind is not type(right):
        return False
    if kind is dict:
        return list(left) == list(right) and all(map(equal, left.values(), right.values()))
    if kind is list:
        return len(left) == len(right) and all(map(equal, left, right))
    return kind in _IMMUTABLE and bool(left == right) and (kind is not float or str(left) == str(right))
