"""`madang data load sales`: a company's own data, by a mapping file; and which companies have data."""

from pathlib import Path
from typing import Annotated, Any

import typer

from madang.cli.opening import print_json, progress_bar
from madang.cli.options import Json


def load_sales(
    mapping: Annotated[
        Path, typer.Argument(help="매핑 파일(TOML): 표마다 file과 columns", exists=True, dir_okay=False)
    ],
    folder: Annotated[Path | None, typer.Option("--dir", help="자료 파일이 있는 폴더(기본: 매핑 파일의 폴더)")] = None,
    company: Annotated[str | None, typer.Option("--company", help="회사 식별자(기본: 매핑 파일의 company_id)")] = None,
    as_json: Json = False,
) -> None:
    """판매 자료를 CSV나 DuckDB 파일에서 불러옵니다. 문제가 하나라도 있으면 아무것도 바꾸지 않습니다."""
    from madang.assistants.works.tools.sales_loader import load_sales as load
    from madang.assistants.works.tools.sales_loader import read_mapping
    from madang.assistants.works.tools.warehouse import Warehouse
    from madang.errors import InvalidInput
    from madang.settings import Settings

    named, sources = read_mapping(mapping, folder)
    company_id = company or named
    if not company_id:
        raise InvalidInput("회사 식별자가 필요합니다: 매핑 파일의 company_id 나 --company")
    with progress_bar("판매 자료", quiet=as_json) as report:
        loaded = load(Warehouse(Settings().data_dir / "works"), company_id, sources, report)
    if as_json:
        print_json({"company_id": loaded.company_id, "rows": loaded.rows, "version": loaded.version})
        return
    rows = ", ".join(f"{table} {count:,}" for table, count in loaded.rows.items())
    typer.echo(f"{loaded.company_id}: {rows} (version {loaded.version})")


def sales_status(data_dir: Path) -> list[dict[str, Any]]:
    """Each company whose data were loaded: rows by table and the newest sale; `error` for a file that can't be read."""
    found = sorted((data_dir / "works" / "companies").glob("*/current"))
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
