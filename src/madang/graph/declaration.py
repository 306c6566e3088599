"""What an agent reads, is told and writes: classes whose fields say so, and what is derived from them."""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typing_extensions
from typing_extensions import TypedDict, TypeVar, dataclass_transform

from madang.errors import InvalidAssistant, UndeclaredRead
from madang.state.fields import bare, is_required

T = TypeVar("T")


@dataclass(frozen=True)
class At:
    """Where in the state a field lies, when that is not simply its name: `At("team_results.search.legal_search")`."""

    path: str


class _ArgumentMark:
    pass


Argument = Annotated[T, _ArgumentMark()]
"""A field of a request that a step carries with it, instead of one that is read from the state."""


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Reads:
    """Base of a request: its fields are what an agent reads, each under its name in the state or `At` a path.

    A field with a default is an optional read: nobody need write it, and where the state holds nothing the default
    stands. `Argument[…]` makes a field an argument of the step. A field that does not admit None has a value.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        dataclass(frozen=True, kw_only=True)(cls)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            agent = self.__dict__.get("_agent", type(self).__name__)
            raise UndeclaredRead(f"agent {agent!r} reads {name!r}, which it did not declare", agent=agent, field=name)


class Writes(TypedDict):
    """Base of a result: its keys are what an agent writes, each under its name in the state or `At` a path.

    What is `NotRequired` may be left unwritten.
    """


@dataclass(frozen=True)
class DeclaredField:
    """One field of a request or a result: its name inside the agent, where it lies in the state, and its type."""

    name: str
    path: str
    type: Any
    required: bool
    argument: bool

    @property
    def admits_none(self) -> bool:
        return self.type is Any or NoneType in members(self.type)


def declared_fields(declared: Any) -> tuple[DeclaredField, ...]:
    """The fields of a request or a result. Raises `InvalidAssistant` when its annotations can't be read."""
    hints = hints_of(declared)
    if typing_extensions.is_typeddict(declared):
        required: frozenset[str] = declared.__required_keys__
        return tuple(_field(name, hint, is_required(hint, name in required)) for name, hint in hints.items())
    return tuple(
        _field(one.name, hints[one.name], one.default is MISSING and one.default_factory is MISSING)
        for one in fields(declared)
    )


def hints_of(declared: Any) -> dict[str, Any]:
    """The annotations of a class or function. Raises `InvalidAssistant` when one of them can't be found."""
    try:
        return get_type_hints(declared, include_extras=True)
    except (NameError, TypeError) as error:
        raise InvalidAssistant(f"{declared.__name__}: its annotations can't be read: {error}") from None


def _field(name: str, hint: Any, required: bool) -> DeclaredField:
    inner, metadata = bare(hint)
    return DeclaredField(
        name=name,
        path=next((item.path for item in metadata if isinstance(item, At)), name),
        type=inner,
        required=required,
        argument=any(isinstance(item, _ArgumentMark) for item in metadata),
    )


def members(hint: Any) -> tuple[Any, ...]:
    """The members of a union; a type that is none is its only member."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def type_at(state_hints: Mapping[str, Any], path: str) -> Any:
    """The type that a state declares at a dotted path; None when it declares nothing there."""
    root, *rest = path.split(".")
    if root not in state_hints:
        return None
    hint, _ = bare(state_hints[root])
    for part in rest:
        inside = [_inside(member, part) for member in members(hint) if member is not NoneType]
        known = [one for one in inside if one is not None]
        if not known:
            return None
        hint, _ = bare(known[0])
    return hint


def _inside(hint: Any, part: str) -> Any:
    if hint is Any:
        return Any
    if typing_extensions.is_typeddict(hint):
        return get_type_hints(hint, include_extras=True).get(part)
    if hint is dict:
        return Any
    if get_origin(hint) in (dict, Mapping):
        return get_args(hint)[1]
    return None


def assignable(given: Any, wanted: Any) -> bool:
    """Whether a value of type `given` may stand where `wanted` is declared, as far as the declarations tell."""
    given, wanted = bare(given)[0], bare(wanted)[0]
    if given is Any or wanted in (Any, object) or given == wanted:
        return True
    if len(members(given)) > 1 or len(members(wanted)) > 1:
        return all(any(assignable(one, other) for other in members(wanted)) for one in members(given))
    if get_origin(given) is Literal:
        values = get_args(given)
        if get_origin(wanted) is Literal:
            return set(values) <= set(get_args(wanted))
        return all(assignable(type(value), wanted) for value in values)
    if typing_extensions.is_typeddict(given):
        return _typed_dict_fits(given, wanted)
    return _class_fits(given, wanted)


def _typed_dict_fits(given: Any, wanted: Any) -> bool:
    if typing_extensions.is_typeddict(wanted):
        return set(wanted.__annotations__) <= set(given.__annotations__)
    return (get_origin(wanted) or wanted) in (dict, Mapping)


def _class_fits(given: Any, wanted: Any) -> bool:
    one, other = get_origin(given) or given, get_origin(wanted) or wanted
    if not isinstance(one, type) or not isinstance(other, type) or typing_extensions.is_typeddict(other):
        return False
    if not (issubclass(one, other) or (one is int and other is float) or (one, other) == (Sequence, list)):
        return False
    inner, outer = get_args(given), get_args(wanted)
    if not inner or not outer or one is tuple:
        return True
    return all(assignable(a, b) for a, b in zip(inner, outer, strict=False))
