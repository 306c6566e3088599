"""Meanings computed by SQL equal an independent computation over the same rows."""

import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.tools.analysis import analyse
from madang.assistants.works.tools.periods import Days, compared, standard_comparison
from madang.assistants.works.tools.warehouse import Warehouse
from tests.support.company import TODAY, rows, warehouse_at
from tests.support.plain_totals import totals

SALES_DIMENSIONS = [
    "month", "quarter", "year", "date", "region", "branch", "team", "rep", "customer", "customer_type", "grade",
    "specialty", "product", "product_class",
]  # fmt: skip
DIMENSIONS = {
    "sales_amount": SALES_DIMENSIONS,
    "quantity": SALES_DIMENSIONS,
    "target_amount": ["month", "quarter", "region", "branch", "team", "rep", "product", "product_class"],
    "visit_count": ["month", "region", "branch", "rep", "customer", "customer_type", "grade", "specialty"],
    "new_customer_count": ["month", "region", "branch", "customer_type", "grade"],
    "seminar_count": ["quarter", "region", "branch", "team", "product", "product_class", "customer_type"],
    "attendee_count": ["month", "branch", "product_class"],
    "promo_cost": ["month", "branch", "rep", "customer_type"],
}


@pytest.fixture(name="warehouse")
def _warehouse(tmp_path: Path) -> Warehouse:
    return warehouse_at(tmp_path)


def question(metrics: list[str], dimensions: list[str], filters: list[Any], days: Days, **more: Any) -> SemanticQuery:
    query: Any = {
        "kind": "query", "metrics": metrics, "dimensions": dimensions, "filters": filters, "period": days.as_period(),
        "compare": None, "sort": None, "limit": None, **more,
    }  # fmt: skip
    made: SemanticQuery = query
    return made


def random_question(rng: random.Random) -> tuple[str, list[str], list[dict[str, Any]], Days]:
    metric = rng.choice(list(DIMENSIONS))
    dimensions = rng.sample(DIMENSIONS[metric], rng.choice([0, 1, 1, 2]))
    start = date(2024, 3, 1) + timedelta(days=rng.randrange(0, 650))
    days = Days(start, start + timedelta(days=rng.randrange(0, 200)))
    filters: list[dict[str, Any]] = []
    for name in rng.sample([d for d in DIMENSIONS[metric] if d not in {"month", "quarter", "year", "date"}], 1):
        values = sorted(
            {str(v) for table in ("reps", "customers", "products") for r in rows()[table] if (v := r.get(name))}
        )
        op = rng.choice(["eq", "in", "ne", "none"])
        if op == "in":
            filters.append({"field": name, "op": "in", "value": rng.sample(values, min(3, len(values)))})
        elif op != "none":
            filters.append({"field": name, "op": op, "value": rng.choice(values)})
    return metric, dimensions, filters, days


@pytest.mark.parametrize("seed", range(100))
def test_a_random_meaning_equals_plain_python(warehouse: Warehouse, seed: int) -> None:
    metric, dimensions, filters, days = random_question(random.Random(seed))
    expected = totals(rows(), metric, dimensions, filters, days.start, min(days.end, TODAY))
    result = analyse(question([metric], dimensions, filters, days), warehouse, "sample", TODAY)
    got = {tuple(row[d] for d in dimensions): row[metric] for row in result.rows}
    if not dimensions:
        assert got[()] == expected.get((), 0)
    elif result.truncated:
        assert len(got) == 1000
        assert all(expected[key] == value for key, value in got.items())
    else:
        assert got == expected


@pytest.mark.parametrize("kind", ["yoy", "qoq", "mom", "wow"])
@pytest.mark.parametrize("dimension", ["branch", "month"])
def test_a_comparison_equals_plain_python(warehouse: Warehouse, kind: Any, dimension: str) -> None:
    days = Days(date(2025, 10, 1), date(2025, 12, 31))
    query = question(["sales_amount"], [dimension], [], days, compare={"type": kind, "period": None})
    result = analyse(query, warehouse, "sample", TODAY)
    other, _shift = compared(days, {"type": kind, "period": None})
    if dimension == "branch":
        before = totals(rows(), "sales_amount", ["branch"], [], other.start, other.end)
        now = totals(rows(), "sales_amount", ["branch"], [], days.start, days.end)
        for row in result.rows:
            old = before.get((row["branch"],), 0)
            assert row["sales_amount_compare"] == old
            assert row["sales_amount_change"] == now[(row["branch"],)] - old
            assert row["sales_amount_change_rate"] == pytest.approx((now[(row["branch"],)] - old) / old, abs=1e-6)
    else:
        assert sum(float(row["sales_amount_compare"] or 0) for row in result.rows) == sum(
            totals(rows(), "sales_amount", [], [], other.start, other.end).values()
        )


def test_rates_equal_plain_python(warehouse: Warehouse) -> None:
    days = Days(date(2025, 6, 1), date(2025, 8, 31))
    result = analyse(question(["achievement_rate", "sales_share"], ["team"], [], days), warehouse, "sample", TODAY)
    sold = totals(rows(), "sales_amount", ["team"], [], days.start, days.end)
    wanted = totals(rows(), "target_amount", ["team"], [], days.start, days.end)
    for row in result.rows:
        key = (row["team"],)
        assert row["achievement_rate"] == pytest.approx(sold[key] / wanted[key], abs=1e-6)
        assert row["sales_share"] == pytest.approx(sold[key] / sum(sold.values()), abs=1e-6)


def test_customers_without_visits_are_all_there(warehouse: Warehouse) -> None:
    days = Days(date(2026, 1, 1), date(2026, 2, 28))
    filters = [{"field": "visit_count", "op": "eq", "value": 0}]
    result = analyse(question(["visit_count"], ["customer"], filters, days), warehouse, "sample", TODAY)
    visited = totals(rows(), "visit_count", ["customer"], [], days.start, days.end)
    expected = {c["customer"] for c in rows()["customers"]} - {key[0] for key in visited}
    assert {row["customer"] for row in result.rows} == expected


def test_top_n_and_thresholds(warehouse: Warehouse) -> None:
    days = Days(date(2025, 1, 1), date(2025, 12, 31))
    sold = sorted(totals(rows(), "sales_amount", ["rep"], [], days.start, days.end).values(), reverse=True)
    top = question(["sales_amount"], ["rep"], [], days, sort={"by": "sales_amount", "order": "desc"}, limit=5)
    assert [row["sales_amount"] for row in analyse(top, warehouse, "sample", TODAY).rows] == sold[:5]
    least = sold[10]
    over = question(["sales_amount"], ["rep"], [{"field": "sales_amount", "op": "gte", "value": least}], days)
    assert len(analyse(over, warehouse, "sample", TODAY).rows) == 11


def test_an_unfinished_period_is_compared_over_the_same_days(warehouse: Warehouse) -> None:
    march = Days(date(2026, 3, 1), date(2026, 3, 31))
    result = analyse(
        question(["sales_amount"], [], [], march, compare={"type": "mom", "period": None}), warehouse, "sample", TODAY
    )
    assert result.compiled.compare_period == Days(date(2026, 2, 1), date(2026, 2, 11))
    expected = totals(rows(), "sales_amount", [], [], date(2026, 2, 1), date(2026, 2, 11))
    assert result.rows[0]["sales_amount_compare"] == expected[()]


def test_neighbouring_periods_get_their_usual_name() -> None:
    february, january = Days(date(2026, 2, 1), date(2026, 2, 28)), Days(date(2026, 1, 1), date(2026, 1, 31))
    assert standard_comparison(february, january) == {"type": "mom", "period": None}
    assert standard_comparison(february, Days(date(2025, 2, 1), date(2025, 2, 28)))["type"] == "yoy"
    assert standard_comparison(february, Days(date(2025, 6, 1), date(2025, 6, 30))) == {
        "type": "period",
        "period": {"from": "2025-06-01", "to": "2025-06-30"},
    }
