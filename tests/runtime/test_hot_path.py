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
from tests.support.runtimes import Gate, new_session, open_trip, say
from tests.support.together import open_server, open_worker

FUNCTIONS = "madang_add_run", "madang_end_run"
# What a turn tells, and what was asked of it meanwhile.
BESIDE = "madang_extend_events", "FROM run_controls"
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
        await asyncio.wait_for(server.outcome(run.run_id, session), 20)
        monkeypatch.setattr(database_postgres, "to_psycopg", translate)
    return asked


async def test_every_statement_of_a_turn_names_its_session(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = await statements(postgres_url, monkeypatch)
    assert len(asked) > 5
    assert [sql for sql in asked if "session_id" not in sql and not sql.startswith(NO_TABLE)] == []


async def test_a_turn_alone_asks_no_more_than_it_must(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins, tells as it goes, and ends: nobody looks for a turn behind it."""
    asked: Counter[str] = Counter()
    translate = to_psycopg

    def noted(sql: str) -> str:
        asked[sql] += 1
        return translate(sql)

    async with open_trip(postgres_url) as runtime:
        session = await new_session(runtime)
        await say(runtime, session, "오사카 3")
        known = await runtime.sessions.get(session)
        monkeypatch.setattr(database_postgres, "to_psycopg", noted)
        run = await runtime.start(session, TurnRequest(text="도쿄 2"), session=known)
        await asyncio.wait_for(runtime.outcome(run.run_id, session), 20)
        monkeypatch.setattr(database_postgres, "to_psycopg", translate)
    assert [sum(asked[sql] for sql in asked if name in sql) for name in FUNCTIONS] == [1, 1]
    others = [sql for sql in asked if not any(name in sql for name in (*FUNCTIONS, *BESIDE))]
    assert others == []


async def test_a_turn_that_was_queued_meanwhile_is_found_by_the_one_that_ends(db_url: str) -> None:
    gate = Gate()
    async with open_trip(db_url, agents=gate.agent()) as runtime:
        session = await new_session(runtime)
        first = await runtime.start(session, TurnRequest(text="오사카 3"))
        await gate.entered.wait()
        second = await runtime.start(session, TurnRequest(text="도쿄 2"))
        assert second.status == "queued"
        gate.open.set()
        for run in (first, second):
            assert (await asyncio.wait_for(runtime.outcome(run.run_id, session), 20))["status"] == "completed"


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
