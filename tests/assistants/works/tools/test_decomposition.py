"""What moved most, and what a change is made of, equal an independent computation over the same rows."""

import random
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from madang.assistants.works.tools.analysis import analyse
from madang.assistants.works.tools.decomposition import Decomposition, decompose
from madang.assistants.works.tools.decomposition_text import change_words
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


def effects(filters: list[Any], days: Days, other: Days) -> tuple[Fraction, Fraction]:
    """Volume and price effect over the products, from the rows themselves."""
    periods = ((days.start, days.end), (other.start, other.end))
    (now, sold), (before, had) = (
        tuple(totals(rows(), metric, ["product"], filters, start, end) for metric in METRICS) for start, end in periods
    )
    volume = price = Fraction(0)
    for key in {*now, *before}:
        a1, q1, a0, q0 = (Fraction(one.get(key, 0)) for one in (now, sold, before, had))
        if not q0:
            volume += a1
        else:
            volume += (q1 - q0) * (a0 / q0)
            price += q1 * (a1 / q1 - a0 / q0) if q1 else 0
    return volume, price


@pytest.mark.parametrize("seed", range(25))
def test_volume_and_price_are_what_plain_python_finds_and_add_up(warehouse: Warehouse, seed: int) -> None:
    query, metric, filters, days, other = random_change(random.Random(seed))
    found = decompose(query, warehouse, "sample", TODAY)
    if metric != "sales_amount":
        assert found.effects is None
        return
    volume, price = effects(filters, days, other)
    assert found.effects is not None
    assert abs(found.effects.volume - volume) <= 1
    assert abs(found.effects.price - price) <= 1
    assert found.effects.volume + found.effects.price == found.change


def test_a_price_that_moved_alone_is_all_price_and_a_new_product_all_volume(tmp_path: Path) -> None:
    lines = ["2026-01-05,가,품목1,10,1000", "2026-02-05,가,품목1,10,1300", "2026-02-06,가,품목2,5,500"]
    (tmp_path / "매출.csv").write_text("\n".join(["일자,거래처,품목,수량,금액", *lines]), "utf-8")
    found = february(tmp_path)
    assert found.effects is not None
    assert (found.effects.volume, found.effects.price) == (500, 300)
    assert "수량 효과(수량 변화 × 이전 단가) +500원, 단가 효과(단가 변화 × 이번 수량) +300원" in change_words(found)


def test_without_quantities_there_is_no_split_and_without_products_or_reps_the_sums_hold(tmp_path: Path) -> None:
    lines = [f"2026-0{month}-05,거래처{i},{1000 * i * month}" for i in range(1, 1201) for month in (1, 2)]
    (tmp_path / "매출.csv").write_text("\n".join(["일자,거래처,금액", *lines]), "utf-8")
    found = february(tmp_path)
    assert found.effects is None
    assert {name: sum(part["change"] for part in parts) for name, parts in found.parts.items()} == dict.fromkeys(
        found.parts, found.change
    )


def test_an_unlimited_question_over_a_company_without_products(tmp_path: Path) -> None:
    (tmp_path / "매출.csv").write_text("일자,거래처,금액\n2026-02-05,가,1000\n2026-02-06,나,11000\n", "utf-8")
    query: Any = {**_FEBRUARY, "dimensions": ["product"], "compare": None}
    result = analyse(query, loaded(tmp_path), "acme", TODAY, most=1_000_000)
    assert [row["sales_amount"] for row in result.rows] == [12_000]


_FEBRUARY: Any = {
    "kind": "query", "metrics": ["sales_amount"], "dimensions": [], "filters": [], "limit": None, "sort": None,
    "period": {"from": "2026-02-01", "to": "2026-02-28"}, "compare": {"type": "mom", "period": None},
}  # fmt: skip


def loaded(folder: Path) -> Warehouse:
    warehouse = Warehouse(folder / "works")
    load_sales(warehouse, "acme", guess_mapping(places_of(folder / "매출.csv")).mapping.sources)
    return warehouse


def february(folder: Path) -> Decomposition:
    return decompose(_FEBRUARY, loaded(folder), "acme", TODAY)


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
    found = february(tmp_path)
    assert found.change == 1000 * sum(range(1, 1201)) == sum(part["change"] for part in found.parts["customer"])
