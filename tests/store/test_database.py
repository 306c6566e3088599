"""One database over two backends: set-up rules, transactions, errors that say what to do."""

import asyncio
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from madang.errors import (
    ConfigurationError,
    Conflict,
    ForeignTables,
    SchemaOutdated,
    ServiceUnavailable,
    UnknownSchemaVersion,
)
from madang.store import queries, schema
from madang.store.database import Database

REVISION = """
from alembic import op
revision = "9998"
down_revision = "{down}"
branch_labels = None
depends_on = None

def upgrade() -> None:
    op.execute("ALTER TABLE users ADD COLUMN added_later TEXT")
"""


async def _count(database: Database, table: str) -> int:
    async with database.reader() as reader:
        [row] = await reader.fetch(f"SELECT count(*) AS n FROM {table}")
    return int(row["n"])


async def test_an_empty_database_is_set_up_by_whoever_comes_first(empty_db_url: str) -> None:
    opened = await asyncio.gather(*(Database.open(empty_db_url, pool_size=2) for _ in range(6)))
    async with opened[0].transaction() as tx:
        await tx.execute("INSERT INTO chat_sessions (session_id) VALUES ('s')")
    assert [await _count(database, "chat_sessions") for database in opened] == [1] * 6
    for database in opened:
        await database.close()


async def test_a_database_in_memory() -> None:
    database = await Database.open("sqlite://")
    async with database.transaction() as tx:
        await tx.execute("INSERT INTO users (name) VALUES (:name)", {"name": "영희"})
    async with database.reader() as reader:
        [row] = await reader.fetch("SELECT * FROM users")
    assert row["company_id"] == "sample"
    assert row["created_at"].endswith("+00:00")
    await database.close()


async def test_both_backends_give_json_and_times_as_text(db: Database) -> None:
    async with db.transaction() as tx:
        changed = await tx.execute(
            "INSERT INTO chat_sessions (session_id, metadata, updated_at) VALUES (:s, :m, :t)",
            {"s": "s", "m": '{"a": [1, "가"]}', "t": "2026-11-15T08:00:00.000000+09:00"},
        )
        [row] = await tx.fetch("SELECT metadata, created_at FROM chat_sessions WHERE session_id = :s", {"s": "s"})
    assert changed == 1
    assert row["metadata"] == '{"a": [1, "가"]}'
    assert isinstance(row["created_at"], str)


async def test_an_error_rolls_everything_back(db: Database) -> None:
    async def fail() -> None:
        async with db.transaction() as tx:
            await tx.executemany("INSERT INTO chat_sessions (session_id) VALUES (:s)", [{"s": "a"}, {"s": "b"}])
            raise KeyError

    async def refer_to_nobody() -> None:
        async with db.transaction() as tx:
            await tx.execute("INSERT INTO chat_sessions (session_id) VALUES ('c')")
            await tx.execute("INSERT INTO chat_messages (session_id, role, content) VALUES ('nobody', 'user', 'x')")

    with pytest.raises(KeyError):
        await fail()
    with pytest.raises(Conflict):
        await refer_to_nobody()
    assert await _count(db, "chat_sessions") == 0


async def test_a_cancelled_transaction_leaves_the_database_usable(db: Database) -> None:
    entered = asyncio.Event()

    async def hold() -> None:
        async with db.transaction() as tx:
            await tx.execute("INSERT INTO chat_sessions (session_id) VALUES ('held')")
            entered.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hold())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with db.transaction() as tx:
        await tx.execute("INSERT INTO chat_sessions (session_id) VALUES ('next')")
    async with db.reader() as reader:
        assert [row["session_id"] for row in await reader.fetch("SELECT session_id FROM chat_sessions")] == ["next"]


async def test_transactions_run_beside_each_other(db: Database) -> None:
    async def add(number: int) -> None:
        async with db.transaction() as tx:
            await tx.execute("INSERT INTO chat_sessions (session_id) VALUES (:s)", {"s": str(number)})

    await asyncio.gather(*(add(number) for number in range(50)), *(_count(db, "chat_sessions") for _ in range(20)))
    assert await _count(db, "chat_sessions") == 50


async def _stock(url: str) -> None:
    if url.startswith("sqlite"):
        async with AsyncSqliteSaver.from_conn_string(url.removeprefix("sqlite:///")) as stock:
            await stock.setup()
    else:
        async with AsyncPostgresSaver.from_conn_string(url) as saver:
            await saver.setup()


async def test_langgraphs_own_tables_are_refused_with_the_way_out(empty_db_url: str) -> None:
    await _stock(empty_db_url)
    with pytest.raises(ForeignTables, match="madang db adopt"):
        await Database.open(empty_db_url)


async def _set_version(url: str, version: str) -> None:
    database = await Database.open(url)
    async with database.transaction() as tx:
        await tx.execute(f"UPDATE {schema.VERSION_TABLE} SET version_num = :v", {"v": version})
    await database.close()


async def test_a_newer_schema_is_refused(db_url: str) -> None:
    await _set_version(db_url, "9999")
    with pytest.raises(UnknownSchemaVersion, match="newer"):
        await Database.open(db_url)


@pytest.fixture
def later_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Madang that knows one revision more."""
    folder = tmp_path / "schema"
    shutil.copytree(schema._FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / "9998_later.py").write_text(REVISION.format(down=schema.head()))
    monkeypatch.setattr(schema, "_FOLDER", folder)
    monkeypatch.setattr(schema, "head", lambda: "9998")


async def test_an_outdated_sqlite_file_is_upgraded_after_a_copy(sqlite_url: str, later_schema: None) -> None:
    database = await Database.open(sqlite_url)
    async with database.transaction() as tx:
        await tx.execute("INSERT INTO users (name, added_later) VALUES ('n', 'x')")
    await database.close()
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    [copy] = path.parent.glob(f"{path.name}.*.bak")
    with sqlite3.connect(copy) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(users)")]
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert "added_later" not in columns


async def test_an_outdated_postgres_is_refused_until_it_is_upgraded(postgres_url: str, later_schema: None) -> None:
    with pytest.raises(SchemaOutdated, match="madang db upgrade"):
        await Database.open(postgres_url)
    schema.prepare_postgres(postgres_url, upgrade=True)
    database = await Database.open(postgres_url)
    async with database.reader() as reader:
        assert await reader.fetch("SELECT added_later FROM users") == []
    await database.close()


@pytest.mark.parametrize("url", ["", "mysql://host/db", "sqlite:relative.db", "/a/path"])
async def test_urls_that_name_no_database(url: str) -> None:
    with pytest.raises(ConfigurationError):
        await Database.open(url)


async def test_a_postgres_database_that_does_not_exist(postgres_server_url: str) -> None:
    with pytest.raises(ConfigurationError, match="does not exist"):
        await Database.open(postgres_server_url.rsplit("/", 1)[0] + "/nowhere")


async def test_a_closed_database_says_so(db_url: str) -> None:
    database = await Database.open(db_url)
    await database.close()
    await database.close()
    with pytest.raises(ServiceUnavailable):
        await _count(database, "users")


@pytest.mark.parametrize("first", ["transaction", "reader"])
async def test_idle_connections_that_the_server_closed_are_replaced(postgres_url: str, first: str) -> None:
    database = await Database.open(postgres_url, pool_size=1)
    assert await _count(database, "users") == 0
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    if first == "reader":
        assert await _count(database, "users") == 0
    async with database.transaction() as tx:
        await tx.execute("INSERT INTO users (name) VALUES ('n')")
    assert await _count(database, "users") == 1
    await database.close()


async def test_run_sync_works_from_other_threads_only(db: Database) -> None:
    async def answer() -> int:
        return await _count(db, "users")

    assert await asyncio.to_thread(db.run_sync, answer) == 0
    with pytest.raises(asyncio.InvalidStateError, match="async method"):
        db.run_sync(answer)


async def test_work_from_another_loop_is_done_on_the_databases_own(db: Database) -> None:
    def other() -> Any:
        return asyncio.run(db.run_here(lambda: _count(db, "users")))

    assert await asyncio.to_thread(other) == 0


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT :a, :b_1", "SELECT %(a)s, %(b_1)s"),
        ("SELECT x::text, ':no', '%' FROM t WHERE a LIKE :p", "SELECT x::text, ':no', '%%' FROM t WHERE a LIKE %(p)s"),
        ("SELECT 'it''s :x' -- :y 100%\n, :z", "SELECT 'it''s :x' -- :y 100%%\n, %(z)s"),
        ('SELECT ":col" % 2', 'SELECT ":col" %% 2'),
    ],
)
def test_placeholders_for_psycopg(sql: str, expected: str) -> None:
    assert queries.to_psycopg(sql) == expected


def test_named_queries_have_variants() -> None:
    assert "FOR UPDATE" in queries.load("saver_upkeep", "postgres")["lock_session"]
    assert "FOR UPDATE" not in queries.load("saver_upkeep", "sqlite")["lock_session"]
    with pytest.raises(ConfigurationError):
        queries.load("nothing", "sqlite")
