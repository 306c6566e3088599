"""What a change is made of: each dimension's values with how much they moved, and the few that explain most."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state.agents import Contribution
from madang.assistants.works.state.semantic_query import Dimension, SemanticQuery
from madang.assistants.works.tools.analysis import Analysis, analyse
from madang.assistants.works.tools.warehouse import Warehouse

DIMENSIONS: tuple[Dimension, ...] = ("product", "customer", "rep", "branch")
MOST = 5
ALL = 1_000_000
"""Values of a dimension that are looked at: a change is explained by all of them or wrongly."""


@dataclass(frozen=True)
class Effects:
    """How much of a change of sales is of quantities (at the old prices) and how much of prices (on the new
    quantities), product by product: together they are the change, to the won."""

    volume: int
    price: int


@dataclass(frozen=True)
class Decomposition:
    """The change of one metric between two periods. `parts` by dimension, those that moved it most first."""

    whole: Analysis
    metric: str
    before: float
    after: float
    parts: dict[str, list[Contribution]]
    queries: tuple[str, ...]
    effects: Effects | None = None
    """Only of an amount whose quantities are in the data."""

    @property
    def change(self) -> float:
        return self.after - self.before


def decompose(
    query: SemanticQuery, warehouse: Warehouse, company_id: str, today: date, *, falls: bool = False
) -> Decomposition:
    """Explain the change that `query` (one metric, a comparison, no dimension) asks about; with `falls` what went
    down comes first, whatever the whole did."""
    metric = query["metrics"][0]
    whole = analyse(query, warehouse, company_id, today)
    row = whole.rows[0] if whole.rows else {}
    before, after = _number(row.get(f"{metric}_compare")), _number(row.get(metric))
    fixed = {one["field"] for one in query["filters"] if one["op"] == "eq"}
    fact = semantics().facts[semantics().metrics[metric].fact or "sales"]
    parts: dict[str, list[Contribution]] = {}
    queries = [whole.compiled.sql]
    for name in DIMENSIONS if "rep" not in fixed else ("customer", "product"):
        if name in fixed or (name == "branch" and "team" in fixed) or semantics().table_of(name, fact) is None:
            continue
        by_value: SemanticQuery = {**query, "dimensions": [name], "sort": None, "limit": None}
        split = analyse(by_value, warehouse, company_id, today)
        if split.truncated:
            split = analyse(by_value, warehouse, company_id, today, most=ALL)
        queries.append(split.compiled.sql)
        parts[name] = _contributions(split, name, metric, after - before, falls)
    effects = None
    if metric == "sales_amount":
        priced = analyse(_priced(query), warehouse, company_id, today, most=ALL)
        queries.append(priced.compiled.sql)
        effects = effects_of(priced)
    return Decomposition(whole, metric, before, after, parts, tuple(queries), effects)


def _priced(query: SemanticQuery) -> SemanticQuery:
    """The same question of both amounts and quantities, by product."""
    return {**query, "metrics": ["sales_amount", "quantity"], "dimensions": ["product"], "sort": None, "limit": None}


def effects_of(priced: Analysis) -> Effects | None:
    """ΔQ·P0 and ΔP·Q1 over the products; what had no price before is all volume. None without quantities."""
    volume, change = Fraction(0), Fraction(0)
    for row in priced.rows:
        now, before = _exact(row["sales_amount"]), _exact(row["sales_amount_compare"])
        sold, had = _exact(row["quantity"]), _exact(row["quantity_compare"])
        if (now and not sold) or (before and not had):
            return None
        change += now - before
        volume += before / had * (sold - had) if had else now
    whole = round(volume)
    return Effects(volume=whole, price=round(change) - whole) if priced.rows else None


def _exact(value: object) -> Fraction:
    return Fraction(value) if isinstance(value, int | float) else Fraction(0)


def _contributions(split: Analysis, name: str, metric: str, change: float, falls: bool) -> list[Contribution]:
    """Those that moved, in the direction of the whole change first."""
    found: list[Contribution] = []
    for row in split.rows:
        after, before = _number(row.get(metric)), _number(row.get(f"{metric}_compare"))
        moved = after - before
        if moved:
            share = round(moved / change, 4) if change else None
            found.append(
                {
                    "dimension": name,
                    "value": str(row[name]),
                    "before": before,
                    "after": after,
                    "change": moved,
                    "share": share,
                }
            )
    sign = -1 if change < 0 or falls else 1
    return sorted(found, key=lambda one: -sign * one["change"])


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
