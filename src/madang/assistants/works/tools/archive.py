"""What the assistant itself keeps for a company: rows beside the loaded data, documents with versions."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import orjson

from madang.assistants.works.data.tables import ARCHIVED, create_tables
from madang.assistants.works.tools.query_notes import note_query
from madang.errors import ServiceUnavailable

LOCK_TIMEOUT = 5.0
_DOCUMENTS = (
    "CREATE TABLE IF NOT EXISTS documents (company_id VARCHAR, document_id VARCHAR, version INTEGER, "
    "document_type VARCHAR, title VARCHAR, content VARCHAR, metadata VARCHAR, location VARCHAR, created_by VARCHAR, "
    "created_at VARCHAR)"
)


@dataclass(frozen=True)
class ArchivedDocument:
    """A document as it was filed."""

    document_id: str
    version: int
    document_type: str
    title: str
    content: str
    metadata: dict[str, Any]
    location: str | None
    created_by: str
    created_at: str


class Archive:
    """One DuckDB file for all companies, opened only while something is read or written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()

    @property
    def version(self) -> str:
        """What tells one state of the file from another; empty before anything was filed."""
        try:
            stat = self.path.stat()
        except FileNotFoundError:
            return ""
        return f"{stat.st_mtime_ns:x}"

    @property
    def exists(self) -> bool:
        """Whether anything was ever filed."""
        return self.path.exists()

    def tables(self, name: str) -> list[str]:
        """The tables of that name to read from: the company's loaded one, and the archive's if there is any."""
        return [name, f"archive.{name}"] if self.exists else [name]

    @contextmanager
    def attached(self, connection: Any) -> Iterator[None]:
        """`connection` with the archive's tables beside its own, read-only, as `archive`, if there are any."""
        if not self.exists:
            yield
            return
        with self._lock:
            _when_unlocked(lambda: connection.execute(f"ATTACH '{_quoted(self.path)}' AS archive (READ_ONLY)"))
            try:
                yield
            finally:
                connection.execute("DETACH archive")

    def add(
        self, company_id: str, rows: Mapping[str, Sequence[Mapping[str, Any]]], documents: Sequence[ArchivedDocument]
    ) -> None:
        """Write rows and documents for one company, all or nothing. Raises `ServiceUnavailable` if it stays locked."""
        with self._opened() as connection:
            note_query("INSERT")
            connection.execute("BEGIN")
            try:
                for table, row in ((table, row) for table, many in rows.items() for row in many):
                    _insert(connection, table, {**row, "company_id": company_id})
                for one in documents:
                    kept = {**vars(one), "company_id": company_id, "metadata": orjson.dumps(one.metadata).decode()}
                    _insert(connection, "documents", kept)
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise

    def documents(self, company_id: str) -> list[ArchivedDocument]:
        """The newest version of each of the company's documents, newest first."""
        if not self.exists:
            return []
        with self._opened(read_only=True) as connection:
            note_query("SELECT")
            rows = connection.execute(
                "SELECT * EXCLUDE company_id FROM documents WHERE company_id = ? QUALIFY row_number() OVER "
                "(PARTITION BY document_id ORDER BY version DESC) = 1 ORDER BY created_at DESC",
                [company_id],
            ).fetchall()
        return [ArchivedDocument(a, b, c, d, e, orjson.loads(f), g, h, i) for a, b, c, d, e, f, g, h, i in rows]

    @contextmanager
    def _opened(self, *, read_only: bool = False) -> Iterator[Any]:
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = _when_unlocked(lambda: duckdb.connect(str(self.path), read_only=read_only))
            try:
                if not read_only:
                    create_tables(connection, ARCHIVED)
                    connection.execute(_DOCUMENTS)
                yield connection
            finally:
                connection.close()


def _insert(connection: Any, table: str, row: Mapping[str, Any]) -> None:
    names = ", ".join(f'"{name}"' for name in row)
    marks = ", ".join(f"${name}" for name in row)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", dict(row))  # noqa: S608


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _when_unlocked(attempt: Any) -> Any:
    """Another process may be writing for a moment. Raises `ServiceUnavailable` if it takes longer."""
    until = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            return attempt()
        except duckdb.IOException as error:
            if time.monotonic() > until:
                raise ServiceUnavailable("보관 파일을 다른 프로세스가 쓰고 있습니다") from error
            time.sleep(0.05)
