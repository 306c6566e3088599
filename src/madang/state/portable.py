"""Declared types in the form Pydantic accepts on every Python we support.

Before Python 3.12 Pydantic refuses `typing.TypedDict`; and its TypedDicts drop unknown keys unless told otherwise.
"""

import types
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typing_extensions
from pydantic import ConfigDict

from madang.state.fields import bare, is_required

_CONFIG = ConfigDict(strict=True, allow_inf_nan=False, extra="forbid")


def portable(hint: Any, *, parts: bool = False) -> Any:
    """The same type with each TypedDict in it strict and closed; with `parts` all their keys may be left out.

    A TypedDict that contains itself is checked down to its second occurrence, below that it is any dict.
    """
    return _rebuild(hint, parts, ())


def _rebuild(hint: Any, parts: bool, inside: tuple[type, ...]) -> Any:
    inner, metadata = bare(hint)
    rebuilt = _rebuild_bare(inner, parts, inside)
    for item in metadata:
        if not callable(item):
            rebuilt = Annotated[rebuilt, item]
    return rebuilt


def _rebuild_bare(inner: Any, parts: bool, inside: tuple[type, ...]) -> Any:
    if typing_extensions.is_typeddict(inner):
        return dict[str, Any] if inner in inside else _closed(inner, parts, (*inside, inner))
    origin, arguments = get_origin(inner), get_args(inner)
    if origin is None or origin is Literal or not arguments:
        return inner
    rebuilt = tuple(argument if argument is Ellipsis else _rebuild(argument, parts, inside) for argument in arguments)
    if origin is Union or origin is types.UnionType:
        return reduce(or_, rebuilt) if all(isinstance(item, type) for item in rebuilt) else Union[rebuilt]  # noqa: UP007
    indexable: Any = origin
    return indexable[rebuilt] if hasattr(origin, "__class_getitem__") else inner


def _closed(declared: type, parts: bool, inside: tuple[type, ...]) -> Any:
    required: frozenset[str] = getattr(declared, "__required_keys__", frozenset())
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(declared, include_extras=True).items():
        needed = not parts and is_required(hint, name in required)
        qualifier: Any = typing_extensions.Required if needed else typing_extensions.NotRequired
        fields[name] = qualifier[_rebuild(hint, parts, inside)]
    make: Any = typing_extensions.TypedDict
    closed = make(declared.__name__, fields)
    closed.__pydantic_config__ = _CONFIG
    return closed
