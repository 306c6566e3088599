"""What a turn asks of Postgres names its session, so that tables can be distributed by it; and how much it asks."""

import asyncio
from collections import Counter

import psycopg
import pytest

from bench._copies import TABLES, copy
from madang.runtime import TurnRequest
from madang.store import database_postgres
from madang.store.queries import to_psycopg
from madang.store.runs import Run, Runs
from tests.support.runtimes import new_session, say
from tests.support.together import open_server, open_worker

# A table without a session's id, and why.
BY_RUN = {
    "SELECT * FROM runs WHERE run_id": "a run that is asked for by its id alone is looked up once",
    "SELECT kind, data FROM run_controls": "what was asked of a run hangs on the run's row",
}
NO_TABLE = ("SELECT pg_notify(",)


async def statements(url: str, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What is asked of the database for a session's second turn, by a server and a worker."""
    asked: Counter[str] = Counter()
    translate = to_psycopg

    def noted(sql: str) -> str:
        asked[sql] += 1
        return translate(sql)

    async with open_server(url) as server, open_worker(url):
        session = await new_session(server)
        await asyncio.wait_for(say(server, session, "오사카 3"), 20)
        monkeypatch.setattr(database_postgres, "to_psycopg", noted)
        run = await server.start(session, TurnRequest(text="도쿄 2"))
        await asyncio.wait_for(server.outcome(run.run_id), 20)
        monkeypatch.setattr(database_postgres, "to_psycopg", translate)
    return asked


async def test_every_statement_of_a_turn_names_its_session(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = await statements(postgres_url, monkeypatch)
    assert len(asked) > 5
    without = [sql for sql in asked if "session_id" not in sql and not sql.startswith(NO_TABLE)]
    assert [sql for sql in without if not sql.startswith(tuple(BY_RUN))] == []
    assert asked["SELECT * FROM runs WHERE run_id = :run_id"] == 1


# Tables that belong to sessions and have a key of their own, and what distributing them by session asks for first.
KEYS_OF_THEIR_OWN = {
    "chat_messages": "the id is counted up by the database; it would have to be unique in its session",
    "runs": "asked for by its id alone over HTTP",
    "documents": "asked for by its id alone over HTTP",
    "attachments": "asked for by its id alone over HTTP",
    "feedback": "one of a message",
    "shares": "found by the hash of its link",
    "webhooks": "one of a run",
    "crons": "not of a session unless it was made for one",
}
KEYS = """SELECT t.relname AS name, array_agg(a.attname::text) FILTER (WHERE a.attnum = ANY (i.indkey)) AS keys,
  bool_or(a.attname = 'session_id') AS has_session
FROM pg_class t JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary JOIN pg_attribute a ON a.attrelid = t.oid
WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' GROUP BY t.relname"""


async def test_tables_of_sessions_have_the_session_in_their_keys(postgres_url: str) -> None:
    async with open_server(postgres_url) as server, server.db.reader() as reader:
        rows = await reader.fetch(KEYS)
    of_sessions = {row["name"]: row["keys"] for row in rows if row["has_session"]}
    assert len(of_sessions) > 10
    assert {name for name, keys in of_sessions.items() if "session_id" not in keys} == set(KEYS_OF_THEIR_OWN)


SCANS = "SELECT relname, seq_scan, idx_scan FROM pg_stat_user_tables WHERE relname = ANY (%s)"


async def test_no_statement_of_a_turn_reads_a_whole_table(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that its cost doesn't grow with the sessions of others."""

    async def no_runs(*_: object) -> list[Run]:
        return []

    # Looked at once a process, not in a turn.
    monkeypatch.setattr(Runs, "lately_completed", no_runs)
    async with open_server(postgres_url) as server, open_worker(postgres_url):
        session = await new_session(server)
        await asyncio.wait_for(say(server, session, "오사카 3"), 20)
    await asyncio.to_thread(copy, postgres_url, session, 2000)
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:

        async def scans() -> dict[str, tuple[int, int]]:
            await connection.execute("SELECT pg_stat_clear_snapshot()")
            rows = await (await connection.execute(SCANS, [list(TABLES)])).fetchall()
            return {name: (whole, by_index) for name, whole, by_index in rows}

        before = await scans()
        async with open_server(postgres_url) as server, open_worker(postgres_url):
            await asyncio.wait_for(say(server, session, "도쿄 2"), 20)
        # What was read is known a moment after who read it has left.
        async with asyncio.timeout(20):
            while (after := await scans())["chunks"][1] == before["chunks"][1]:
                await asyncio.sleep(0.1)
    assert {name: after[name][0] - before[name][0] for name in TABLES} == dict.fromkeys(TABLES, 0)
