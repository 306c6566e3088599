"""A small sample company for the tests of works, built once."""

from datetime import date
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from madang.assistants.works.data.sample import build_sample
from madang.assistants.works.data.tables import COLUMNS
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.warehouse import Warehouse, make_file

TODAY = date(2026, 3, 11)
RIVAL = "rival"


@lru_cache(maxsize=1)
def sample_file() -> Path:
    """One file with two companies' rows in it: only the filter keeps them apart."""
    path = Path(mkdtemp(prefix="works-")) / "both.duckdb"

    def fill(connection: Any) -> None:
        build_sample(connection, TODAY, months=26, customers=260)
        build_sample(connection, TODAY, company_id=RIVAL, seed=7, months=3, customers=60)

    make_file(path, fill)
    return path


def warehouse_at(folder: Path) -> Warehouse:
    """A warehouse in `folder` whose sample company is the shared small one."""
    for company in ("sample", RIVAL):
        home = folder / "companies" / company
        home.mkdir(parents=True, exist_ok=True)
        (home / "current").write_text(str(sample_file()), "utf-8")
    return Warehouse(folder)


@lru_cache(maxsize=1)
def rows(company_id: str = "sample") -> dict[str, list[dict[str, Any]]]:
    """Every table as plain rows, for computing things again without SQL."""
    import duckdb

    connection = duckdb.connect(str(sample_file()), read_only=True)
    tables: dict[str, list[dict[str, Any]]] = {}
    for table, columns in COLUMNS.items():
        found = connection.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE company_id = ?", [company_id])
        tables[table] = [dict(zip(columns, row, strict=True)) for row in found.fetchall()]
    connection.close()
    return tables


@lru_cache(maxsize=1)
def shared_lexicon() -> Lexicon:
    """The sample company's words, read once for all tests."""
    return warehouse_at(Path(mkdtemp(prefix="works-"))).lexicon("sample", TODAY)
