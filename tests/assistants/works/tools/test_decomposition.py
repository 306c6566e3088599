"""What moved most, and what a change is made of, equal an independent computation over the same rows."""

import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from madang.assistants.works.tools.analysis import analyse
from madang.assistants.works.tools.decomposition import decompose
from madang.assistants.works.tools.periods import Days, compared
from madang.assistants.works.tools.sales_data import guess_mapping, load_sales, places_of
from madang.assistants.works.tools.warehouse import Warehouse
from tests.support.company import TODAY, rows, warehouse_at
from tests.support.plain_totals import totals

METRICS = ("sales_amount", "quantity")
DIMENSIONS = ("product", "customer", "rep", "branch", "region", "product_class")


@pytest.fixture(name="warehouse")
def _warehouse(tmp_path: Path) -> Warehouse:
    return warehouse_at(tmp_path)


def random_change(rng: random.Random) -> tuple[Any, str, list[dict[str, Any]], Days, Days]:
    """A comparison of a whole month with the one before it or a year before, perhaps in one region."""
    metric, kind = rng.choice(METRICS), rng.choice(["mom", "yoy"])
    first = date(2025, rng.randrange(3, 13), 1)
    days = Days(first, (first + timedelta(days=32)).replace(day=1) - timedelta(days=1))
    regions = sorted({str(customer["region"]) for customer in rows()["customers"]})
    filters = [{"field": "region", "op": "eq", "value": rng.choice(regions)}] if rng.random() < 0.5 else []
    query: Any = {
        "kind": "query", "metrics": [metric], "dimensions": [], "filters": filters, "period": days.as_period(),
        "compare": {"type": kind, "period": None}, "sort": None, "limit": None,
    }  # fmt: skip
    return query, metric, filters, days, compared(days, query["compare"])[0]


def changes(metric: str, dimension: str, filters: list[Any], days: Days, other: Days) -> dict[str, float]:
    """How much each value of a dimension moved, those that did not left out."""
    now = totals(rows(), metric, [dimension], filters, days.start, days.end)
    before = totals(rows(), metric, [dimension], filters, other.start, other.end)
    moved = {str(key[0]): now.get(key, 0) - before.get(key, 0) for key in {*now, *before}}
    return {value: change for value, change in moved.items() if change}


@pytest.mark.parametrize("seed", range(25))
def test_a_change_is_made_of_what_plain_python_finds(warehouse: Warehouse, seed: int) -> None:
    query, metric, filters, days, other = random_change(random.Random(seed))
    found = decompose(query, warehouse, "sample", TODAY)
    now = sum(totals(rows(), metric, [], filters, days.start, days.end).values())
    before = sum(totals(rows(), metric, [], filters, other.start, other.end).values())
    assert (found.before, found.after, found.change) == (before, now, now - before)
    for dimension, parts in found.parts.items():
        expected = changes(metric, dimension, filters, days, other)
        assert {part["value"]: part["change"] for part in parts} == expected
        assert sum(part["change"] for part in parts) == now - before
        moved = [part["change"] for part in parts]
        assert moved == sorted(moved, reverse=now >= before)
        if now != before:
            assert [part["share"] for part in parts] == [round(change / (now - before), 4) for change in moved]


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("seed", range(15))
def test_what_moved_most_is_what_plain_python_finds(warehouse: Warehouse, seed: int, order: str) -> None:
    rng = random.Random(seed)
    query, metric, filters, days, other = random_change(rng)
    dimension = rng.choice([name for name in DIMENSIONS if not filters or name != "region"])
    ranked: Any = {**query, "dimensions": [dimension], "sort": {"by": f"{metric}_change", "order": order}, "limit": 5}
    result = analyse(ranked, warehouse, "sample", TODAY)
    expected = changes(metric, dimension, filters, days, other)
    assert all(expected.get(str(row[dimension]), 0) == row[f"{metric}_change"] for row in result.rows)
    most = sorted([*expected.values()], reverse=order == "desc")[:5]
    got = [row[f"{metric}_change"] for row in result.rows if row[f"{metric}_change"]]
    assert got == most[: len(got)]
    assert got


def test_more_customers_than_a_table_shows_are_all_counted(tmp_path: Path) -> None:
    sold = [(i, month) for i in range(1, 1201) for month in (1, 2)]
    lines = [f"2026-0{month}-05,거래처{i},품목{i % 7},담당{i % 5},{1000 * i * month}" for i, month in sold]
    (tmp_path / "매출.csv").write_text("\n".join(["일자,거래처,품목,담당,금액", *lines]), "utf-8")
    warehouse = Warehouse(tmp_path / "works")
    load_sales(warehouse, "acme", guess_mapping(places_of(tmp_path / "매출.csv")).mapping.sources)
    query: Any = {
        "kind": "query", "metrics": ["sales_amount"], "dimensions": [], "filters": [], "limit": None, "sort": None,
        "period": {"from": "2026-02-01", "to": "2026-02-28"}, "compare": {"type": "mom", "period": None},
    }  # fmt: skip
    found = decompose(query, warehouse, "acme", TODAY)
    assert found.change == 1000 * sum(range(1, 1201)) == sum(part["change"] for part in found.parts["customer"])
