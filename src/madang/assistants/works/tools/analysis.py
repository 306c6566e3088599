"""A question computed: table, statistics, notes, and what was not found."""

import statistics as stats
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, cast

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state.agents import Cell, Column, Row, Statistics, UnknownName
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.tools.periods import Days
from madang.assistants.works.tools.sql import Compiled, compile_query
from madang.assistants.works.tools.warehouse import ROW_LIMIT, Warehouse


@dataclass(frozen=True)
class Analysis:
    """The result of a question."""

    query: SemanticQuery
    compiled: Compiled
    columns: list[Column]
    rows: list[Row]
    statistics: Statistics
    truncated: bool
    cached: bool
    plan: dict[str, Any] | None
    data_version: str
    sample: bool
    unknown: list[UnknownName] = field(default_factory=list)
    coverage: Days | None = None
    """The days that the data has sales of."""

    @property
    def metric_columns(self) -> list[Column]:
        return [c for c in self.columns if c["unit"]]


def analyse(
    query: SemanticQuery, warehouse: Warehouse, company_id: str, today: date, *, most: int = ROW_LIMIT
) -> Analysis:
    """Compute `query` over the company's data. Raises what `compile_query` and `Warehouse.run` raise."""
    compiled = compile_query(query, company_id, today, archived=warehouse.archive.exists, most=most)
    table = warehouse.run(company_id, today, compiled.sql, compiled.parameters, explain=True, most=most)
    rows = [{name: plain(value) for name, value in zip(table.columns, row, strict=True)} for row in table.rows]
    columns = [describe(name) for name in table.columns]
    return Analysis(
        query=query,
        compiled=compiled,
        columns=columns,
        rows=rows,
        statistics=summarise(columns, rows),
        truncated=table.truncated,
        cached=table.cached,
        plan=table.plan,
        data_version=warehouse.version(company_id, today),
        sample=warehouse.is_sample(company_id, today),
        unknown=not_found(query, warehouse, company_id, today),
        coverage=warehouse.coverage(company_id, today),
    )


def not_found(query: SemanticQuery, warehouse: Warehouse, company_id: str, today: date) -> list[UnknownName]:
    """The names in the question's filters that the data doesn't have."""
    names = warehouse.lexicon(company_id, today).names
    dimensions = semantics().dimensions
    missing: list[UnknownName] = []
    for one in query["filters"]:
        if one["field"] not in dimensions or dimensions[one["field"]].time or one["op"] == "contains":
            continue
        values = one["value"] if isinstance(one["value"], list) else [one["value"]]
        for value in map(str, values):
            if (one["field"], value) not in names:
                missing.append(UnknownName(field=one["field"], value=value, nearest=names.nearest(one["field"], value)))
    return missing


_SUFFIXES = (("_change_rate", " 증감률"), ("_change", " 증감"), ("_compare", " (비교 기간)"), ("", ""))


def describe(name: str) -> Column:
    """The label and unit of a column; a dimension has no unit."""
    layer = semantics()
    if name in layer.dimensions:
        return {"name": name, "label": layer.dimensions[name].label, "unit": ""}
    for suffix, label in _SUFFIXES:
        metric = layer.metrics.get(name.removesuffix(suffix))
        if metric is not None and name.endswith(suffix):
            unit = "비율" if suffix == "_change_rate" else metric.unit
            return {"name": name, "label": metric.label + label, "unit": unit}
    raise KeyError(name)


def plain(value: Any) -> Cell:
    """A database value as JSON has it."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float):
        return round(value, 6)
    return cast(Cell, value)


def summarise(columns: Sequence[Column], rows: Sequence[Row]) -> Statistics:
    """Count, and for each number its sum (not of rates), mean, median, least and most."""
    summary: Statistics = {"rows": len(rows)}
    for column in columns:
        values = [value for row in rows if isinstance(value := row[column["name"]], int | float)]
        if not column["unit"] or column["unit"] == "날짜" or not values:
            continue
        figures: dict[str, int | float] = {
            "mean": round(stats.fmean(values), 6),
            "median": stats.median(values),
            "min": min(values),
            "max": max(values),
        }
        if column["unit"] != "비율" and not column["name"].startswith("avg_"):
            figures["sum"] = sum(values)
        summary[column["name"]] = figures
    return summary
