"""Reading the tables of LangGraph's own savers (`AsyncSqliteSaver`, `AsyncPostgresSaver`), and moving them aside."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.errors import ConfigurationError, NotFound
from madang.store.database_postgres import translated as postgres_errors
from madang.store.database_sqlite import path_of
from madang.store.database_sqlite import translated as sqlite_errors

ASIDE = "langgraph_"
_SQLITE = ("checkpoints", "writes")
_POSTGRES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes", "checkpoint_migrations")


@dataclass(frozen=True)
class StockWrite:
    """A pending write of a task."""

    task_id: str
    task_path: str
    idx: int
    channel: str
    value: Any


@dataclass(frozen=True)
class StockCheckpoint:
    """A checkpoint as LangGraph's saver has it."""

    ns: str
    id: str
    parent: str | None
    checkpoint: dict[str, Any]
    metadata: dict[str, Any]
    writes: Sequence[StockWrite]


class StockTables(Protocol):
    """LangGraph's tables in one database."""

    def move_aside(self) -> list[str]:
        """Give the tables names that aren't ours; the new names. Nothing to do if they have them already."""

    def threads(self) -> list[str]: ...

    def checkpoints(self, thread_id: str, serde: SerializerProtocol) -> Iterator[StockCheckpoint]:
        """A thread's checkpoints, parents first."""


def stock_tables(url: str) -> StockTables:
    """The tables at `url`, under their own names or aside. Raises `NotFound` if there are none."""
    scheme = url.partition(":")[0]
    tables: _StockSqlite | _StockPostgres
    if scheme == "sqlite":
        tables = _StockSqlite(path_of(url))
    elif scheme in ("postgresql", "postgres"):
        tables = _StockPostgres(url)
    else:
        raise ConfigurationError(f"a database URL starts with sqlite:// or postgresql://, not {scheme!r}")
    if not tables.find():
        raise NotFound("there are no checkpoint tables of LangGraph here")
    return tables


class _StockSqlite:
    def __init__(self, path: str) -> None:
        self._path = path
        self._prefix = ""

    def find(self) -> bool:
        with self._connected() as connection:
            for prefix in ("", ASIDE):
                columns = connection.execute("SELECT name FROM pragma_table_info(?)", (f"{prefix}checkpoints",))
                if ("thread_id",) in columns.fetchall():
                    self._prefix = prefix
                    return True
        return False

    def move_aside(self) -> list[str]:
        if self._prefix != ASIDE:
            with self._connected() as connection:
                connection.execute("BEGIN IMMEDIATE")
                for name in _SQLITE:
                    connection.execute(f'ALTER TABLE "{name}" RENAME TO "{ASIDE}{name}"')
                connection.execute("COMMIT")
            self._prefix = ASIDE
        return [f"{ASIDE}{name}" for name in _SQLITE]

    def threads(self) -> list[str]:
        with self._connected() as connection:
            query = f'SELECT DISTINCT thread_id FROM "{self._prefix}checkpoints" ORDER BY thread_id'  # noqa: S608
            return [row[0] for row in connection.execute(query)]

    def checkpoints(self, thread_id: str, serde: SerializerProtocol) -> Iterator[StockCheckpoint]:
        with self._connected() as connection:
            writes = self._writes(connection, thread_id, serde)
            rows = connection.execute(
                "SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata "  # noqa: S608
                f'FROM "{self._prefix}checkpoints" WHERE thread_id = ? ORDER BY checkpoint_ns, checkpoint_id',
                (thread_id,),
            )
            for ns, id_, parent, kind, checkpoint, metadata in rows:
                loaded = serde.loads_typed((kind, checkpoint))
                known = json.loads(metadata) if metadata else {}
                yield StockCheckpoint(ns, id_, parent, loaded, known, writes.get((ns, id_), []))

    def _writes(
        self, connection: sqlite3.Connection, thread_id: str, serde: SerializerProtocol
    ) -> dict[tuple[str, str], list[StockWrite]]:
        table = f"{self._prefix}writes"
        columns = [row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        path = "task_path" if "task_path" in columns else "''"
        rows = connection.execute(
            f"SELECT checkpoint_ns, checkpoint_id, task_id, {path}, idx, channel, type, value "  # noqa: S608
            f'FROM "{table}" WHERE thread_id = ? ORDER BY 4, task_id, idx',
            (thread_id,),
        )
        return _grouped(rows, serde)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with sqlite_errors(self._path), closing(sqlite3.connect(self._path, isolation_level=None)) as connection:
            yield connection


class _StockPostgres:
    def __init__(self, url: str) -> None:
        self._url = url
        self._prefix = ""

    def find(self) -> bool:
        with self._connected() as connection:
            for prefix in ("", ASIDE):
                found = connection.execute(
                    "SELECT 1 FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false)) "
                    "AND table_name = %s AND column_name = 'thread_id'",
                    (f"{prefix}checkpoints",),
                )
                if found.fetchone():
                    self._prefix = prefix
                    return True
        return False

    def move_aside(self) -> list[str]:
        from psycopg import sql

        if self._prefix != ASIDE:
            with self._connected() as connection, connection.transaction():
                # Indexes and keys keep their names when a table is renamed, and ours would meet them.
                indexes = connection.execute(
                    "SELECT indexname FROM pg_indexes WHERE schemaname = ANY (current_schemas(false)) "
                    "AND tablename = ANY (%s)",
                    (list(_POSTGRES),),
                ).fetchall()
                for kind, names in (("INDEX", [row[0] for row in indexes]), ("TABLE", _POSTGRES)):
                    for name in names:
                        renamed = (sql.SQL(kind), sql.Identifier(name), sql.Identifier(f"{ASIDE}{name}"))
                        connection.execute(sql.SQL("ALTER {} IF EXISTS {} RENAME TO {}").format(*renamed))
            self._prefix = ASIDE
        return [f"{ASIDE}{name}" for name in _POSTGRES]

    def threads(self) -> list[str]:
        with self._connected() as connection:
            rows = self._query(connection, "SELECT DISTINCT thread_id FROM {checkpoints} ORDER BY thread_id", "")
            return [row[0] for row in rows]

    def checkpoints(self, thread_id: str, serde: SerializerProtocol) -> Iterator[StockCheckpoint]:
        with self._connected() as connection:
            blobs = {
                (ns, channel, version): (kind, data)
                for ns, channel, version, kind, data in self._query(
                    connection,
                    "SELECT checkpoint_ns, channel, version, type, blob FROM {checkpoint_blobs} "
                    "WHERE thread_id = %(id)s",
                    thread_id,
                )
            }
            writes = _grouped(
                self._query(
                    connection,
                    "SELECT checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob "
                    "FROM {checkpoint_writes} WHERE thread_id = %(id)s ORDER BY task_path, task_id, idx",
                    thread_id,
                ),
                serde,
            )
            rows = self._query(
                connection,
                "SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata FROM {checkpoints} "
                "WHERE thread_id = %(id)s ORDER BY checkpoint_ns, checkpoint_id",
                thread_id,
            )
        for ns, id_, parent, checkpoint, metadata in rows:
            values = dict(checkpoint.get("channel_values") or {})
            for channel, version in checkpoint["channel_versions"].items():
                kind, data = blobs.get((ns, channel, str(version)), ("empty", None))
                if kind != "empty":
                    values[channel] = serde.loads_typed((kind, data or b""))
            whole = {**checkpoint, "channel_values": values}
            yield StockCheckpoint(ns, id_, parent, whole, metadata, writes.get((ns, id_), []))

    def _query(self, connection: Any, text: str, thread_id: str) -> list[Any]:
        from psycopg import sql

        names = {name: sql.Identifier(f"{self._prefix}{name}") for name in _POSTGRES}
        found: list[Any] = connection.execute(sql.SQL(text).format(**names), {"id": thread_id}).fetchall()
        return found

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        import psycopg

        with postgres_errors(), psycopg.connect(self._url, autocommit=True, connect_timeout=10) as connection:
            yield connection


def _grouped(rows: Any, serde: SerializerProtocol) -> dict[tuple[str, str], list[StockWrite]]:
    found: dict[tuple[str, str], list[StockWrite]] = {}
    for ns, checkpoint_id, task_id, task_path, idx, channel, kind, data in rows:
        value = serde.loads_typed((kind, data or b""))
        found.setdefault((ns, checkpoint_id), []).append(StockWrite(task_id, task_path, idx, channel, value))
    return found
