"""Tables as a question sees them: each limited to one company where it is named, facts grouped by dimensions."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from madang.assistants.works.data.semantics import Fact, Semantics
from madang.assistants.works.data.tables import ARCHIVED, COLUMNS
from madang.assistants.works.state.semantic_query import Filter
from madang.assistants.works.tools.periods import Days
from madang.errors import InvalidInput

if TYPE_CHECKING:
    from sqlglot import exp

KEYS = {"customers": "customer_id", "reps": "rep_id", "products": "product_id"}
UNKNOWN = "미지정"


@dataclass
class Bindings:
    """The parameters of a query, by name. `company` is always among them."""

    company_id: str
    values: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.values["company"] = self.company_id

    @property
    def company(self) -> "exp.Expression":
        from sqlglot import exp

        return exp.Placeholder(this="company")

    def bind(self, value: Any) -> "exp.Expression":
        """A parameter that holds `value`."""
        from sqlglot import exp

        name = f"p{len(self.values)}"
        self.values[name] = value
        return exp.Placeholder(this=name)


@dataclass(frozen=True)
class Relations:
    """The only way to name a table: always with `company_id`, and with the rows that were filed later if any."""

    archived: bool

    def of(self, table: str, bindings: Bindings, alias: str) -> "exp.Expression":
        from sqlglot import exp, select

        columns = list(COLUMNS[table])
        sources = [exp.Table(this=exp.to_identifier(table))]
        if self.archived and table in ARCHIVED:
            sources.append(exp.Table(this=exp.to_identifier(table), db=exp.to_identifier("archive")))
        selects = [
            select(*map(exp.column, columns))
            .from_(source, copy=False)
            .where(exp.EQ(this=exp.column("company_id"), expression=bindings.company), copy=False)
            for source in sources
        ]
        tree = selects[0] if len(selects) == 1 else selects[0].union(selects[1], distinct=False)
        return tree.subquery(alias, copy=False)


def fact_select(
    layer: Semantics,
    fact: Fact,
    metrics: dict[str, str],
    dimensions: list[str],
    filters: list[Filter],
    days: Days | None,
    bindings: Bindings,
    relations: Relations,
    shift: tuple[str, int] | None = None,
) -> "exp.Expression":
    """One fact grouped by `dimensions`: the aggregates `metrics` (alias → metric) over `days`.

    With `shift` time dimensions are those of the period compared with it. Raises `InvalidInput` for a dimension that
    the fact doesn't have.
    """
    from sqlglot import exp, select

    grouped = [_dimension(layer, fact, name, metrics, shift) for name in dimensions]
    columns = [exp.alias_(expression, name) for expression, name in zip(grouped, dimensions, strict=True)]
    for alias, metric in metrics.items():
        columns.append(exp.alias_(_aggregate(layer.metrics[metric].sql or ""), alias))
    tree = select(*columns, copy=False).from_(relations.of(fact.table, bindings, "f"), copy=False)
    used = {layer.table_of(name, fact) for name in [*dimensions, *(f["field"] for f in filters)]}
    for table in KEYS:
        if table in used and table != fact.table:
            tree = tree.join(relations.of(table, bindings, table), on=_on(table, "f"), join_type="left", copy=False)
    for condition in _dates(fact, days, bindings):
        tree = tree.where(condition, copy=False)
    for one in filters:
        tree = tree.where(_entity(_dimension(layer, fact, one["field"], metrics, shift), one, bindings), copy=False)
    return tree.group_by(*[e.copy() for e in grouped]) if grouped else tree


def spine_select(
    layer: Semantics, dimensions: list[str], filters: list[Filter], bindings: Bindings, relations: Relations
) -> "exp.Expression | None":
    """Every combination of `dimensions` that exists, or None when no one table holds them."""
    from sqlglot import exp, select

    names = [*dimensions, *(f["field"] for f in filters if not layer.dimensions[f["field"]].time)]
    for base, joins in (("customers", ("reps",)), ("reps", ()), ("products", ())):
        tables = (base, *joins)
        owner = {n: next((t for t in layer.dimensions[n].of if t in tables), None) for n in names}
        if None in owner.values() or all(owner[n] != base for n in dimensions):
            continue
        tree = select(*(exp.alias_(_column(owner[n] or base, n), n) for n in dimensions)).distinct()
        tree = tree.from_(relations.of(base, bindings, base))
        for table in joins:
            tree = tree.join(relations.of(table, bindings, table), on=_on(table, base), join_type="left", copy=False)
        for one in filters:
            if not layer.dimensions[one["field"]].time:
                tree = tree.where(
                    _entity(_column(owner[one["field"]] or base, one["field"]), one, bindings), copy=False
                )
        return tree
    return None


def _on(table: str, other: str) -> Any:
    from sqlglot import exp

    key = KEYS[table]
    return exp.EQ(this=exp.column(key, table=table), expression=exp.column(key, table=other))


def _column(table: str, name: str) -> Any:
    from sqlglot import exp

    return exp.func("COALESCE", exp.column(name, table=table), exp.Literal.string(UNKNOWN), copy=False)


def _dimension(layer: Semantics, fact: Fact, name: str, metrics: dict[str, str], shift: tuple[str, int] | None) -> Any:
    spec = layer.dimensions[name]
    if spec.time:
        if fact.monthly and spec.time == "day":
            raise InvalidInput("목표는 월 단위라서 일자별로 나눌 수 없습니다")
        return _time(fact.date, spec.time, shift)
    table = layer.table_of(name, fact)
    if table is None:
        labels = ", ".join(dict.fromkeys(layer.metrics[m].label for m in metrics.values()))
        raise InvalidInput(f"{labels}에는 {spec.label} 구분이 없습니다", dimension=name)
    return _column("f" if table == fact.table else table, spec.column or name)


def _time(column: str, unit: str, shift: tuple[str, int] | None) -> Any:
    from sqlglot import parse_one

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


def _aggregate(text: str) -> Any:
    from sqlglot import exp, parse_one

    tree = parse_one(text, dialect="duckdb")
    for column in tree.find_all(exp.Column):
        column.set("table", exp.to_identifier("f"))
    return tree


def _dates(fact: Fact, days: Days | None, bindings: Bindings) -> list[Any]:
    from sqlglot import exp

    if days is None:
        return []
    start = days.start.replace(day=1) if fact.monthly else days.start
    column = exp.column(fact.date, table="f")
    return [
        exp.GTE(this=column, expression=bindings.bind(start)),
        exp.LTE(this=column.copy(), expression=bindings.bind(days.end)),
    ]


def _entity(column: Any, one: Filter, bindings: Bindings) -> Any:
    from sqlglot import exp

    op, value = one["op"], one["value"]
    if op == "in":
        values = value if isinstance(value, list) else [value]
        return exp.In(this=column, expressions=[bindings.bind(v) for v in values])
    if op == "contains":
        return exp.func("CONTAINS", column, bindings.bind(value))
    kinds: dict[str, Any] = {
        "eq": exp.EQ, "ne": exp.NEQ, "gt": exp.GT, "gte": exp.GTE, "lt": exp.LT, "lte": exp.LTE,
    }  # fmt: skip
    return kinds[op](this=column, expression=bindings.bind(value))
