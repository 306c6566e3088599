"""The arguments of an MCP tool as a type that a model can be held to: its JSON Schema in the forms providers allow."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

DESCRIBED, MOST = 120, 20
_SIMPLE: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool}


def arguments_of(name: str, schema: Mapping[str, Any]) -> tuple[type[BaseModel], frozenset[str]]:
    """The type, and the arguments that are written as JSON text: those whose own type is not a simple one.

    Names stay the tool's own, as aliases: they need not be names of Python.
    """
    properties, required = schema.get("properties"), schema.get("required")
    declared = list(properties.items())[:MOST] if isinstance(properties, dict) else []
    fields: dict[str, Any] = {}
    written: set[str] = set()
    for number, (own, one) in enumerate((own, one if isinstance(one, dict) else {}) for own, one in declared):
        kind = simple_type(one)
        if kind is None:
            kind = str
            written.add(str(own))
        said = " ".join(str(one.get("description") or "").split())[:DESCRIBED]
        about = f"JSON. {said}" if own in written else said
        needed = isinstance(required, list) and own in required
        default: Any = ... if needed else None
        fields[f"argument_{number}"] = (
            kind if needed else kind | None,
            Field(default, alias=str(own), description=about),
        )
    return create_model(f"Arguments_{name}", **fields), frozenset(written)


def simple_type(schema: Mapping[str, Any]) -> Any:
    """A text, a number, a choice, a truth value or a list of one of these; None for anything else."""
    choices = schema.get("enum")
    if isinstance(choices, list) and choices and all(isinstance(one, str) for one in choices):
        return Literal[tuple(choices)]
    kind = schema.get("type")
    if kind == "array":
        inside = schema.get("items")
        inner: Any = simple_type(inside) if isinstance(inside, dict) and inside.get("type") != "array" else None
        return None if inner is None else list[inner]
    return _SIMPLE.get(kind) if isinstance(kind, str) else None
