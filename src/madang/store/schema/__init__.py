"""The schema: is it there, is it ours, is it ours of today. Alembic is imported only when something must change."""

import logging
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from madang.errors import ForeignTables, SchemaOutdated, UnknownSchemaVersion, needs_extra

if TYPE_CHECKING:
    from sqlalchemy import Connection as SqlConnection

logger = logging.getLogger(__name__)

VERSION_TABLE = "madang_version"
TABLES = frozenset(
    [
        "users",
        "api_keys",
        "memories",
        "chat_sessions",
        "chat_messages",
        "checkpoints",
        "checkpoint_blobs",
        "checkpoint_writes",
        "chunks",
        "runs",
        "run_events",
        "documents",
        "blobs",
    ]
)
_FOLDER = Path(__file__).parent
_LOCK = 0x4D41_4441_4E47


@lru_cache(maxsize=1)
def head() -> str:
    """The newest revision that this Madang knows."""
    return max(path.name.split("_")[0] for path in (_FOLDER / "versions").glob("[0-9]*_*.py"))


def judge(version: str | None, tables: Iterable[str]) -> bool:
    """Whether the schema is of today (else it is empty or older).

    Raises `ForeignTables` if tables of our names exist without our version, `UnknownSchemaVersion` if it is newer.
    """
    if version is None:
        foreign = sorted(TABLES & set(tables))
        if foreign:
            raise ForeignTables(
                f"the database already has tables that are not Madang's: {', '.join(foreign)}. "
                "Use another database, or `madang db adopt` to copy LangGraph's checkpoints over",
                tables=foreign,
            )
        return False
    if version > head():
        raise UnknownSchemaVersion(
            f"the database was written by a newer Madang (schema {version}, this one knows {head()}): upgrade Madang",
            version=version,
        )
    return version == head()


def prepare_sqlite(connection: sqlite3.Connection, path: str) -> None:
    """Sets up an empty SQLite database, upgrades an outdated one after a back-up copy. Raises as `judge` does."""
    if judge(*_look_sqlite(connection)):
        return
    with closing(connection.cursor()) as cursor:
        cursor.execute("BEGIN IMMEDIATE")
        try:
            version, tables = _look_sqlite(connection)
            if not judge(version, tables):
                if version is not None and path:
                    _back_up(path, version)
                _migrate_sqlite(connection)
            connection.commit()
        except BaseException:
            connection.rollback()
            raise


def prepare_postgres(url: str, *, upgrade: bool = False) -> None:
    """Sets up an empty Postgres database; with `upgrade` brings an outdated one up to date.

    Raises `SchemaOutdated` when it is outdated and `upgrade` is not given, else as `judge` does.
    """
    with needs_extra("postgres", "a Postgres database"):
        import psycopg

    with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        if judge(*_look_postgres(connection)):
            return

    from sqlalchemy import NullPool, create_engine

    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(url, prepare_threshold=None, connect_timeout=10),
        poolclass=NullPool,
    )
    with engine.begin() as owner:
        # Several processes may meet an empty database at once: one sets it up, the others find it done.
        owner.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        version, tables = _look_postgres(owner.connection)
        if judge(version, tables):
            return
        if version is not None and not upgrade:
            raise SchemaOutdated(
                f"the database has schema {version}, this Madang needs {head()}: run `madang db upgrade`",
                version=version,
            )
        _migrate(owner)


def _look_sqlite(connection: sqlite3.Connection) -> tuple[str | None, set[str]]:
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if VERSION_TABLE not in tables:
        return None, tables
    row = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()  # noqa: S608
    return (row[0] if row else None), tables


def _look_postgres(connection: Any) -> tuple[str | None, set[str]]:
    cursor = connection.cursor()
    cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(false))")
    tables = {row[0] for row in cursor}
    if VERSION_TABLE not in tables:
        return None, tables
    row = cursor.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()  # noqa: S608
    return (row[0] if row else None), tables


def _back_up(path: str, version: str) -> None:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    copy = f"{path}.{version}.{stamp}.bak"
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    logger.info("backed up before the upgrade", extra={"path": path, "copy": copy})


def _migrate_sqlite(connection: sqlite3.Connection) -> None:
    from sqlalchemy import StaticPool, create_engine

    engine = create_engine("sqlite://", creator=lambda: _Borrowed(connection), poolclass=StaticPool)
    with engine.connect() as owner:
        _migrate(owner)


def _migrate(connection: "SqlConnection") -> None:
    """Runs Alembic on a connection whose transaction the caller has begun and will end. Raises `SchemaOutdated`."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy.exc import DBAPIError

    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except DBAPIError as problem:
        raise SchemaOutdated(f"the upgrade failed, and the database is as it was: {problem.orig}") from problem


class _Borrowed:
    """A connection that SQLAlchemy may use but neither end nor close: its transaction is the caller's."""

    def __init__(self, connection: Any) -> None:
        self.__dict__["_connection"] = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def __setattr__(self, name: str, value: Any) -> None:
        pass

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def close(self) -> None: ...
