"""What is said of a company's files before they are loaded, and what a later load does to what is there."""

import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest

from madang.assistants.works.tools.sales_data import Loading, guess_mapping, load_sales, places_of, read_mapping
from madang.assistants.works.tools.sales_data.mapping import Place
from madang.assistants.works.tools.warehouse import Warehouse
from madang.errors import InvalidInput, InvalidState, ServiceUnavailable
from tests.support.company import TODAY

HEADINGS = "번호,일자,거래처,금액,수량"
MAPPING = """
[tables.customers]
{place}
distinct = true
columns = {{ customer_id = "거래처", customer = "거래처" }}
[tables.sales]
{place}
{more}
[tables.sales.columns]
{key}
date = "일자"
customer_id = "거래처"
amount = "금액"
quantity = "수량"
"""


def load(
    folder: Path, *lines: str, more: str = "", key: str = "", place: str = 'file = "sales.csv"', **how: bool
) -> Any:
    (folder / "sales.csv").write_text("\n".join([HEADINGS, *lines]) + "\n", "utf-8")
    mapping = folder / "mapping.toml"
    mapping.write_text(MAPPING.format(place=place, more=more, key=key), "utf-8")
    sources = read_mapping(mapping, environ={"ERP": "postgresql://nobody@127.0.0.1:1/none"}).sources
    return load_sales(Warehouse(folder / "works"), "acme", sources, Loading(**how))


def stored(folder: Path, columns: str = "date::VARCHAR, customer_id, amount") -> list[tuple[Any, ...]]:
    warehouse = Warehouse(folder / "works")
    sql = f"SELECT {columns} FROM sales WHERE company_id = $company ORDER BY ALL"
    rows = list(warehouse.run("acme", TODAY, sql, {}).rows)
    warehouse.close()
    return rows


def notes(loaded: Any, kind: str) -> list[int]:
    return [note.count for note in loaded.report.notes if note.kind == kind]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2026-02-03", "2026-02-03"),
        ("2026. 2. 3.", "2026-02-03"),
        ("2026년 2월 3일", "2026-02-03"),
        ("2026/02/03 14:05:00", "2026-02-03"),
        ("2026-02-03 오후 2:05", "2026-02-03"),
        ("26.02.03", "2026-02-03"),
        ("20260203", "2026-02-03"),
        ("46056", "2026-02-03"),
        ("2026-02", "2026-02-01"),
        ("202602", "2026-02-01"),
        ("2026-02-30", None),
        ("2206-02-03", None),
        ("3월", None),
        ("02/03/2026", None),
    ],
)
def test_days_are_read_as_people_write_them(tmp_path: Path, written: str, read: str | None) -> None:
    if read is None:
        with pytest.raises(InvalidState, match="날짜가 아닙니다"):
            load(tmp_path, f"1,{written},가,100,1")
    else:
        load(tmp_path, f"1,{written},가,100,1")
        assert stored(tmp_path, "date::VARCHAR") == [(read,)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"1,234"', 1234),
        ("1234원", 1234),
        ("₩1234", 1234),
        ('"(1,234)"', -1234),
        ("△1234", -1234),
        ("1234-", -1234),
        ("-1234", -1234),
        ("1234.5", 1235),
        ('"12,34"', None),
        ("1.2E+06", None),
        ("▲1234", None),
        ("천", None),
    ],
)
def test_sums_are_read_to_the_won_or_refused(tmp_path: Path, written: str, read: int | None) -> None:
    if read is None:
        with pytest.raises(InvalidState, match=r"sales\.csv 2행 '금액': 정수로 읽을 수 없습니다"):
            load(tmp_path, f"1,2026-02-03,가,{written},1")
    else:
        load(tmp_path, f"1,2026-02-03,가,{written},1")
        assert stored(tmp_path, "amount") == [(read,)]


def test_rounding_totals_equal_rows_and_empty_cells_are_reported(tmp_path: Path) -> None:
    rows = ["1,2026-02-03,가,100.4,1", "2,2026-02-03,가,100.4,1", "3,2026-02-04,,7,", "합계,,,207.8,2"]
    loaded = load(tmp_path, *rows, check=True)
    assert loaded.version is None
    assert not (tmp_path / "works").exists()
    assert {kind: notes(loaded, kind) for kind in ("rounded", "totals", "equal", "empty")} == {
        "rounded": [2], "totals": [1], "equal": [1], "empty": [1, 1],
    }  # fmt: skip
    text = "\n".join(loaded.report.lines())
    assert "'금액'을(를) 반올림한 행: 2 (합계가 -0.80 달라짐)" in text
    assert "sales.csv 3행" in text
    assert "sales.csv 5행" in text
    load(tmp_path, *rows)
    assert stored(tmp_path) == [("2026-02-03", "가", 100), ("2026-02-03", "가", 100), ("2026-02-04", None, 7)]


def test_units_and_formats_are_the_mappings(tmp_path: Path) -> None:
    load(tmp_path, "1,02/03/2026,가,1.5,1", more='units = { amount = "천원" }\nformats = { date = "%m/%d/%Y" }')
    assert stored(tmp_path) == [("2026-02-03", "가", 1500)]


def test_the_same_rows_added_again_are_not_counted_again(tmp_path: Path) -> None:
    january = ["1,2026-01-05,가,10,1", "2,2026-01-05,가,10,1"]
    load(tmp_path, *january)
    again = load(tmp_path, *january, "3,2026-02-05,나,20,1", add=True)
    assert again.rows["sales"] == 3
    assert (notes(again, "same"), notes(again, "new")) == ([1, 2], [1, 1])
    assert stored(tmp_path, "sum(amount)") == [(40,)]


def test_an_added_row_with_a_key_replaces_the_row_that_it_names(tmp_path: Path) -> None:
    key = 'sale_id = "번호"'
    load(tmp_path, "1,2026-01-05,가,10,1", "2,2026-01-06,나,20,1", key=key)
    added = load(tmp_path, "2,2026-01-06,나,25,1", "3,2026-01-07,나,30,1", key=key, add=True)
    assert (notes(added, "replaced")[-1], notes(added, "new")[-1]) == (1, 1)
    assert stored(tmp_path, "amount") == [(10,), (25,), (30,)]


def test_a_corrected_month_replaces_its_days_when_the_mapping_says_so(tmp_path: Path) -> None:
    load(tmp_path, "1,2026-01-05,가,10,1", "2,2026-01-06,나,20,1")
    kept = load(tmp_path, "2,2026-01-06,나,25,1", add=True)
    assert notes(kept, "left") == [1]
    assert stored(tmp_path, "amount") == [(10,), (20,), (25,)]
    load(tmp_path, "1,2026-01-05,가,10,1", "2,2026-01-06,나,20,1")
    load(tmp_path, "2,2026-01-06,나,25,1", more='replace = "days"', add=True)
    assert stored(tmp_path, "amount") == [(10,), (25,)]


def test_rows_that_could_not_be_known_again_are_not_added(tmp_path: Path) -> None:
    load(tmp_path, "1,2026-01-05,가,10,1", key='sale_id = "번호"')
    with pytest.raises(InvalidInput, match="열이 같아야"):
        load(tmp_path, "1,2026-01-05,가,10,1", add=True)
    assert stored(tmp_path, "amount") == [(10,)]


def test_one_key_with_two_rows_is_a_problem_unless_they_are_the_same(tmp_path: Path) -> None:
    key, row = 'sale_id = "번호"', "1,2026-01-05,가,10,1"
    loaded = load(tmp_path, row, row, key=key)
    assert (loaded.rows["sales"], notes(loaded, "repeated")) == (1, [1])
    with pytest.raises(InvalidState, match="'번호': 같은 값이 또 있습니다"):
        load(tmp_path, row, "1,2026-01-05,가,11,1", key=key)


def test_codes_without_their_table_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidState, match=r"tables\.products"):
        load(tmp_path, "1,2026-01-05,가,10,1", key='product_id = "번호"')


def test_a_postgres_table_is_a_source(tmp_path: Path, postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute('CREATE TABLE "매출" ("일자" date, "거래처" text, "금액" numeric, "수량" int)')
        connection.execute("""INSERT INTO "매출" VALUES ('2026-02-03', '가', 100.5, 1), ('2026-02-04', '나', 7, 2)""")
    place = f'database = "{postgres_url}"\ntable = "매출"'
    loaded = load(tmp_path, place=place)
    assert stored(tmp_path) == [("2026-02-03", "가", 101), ("2026-02-04", "나", 7)]
    assert notes(loaded, "rounded") == [1]
    guess = guess_mapping([Place(database=postgres_url)])
    sales = next(source for source in guess.mapping.sources if source.table == "sales")
    assert sales.places[0].table == "매출"
    with pytest.raises(InvalidInput, match="없는표"):
        load(tmp_path, place=place.replace('"매출"', '"없는표"'))


def test_a_sqlite_file_is_a_source(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "erp.db") as connection:
        connection.execute('CREATE TABLE "매출" ("일자", "거래처", "금액", "수량")')
        connection.execute("INSERT INTO \"매출\" VALUES ('2026-02-03', '가', 100, 1)")
    connection.close()
    load(tmp_path, place='file = "erp.db"\ntable = "매출"')
    assert stored(tmp_path) == [("2026-02-03", "가", 100)]
    assert guess_mapping(places_of(tmp_path / "erp.db")).mapping.sources[-1].places[0].table == "매출"


def test_a_database_that_can_not_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ServiceUnavailable, match="닿을 수 없습니다"):
        load(tmp_path, place='database = "$ERP"\ntable = "x"')
    with pytest.raises(InvalidInput, match="환경 변수 NONE"):
        load(tmp_path, place='database = "$NONE"\ntable = "x"')
    with pytest.raises(InvalidInput, match="mysql 확장이 설치되어"):
        load(tmp_path, place='database = "mysql://root@127.0.0.1/erp"\ntable = "x"')


def test_an_old_excel_file_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0")
    with pytest.raises(InvalidInput, match="xlsx나 CSV로"):
        load(tmp_path, place='file = "old.xls"')
