"""Loading a company's own data by a mapping: reported on first, then all or nothing, in the place of what is there
or added to it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from madang.assistants.works.data.tables import COLUMNS, KEYS, REFERENCES, create_tables
from madang.assistants.works.tools.sales_data.checks import find_problems, report_on
from madang.assistants.works.tools.sales_data.incoming import add_incoming, make_incoming
from madang.assistants.works.tools.sales_data.mapping import Place, Source
from madang.assistants.works.tools.sales_data.report import LoadReport
from madang.assistants.works.tools.sales_data.staging import Staging, stage
from madang.assistants.works.tools.warehouse import Warehouse, make_file
from madang.errors import FieldProblem, InvalidInput, InvalidState

KEPT_FILES = 2
"""The current file and the one before it, which others may still be reading."""

MEMORY = "1GB"
Progress = Callable[[int, int], None]
_LOADS = "CREATE TABLE IF NOT EXISTS loads (loaded_at VARCHAR, tbl VARCHAR, place VARCHAR, mapped VARCHAR)"


@dataclass(frozen=True)
class Loading:
    """How to load: `add` to what is there instead of in its place, `skip_bad` rows, `check` and load nothing."""

    add: bool = False
    skip_bad: bool = False
    check: bool = False


@dataclass(frozen=True)
class LoadedSales:
    """What is there now: rows by table and its version (None when it was only checked), and what was found."""

    company_id: str
    rows: dict[str, int]
    version: str | None
    report: LoadReport


def load_sales(
    warehouse: Warehouse,
    company_id: str,
    sources: tuple[Source, ...],
    loading: Loading = Loading(),  # noqa: B008 - frozen
    progress: Progress = lambda _done, _all: None,
) -> LoadedSales:
    """Read and check everything, write a new file, then make it the company's current one.

    Raises `InvalidState` with each problem named by file, row, column and words; nothing is changed then.
    """
    folder = warehouse.company_folder(company_id)
    pointer = folder / "current"
    current = pointer.parent / pointer.read_text("utf-8").strip() if loading.add and pointer.exists() else None
    stamps = "".join(_stamp(source) for source in sources)
    version = blake2b(f"{current}{stamps}".encode(), digest_size=6).hexdigest()
    found: list[LoadReport] = []
    counts: dict[str, int] = {}

    def fill(connection: Any) -> None:
        staging = _prepare(connection, sources, current, progress)
        report = report_on(staging)
        found.append(report)
        if report.problem_count and not (loading.skip_bad or loading.check):
            text = "\n".join(report.lines())
            raise InvalidState(report.problems, f"자료에 문제가 있어 아무것도 불러오지 않았습니다.\n{text}")
        for source in sources:
            report.notes += make_incoming(staging, source)
            report.notes += add_incoming(staging, source, company_id, adding=current is not None)
        _note_load(connection, sources)
        counts.update({t: staging.count(f"SELECT count(*) FROM {t}") for t in COLUMNS})  # noqa: S608

    if loading.check:
        with TemporaryDirectory() as elsewhere:
            make_file(Path(elsewhere) / "sales.duckdb", fill)
        return LoadedSales(company_id, {}, None, found[0])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"sales-{version}.duckdb"
    make_file(path, fill)
    (folder / ".current").write_text(path.name, "utf-8")
    (folder / ".current").replace(pointer)
    _forget_old(folder, path)
    progress(1, 1)
    return LoadedSales(company_id, {table: count for table, count in counts.items() if count}, version, found[0])


def _prepare(connection: Any, sources: tuple[Source, ...], current: Path | None, progress: Progress) -> Staging:
    connection.execute(f"SET memory_limit = '{MEMORY}'")
    connection.execute("SET enable_progress_bar = false")
    create_tables(connection)
    connection.execute(_LOADS)
    if current is not None:
        _copy(connection, current, sources)
    _check_tables(connection, sources)
    with TemporaryDirectory() as scratch:
        staging = stage(connection, sources, Path(scratch), progress)
    find_problems(staging)
    return staging


def _copy(connection: Any, current: Path, sources: tuple[Source, ...]) -> None:
    """What is there already. Raises `InvalidInput` when the same row could not be known again."""
    where = str(current).replace("'", "''")
    connection.execute(f"ATTACH '{where}' AS before (READ_ONLY)")
    have = {
        row[0]
        for row in connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE database_name = 'before'"
        ).fetchall()
    }
    for table in (*COLUMNS, "loads"):
        if table in have:
            connection.execute(f"INSERT INTO {table} SELECT * FROM before.{table}")  # noqa: S608
    for source in sources:
        if KEYS.get(source.table) in (None, *source.columns):
            continue
        rows = connection.execute("SELECT DISTINCT mapped FROM loads WHERE tbl = ?", [source.table]).fetchall()
        if any(columns != _columns(source) for (columns,) in rows):
            raise InvalidInput(
                f"{source.table}: {KEYS[source.table]} 없이 더하려면 먼저 불러온 것과 열이 같아야 합니다 "
                f"(먼저: {rows[0][0]}; 이번: {_columns(source)})"
            )


def _check_tables(connection: Any, sources: tuple[Source, ...]) -> None:
    """Each code that a table refers by must have a table that says what it stands for."""
    tables = {source.table for source in sources}
    problems = [
        FieldProblem(f"tables.{target}", f"없습니다 (tables.{source.table}의 {column})")
        for source in sources
        for column, target in REFERENCES.items()
        if column in source.columns
        and target not in tables
        and not connection.execute(f"SELECT 1 FROM {target} LIMIT 1").fetchall()  # noqa: S608
    ]
    if "sales" not in tables and not connection.execute("SELECT 1 FROM sales LIMIT 1").fetchall():
        problems.append(FieldProblem("tables.sales", "없습니다"))
    if problems:
        raise InvalidState(list(dict.fromkeys(problems)))


def _columns(source: Source) -> str:
    return ", ".join(sorted(source.columns))


def _note_load(connection: Any, sources: tuple[Source, ...]) -> None:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    connection.executemany(
        "INSERT INTO loads VALUES (?, ?, ?, ?)",
        [[now, s.table, place.label, _columns(s)] for s in sources for place in s.places],
    )


def _stamp(source: Source) -> str:
    places = "".join(f"{place}{_changed(place)}" for place in source.places)
    return f"{source.table}{places}{sorted(source.columns.items())}"


def _changed(place: Place) -> str:
    """What tells one state of a place from another: a database has none, and is another each time."""
    if place.file is None:
        return datetime.now(UTC).isoformat()
    try:
        stat = place.file.stat()
    except OSError as error:
        raise InvalidInput(f"파일이 없습니다: {place.file}") from error
    return f"{stat.st_mtime_ns}{stat.st_size}"


def _forget_old(folder: Path, newest: Path) -> None:
    files = sorted(folder.glob("sales-*.duckdb"), key=lambda file: (file == newest, file.stat().st_mtime_ns))
    for old in files[:-KEPT_FILES]:
        old.unlink(missing_ok=True)
