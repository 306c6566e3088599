"""An update checked against the declared types, field by field: the good fields pass, the bad are named."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from madang.errors import FieldProblem, InvalidState
from madang.state import reducers
from madang.state.fields import FieldSpec, field_specs
from madang.state.paths import escape, join
from madang.state.plain import DEFAULT_LIMITS, Limits, check_json, is_message, json_safe
from madang.state.portable import portable

__all__ = ["Limits", "check_json", "json_safe", "require_valid", "validate_update"]

_WHOLE = {
    reducers.append,
    reducers.append_unique,
    reducers.set_union,
    reducers.keep_latest,
    reducers.add_messages,
}
_ROLES = frozenset({"user", "assistant", "system", "human", "ai", "tool", "developer", "function", "remove"})
_CONFIG = ConfigDict(strict=True, allow_inf_nan=False)
_PROBLEMS_SHOWN = 10


def validate_update(
    state_type: type, update: Any, *, allow: Collection[str] | None = None, limits: Limits = DEFAULT_LIMITS
) -> tuple[dict[str, Any], list[FieldProblem]]:
    """The fields of `update` that hold, and a problem for each that doesn't.

    Types are strict ("3" and true are no int, NaN no float). `allow` narrows the fields that may be written. Where a
    field's reducer merges, parts of its TypedDicts may be written. Neither raises for bad data nor changes `update`.
    """
    if not isinstance(update, Mapping):
        return {}, [FieldProblem("", f"an update is a dict, not {type(update).__name__}")]
    specs = field_specs(state_type)
    good: dict[str, Any] = {}
    problems: list[FieldProblem] = []
    for name, value in update.items():
        spec = specs.get(name) if isinstance(name, str) else None
        if spec is None:
            problems.append(FieldProblem(str(name)[:100], "unknown field", _nearest(name, specs)))
        elif allow is not None and name not in allow:
            problems.append(FieldProblem(name, "may not be written here", ", ".join(sorted(allow))))
        else:
            checked, found = _validate_field(state_type, spec, value, limits)
            problems += found
            if not found:
                good[name] = checked
    return good, problems


def require_valid(
    state_type: type, update: Any, *, allow: Collection[str] | None = None, limits: Limits = DEFAULT_LIMITS
) -> dict[str, Any]:
    """The update if every field holds. Raises `InvalidState` with all problems otherwise."""
    good, problems = validate_update(state_type, update, allow=allow, limits=limits)
    if problems:
        raise InvalidState(problems)
    return good


def _validate_field(state_type: type, spec: FieldSpec, value: Any, limits: Limits) -> tuple[Any, list[FieldProblem]]:
    path = escape(spec.name)
    if _holds_messages(spec):
        return _validate_messages(value, path, limits)
    problem = check_json(value, path=path, limits=limits)
    if problem:
        return None, [problem]
    try:
        checked = _adapter(state_type, spec.name).validate_python(value)
    except ValidationError as error:
        details = error.errors(include_url=False)[:_PROBLEMS_SHOWN]
        return None, [_problem(path, value, detail, hidden=spec.sensitive) for detail in details]
    if spec.range is not None and isinstance(checked, int | float) and checked not in spec.range:
        return None, [FieldProblem(path, f"{checked:,} is out of range", str(spec.range))]
    return checked, []


def _validate_messages(value: Any, path: str, limits: Limits) -> tuple[Any, list[FieldProblem]]:
    items = value if isinstance(value, list) else [value]
    for index, item in enumerate(items):
        where = join(path, index) if isinstance(value, list) else path
        if not is_message(item) and not _is_message_dict(item):
            return None, [FieldProblem(where, "not a message", "a LangChain message or {role, content}")]
        problem = check_json(item, path=where, limits=limits)
        if problem:
            return None, [problem]
    return list(items), []


def _is_message_dict(item: Any) -> bool:
    if not isinstance(item, dict):
        return False
    role = item.get("role", item.get("type"))
    return role in _ROLES if isinstance(role, str) and isinstance(item.get("content", ""), str | list) else False


def _holds_messages(spec: FieldSpec) -> bool:
    return spec.reducer is reducers.add_messages or getattr(spec.reducer, "__module__", "") == "langgraph.graph.message"


@cache
def _adapter(state_type: type, name: str) -> TypeAdapter[Any]:
    spec = field_specs(state_type)[name]
    parts = spec.reducer is not None and spec.reducer not in _WHOLE
    declared = portable(spec.annotation, parts=parts)
    return TypeAdapter(declared, config=None if isinstance(declared, type) and _has_own_config(declared) else _CONFIG)


def _has_own_config(declared: type) -> bool:
    return hasattr(declared, "__pydantic_config__") or hasattr(declared, "model_config")


def _problem(path: str, value: Any, details: Any, *, hidden: bool) -> FieldProblem:
    """Pydantic's account in our words. What was given is shown unless the field is sensitive."""
    for part in details["loc"]:
        # Pydantic also names the member of a union that it tried; that is no place in the value.
        if isinstance(value, dict) and (part in value or details["type"] == "missing"):
            path, value = join(path, part), value.get(part)
        elif isinstance(value, list) and isinstance(part, int):
            path, value = join(path, part), value[part]
    if details["type"] in _PLAIN_REASONS:
        return FieldProblem(path, _PLAIN_REASONS[details["type"]])
    allowed = (details.get("ctx") or {}).get("expected") or _EXPECTED.get(details["type"])
    shown = "" if hidden else f"{repr(details['input'])[:60]}: "
    return FieldProblem(path, shown + details["msg"], allowed)


_PLAIN_REASONS = {"missing": "missing", "extra_forbidden": "unknown field"}
_EXPECTED = {
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "none_required": "null",
}


def _nearest(name: object, specs: Mapping[str, FieldSpec]) -> str | None:
    from difflib import get_close_matches

    near = get_close_matches(str(name)[:100], specs, n=1)
    return f"did you mean {near[0]}?" if near else None
