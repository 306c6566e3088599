"""Rows of a database as a source: Postgres, a DuckDB or SQLite file, others by DuckDB's scanner for them."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import date, datetime, time
from itertools import chain, islice
from typing import Any
from urllib.parse import urlsplit

import duckdb

from madang.assistants.works.tools.sales_data.mapping import Place
from madang.assistants.works.tools.sales_data.records import Line
from madang.errors import InvalidInput, ServiceUnavailable, needs_extra

FETCHED = 5_000
POSTGRES = ("postgresql", "postgres")
_SQLITE = b"SQLite format 3\x00"
_POSTGRES_TABLES = (
    "SELECT CASE table_schema WHEN 'public' THEN table_name ELSE table_schema || '.' || table_name END "
    "FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1"
)
_SQLITE_TABLES = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY 1"


def table_lines(place: Place) -> Iterator[Line]:
    """The names of the columns, then every row. Raises `InvalidInput`, or `ServiceUnavailable` for a server."""
    if not place.table:
        raise InvalidInput(f"{place.label}: 어느 표인지 table을 적어 주세요 (있는 표: {', '.join(table_names(place))})")
    name = ".".join('"' + part.replace('"', '""') + '"' for part in place.table.split("."))
    return _query(place, f"SELECT * FROM {name}")  # noqa: S608


def table_names(place: Place) -> list[str]:
    """The tables of a database."""
    sql = _POSTGRES_TABLES if _is_postgres(place) else _SQLITE_TABLES if _is_sqlite(place) else "SHOW TABLES"
    return [line.cells[0] for line in islice(_query(place, sql), 1, None)]


def as_text(value: Any) -> str:
    """A typed value as it would stand in a CSV."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time.min else value.isoformat(" ")
    return value.isoformat() if isinstance(value, date) else str(value).strip()


def _is_postgres(place: Place) -> bool:
    return urlsplit(place.database).scheme in POSTGRES


def _is_sqlite(place: Place) -> bool:
    if place.file is None:
        return False
    with place.file.open("rb") as opened:
        return opened.read(len(_SQLITE)) == _SQLITE


def _query(place: Place, sql: str) -> Iterator[Line]:
    if _is_postgres(place):
        return _postgres(place, sql)
    if place.database:
        return _scanner(place, sql)
    return _sqlite(place, sql) if _is_sqlite(place) else _duckdb(place, sql)


def _numbered(description: Iterable[Any], rows: Iterable[tuple[Any, ...]]) -> Iterator[Line]:
    yield Line(0, [str(column[0]) for column in description])
    for number, row in enumerate(rows, 1):
        yield Line(number, [as_text(value) for value in row])


def _fetched(cursor: Any) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(FETCHED):
        yield from rows


def _postgres(place: Place, sql: str) -> Iterator[Line]:
    with needs_extra("postgres", "a Postgres source"):
        import psycopg
    try:
        with psycopg.connect(place.database, connect_timeout=10) as connection:
            connection.read_only = True
            with connection.cursor(name="sales") as cursor:
                cursor.execute(sql.encode())
                first = cursor.fetchmany(FETCHED)
                yield from _numbered(cursor.description or (), chain(first, _fetched(cursor)))
    except psycopg.OperationalError as error:
        raise ServiceUnavailable(f"{place.label}: 데이터베이스에 닿을 수 없습니다: {error}") from error
    except psycopg.Error as error:
        raise InvalidInput(f"{place.label}: 읽을 수 없습니다: {_first(error)}") from error


def _sqlite(place: Place, sql: str) -> Iterator[Line]:
    assert place.file is not None
    try:
        with closing(sqlite3.connect(f"{place.file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            cursor = connection.execute(sql)
            yield from _numbered(cursor.description, _fetched(cursor))
    except sqlite3.Error as error:
        raise InvalidInput(f"{place.label} 파일을 읽을 수 없습니다: {error}") from error


def _duckdb(place: Place, sql: str) -> Iterator[Line]:
    try:
        with duckdb.connect(str(place.file), read_only=True) as connection:
            cursor = connection.execute(sql)
            yield from _numbered(cursor.description, _fetched(cursor))
    except duckdb.Error as error:
        raise InvalidInput(f"{place.label} 파일을 읽을 수 없습니다: {_first(error)}") from error


def _scanner(place: Place, sql: str) -> Iterator[Line]:
    kind = urlsplit(place.database).scheme
    if not kind.isalpha():
        raise InvalidInput(f"{place.label}: 데이터베이스 주소가 아닙니다 (postgresql://…)")
    with duckdb.connect() as connection:
        try:
            connection.execute("SET autoinstall_known_extensions = false")
            connection.execute(f"LOAD {kind}")
        except duckdb.Error as error:
            needed = f"{kind} 데이터베이스를 읽으려면 DuckDB의 {kind} 확장이 설치되어 있어야 합니다 (INSTALL {kind})"
            raise InvalidInput(f"{place.label}: {needed}: {_first(error)}") from error
        try:
            connection.execute(f"ATTACH ? AS outside (TYPE {kind}, READ_ONLY)", [place.database])
            cursor = connection.execute("USE outside").execute(sql)
            yield from _numbered(cursor.description, _fetched(cursor))
        except duckdb.Error as error:
            raise InvalidInput(f"{place.label}: 읽을 수 없습니다: {_first(error)}") from error


def _first(error: Exception) -> str:
    return str(error).splitlines()[0]
