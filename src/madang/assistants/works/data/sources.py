"""What works can be given: a company's own sales data, by a mapping file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from madang.errors import InvalidInput
from madang.graph import Deployment
from madang.graph.data_source import DataSource, Loaded, Report

FOLDER = "works"


def load_sales(
    deployment: Deployment,
    report: Report,
    mapping: Annotated[
        Path, typer.Argument(help="매핑 파일(TOML): 표마다 file과 columns", exists=True, dir_okay=False)
    ],
    folder: Annotated[Path | None, typer.Option("--dir", help="자료 파일이 있는 폴더(기본: 매핑 파일의 폴더)")] = None,
    company: Annotated[str | None, typer.Option("--company", help="회사 식별자(기본: 매핑 파일의 company_id)")] = None,
) -> Loaded:
    """판매 자료를 CSV나 DuckDB 파일에서 불러옵니다. 문제가 하나라도 있으면 아무것도 바꾸지 않습니다."""
    from madang.assistants.works.tools.sales_loader import load_sales as load
    from madang.assistants.works.tools.sales_loader import read_mapping
    from madang.assistants.works.tools.warehouse import Warehouse

    named, sources = read_mapping(mapping, folder)
    company_id = company or named
    if not company_id:
        raise InvalidInput("회사 식별자가 필요합니다: 매핑 파일의 company_id 나 --company")
    loaded = load(Warehouse(deployment.data_dir / FOLDER), company_id, sources, report)
    rows = ", ".join(f"{table} {count:,}" for table, count in loaded.rows.items())
    figures = {"company_id": loaded.company_id, "rows": loaded.rows, "version": loaded.version}
    return Loaded(figures, f"{loaded.company_id}: {rows} (version {loaded.version})")


def sales_status(deployment: Deployment) -> list[dict[str, Any]]:
    """Each company whose data were loaded: rows by table and the newest sale; `error` for a file that can't be read."""
    found = sorted((deployment.data_dir / FOLDER / "companies").glob("*/current"))
    return [{"company_id": pointer.parent.name, **_contents(pointer)} for pointer in found]


def _contents(pointer: Path) -> dict[str, Any]:
    import duckdb

    from madang.assistants.works.data.tables import COLUMNS

    file = pointer.parent / pointer.read_text(encoding="utf-8").strip()
    try:
        with duckdb.connect(str(file), read_only=True) as connection:
            counts = {name: _one(connection, f"SELECT count(*) FROM {name}") for name in COLUMNS}  # noqa: S608
            newest = _one(connection, "SELECT max(date) FROM sales")
    except duckdb.Error as error:
        return {"rows": {}, "as_of": None, "version": None, "error": str(error).splitlines()[0]}
    return {
        "rows": {name: count for name, count in counts.items() if count},
        "as_of": newest.isoformat() if newest else None,
        "version": file.stem.removeprefix("sales-"),
    }


def _one(connection: Any, sql: str) -> Any:
    return connection.execute(sql).fetchone()[0]


def sales_lines(companies: list[dict[str, Any]]) -> Iterator[str]:
    if not companies:
        yield "판매 자료 없음: 예시 회사만 씁니다 (madang data load sales MAPPING)"
    for company in companies:
        if company.get("error"):
            yield f"판매 {company['company_id']}: 읽을 수 없습니다 ({company['error']})"
            continue
        rows = ", ".join(f"{table} {count:,}" for table, count in company["rows"].items())
        yield f"판매 {company['company_id']}: {rows} ({company['as_of'] or '날짜 없음'} 기준)"


SOURCES = {"sales": DataSource(title="판매 자료", status=sales_status, lines=sales_lines, load=load_sales)}
