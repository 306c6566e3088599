"""`madang data load sales`: a company's own data, by a mapping file."""

from pathlib import Path
from typing import Annotated

import typer


def load_sales(
    mapping: Annotated[
        Path, typer.Argument(help="매핑 파일(TOML): 표마다 file과 columns", exists=True, dir_okay=False)
    ],
    folder: Annotated[Path | None, typer.Option("--dir", help="자료 파일이 있는 폴더(기본: 매핑 파일의 폴더)")] = None,
    company: Annotated[str | None, typer.Option("--company", help="회사 식별자(기본: 매핑 파일의 company_id)")] = None,
) -> None:
    """판매 자료를 CSV나 DuckDB 파일에서 불러옵니다. 문제가 하나라도 있으면 아무것도 바꾸지 않습니다."""
    from rich.console import Console

    from madang.assistants.works.tools.loading import load_sales as load
    from madang.assistants.works.tools.loading import read_mapping
    from madang.assistants.works.tools.warehouse import Warehouse
    from madang.errors import InvalidInput
    from madang.settings import Settings

    named, sources = read_mapping(mapping, folder)
    company_id = company or named
    if not company_id:
        raise InvalidInput("회사 식별자가 필요합니다: 매핑 파일의 company_id 나 --company")
    loaded = load(Warehouse(Settings().data_dir / "works"), company_id, sources)
    rows = ", ".join(f"{table} {count:,}" for table, count in loaded.rows.items())
    Console().print(f"{loaded.company_id}: {rows} (version {loaded.version})")
