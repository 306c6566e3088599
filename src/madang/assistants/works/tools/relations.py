"""Tables as a question sees them: each limited to one company where it is named, facts grouped by dimensions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp, parse_one, select

from madang.assistants.works.data.semantics import Fact, Semantics
from madang.assistants.works.data.tables import ARCHIVED, COLUMNS
from madang.assistants.works.state.semantic_query import Filter
from madang.assistants.works.tools.periods import Days
from madang.errors import InvalidInput

KEYS = {"customers": "customer_id", "reps": "rep_id", "products": "product_id"}
UNKNOWN = "미지정"
COMPARISONS = {"eq": exp.EQ, "ne": exp.NEQ, "gt": exp.GT, "gte": exp.GTE, "lt": exp.LT, "lte": exp.LTE}
Shift = tuple[str, int]
"""A unit of time and how many: what leads from the period compared with to the one asked about."""


@dataclass
class Relations:
    """The only way to name a table: always with `company_id`, and with the rows that were archived later if any.

    Values go into a query as the parameters `values`, by name; `company` is always among them.
    """

    layer: Semantics
    company_id: str
    archived: bool
    values: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.values["company"] = self.company_id

    def bind(self, value: object) -> exp.Expr:
        """A parameter that holds `value`."""
        name = f"p{len(self.values)}"
        self.values[name] = value
        return exp.Placeholder(this=name)

    def table(self, table: str, alias: str) -> exp.Expr:
        """The company's own rows of a table."""
        name = exp.to_identifier(table)
        sources = [exp.Table(this=name)]
        if self.archived and table in ARCHIVED:
            sources.append(exp.Table(this=name.copy(), db=exp.to_identifier("archive")))
        selects = [
            select(*map(exp.column, COLUMNS[table]))
            .from_(source, copy=False)
            .where(exp.EQ(this=exp.column("company_id"), expression=exp.Placeholder(this="company")), copy=False)
            for source in sources
        ]
        tree = selects[0] if len(selects) == 1 else selects[0].union(selects[1], distinct=False)
        return tree.subquery(alias, copy=False)

    def fact(
        self,
        fact: Fact,
        metrics: dict[str, str],
        dimensions: list[str],
        filters: list[Filter],
        days: Days | None,
        shift: Shift | None = None,
    ) -> exp.Expr:
        """One fact grouped by `dimensions`: the aggregates `metrics` (alias → metric) over `days`.

        With `shift` time dimensions are those of the period compared with it. Raises `InvalidInput` for a dimension
        that the fact doesn't have.
        """
        grouped = [self._dimension(fact, name, metrics, shift) for name in dimensions]
        columns = [exp.alias_(expression, name) for expression, name in zip(grouped, dimensions, strict=True)]
        for alias, metric in metrics.items():
            columns.append(exp.alias_(_aggregate(self.layer.metrics[metric].sql or ""), alias))
        tree = select(*columns, copy=False).from_(self.table(fact.table, "f"), copy=False)
        used = {self.layer.table_of(name, fact) for name in [*dimensions, *(f["field"] for f in filters)]}
        for table in KEYS:
            if table in used and table != fact.table:
                tree = self._join(tree, table, "f")
        for condition in self._dates(fact, days):
            tree = tree.where(condition, copy=False)
        for one in filters:
            tree = tree.where(self.condition(self._dimension(fact, one["field"], metrics, shift), one), copy=False)
        return tree.group_by(*[e.copy() for e in grouped]) if grouped else tree

    def spine(self, dimensions: list[str], filters: list[Filter]) -> exp.Expr | None:
        """Every combination of `dimensions` that exists, or None when no one table holds them."""
        specs = self.layer.dimensions
        kept = [one for one in filters if not specs[one["field"]].time]
        names = [*dimensions, *(one["field"] for one in kept)]
        for base, joins in (("customers", ("reps",)), ("reps", ()), ("products", ())):
            owner = {n: next((t for t in specs[n].of if t in (base, *joins)), "") for n in names}
            if "" in owner.values() or all(owner[n] != base for n in dimensions):
                continue
            tree = select(*(exp.alias_(_column(owner[n], n), n) for n in dimensions)).distinct()
            tree = tree.from_(self.table(base, base))
            for table in joins:
                tree = self._join(tree, table, base)
            for one in kept:
                tree = tree.where(self.condition(_column(owner[one["field"]], one["field"]), one), copy=False)
            return tree
        return None

    def condition(self, column: exp.Expr, one: Filter) -> exp.Expr:
        """What a filter asks of a column."""
        op, value = one["op"], one["value"]
        if op == "in":
            return exp.In(
                this=column, expressions=[self.bind(v) for v in (value if isinstance(value, list) else [value])]
            )
        if op == "contains":
            return exp.func("CONTAINS", column, self.bind(value))
        return COMPARISONS[op](this=column, expression=self.bind(value))

    def _join(self, tree: exp.Select, table: str, other: str) -> exp.Select:
        key = KEYS[table]
        on = exp.EQ(this=exp.column(key, table=table), expression=exp.column(key, table=other))
        return tree.join(self.table(table, table), on=on, join_type="left", copy=False)

    def _dimension(self, fact: Fact, name: str, metrics: dict[str, str], shift: Shift | None) -> exp.Expr:
        spec = self.layer.dimensions[name]
        if spec.time:
            if fact.monthly and spec.time == "day":
                raise InvalidInput("목표는 월 단위라서 일자별로 나눌 수 없습니다")
            return _time(fact.date, spec.time, shift)
        table = self.layer.table_of(name, fact)
        if table is None:
            labels = ", ".join(dict.fromkeys(self.layer.metrics[m].label for m in metrics.values()))
            raise InvalidInput(f"{labels}에는 {spec.label} 구분이 없습니다", dimension=name)
        return _column("f" if table == fact.table else table, spec.column or name)

    def _dates(self, fact: Fact, days: Days | None) -> list[exp.Expr]:
        if days is None:
            return []
        start = days.start.replace(day=1) if fact.monthly else days.start
        column = exp.column(fact.date, table="f")
        return [
            exp.GTE(this=column, expression=self.bind(start)),
            exp.LTE(this=column.copy(), expression=self.bind(days.end)),
        ]


def _column(table: str, name: str) -> exp.Expr:
    return exp.func("COALESCE", exp.column(name, table=table), exp.Literal.string(UNKNOWN), copy=False)


def _time(column: str, unit: str, shift: Shift | None) -> exp.Expr:
    at = f"f.{column}"
    if shift:
        at = f"(f.{column} + INTERVAL '{int(shift[1])}' {'MONTH' if shift[0] == 'month' else 'DAY'})"
    texts = {
        "day": f"STRFTIME({at}, '%Y-%m-%d')",
        "month": f"STRFTIME({at}, '%Y-%m')",
        "quarter": f"STRFTIME({at}, '%Y') || '-Q' || CAST(QUARTER({at}) AS TEXT)",
        "year": f"STRFTIME({at}, '%Y')",
    }
    return parse_one(texts[unit], dialect="duckdb")


def _aggregate(text: str) -> exp.Expr:
    tree = parse_one(text, dialect="duckdb")
    for column in tree.find_all(exp.Column):
        column.set("table", exp.to_identifier("f"))
    return tree
