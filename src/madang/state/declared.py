"""Which classes the values of declared types are made of: models, dataclasses, enums, named tuples, at every depth."""

import dataclasses
import enum
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

Named = tuple[str, str]
"""A module and the name of a class in it."""


def declared_types(*declared: Any) -> set[Named]:
    """The classes in these types, TypedDicts or annotations; what can't be resolved declares nothing."""
    found: set[Named] = set()
    seen: set[int] = set()
    kept = list(declared)
    waiting = list(declared)
    while waiting:
        hint = waiting.pop()
        if id(hint) in seen or get_origin(hint) is Literal:
            continue
        seen.add(id(hint))
        parts = _parts(hint)
        # Kept alive: an id is only one object's as long as that lives.
        kept += parts
        waiting += parts
        if isinstance(hint, type) and _is_made_by_name(hint):
            found.add((hint.__module__, hint.__name__))
    return found


def graph_types(graph: Any) -> set[Named]:
    """The classes that a compiled graph and the graphs inside it declare for their channels and nodes."""
    hints: list[Any] = []
    for one in (graph, *(inner for _, inner in graph.get_subgraphs(recurse=True))):
        for channel in one.channels.values():
            hints += [getattr(channel, name, None) for name in ("ValueType", "UpdateType")]
        builder = getattr(one, "builder", None)
        if builder is not None:
            hints += [builder.state_schema, builder.input_schema, builder.output_schema]
            hints += [node.input_schema for node in builder.nodes.values()]
    return declared_types(*hints)


def _parts(hint: Any) -> list[Any]:
    if get_origin(hint) is Annotated:
        return [get_args(hint)[0]]
    parts = [part for argument in get_args(hint) for part in (argument if isinstance(argument, list) else [argument])]
    for name in ("__origin__", "__supertype__", "__value__", "__bound__"):
        inner = getattr(hint, name, None)
        parts += [inner] if inner is not None else []
    if isinstance(hint, type) and (is_typeddict(hint) or _is_made_by_name(hint)):
        try:
            parts += get_type_hints(hint, include_extras=True).values()
        except (NameError, TypeError, AttributeError):
            # A name that is only there for the type checker.
            parts += [part for part in getattr(hint, "__annotations__", {}).values() if not isinstance(part, str)]
    return parts


def _is_made_by_name(cls: type) -> bool:
    """Whether LangGraph's serialiser stores values of this class as its name and its fields."""
    named_tuple = issubclass(cls, tuple) and hasattr(cls, "_fields")
    model = any(hasattr(cls, name) for name in ("model_fields", "__fields__", "get_secret_value"))
    return named_tuple or model or dataclasses.is_dataclass(cls) or issubclass(cls, enum.Enum)
