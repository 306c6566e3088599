"""A company's own data: loaded whole or not at all, problems named by file, row and column."""

from pathlib import Path
from typing import Any

import pytest

from madang.assistants.works.tools.analysis import analyse
from madang.assistants.works.tools.sales_data import load_sales, read_mapping
from madang.assistants.works.tools.warehouse import Warehouse
from madang.errors import InvalidInput, InvalidState, NotFound
from tests.support.company import TODAY
from tests.support.sales_files import FILES, MAPPING, prepare


def load(folder: Path, warehouse: Warehouse, **changes: str) -> Any:
    mapping = read_mapping(prepare(folder, **changes))
    assert mapping.company_id == "acme"
    return load_sales(warehouse, "acme", mapping.sources)


def total(warehouse: Warehouse, **changes: Any) -> Any:
    query: Any = {
        "kind": "query", "metrics": ["sales_amount"], "dimensions": [], "filters": [], "period": None, "compare": None,
        "sort": None, "limit": None, **changes,
    }  # fmt: skip
    return analyse(query, warehouse, "acme", TODAY).rows


def test_loaded_data_is_asked_like_the_sample(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "works")
    loaded = load(tmp_path, warehouse)
    assert loaded.rows == {"reps": 2, "customers": 2, "products": 1, "sales": 3}
    assert total(warehouse) == [{"sales_amount": 60_000}]
    assert total(warehouse, dimensions=["branch"]) == [
        {"branch": "본점", "sales_amount": 40_000},
        {"branch": "지점", "sales_amount": 20_000},
    ]
    assert not warehouse.is_sample("acme", TODAY)


def test_a_company_column_in_the_file_is_not_believed(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "works")
    load(tmp_path, warehouse)
    with pytest.raises(NotFound):
        warehouse.path("rival", TODAY)


@pytest.mark.parametrize(
    ("changes", "where", "why"),
    [
        ({"sales_csv": FILES["sales.csv"].replace("2026.02.10", "2026-02-31")}, "sales.csv 3행 '일자'", "날짜"),
        ({"sales_csv": FILES["sales.csv"].replace("20000원", "이만원")}, "sales.csv 3행 '금액'", "정수"),
        ({"sales_csv": FILES["sales.csv"].replace("C2,P1", "C9,P1")}, "sales.csv 3행 '거래처'", "customers에 없는"),
        ({"reps_csv": FILES["reps.csv"].replace("R2", "R1")}, "reps.csv 3행 '코드'", "또 있습니다"),
        ({"customers_csv": FILES["customers.csv"].replace("한마음의원", " ")}, "customers.csv 2행 '이름'", "비어"),
    ],
)
def test_problems_are_named_and_nothing_is_changed(
    tmp_path: Path, changes: dict[str, str], where: str, why: str
) -> None:
    warehouse = Warehouse(tmp_path / "works")
    before = load(tmp_path, warehouse)
    with pytest.raises(InvalidState) as caught:
        load(tmp_path, warehouse, **changes)
    assert any(where in p.field and why in p.reason for p in caught.value.problems), caught.value.problems
    assert total(warehouse) == [{"sales_amount": 60_000}]
    assert (tmp_path / "works" / "companies" / "acme" / "current").read_text() == f"sales-{before.version}.duckdb"
    assert len(list((tmp_path / "works" / "companies" / "acme").glob("*.duckdb*"))) == 1


def test_a_hostile_name_stays_a_name(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "works")
    load(tmp_path, warehouse, customers_csv=FILES["customers.csv"].replace("한마음의원", "x'; DROP TABLE sales; --"))
    rows = total(warehouse, dimensions=["customer"])
    assert {row["customer"] for row in rows} == {"x'; DROP TABLE sales; --", "=cmd|'/c calc'!A1"}


@pytest.mark.parametrize(
    "mapping",
    [
        "",
        "tables = 3",
        MAPPING.replace('amount = "금액"', 'price = "금액"'),
        MAPPING.replace("tables.reps", "tables.people"),
        MAPPING.replace('rep_id = "코드"', 'rep_id = ""'),
        MAPPING.replace('file = "reps.csv"', 'file = "reps.csv"\ndatabase = "$ERP"'),
        MAPPING.replace('file = "reps.csv"', 'file = "reps.csv"\ncodec = "cp949"'),
        MAPPING.replace("[tables.sales.columns]", 'units = { amount = "냥" }\n[tables.sales.columns]'),
    ],
)
def test_a_mapping_that_makes_no_sense_is_refused(tmp_path: Path, mapping: str) -> None:
    path = prepare(tmp_path)
    path.write_text(mapping, "utf-8")
    with pytest.raises(InvalidState):
        read_mapping(path)


def test_missing_files_and_columns_are_named(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "works")
    with pytest.raises(InvalidState, match="금액"):
        load(tmp_path, warehouse, sales_csv=FILES["sales.csv"].replace("금액", "원"))
    sources = read_mapping(prepare(tmp_path)).sources
    (tmp_path / "sales.csv").unlink()
    with pytest.raises(InvalidInput, match=r"sales\.csv"):
        load_sales(warehouse, "acme", sources)


def test_a_duckdb_file_can_be_a_source(tmp_path: Path) -> None:
    import duckdb

    path = prepare(tmp_path)
    connection = duckdb.connect(str(tmp_path / "erp.duckdb"))
    connection.execute(f"CREATE TABLE orders AS SELECT * FROM read_csv('{tmp_path / 'sales.csv'}', all_varchar=true)")
    connection.close()
    path.write_text(MAPPING.replace('file = "sales.csv"', 'file = "erp.duckdb"\ntable = "orders"'), "utf-8")
    warehouse = Warehouse(tmp_path / "works")
    load_sales(warehouse, "acme", read_mapping(path).sources)
    assert total(warehouse) == [{"sales_amount": 60_000}]
