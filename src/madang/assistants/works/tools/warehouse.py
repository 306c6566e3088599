"""A company's data in DuckDB files: made or loaded whole, then only read, within limits of rows and time."""

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import orjson

from madang.assistants.works.data import load
from madang.assistants.works.data.sample import build_sample, sample_version
from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.tools.archive import Archive
from madang.assistants.works.tools.lexicon import Lexicon, Names
from madang.assistants.works.tools.periods import Days
from madang.assistants.works.tools.query_notes import note_query
from madang.assistants.works.tools.sql_guard import check_select
from madang.assistants.works.tools.time_limit import TimeLimit
from madang.errors import InvalidName, NotFound

TIME_LIMIT = 20.0
ROW_LIMIT = 1000
KEPT_SAMPLES = 3
KEPT_RESULTS = 64
K = TypeVar("K")
V = TypeVar("V")
_COMPANY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True)
class Table:
    """What a query gave. `truncated` when there were more rows than the limit."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool
    plan: dict[str, Any] | None = None
    cached: bool = False


class _Latest(dict[K, V]):
    """The entries that were made last."""

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        if len(self) > KEPT_RESULTS:
            del self[next(iter(self))]


class Warehouse:
    """Every company's data under one folder. Nothing is opened before it is needed."""

    def __init__(self, folder: Path, time_limit: float = TIME_LIMIT) -> None:
        self.folder = folder
        self._time_limit = TimeLimit(time_limit)
        self.archive = Archive(folder / "archive.duckdb")
        self._lock = threading.RLock()
        self._open: dict[Path, Any] = {}
        self._lexicons: dict[str, Lexicon] = {}
        self._coverage: dict[str, Days | None] = {}
        self._plans: _Latest[tuple[Path, str], dict[str, Any] | None] = _Latest()
        self._results: _Latest[tuple[str, ...], Table] = _Latest()

    def path(self, company_id: str, today: date) -> Path:
        """The file with the company's data; the sample company's is made when it isn't there yet.

        Raises `NotFound` for a company without data, `InvalidName` for an id that can't be one.
        """
        pointer = self.company_folder(company_id) / "current"
        if pointer.exists():
            return pointer.parent / pointer.read_text("utf-8").strip()
        if company_id == load("company")["company_id"]:
            return self._sample(today)
        raise NotFound(f"{company_id} 회사의 판매 자료가 없습니다. madang data load sales 로 불러오세요")

    def company_folder(self, company_id: str) -> Path:
        if not _COMPANY.fullmatch(company_id):
            raise InvalidName(f"회사 식별자로 쓸 수 없습니다: {company_id!r}")
        return self.folder / "companies" / company_id

    def version(self, company_id: str, today: date) -> str:
        """What tells one state of the company's data from another."""
        return f"{self.path(company_id, today).stem}:{self.archive.version}"

    def is_sample(self, company_id: str, today: date) -> bool:
        return self.path(company_id, today).name.startswith("sample-")

    def _sample(self, today: date) -> Path:
        path = self.folder / f"{sample_version(today)}.duckdb"
        with self._lock:
            if not path.exists():
                self.folder.mkdir(parents=True, exist_ok=True)
                make_file(path, lambda connection: build_sample(connection, today))
                self._forget_old_samples(path)
        return path

    def _forget_old_samples(self, newest: Path) -> None:
        files = sorted(self.folder.glob("sample-*.duckdb"), key=lambda p: p.stat().st_mtime)
        for old in files[:-KEPT_SAMPLES]:
            if old != newest and old not in self._open:
                old.unlink(missing_ok=True)

    def _connection(self, path: Path) -> Any:
        with self._lock:
            if path not in self._open:
                self._open[path] = duckdb.connect(str(path), read_only=True)
                # DuckDB 2.0 packs a sum into 8 bits before a sort where a joined table is empty (conversion error).
                self._open[path].execute("SET disabled_optimizers = 'compressed_materialization'")
            return self._open[path]

    def close(self) -> None:
        """Let every file go."""
        with self._lock:
            for connection in self._open.values():
                connection.close()
            self._open.clear()

    def run(
        self,
        company_id: str,
        today: date,
        sql: str,
        parameters: dict[str, Any],
        *,
        explain: bool = False,
        most: int = ROW_LIMIT,
    ) -> Table:
        """The rows of one SELECT over the company's own data, at most `most` of them.

        Raises `AccessDenied` for anything else, `ServiceUnavailable` when the time limit is over.
        """
        check_select(sql)
        parameters = {**parameters, "company": company_id}
        key = (
            company_id,
            self.version(company_id, today),
            str(most),
            sql,
            orjson.dumps(parameters, default=str).decode(),
        )
        with self._lock:
            if key in self._results:
                return replace(self._results[key], cached=True)
            self._results[key] = self._execute(self.path(company_id, today), sql, parameters, explain, most)
            return self._results[key]

    def _execute(self, path: Path, sql: str, parameters: dict[str, Any], explain: bool, most: int) -> Table:
        with self._attached(path) as connection, self._time_limit.on(connection):
            plan = self._plan(connection, path, sql, parameters) if explain else None
            note_query(sql)
            cursor = connection.execute(sql, parameters)
            names = tuple(column[0] for column in cursor.description)
            rows = cursor.fetchmany(most + 1)
        return Table(names, tuple(rows[:most]), len(rows) > most, plan)

    def _plan(self, connection: Any, path: Path, sql: str, parameters: dict[str, Any]) -> dict[str, Any] | None:
        """How the database will run a statement; values are parameters, so one plan serves every question like it."""
        if (path, sql) not in self._plans:
            self._plans[path, sql] = _plan(connection, sql, parameters)
        return self._plans[path, sql]

    @contextmanager
    def _attached(self, path: Path) -> Iterator[Any]:
        """The company's file, with what was filed beside it when there is any; one query at a time."""
        with self._lock:
            connection = self._connection(path)
            with self.archive.attached(connection):
                yield connection

    def lexicon(self, company_id: str, today: date) -> Lexicon:
        """The words a question of this company may use, its own names among them."""
        path = self.path(company_id, today)
        key = f"{company_id}:{path.name}"
        with self._lock:
            if key not in self._lexicons:
                self._lexicons[key] = Lexicon(Names(self._names(path, company_id)))
            return self._lexicons[key]

    def coverage(self, company_id: str, today: date) -> Days | None:
        """The first and the last day that there are sales of; None for a company that has none."""
        path = self.path(company_id, today)
        key = f"{path}:{company_id}"
        with self._lock:
            if key not in self._coverage:
                sql = "SELECT MIN(date), MAX(date) FROM sales WHERE company_id = ?"
                first, last = self._connection(path).execute(sql, [company_id]).fetchall()[0]
                self._coverage[key] = Days(first, last) if first else None
            return self._coverage[key]

    def _names(self, path: Path, company_id: str) -> dict[str, tuple[str, ...]]:
        found: dict[str, set[str]] = {}
        connection = self._connection(path)
        for name, spec in semantics().dimensions.items():
            for table in spec.of:
                rows = connection.execute(
                    f"SELECT DISTINCT {spec.column} FROM {table} WHERE company_id = ? AND {spec.column} IS NOT NULL",  # noqa: S608
                    [company_id],
                ).fetchall()
                found.setdefault(name, set()).update(str(row[0]) for row in rows)
        return {name: tuple(sorted(values)) for name, values in found.items()}


def make_file(path: Path, fill: Any) -> None:
    """A DuckDB file that is there whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    part.unlink(missing_ok=True)
    connection = duckdb.connect(str(part))
    try:
        connection.execute("BEGIN")
        fill(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        part.unlink(missing_ok=True)
        raise
    connection.close()
    part.replace(path)


def _plan(connection: Any, sql: str, parameters: dict[str, Any]) -> dict[str, Any] | None:
    text = connection.execute(f"EXPLAIN (FORMAT json) {sql}", parameters).fetchall()[0][1]
    nodes = orjson.loads(text)
    return _slim(nodes[0]) if nodes else None


def _slim(node: dict[str, Any]) -> dict[str, Any]:
    info = node.get("extra_info") or {}
    slim: dict[str, Any] = {"operator": node.get("name"), "rows": info.get("Estimated Cardinality")}
    if info.get("Table"):
        slim["table"] = info["Table"]
    if node.get("children"):
        slim["children"] = [_slim(child) for child in node["children"]]
    return slim
