"""From a `semantic_query` to one parameterised SELECT, built as a syntax tree. No text of the user is ever SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlglot import exp, parse_one, select

from madang.assistants.works.data.semantics import Semantics, semantics
from madang.assistants.works.state.semantic_query import Compare, Filter, SemanticQuery
from madang.assistants.works.tools.periods import Days, compared, cut, days_of
from madang.assistants.works.tools.query_validation import check_query
from madang.assistants.works.tools.relations import Relations, Shift
from madang.assistants.works.tools.warehouse import ROW_LIMIT


@dataclass(frozen=True)
class Compiled:
    """What will be asked of the database. `compare` may say more than the question did."""

    sql: str
    parameters: dict[str, Any]
    period: Days | None
    compare: Compare | None
    compare_period: Days | None
    notes: list[str] = field(default_factory=list)


def compile_query(
    query: SemanticQuery, company_id: str, today: date, *, archived: bool = False, most: int = ROW_LIMIT
) -> Compiled:
    """The SQL for a question. Every table in it is limited to `company_id`.

    Raises `InvalidState` for names and values that aren't any, `InvalidInput` for combinations that have no data.
    """
    layer = semantics()
    check_query(query, layer)
    return _Compiler(query, Relations(layer, company_id, archived), today, most).compile()


class _Compiler:
    def __init__(self, query: SemanticQuery, relations: Relations, today: date, most: int) -> None:
        self.query, self.relations, self.most = query, relations, most
        self.layer: Semantics = relations.layer
        self.notes: list[str] = []
        self.dimensions: list[str] = list(query["dimensions"])
        self.entity_filters = [f for f in query["filters"] if f["field"] in self.layer.dimensions]
        self.metric_filters = [f for f in query["filters"] if f["field"] in self.layer.metrics]
        self.shown: list[str] = list(query["metrics"])
        self.compare = self._compare()
        self.growing = self.compare is not None and self.compare["type"] != "vs_target"
        self.days = self._days(today)
        self.base = self._base()

    def _wanted(self) -> list[str]:
        sort = self.query["sort"]
        by = [name for name in ([changed_metric(sort["by"])] if sort else []) if name in self.layer.metrics]
        return list(dict.fromkeys([*self.shown, *(f["field"] for f in self.metric_filters), *by]))

    def _compare(self) -> Compare | None:
        compare = self.query["compare"]
        if compare is None and any(self.layer.metrics[m].growth for m in self._wanted()):
            self.notes.append("비교 기준을 말하지 않아 전년 동기와 비교했습니다")
            return {"type": "yoy", "period": None}
        if compare and compare["type"] == "vs_target":
            self.shown += [m for m in ("target_amount", "achievement_rate") if m not in self.shown]
        return compare

    def _days(self, today: date) -> Days | None:
        if self.query["period"] is None and self.growing:
            self.notes.append("기간을 말하지 않아 올해로 계산했습니다")
            return Days(date(today.year, 1, 1), today)
        if self.query["period"] is None:
            return None
        days = days_of(self.query["period"])
        if set(self._wanted()) == {"target_amount"}:
            return days
        reached = cut(days, today)
        if reached != days:
            self.notes.append(f"아직 끝나지 않은 기간이라 {reached.end.isoformat()}까지 계산했습니다")
        return reached

    def _base(self) -> list[str]:
        """The aggregates that everything asked for is computed from."""
        found: list[str] = []
        for name in self._wanted():
            spec = self.layer.metrics[name]
            if spec.sql:
                found.append(name)
            found += [*(spec.ratio or ()), *filter(None, (spec.share,))]
        if self.growing:
            found.append(self._growth_of())
        return list(dict.fromkeys(found))

    def _growth_of(self) -> str:
        additive = [m for m in self.shown if self.layer.metrics[m].additive]
        return additive[0] if additive else "sales_amount"

    def _facts(self) -> dict[str, list[str]]:
        facts: dict[str, list[str]] = {}
        for name in self.base:
            facts.setdefault(self.layer.metrics[name].fact or "", []).append(name)
        return facts

    def compile(self) -> Compiled:
        facts = self._facts()
        parts = {f"now_{name}": self._part(name, facts[name], self.days) for name in facts}
        other: Days | None = None
        if self.growing and self.compare and self.days:
            other, shift = compared(self.days, self.compare)
            kept = {name: list(filter(self._comparable, metrics)) for name, metrics in facts.items()}
            parts |= {f"old_{name}": self._part(name, old, other, shift, "_old") for name, old in kept.items() if old}
        if not self.dimensions and any(self.layer.metrics[m].share for m in self._wanted()):
            parts["whole"] = self.relations.fact(
                self.layer.facts["sales"], {"whole": "sales_amount"}, [], [], self.days
            )
        order = list(parts)
        if spine := self._spine():
            parts["spine"] = spine
            order = ["spine", *order]
        tree = select(*self._joined_columns(parts)).from_(exp.Table(this=exp.to_identifier(order[0])), copy=False)
        for name in order[1:]:
            tree = self._join(tree, name, "left" if spine else "full")
        for name, part in parts.items():
            tree = tree.with_(name, as_=part, copy=False)
        sql = self._final(tree).sql(dialect="duckdb", copy=False)
        return Compiled(sql, dict(self.relations.values), self.days, self.compare, other, self.notes)

    def _comparable(self, metric: str) -> bool:
        return self.layer.metrics[metric].unit != "날짜"

    def _part(
        self, fact: str, metrics: list[str], days: Days | None, shift: Shift | None = None, suffix: str = ""
    ) -> exp.Expr:
        named = {f"{m}{suffix}": m for m in metrics}
        return self.relations.fact(self.layer.facts[fact], named, self.dimensions, self.entity_filters, days, shift)

    def _spine(self) -> exp.Expr | None:
        """All that could have been counted, when counting nothing is what was asked for (방문 없는 거래처)."""
        zero = (
            any(self.layer.metrics[f["field"]].additive and _admits_zero(f) for f in self.metric_filters)
            or "last_visit_date" in self.shown
        )
        if not zero or not self.dimensions or any(self.layer.dimensions[d].time for d in self.dimensions):
            return None
        return self.relations.spine(self.dimensions, self.entity_filters)

    def _join(self, tree: exp.Select, name: str, side: str) -> exp.Select:
        table = exp.Table(this=exp.to_identifier(name))
        if not self.dimensions:
            return tree.join(table, join_type="cross", copy=False)
        return tree.join(table, using=[exp.column(d) for d in self.dimensions], join_type=side, copy=False)

    def _joined_columns(self, parts: dict[str, exp.Expr]) -> list[exp.Expr]:
        columns: list[exp.Expr] = [exp.column(d) for d in self.dimensions]
        for metric in self.base:
            for suffix in ["", "_old"] if self.growing and self._comparable(metric) else [""]:
                value: exp.Expr = exp.column(f"{metric}{suffix}")
                if self.layer.metrics[metric].additive:
                    value = exp.func("COALESCE", value, exp.Literal.number(0))
                columns.append(exp.alias_(value, f"{metric}{suffix}"))
        return [*columns, exp.column("whole")] if "whole" in parts else columns

    def _final(self, joined: exp.Select) -> exp.Select:
        measured = select(*self._measures()).from_(joined.subquery("joined", copy=False), copy=False)
        tree = select(*map(exp.column, self._shown_columns())).from_(
            measured.subquery("measured", copy=False), copy=False
        )
        for one in self.metric_filters:
            tree = tree.where(self.relations.condition(exp.column(one["field"]), self._dated(one)), copy=False)
        for term in self._order():
            tree = tree.order_by(term, copy=False)
        limit = self.query["limit"]
        return tree.limit(min(limit, self.most) if limit else self.most + 1, copy=False)

    def _dated(self, one: Filter) -> Any:
        """A filter on a date compares with a date, not with its text."""
        return {**one, "value": date.fromisoformat(str(one["value"]))} if not self._comparable(one["field"]) else one

    def _measures(self) -> list[exp.Expr]:
        texts = {m: m for m in self.base}
        for name in self._wanted():
            spec = self.layer.metrics[name]
            if spec.ratio:
                texts[name] = f"{spec.ratio[0]} / NULLIF({spec.ratio[1]}, 0)"
            if spec.share:
                total = f"SUM({spec.share}) OVER ()" if self.dimensions else "whole"
                texts[name] = f"{spec.share} / NULLIF({total}, 0)"
        if self.growing:
            grown = self._growth_of()
            texts["growth_rate"] = f"({grown} - {grown}_old) / NULLIF({grown}_old, 0)"
            for metric in filter(self._comparable, self.base):
                texts[f"{metric}_compare"] = f"{metric}_old"
                texts[f"{metric}_change"] = f"{metric} - {metric}_old"
                texts[f"{metric}_difference"] = f"ABS({metric} - {metric}_old)"
                texts[f"{metric}_change_rate"] = f"({metric} - {metric}_old) / NULLIF({metric}_old, 0)"
        measures = [exp.alias_(parse_one(text, dialect="duckdb"), name) for name, text in texts.items()]
        return [*map(exp.column, self.dimensions), *measures]

    def _shown_columns(self) -> list[str]:
        columns = [*self.dimensions]
        filtered = [f["field"] for f in self.metric_filters if f["field"] not in self.shown]
        for metric in [*self.shown, *filtered]:
            columns.append(metric)
            spec = self.layer.metrics[metric]
            if self.growing and spec.sql and self._comparable(metric):
                columns += [f"{metric}_compare", f"{metric}_change", f"{metric}_change_rate"]
            columns += [part for part in spec.ratio or () if part not in columns]
            if spec.growth and self._growth_of() not in self.shown:
                columns += [self._growth_of(), f"{self._growth_of()}_compare"]
        return list(dict.fromkeys(columns))

    def _order(self) -> list[exp.Expr]:
        sort = self.query["sort"]
        times = [d for d in self.dimensions if self.layer.dimensions[d].time]
        rest = [d for d in self.dimensions if d not in times]
        terms = [_ordered(sort["by"], descending=sort["order"] == "desc")] if sort else []
        terms += [exp.Ordered(this=exp.column(d), desc=False) for d in times]
        if not sort and self.shown:
            terms.append(_ordered(self.shown[0], descending=True))
        return terms + [exp.Ordered(this=exp.column(d), desc=False) for d in rest]


def changed_metric(name: str) -> str:
    """The metric of a column that tells its change; a metric itself is its own."""
    return re.sub(r"_(?:change_rate|change|difference)$", "", name)


def _ordered(column: str, *, descending: bool) -> exp.Expr:
    return exp.Ordered(this=exp.column(column), desc=descending, nulls_first=False)


def _admits_zero(one: Filter) -> bool:
    value = one["value"]
    if not isinstance(value, int | float):
        return False
    return {"eq": value == 0, "lt": value > 0, "lte": value >= 0}.get(one["op"], False)
