"""Loading a company's own data from CSV files or a DuckDB file, by a mapping file. All or nothing."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import duckdb

from madang.assistants.works.data.tables import COLUMNS, KEYS, REFERENCES, create_tables
from madang.assistants.works.tools.warehouse import Warehouse, make_file
from madang.errors import FieldProblem, InvalidInput, InvalidState

NEEDED = ("reps", "customers", "products", "sales")
OPTIONAL_COLUMNS = {
    "customers": ("specialty", "grade", "registered_on"),
    "products": ("price",),
    "sales": ("sale_id",),
    "visits": ("visit_id", "purpose", "note"),
    "seminars": ("product_id", "title", "place", "attendee_count", "cost"),
    "benefits": ("benefit_id", "recipient", "kind", "people", "seminar_id"),
}
MOST_PROBLEMS = 50
Report = Callable[[int, int], None]
_NAME = re.compile(r"[A-Za-z0-9_가-힣 .()\-/]{1,100}")


@dataclass(frozen=True)
class Source:
    """Where one table comes from: a file (and a table in it), and our column → its column."""

    table: str
    file: Path
    columns: Mapping[str, str]
    name: str = ""
    delimiter: str = ","
    encoding: str = "utf-8"

    def problem(self, row: int, column: str, what: str) -> FieldProblem:
        return FieldProblem(f"{self.file.name} {row}행 '{self.columns[column]}'", what)


@dataclass(frozen=True)
class Loaded:
    """What was loaded: rows by table, and the version it has now."""

    company_id: str
    rows: dict[str, int]
    version: str


def read_mapping(path: Path, folder: Path | None = None) -> tuple[str | None, list[Source]]:
    """The company and the sources that a mapping file names. Raises `InvalidInput` or `InvalidState` naming fields."""
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(f"매핑 파일을 읽을 수 없습니다 ({path}): {error}") from error
    base = folder or path.parent
    tables = raw.get("tables")
    if not isinstance(tables, dict):
        raise InvalidState([FieldProblem("tables", "없습니다", "[tables.sales] …")])
    problems: list[FieldProblem] = []
    sources: list[Source] = []
    for table, one in tables.items():
        problems += (found := _mapping_problems(table, one))
        if not found:
            options = {name: str(one[name]) for name in ("delimiter", "encoding") if name in one}
            sources.append(
                Source(table, base / one["file"], dict(one["columns"]), str(one.get("table", "")), **options)
            )
    problems += [FieldProblem(f"tables.{name}", "없습니다") for name in NEEDED if name not in tables]
    if problems:
        raise InvalidState(problems)
    company = raw.get("company_id")
    return (str(company) if company else None), sources


def _mapping_problems(table: str, one: Any) -> list[FieldProblem]:
    if table not in COLUMNS:
        return [FieldProblem(f"tables.{table}", "모르는 표입니다", ", ".join(COLUMNS))]
    if not isinstance(one, dict) or not isinstance(one.get("file"), str) or not isinstance(one.get("columns"), dict):
        return [FieldProblem(f"tables.{table}", "file과 columns가 필요합니다")]
    columns: dict[str, Any] = one["columns"]
    known = set(COLUMNS[table]) - {"company_id"}
    problems = [
        FieldProblem(f"tables.{table}.columns.{name}", "모르는 열입니다", ", ".join(sorted(known)))
        for name in columns
        if name not in known
    ]
    needed = known - set(OPTIONAL_COLUMNS.get(table, ()))
    problems += [FieldProblem(f"tables.{table}.columns.{n}", "없습니다") for n in sorted(needed) if n not in columns]
    problems += [
        FieldProblem(f"tables.{table}.columns.{name}", f"열 이름으로 쓸 수 없습니다: {value!r}")
        for name, value in columns.items()
        if not isinstance(value, str) or not _NAME.fullmatch(value)
    ]
    return problems


def load_sales(
    warehouse: Warehouse, company_id: str, sources: list[Source], report: Report = lambda _done, _all: None
) -> Loaded:
    """Check everything, write a new file, then make it the company's current one. `report` hears how far it is.

    Raises `InvalidState` with each problem named by file, row and column; nothing is changed then.
    """
    folder = warehouse.company_folder(company_id)
    folder.mkdir(parents=True, exist_ok=True)
    version = blake2b("".join(_stamp(s) for s in sources).encode(), digest_size=6).hexdigest()
    path = folder / f"sales-{version}.duckdb"
    rows: dict[str, int] = {}
    steps = 3 * len(sources)

    def fill(connection: Any) -> None:
        create_tables(connection)
        for done, source in enumerate(sources):
            report(done, steps)
            _stage(connection, source)
        for source in sources:
            _name_ids(connection, source)
        problems: list[FieldProblem] = []
        for done, source in enumerate(sources, len(sources)):
            report(done, steps)
            problems += _value_problems(connection, source, {s.table for s in sources})
            if len(problems) >= MOST_PROBLEMS:
                break
        if problems:
            raise InvalidState(problems[:MOST_PROBLEMS], f"자료에 문제가 있어 불러오지 않았습니다: {_first(problems)}")
        for done, source in enumerate(sources, 2 * len(sources)):
            report(done, steps)
            rows[source.table] = _insert(connection, source, company_id)

    make_file(path, fill)
    pointer = folder / ".current"
    pointer.write_text(path.name, "utf-8")
    pointer.replace(folder / "current")
    report(steps, steps)
    return Loaded(company_id, rows, version)


def _first(problems: list[FieldProblem]) -> str:
    more = f" (그 밖에 {len(problems) - 5}건)" if len(problems) > 5 else ""
    return "; ".join(map(str, problems[:5])) + more


def _stamp(source: Source) -> str:
    try:
        stat = source.file.stat()
    except OSError as error:
        raise InvalidInput(f"파일이 없습니다: {source.file}") from error
    return f"{source.table}{source.file}{stat.st_mtime_ns}{stat.st_size}{sorted(source.columns.items())}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _stage(connection: Any, source: Source) -> None:
    """The file's rows as text, numbered as a person counts them (the header is row 1)."""
    table = f"staged_{source.table}"
    try:
        if source.file.suffix in {".duckdb", ".db"}:
            where = str(source.file).replace("'", "''")
            alias = "outside_" + blake2b(str(source.file).encode(), digest_size=6).hexdigest()
            connection.execute(f"ATTACH IF NOT EXISTS '{where}' AS {alias} (READ_ONLY)")
            connection.execute(
                f"CREATE TEMP TABLE {table} AS SELECT row_number() OVER () AS row_no, * "  # noqa: S608
                f"FROM {alias}.{_quoted(source.name)}"
            )
        else:
            connection.execute(
                f"CREATE TEMP TABLE {table} AS SELECT row_number() OVER () + 1 AS row_no, * FROM "  # noqa: S608
                "read_csv(?, all_varchar=true, header=true, delim=?, quote='\"', encoding=?, strict_mode=true)",
                [str(source.file), source.delimiter, source.encoding],
            )
    except duckdb.Error as error:
        raise InvalidInput(f"{source.file.name} 파일을 읽을 수 없습니다: {str(error).splitlines()[0]}") from error
    have = {row[0] for row in connection.execute(f"DESCRIBE {table}").fetchall()}
    if missing := [c for c in source.columns.values() if c not in have]:
        raise InvalidState([FieldProblem(f"{source.file.name}: {c}", "열이 없습니다") for c in missing])


def _typed(source: Source, column: str) -> str:
    """SQL that reads a column's text as its type, null when it isn't one."""
    text = f"trim(CAST({_quoted(source.columns[column])} AS VARCHAR))"
    kind = COLUMNS[source.table][column]
    if kind == "DATE":
        plain = f"regexp_replace({text}, '[./]', '-', 'g')"
        return f"coalesce(TRY_CAST({plain} AS DATE), try_strptime({text}, '%Y%m%d')::DATE)"
    if kind == "BIGINT":
        return f"TRY_CAST(regexp_replace({text}, '[,원\\s]', '', 'g') AS BIGINT)"
    return f"nullif({text}, '')"


def _value_problems(connection: Any, source: Source, tables: set[str]) -> list[FieldProblem]:
    problems: list[FieldProblem] = []
    staged, optional = f"staged_{source.table}", OPTIONAL_COLUMNS.get(source.table, ())
    for column, theirs in source.columns.items():
        raw = f"nullif(trim(CAST({_quoted(theirs)} AS VARCHAR)), '')"
        allowed_empty = f"{raw} IS NULL AND {str(column in optional).upper()}"
        bad = connection.execute(
            f"SELECT row_no, {raw} FROM {staged} WHERE {_typed(source, column)} IS NULL AND NOT ({allowed_empty}) "  # noqa: S608
            f"ORDER BY row_no LIMIT {MOST_PROBLEMS}"
        ).fetchall()
        what = "날짜가 아닙니다" if COLUMNS[source.table][column] == "DATE" else "정수가 아닙니다"
        problems += [source.problem(row, column, f"{what} ({v!r})" if v else "비어 있습니다") for row, v in bad]
    return [*problems, *_key_problems(connection, source), *_reference_problems(connection, source, tables)]


def _key_problems(connection: Any, source: Source) -> list[FieldProblem]:
    key = KEYS.get(source.table)
    if key is None or key not in source.columns:
        return []
    value = _typed(source, key)
    rows = connection.execute(
        f"SELECT max(row_no), {value} FROM staged_{source.table} WHERE {value} IS NOT NULL GROUP BY {value} "  # noqa: S608
        f"HAVING count(*) > 1 ORDER BY 1 LIMIT {MOST_PROBLEMS}"
    ).fetchall()
    return [source.problem(row, key, f"같은 값이 또 있습니다 ({v!r})") for row, v in rows]


def _reference_problems(connection: Any, source: Source, tables: set[str]) -> list[FieldProblem]:
    problems: list[FieldProblem] = []
    for column, target in REFERENCES.items():
        if column not in source.columns or target == source.table or target not in tables:
            continue
        ours = _typed(source, column)
        rows = connection.execute(
            f"SELECT s.row_no, s.v FROM (SELECT row_no, {ours} AS v FROM staged_{source.table}) AS s "  # noqa: S608
            f"WHERE s.v IS NOT NULL AND s.v NOT IN (SELECT v FROM ids_{target}) ORDER BY 1 LIMIT {MOST_PROBLEMS}"
        ).fetchall()
        problems += [source.problem(row, column, f"{target}에 없는 값입니다 ({v!r})") for row, v in rows]
    return problems


def _name_ids(connection: Any, source: Source) -> None:
    """The ids that other tables may refer to, as a view."""
    key = KEYS.get(source.table)
    if key is not None and source.table in REFERENCES.values() and key in source.columns:
        connection.execute(
            f"CREATE TEMP VIEW ids_{source.table} AS SELECT {_typed(source, key)} AS v FROM staged_{source.table} "  # noqa: S608
            f"WHERE {_typed(source, key)} IS NOT NULL"
        )


def _insert(connection: Any, source: Source, company_id: str) -> int:
    columns = list(source.columns)
    names = ", ".join(["company_id", *columns])
    values = ", ".join(["?", *(_typed(source, c) for c in columns)])
    connection.execute(
        f"INSERT INTO {source.table} ({names}) SELECT {values} FROM staged_{source.table}",  # noqa: S608
        [company_id],
    )
    found = connection.execute(f"SELECT count(*) FROM {source.table}").fetchone()  # noqa: S608
    return int(found[0])
