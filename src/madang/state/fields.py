"""What a state's TypedDict declares about each field, beyond its type.

LangGraph takes a reducer only as the last metadata, so markers come first:

    tags: Annotated[list[str], Turn(list), append_unique]
    phone: Annotated[str | None, SENSITIVE]
    nights: Annotated[int | None, Range(1, 14, "박")]
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

import typing_extensions

from madang.errors import InvalidInput

Reducer = Callable[[Any, Any], Any]

_QUALIFIERS = {typing_extensions.Required, typing_extensions.NotRequired, typing_extensions.ReadOnly}


@dataclass(frozen=True)
class Turn:
    """The field belongs to one turn; each turn begins with `default`, a value or a factory without arguments."""

    default: Any = None

    def __hash__(self) -> int:
        return hash((Turn, repr(self.default)))

    def value(self) -> Any:
        """A fresh default, never shared between turns."""
        return self.default() if callable(self.default) else copy.deepcopy(self.default)


@dataclass(frozen=True)
class Sensitive:
    """The field is shown to nobody but its owner."""


SENSITIVE = Sensitive()


@dataclass(frozen=True)
class Range:
    """Allowed numbers, both ends included; `None` leaves an end open."""

    low: float | None = None
    high: float | None = None
    unit: str = ""

    def __contains__(self, number: float) -> bool:
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)

    def __str__(self) -> str:
        low, high = ("" if end is None else f"{end:,}{self.unit}" for end in (self.low, self.high))
        if low and high:
            return f"{low} ~ {high}"
        return f"≥ {low}" if low else f"≤ {high}" if high else "any number"


_MARKERS = (Turn, Sensitive, Range)


@dataclass(frozen=True)
class FieldSpec:
    """One field of a state, with its markers taken apart."""

    name: str
    type: Any
    annotation: Any
    required: bool
    reducer: Reducer | None = None
    turn_marker: Turn | None = None
    range: Range | None = None
    sensitive: bool = False

    _EMPTY: ClassVar[dict[Any, Callable[[], Any]]] = {list: list, dict: dict, set: set, str: str, int: int, bool: bool}

    @property
    def turn(self) -> bool:
        """Whether the field belongs to one turn; otherwise it belongs to the conversation."""
        return self.turn_marker is not None

    def default(self) -> Any:
        """A fresh value for the start of a turn; for a conversation's field its type's empty value, else `None`."""
        if self.turn_marker is not None:
            return self.turn_marker.value()
        factory = self._EMPTY.get(get_origin(self.type) or self.type)
        return factory() if factory else None


@cache
def field_specs(state_type: type) -> Mapping[str, FieldSpec]:
    """Every field of a TypedDict by name, inherited ones included, in order of declaration.

    Raises `InvalidInput` if it isn't a TypedDict or a reducer is not the last metadata of its field.
    """
    if not typing_extensions.is_typeddict(state_type):
        raise InvalidInput(f"{state_type!r} is not a TypedDict")
    hints = get_type_hints(state_type, include_extras=True)
    required: frozenset[str] = getattr(state_type, "__required_keys__", frozenset())
    return {name: _spec(name, hint, is_required(hint, name in required)) for name, hint in hints.items()}


def turn_fields(state_type: type) -> dict[str, Any]:
    """Fresh values for every field that belongs to one turn."""
    return {name: spec.default() for name, spec in field_specs(state_type).items() if spec.turn}


@cache
def sensitive_names(state_type: type) -> frozenset[str]:
    """Names of the fields declared sensitive, here and in every TypedDict inside."""
    names: set[str] = set()
    for nested in _typed_dicts(state_type):
        names |= {name for name, spec in field_specs(nested).items() if spec.sensitive}
    return frozenset(names)


def bare(hint: Any) -> tuple[Any, list[Any]]:
    """A type without `Required`, `NotRequired`, `ReadOnly` and `Annotated` around it, and its metadata in order."""
    metadata: list[Any] = []
    while True:
        if get_origin(hint) in _QUALIFIERS:
            hint = get_args(hint)[0]
        elif get_origin(hint) is Annotated:
            inner, *more = get_args(hint)
            hint, metadata = inner, [*more, *metadata]
        else:
            return hint, metadata


def is_required(hint: Any, otherwise: bool) -> bool:
    """What the hint itself says; `__required_keys__` can't see it where annotations are strings."""
    while get_origin(hint) is Annotated or get_origin(hint) in _QUALIFIERS:
        if get_origin(hint) in (typing_extensions.Required, typing_extensions.NotRequired):
            return get_origin(hint) is typing_extensions.Required
        hint = get_args(hint)[0]
    return otherwise


def _spec(name: str, hint: Any, required: bool) -> FieldSpec:
    inner, metadata = bare(hint)
    reducer = metadata[-1] if metadata and callable(metadata[-1]) else None
    rest = metadata[:-1] if reducer else metadata
    if any(callable(item) for item in rest):
        raise InvalidInput(f"field {name!r}: the reducer must be the last metadata of Annotated[...]")
    kept = [item for item in rest if not isinstance(item, _MARKERS)]
    annotation = inner
    for item in kept:
        annotation = Annotated[annotation, item]
    return FieldSpec(
        name=name,
        type=inner,
        annotation=annotation,
        required=required,
        reducer=reducer,
        turn_marker=next((item for item in rest if isinstance(item, Turn)), None),
        range=next((item for item in rest if isinstance(item, Range)), None),
        sensitive=any(isinstance(item, Sensitive) for item in rest),
    )


def _typed_dicts(hint: Any) -> set[type]:
    found: set[type] = set()
    waiting = [hint]
    while waiting:
        inner, _ = bare(waiting.pop())
        if typing_extensions.is_typeddict(inner):
            if inner not in found:
                found.add(inner)
                waiting += get_type_hints(inner, include_extras=True).values()
        else:
            waiting += get_args(inner)
    return found
