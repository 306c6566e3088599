"""Hypothesis strategies: plain JSON values, and valid values of a state's declared types."""

import math
import types
from collections.abc import Callable
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import typing_extensions
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from madang.state.fields import bare, field_specs, is_required

KEYS = st.one_of(
    st.sampled_from(["a", "b", "상태", "a.b", "x[0]", "", "back\\slash", "id", "e", "[", "]", "."]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number + 0.0)  # no -0.0
SCALARS: SearchStrategy[Any] = st.one_of(st.none(), st.booleans(), INTEGERS, FLOATS, TEXTS)


def json_values(max_leaves: int = 12) -> SearchStrategy[Any]:
    """Nested JSON with awkward keys, empty containers, and lists whose items have ids."""
    return st.recursive(SCALARS, _containers, max_leaves=max_leaves)


def _containers(inner: SearchStrategy[Any]) -> SearchStrategy[Any]:
    with_id = st.builds(lambda key, value: {"step_id": key, "value": value}, st.sampled_from("abcdef"), inner)
    return st.one_of(
        st.lists(inner, max_size=5),
        st.dictionaries(KEYS, inner, max_size=5),
        st.lists(with_id, max_size=5, unique_by=lambda item: str(item["step_id"])),
    )


@st.composite
def variants(draw: st.DrawFn) -> tuple[Any, Any]:
    """A value and another that differs from it here and there."""
    value = draw(json_values(25))
    return value, _changed(draw, value)


def _changed(draw: st.DrawFn, value: Any) -> Any:
    if draw(st.integers(0, 7)) == 0:
        return draw(json_values(4))
    if isinstance(value, dict):
        kept = {key: _changed(draw, item) for key, item in value.items() if draw(st.integers(0, 5))}
        return kept | draw(st.dictionaries(KEYS, SCALARS, max_size=1))
    if isinstance(value, list) and value:
        items = [_changed(draw, item) for item in value if draw(st.integers(0, 5))]
        return draw(st.permutations(items)) if draw(st.booleans()) else items
    return value


def states_of(state_type: type, *, total: bool = True) -> SearchStrategy[dict[str, Any]]:
    """Valid states of a TypedDict, from its declared types and ranges; with `total` every field is present."""
    specs = field_specs(state_type)
    fields = {name: _field(spec.annotation, spec.range) for name, spec in specs.items()}
    if total:
        return st.fixed_dictionaries(fields)
    needed = {name: strategy for name, strategy in fields.items() if specs[name].required}
    return st.fixed_dictionaries(needed, optional={name: fields[name] for name in fields.keys() - needed.keys()})


def _field(hint: Any, limits: Any) -> SearchStrategy[Any]:
    strategy = values_of(hint)
    if limits is None:
        return strategy
    low = -(2**31) if limits.low is None else math.ceil(limits.low)
    high = 2**31 if limits.high is None else math.floor(limits.high)
    whole = int in (get_args(hint) or (hint,))
    numbers: SearchStrategy[Any] = st.integers(low, high) if whole else st.floats(low, high)
    return st.one_of(st.none(), numbers) if type(None) in get_args(hint) else numbers


def values_of(hint: Any) -> SearchStrategy[Any]:
    """Valid JSON values of a declared type; messages as LangChain objects."""
    inner, _ = bare(hint)
    if typing_extensions.is_typeddict(inner):
        return st.deferred(lambda: _typed_dict(inner))
    origin, arguments = get_origin(inner), get_args(inner)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is Union or origin is types.UnionType:
        return _messages() if _is_message(inner) else st.one_of([values_of(argument) for argument in arguments])
    if origin is list or inner is list:
        return st.lists(values_of(arguments[0] if arguments else Any), max_size=2)
    if origin is dict or inner is dict:
        named = bool(arguments) and get_origin(arguments[0]) is Literal
        keys = st.sampled_from(get_args(arguments[0])) if named else KEYS
        return st.dictionaries(keys, values_of(arguments[1] if arguments else Any), max_size=2)
    if _is_message(inner):
        return _messages()
    return _SIMPLE[inner]()


def _typed_dict(declared: type) -> SearchStrategy[dict[str, Any]]:
    required: frozenset[str] = getattr(declared, "__required_keys__", frozenset())
    hints = get_type_hints(declared, include_extras=True)
    needed = {name: values_of(hint) for name, hint in hints.items() if is_required(hint, name in required)}
    rest = {name: values_of(hint) for name, hint in hints.items() if name not in needed}
    return st.fixed_dictionaries(needed, optional=rest)


def _messages() -> SearchStrategy[Any]:
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds = st.sampled_from([AIMessage, HumanMessage, SystemMessage])
    return st.builds(lambda kind, text, message_id: kind(text, id=message_id), kinds, TEXTS, st.uuids().map(str))


def _is_message(hint: Any) -> bool:
    from langchain_core.messages import BaseMessage

    members = get_args(hint) or (hint,)
    bare_members = [bare(member)[0] for member in members]
    return all(isinstance(member, type) and issubclass(member, BaseMessage) for member in bare_members)


_SIMPLE: dict[Any, Callable[[], SearchStrategy[Any]]] = {
    str: lambda: TEXTS,
    int: lambda: INTEGERS,
    float: lambda: FLOATS,
    bool: st.booleans,
    type(None): st.none,
    None: st.none,
    Any: lambda: json_values(3),
    object: lambda: json_values(3),
}
