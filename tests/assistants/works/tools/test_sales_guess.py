"""A mapping proposed from headings and values, for exports as companies have them."""

from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from bench.sales_load import TODAY, write_export
from madang.assistants.works.tools.analysis import analyse
from madang.assistants.works.tools.sales_data import (
    Guess,
    Loading,
    guess_mapping,
    load_sales,
    mapping_text,
    places_of,
    read_mapping,
)
from madang.assistants.works.tools.warehouse import Warehouse
from madang.errors import InvalidInput, InvalidState

FLAT = (
    "일자,거래처,품목,담당,수량,매출액(천원)\n"
    "2026-01-05,한마음의원,첫째정,김가나,2,30\n2026-01-06,튼튼약국,둘째정,이다라,1,12.5\n"
)


def guessed(path: Path) -> Guess:
    return guess_mapping(places_of(path), "acme")


def columns(guess: Guess) -> dict[str, dict[str, str]]:
    return {source.table: dict(source.columns) for source in guess.mapping.sources}


def load(folder: Path, path: Path, **how: bool) -> Any:
    """Loaded by way of the file that people edit."""
    guess = guessed(path)
    written = folder / "mapping.toml"
    written.write_text(mapping_text(guess.mapping, folder, guess.notes), "utf-8")
    mapping = read_mapping(written)
    assert [dict(s.columns) for s in mapping.sources] == [dict(s.columns) for s in guess.mapping.sources]
    return load_sales(Warehouse(folder / "works"), "acme", mapping.sources, Loading(**how))


def by(folder: Path, dimension: str, metric: str = "sales_amount") -> dict[str, Any]:
    query: Any = {
        "kind": "query", "metrics": [metric], "dimensions": [dimension], "filters": [], "period": None,
        "compare": None, "sort": None, "limit": None,
    }  # fmt: skip
    rows = analyse(query, Warehouse(folder / "works"), "acme", TODAY).rows
    return {str(row[dimension]): row[metric] for row in rows}


def test_a_flat_export_in_cp949_is_loaded_with_its_bad_rows_named(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    made = write_export(path, 500)
    with pytest.raises(InvalidState) as caught:
        load(tmp_path, path)
    named = {int(problem.field.split("행")[0].split()[-1]): str(problem) for problem in caught.value.problems}
    assert set(named) == set(made.bad)
    assert "'전표일자': 날짜가 아닙니다 ('2025.02.30')" in named[min(made.bad)]
    loaded = load(tmp_path, path, skip_bad=True)
    assert loaded.rows["sales"] == 500
    assert loaded.report.sheets[0].encoding == "cp949"
    expected: dict[str, int] = {}
    for (branch, _year), amount in made.by_branch.items():
        expected[branch] = expected.get(branch, 0) + amount
    assert by(tmp_path, "branch") == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "euc-kr", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_any_encoding_and_delimiter_is_read(tmp_path: Path, encoding: str, delimiter: str) -> None:
    (tmp_path / "매출.csv").write_bytes(FLAT.replace(",", delimiter).encode(encoding))
    load(tmp_path, tmp_path / "매출.csv")
    assert by(tmp_path, "customer") == {"한마음의원": 30_000, "튼튼약국": 12_500}
    assert by(tmp_path, "rep", "quantity") == {"김가나": 2, "이다라": 1}


def test_many_sheets_of_one_workbook_are_told_apart(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheets: dict[str, list[list[Any]]] = {
        "판매실적": [
            ["2026년 1분기"],
            ["판매일자", "고객코드", "품번", "사번", "수량", "판매금액"],
            [date(2026, 1, 5), "C1", 101, 7, 2, 30_000.0],
            [date(2026, 1, 6), "C2", 102, 8, 1, 12_000],
            ["합계", None, None, None, 3, 42_000],
        ],
        "고객": [
            ["코드", "명칭", "종별", "시도", "담당사번"],
            ["C1", "한마음의원", "의원", "서울", 7],
            ["C2", "튼튼약국", "약국", "부산", 8],
        ],
        "품목": [["품번", "품명", "분류"], [101, "첫째정", "소화기제"], [102, "둘째정", "항생제"]],
        "영업사원": [["사번", "성명", "팀", "지점"], [7, "김가나", "1팀", "본점"], [8, "이다라", "2팀", "지점"]],
        "목표": [["목표월", "사번", "품번", "목표금액"], ["2026-01", 7, 101, 40_000]],
        "메모": [["아무 말"], ["표가 아님"]],
    }
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    del book["Sheet"]
    book.save(tmp_path / "자료.xlsx")
    guess = guessed(tmp_path / "자료.xlsx")
    assert columns(guess)["customers"] == {
        "customer_id": "코드", "customer": "명칭", "customer_type": "종별", "region": "시도", "rep_id": "담당사번",
    }  # fmt: skip
    assert any("메모" in note for note in guess.notes[""])
    loaded = load(tmp_path, tmp_path / "자료.xlsx")
    assert loaded.rows == {"reps": 2, "customers": 2, "products": 2, "sales": 2, "targets": 1}
    assert [note.count for note in loaded.report.notes if note.kind == "totals"] == [1]
    assert by(tmp_path, "product_class") == {"소화기제": 30_000, "항생제": 12_000}
    assert by(tmp_path, "rep", "target_amount") == {"김가나": 40_000}


def test_sales_that_name_what_a_master_has_codes_for(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text(
        "ORD_DT,CUST_NM,ITEM_NM,EMP_NM,QTY,AMT\n20260105,한마음의원,첫째정,김가나,2,30000\n", "utf-8"
    )
    (tmp_path / "customers.csv").write_text("CUST_CD,CUST_NM,REGION\nC1,한마음의원,서울\nC2,튼튼약국,부산\n", "utf-8")
    guess = guessed(tmp_path)
    assert columns(guess)["customers"] == {"customer_id": "CUST_NM", "customer": "CUST_NM", "region": "REGION"}
    assert columns(guess)["sales"]["customer_id"] == "CUST_NM"
    load(tmp_path, tmp_path)
    assert by(tmp_path, "region") == {"서울": 30_000}


def test_monthly_files_of_one_shape_are_one_table(tmp_path: Path) -> None:
    (tmp_path / "2026-01.csv").write_text(FLAT, "utf-8")
    (tmp_path / "2026-02.csv").write_text(FLAT + "2026-02-03,한마음의원,첫째정,이다라,1,15\n", "utf-8")
    loaded = load(tmp_path, tmp_path)
    assert loaded.rows["sales"] == 3
    assert [note.count for note in loaded.report.notes if note.kind == "in_other_file"] == [2]
    assert [note.count for note in loaded.report.notes if note.kind == "differing"] == [1]
    assert by(tmp_path, "rep") == {"김가나": 30_000, "이다라": 27_500}


def test_what_was_not_used_and_what_else_was_possible_is_said(tmp_path: Path) -> None:
    (tmp_path / "매출.csv").write_text(
        "일자,거래처명,제품명,공급가액,합계금액,창고\n01/02/2026,가,나,100,110,A\n03/04/2026,다,라,200,220,B\n", "utf-8"
    )
    notes = "\n".join(guessed(tmp_path).notes["sales"])
    assert "amount ← '공급가액'" in notes
    assert "다른 후보: 합계금액" in notes
    assert "쓰지 않은 열: 합계금액, 창고" in notes
    assert "확인해 주세요: date" in notes


def test_what_holds_no_sales_is_refused_with_its_headings(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("가,나\n1,2\n", "utf-8")
    with pytest.raises(InvalidInput, match="가, 나"):
        guessed(tmp_path)
