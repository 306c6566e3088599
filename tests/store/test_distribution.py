"""Tables of sessions can be distributed by session: their keys on both databases, and Postgres with partitions."""

import asyncio
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from madang.runtime import TurnRequest
from madang.store import schema
from madang.store.database import Database
from madang.store.documents import Documents
from madang.store.runs import Runs
from madang.store.sessions import Sessions
from tests.support.old_databases import at_revision, row
from tests.support.runtimes import new_session, say
from tests.support.together import open_server, open_worker

# What belongs to a user or the whole installation: a copy on every node. docs/operations.md says why.
REFERENCE = {
    "users",
    "api_keys",
    "memories",
    "encryption_keys",
    "periodic_jobs",
    "assistants",
    "assistant_versions",
    "crons",
}
# The schema's version, the queue's own tables, SQLite's index of words.
NOT_OURS = ("madang_version", "procrastinate_", "message_search", "sqlite_")
DOCS = Path(__file__).parents[2] / "docs" / "operations.md"


def inspected(url: str) -> sa.Inspector:
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"), poolclass=sa.NullPool)
    return sa.inspect(engine)


def of_sessions(found: sa.Inspector) -> set[str]:
    return {name for name in found.get_table_names() if not name.startswith(NOT_OURS)} - REFERENCE


@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
async def test_a_table_is_of_sessions_or_a_reference_table(db: Database, db_url: str) -> None:
    found = inspected(db_url)
    assert set(found.get_table_names()) >= REFERENCE
    assert len(of_sessions(found)) > 15
    for table in of_sessions(found):
        keys: list[list[Any]] = [found.get_pk_constraint(table)["constrained_columns"]]
        uniques: list[list[Any]] = [one["column_names"] for one in found.get_indexes(table) if one["unique"]]
        if db.dialect == "sqlite" and table == "chat_messages":
            # There the id is the number of the row: the key by session stands beside it.
            keys = [["session_id", "id"]]
            assert keys[0] in uniques
        for columns in (*keys, *uniques):
            assert "session_id" in columns, (table, columns)
        assert keys[0][0] == "session_id", table


async def test_what_points_to_a_table_of_sessions_names_the_session(db: Database, db_url: str) -> None:
    found = inspected(db_url)
    tables = of_sessions(found)
    for table in tables:
        pointers = found.get_foreign_keys(table)
        assert table == "chat_sessions" or any(one["referred_table"] in tables for one in pointers), table
        for one in pointers:
            assert one["referred_table"] in REFERENCE or one["constrained_columns"][0] == "session_id", (table, one)
            assert one["referred_table"] in REFERENCE or one["referred_columns"][0] == "session_id", (table, one)


async def test_the_documentation_names_every_table(postgres_url: str) -> None:
    db = await Database.open(postgres_url)
    await db.close()
    shown = DOCS.read_text(encoding="utf-8")
    found = inspected(postgres_url)
    assert [name for name in (*REFERENCE, *of_sessions(found)) if f"`{name}`" not in shown] == []


OLD = (
    row("chat_sessions", session_id="s", title="옛 대화"),
    row("runs", run_id="r", session_id="s", status="completed"),
    row("run_controls", run_id="r", idx="1", kind="todo_skip", data='{"step_id": "step_0"}', created_at="2026-01-01"),
    row("documents", document_id="d", session_id="s", title="계약서", content='{"본문": "갑"}'),
    row("document_versions", document_id="d", version="1", content="{}", metadata="{}", created_at="2026-01-01"),
    row("document_files", document_id="d", version="1", format="md", data="x"),
    row("chat_messages", id="7", session_id="s", role="user", content="질문"),
    row("feedback", message_id="7", session_id="s", rating="up", created_at="2026-01-01"),
    row(
        "shares",
        share_hash="h",
        share_id="i",
        session_id="s",
        redacted="0",
        last_message_id="7",
        created_at="2026-01-01",
    ),
    row("webhooks", run_id="r", session_id="s", url="https://a.example", due_at="2026-01-01", created_at="2026-01-01"),
    row(
        "attachments", file_id="f", session_id="s", name="n", kind="csv", size="1", content="x", created_at="2026-01-01"
    ),
)
FILLED = [one.split()[2] for one in OLD[1:]]


def counted(url: str) -> dict[str, int]:
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"), poolclass=sa.NullPool)
    with engine.connect() as connection:
        return {table: connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() for table in FILLED}


async def test_rows_of_the_version_before_get_their_session(empty_db_url: str) -> None:
    at_revision(empty_db_url, "0010", *OLD)
    if empty_db_url.startswith("postgresql"):
        await asyncio.to_thread(schema.prepare_postgres, empty_db_url, upgrade=True)
    db = await Database.open(empty_db_url)
    assert counted(empty_db_url) == dict.fromkeys(FILLED, 1)
    assert [one.kind for one in await Runs(db).controls("r", "s")] == ["todo_skip"]
    assert (await Runs(db).get("r")).session_id == "s"
    assert (await Documents(db).save("s", document_id="d", files={"md": b"y"})).version == 2
    assert await Documents(db).formats("d") == {1: ["md"], 2: ["md"]}
    await Sessions(db).delete("s")
    await db.close()
    assert counted(empty_db_url) == dict.fromkeys(FILLED, 0)


async def test_the_keys_can_be_taken_back(empty_db_url: str) -> None:
    at_revision(empty_db_url, "0010", *OLD)
    at_revision(empty_db_url, "0011")
    at_revision(empty_db_url, "-1")
    assert counted(empty_db_url) == dict.fromkeys(FILLED, 1)
    found = inspected(empty_db_url)
    assert found.get_pk_constraint("runs")["constrained_columns"] == ["run_id"]
    assert "session_id" not in [column["name"] for column in found.get_columns("run_controls")]
    at_revision(empty_db_url, "0011")
    assert counted(empty_db_url) == dict.fromkeys(FILLED, 1)


AGAIN = (
    "SELECT format('ALTER TABLE %%I ADD CONSTRAINT %%I %%s', conrelid::regclass, conname, pg_get_constraintdef(oid))"
)


def partition(url: str, parts: int) -> set[str]:
    """Make every table of sessions again as one that is partitioned by hash of the session, with its indexes,
    triggers and foreign keys; the tables."""
    tables = of_sessions(inspected(url))
    with psycopg.connect(url) as connection:

        def ask(query: str) -> list[str]:
            return [str(one) for (one,) in connection.execute(query.encode(), {"tables": list(tables)}).fetchall()]

        pointers = ask(
            f"{AGAIN} FROM pg_constraint WHERE contype = 'f' AND confrelid::regclass::text = ANY (%(tables)s) "
            "OR contype = 'f' AND conrelid::regclass::text = ANY (%(tables)s)"
        )
        triggers = ask(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger "
            "WHERE NOT tgisinternal AND tgrelid::regclass::text = ANY (%(tables)s)"
        )
        indexes = ask(
            "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid::regclass::text = ANY (%(tables)s) "
            "AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = indexrelid AND c.contype IN ('p', 'u'))"
        )
        keys = ask(
            f"{AGAIN} FROM pg_constraint WHERE contype IN ('p', 'u') AND conrelid::regclass::text = ANY (%(tables)s)"
        )
        for table in sorted(tables):
            made = [
                f"ALTER TABLE {table} RENAME TO whole_{table}",
                f"CREATE TABLE {table} (LIKE whole_{table} INCLUDING DEFAULTS) PARTITION BY HASH (session_id)",
                *(
                    f"CREATE TABLE {table}_{n} PARTITION OF {table} FOR VALUES WITH (MODULUS {parts}, REMAINDER {n})"
                    for n in range(parts)
                ),
            ]
            for statement in made:
                connection.execute(statement.encode())
        # The sequence of messages belongs to the whole table, which goes.
        connection.execute("ALTER SEQUENCE chat_messages_id_seq OWNED BY NONE")
        for table in sorted(tables):
            connection.execute(f"DROP TABLE whole_{table} CASCADE".encode())
        for statement in (*keys, *indexes, *pointers, *triggers):
            connection.execute(statement.encode())
    return tables


PARTS = 4


async def test_a_conversation_over_partitioned_tables(postgres_url: str) -> None:
    db = await Database.open(postgres_url)
    await db.close()
    tables = await asyncio.to_thread(partition, postgres_url, PARTS)
    async with open_server(postgres_url) as server, open_worker(postgres_url):
        sessions = [await new_session(server) for _ in range(6)]
        for session in sessions:
            await asyncio.wait_for(say(server, session, "오사카 3"), 20)
        run = await server.start(sessions[0], TurnRequest(text="도쿄 2"))
        assert (await asyncio.wait_for(server.outcome(run.run_id), 20))["status"] == "completed"
        assert (await server.runs.get(run.run_id)).session_id == sessions[0]
        saved = await server.documents.save(sessions[0], title="계획", files={"md": b"x"})
        assert (await server.documents.get(saved.document_id)).session_id == sessions[0]
        assert await server.sessions.delete(sessions[0]) is True
        assert (await server.messages.list(sessions[1])).items
    async with await psycopg.AsyncConnection.connect(postgres_url) as connection:
        for table in tables:
            kept = await (
                await connection.execute(f"SELECT count(*) FROM {table} WHERE session_id = %s".encode(), [sessions[0]])
            ).fetchone()
            assert kept == (0,), table
