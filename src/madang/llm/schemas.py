"""Output schemas: how they are told to a model, and how its answer is read back into them."""

import json
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from madang.llm.failures import ModelFailure
from madang.llm.replies import Reply

M = TypeVar("M", bound=BaseModel)


def json_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of `schema`, with every property asked for (a constrained model then leaves none out)."""
    closed: dict[str, Any] = _closed(schema.model_json_schema())
    return closed


def response_format(schema: type[BaseModel]) -> dict[str, Any]:
    """The `response_format` of OpenAI-compatible servers."""
    closed = json_schema(schema)
    return {
        "type": "json_schema",
        "json_schema": {"name": schema.__name__, "schema": closed, "strict": _is_strict(closed)},
    }


# What strict modes of providers don't know; lengths are checked when the answer is read, and said in the description.
_LIMITS = {"maxItems": "많아야 {}개", "maxLength": "{}자까지"}
_DROPPED = frozenset(
    {"default", "title", "maxLength", "minLength", "maxItems", "minItems", "minimum", "maximum", "pattern", "format"}
)


def _closed(node: Any) -> Any:
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {
        key: {name: _closed(one) for name, one in value.items()} if key in ("properties", "$defs") else _closed(value)
        for key, value in node.items()
        if key not in _DROPPED
    }
    said = [wording.format(node[key]) for key, wording in _LIMITS.items() if isinstance(node.get(key), int)]
    if said and "$ref" not in closed:
        closed["description"] = ". ".join([*filter(None, [closed.get("description")]), *said])
    if "const" in closed:
        closed = {**closed, "enum": [closed["const"]]}
        del closed["const"]
    if isinstance(closed.get("properties"), dict):
        closed |= {"additionalProperties": False, "required": list(closed["properties"])}
    return closed


def _is_strict(node: Any) -> bool:
    """OpenAI's strict mode knows no open-ended objects."""
    if isinstance(node, list):
        return all(map(_is_strict, node))
    if not isinstance(node, dict):
        return True
    if node.get("type") == "object" and node.get("additionalProperties") is not False:
        return False
    return all(map(_is_strict, node.values()))


def read_value(reply: Reply, schema: type[M]) -> M:
    """The value in an answer: its text, the JSON inside its text, or a tool call that carries the same fields.

    Raises `ModelFailure` with reason `bad_json`, `schema` or `tool_call`.
    """
    errors: list[ValidationError] = []
    candidates = [*json_candidates(reply.text), *(text for call in reply.tool_calls for text in json_candidates(call))]
    for candidate in candidates:
        try:
            return schema.model_validate_json(candidate)
        except ValidationError as error:
            errors.append(error)
    if reply.tool_calls and not reply.text.strip():
        raise ModelFailure("tool_call", problems(errors[0]) if errors else "a tool call instead of an answer")
    if not errors:
        raise ModelFailure("bad_json", "no JSON object found")
    raise ModelFailure("schema", problems(errors[0]))


def problems(error: ValidationError) -> str:
    """What is wrong, field by field, without repeating the values."""
    return "; ".join(f"{'.'.join(map(str, item['loc'])) or '(root)'}: {item['msg']}" for item in error.errors())


def json_candidates(text: str) -> Iterator[str]:
    """Complete JSON objects and arrays that stand in `text`, outermost only, in order."""
    decoder = json.JSONDecoder(strict=False)
    position = 0
    while (start := _next_opening(text, position)) >= 0:
        try:
            value, end = decoder.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            position = start + 1
            continue
        yield json.dumps(value, ensure_ascii=False)
        position = end


def _next_opening(text: str, position: int) -> int:
    found = [index for index in (text.find("{", position), text.find("[", position)) if index >= 0]
    return min(found, default=-1)
