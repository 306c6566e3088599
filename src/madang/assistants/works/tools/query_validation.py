"""Whether a `semantic_query` can be computed: known names, usable operators and values."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from madang.assistants.works.data.semantics import Semantics
from madang.assistants.works.state.semantic_query import Filter, SemanticQuery
from madang.assistants.works.tools.periods import days_of
from madang.errors import FieldProblem, InvalidState

OPERATORS = ("eq", "ne", "in", "gt", "gte", "lt", "lte", "contains")
NUMERIC = ("eq", "ne", "gt", "gte", "lt", "lte")
MAX_VALUES = 200
MAX_LENGTH = 200


def check_query(query: SemanticQuery, layer: Semantics) -> None:
    """Raise `InvalidState`, naming each field that can't be computed."""
    problems: list[FieldProblem] = []
    if query["kind"] != "query":
        problems.append(FieldProblem("kind", f"{query['kind']} is not computed"))
    if not query["metrics"]:
        problems.append(FieldProblem("metrics", "missing", ", ".join(layer.metrics)))
    problems += _unknown("metrics", query["metrics"], layer.metrics)
    problems += _unknown("dimensions", query["dimensions"], layer.dimensions)
    for i, one in enumerate(query["filters"]):
        problems += _filter(f"filters[{i}]", one, layer)
    sort, limit = query["sort"], query["limit"]
    if sort and not _sortable(sort["by"], query, layer):
        problems.append(FieldProblem("sort.by", f"no {sort['by']!r} to sort by"))
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        problems.append(FieldProblem("limit", f"{limit!r} is not a count", "1 or more"))
    if problems:
        raise InvalidState(problems)
    if query["period"] is not None:
        days_of(query["period"])


def _sortable(by: str, query: SemanticQuery, layer: Semantics) -> bool:
    """A metric, a dimension of the question, or the change of a metric where there is a comparison."""
    changed = re.sub(r"_(?:change_rate|change|difference)$", "", by)
    return (
        by in layer.metrics or by in query["dimensions"] or (changed in layer.metrics and query["compare"] is not None)
    )


def _unknown(field: str, names: Sequence[str], known: Any) -> list[FieldProblem]:
    return [FieldProblem(field, f"no {name!r}", ", ".join(known)) for name in names if name not in known]


def _filter(where: str, one: Filter, layer: Semantics) -> list[FieldProblem]:
    field, op, value = one["field"], one["op"], one["value"]
    if op not in OPERATORS:
        return [FieldProblem(f"{where}.op", f"no {op!r}", ", ".join(OPERATORS))]
    if field in layer.metrics:
        if op not in NUMERIC or not _is_measure(value, layer.metrics[field].unit):
            return [FieldProblem(where, f"{field} {op} {value!r} can't be compared", "a number")]
        return []
    if field not in layer.dimensions:
        return [FieldProblem(f"{where}.field", f"no {field!r}", ", ".join([*layer.dimensions, *layer.metrics]))]
    values = value if isinstance(value, list) else [value]
    if (op == "in") != isinstance(value, list) or not values or len(values) > MAX_VALUES:
        return [FieldProblem(f"{where}.value", "`in` takes a list, the others one value")]
    if not all(isinstance(v, str) and 0 < len(v) <= MAX_LENGTH for v in values):
        return [FieldProblem(f"{where}.value", f"{value!r} is not a name")]
    return []


def _is_measure(value: Any, unit: str) -> bool:
    if unit == "날짜":
        try:
            date.fromisoformat(value)
        except (TypeError, ValueError):
            return False
        return True
    return isinstance(value, int | float) and not isinstance(value, bool)
