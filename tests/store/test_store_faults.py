"""The store when things go wrong: the server stops, the file is locked, several processes want the same."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from madang.errors import ServiceUnavailable
from madang.events import Token
from madang.store.database import Database
from madang.store.database_postgres import PostgresDatabase
from madang.store.events import Events
from madang.store.messages import Messages
from madang.store.runs import Runs
from madang.store.sessions import Sessions
from madang.store.turns import NewRun, Turns
from tests.support.postgres import PostgresServer
from tests.support.runs import begun

CLAIMER = """
import asyncio, sys
from madang.errors import MadangError
from madang.store.database import Database
from madang.store.runs import Runs
from madang.store.owners import Owner
from madang.store.turns import Turns

async def main(url, *run_ids):
    db = await Database.open(url)
    sys.stdin.readline()
    for run_id in run_ids:
        try:
            print((await Turns(db).claim(await Runs(db).get(run_id), Owner(), 60)).run_id, flush=True)
        except MadangError as refused:
            assert refused.code in ("session_busy", "illegal_transition", "conflict"), refused.code
    await db.close()

asyncio.run(main(*sys.argv[1:]))
"""


async def test_of_several_processes_one_gets_the_run(db_url: str, db: Database) -> None:
    run_ids = []
    for n in range(6):
        await Sessions(db).create(f"s{n}")
        run_ids += [(await Turns(db).queue(f"s{n}", NewRun())).run_id for _ in range(2)]
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", CLAIMER, db_url, *order], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for order in (run_ids, run_ids[::-1], run_ids)
    ]
    outputs = await asyncio.gather(*(asyncio.to_thread(worker.communicate, "\n") for worker in workers))
    assert [worker.returncode for worker in workers] == [0, 0, 0]
    claimed = [line for output, _ in outputs for line in output.splitlines()]
    assert len(claimed) == len(set(claimed)) == 6
    running = (await Runs(db).list(status="running")).items
    assert {run.session_id for run in running} == {f"s{n}" for n in range(6)}


async def test_postgres_stops_and_comes_back(postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("madang.store.database_postgres.RECONNECT_FOR", 1.0)
    db = await Database.open(postgres_server.url)
    await Sessions(db).create("s")
    run = await begun(db, "s", lease=600)
    events = Events(db)
    before = await events.append("s", run.run_id, run.fence, [("a", Token(text="before"))])
    postgres_server.stop()
    with pytest.raises(ServiceUnavailable):
        async with asyncio.timeout(60):
            await events.append("s", run.run_id, run.fence, [("b", Token(text="lost"))])
    postgres_server.start()
    after = await events.append("s", run.run_id, run.fence, [("a", Token(text="again")), ("b", Token(text="after"))])
    assert after[0] == before[0]
    assert [frame["seq"] for frame in await events.read("s")] == [1, 2]
    await Turns(db).end(run, "completed")
    await db.close()


async def test_a_file_locked_by_another_process(sqlite_url: str) -> None:
    db = await Database.open(sqlite_url, busy_timeout=0.05)
    await Sessions(db).create("s")
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ServiceUnavailable, match="locked"):
            await Messages(db).append("s", "user", "x")
        assert (await Sessions(db).get("s")).message_count == 0
        other.execute("ROLLBACK")
    await Messages(db).append("s", "user", "x")
    assert (await Sessions(db).get("s")).message_count == 1
    await db.close()


async def test_a_transaction_cancelled_before_it_has_begun_holds_no_lock(sqlite_url: str) -> None:
    """Another process has the write lock; whoever waits for it is cancelled, and then the lock is there."""
    db = await Database.open(sqlite_url)
    entered = asyncio.Event()

    async def wait_for_lock() -> None:
        entered.set()
        async with db.transaction() as tx:
            await tx.execute("INSERT INTO chat_sessions (session_id) VALUES ('late')")

    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(wait_for_lock())
        await entered.wait()
        task.cancel()
        other.execute("ROLLBACK")
        with pytest.raises(asyncio.CancelledError):
            await task
        await Sessions(db).create("s")
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    assert [session.session_id for session in (await Sessions(db).list()).items] == ["s"]
    await db.close()


WRITER = """
import asyncio, sys
from madang.events import Token
from madang.store.database import Database
from madang.store.events import Events
from madang.store.messages import Messages

async def main(url):
    db = await Database.open(url)
    for n in range(100000):
        async with db.transaction() as tx:
            await Messages(db).append("s", "user", str(n), tx=tx)
            await Events(db).append("s", None, None, [(None, Token(text=str(n)))], tx=tx)
        if n == 20:
            print("writing", flush=True)

asyncio.run(main(sys.argv[1]))
"""


async def test_a_writer_is_killed(db_url: str, db: Database) -> None:
    """Messages and events of one transaction are there together or not at all, and the numbers go on."""
    await Sessions(db).create("s")
    writer = subprocess.Popen([sys.executable, "-c", WRITER, db_url], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert await asyncio.to_thread(writer.stdout.readline) == "writing\n"
    writer.kill()
    writer.wait()
    writer.stdout.close()
    frame = (await Events(db).append("s", None, None, [(None, Token(text="next"))]))[0]
    session = await Sessions(db).get("s")
    assert session.message_count == len((await Messages(db).list("s", limit=1000)).items) == frame["seq"] - 1
    assert session.last_seq == frame["seq"]


async def test_a_caller_that_is_cancelled_while_it_gets_a_connection_is_cancelled(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """psycopg's pool gives it a connection that comes at that moment, and forgets that it was cancelled."""
    db = await Database.open(postgres_url, pool_size=1)
    assert isinstance(db, PostgresDatabase)
    waits, take = asyncio.Event(), db.pool.getconn

    async def forgetful() -> object:
        connection = await take()
        waits.set()
        try:
            return await asyncio.Event().wait()
        except asyncio.CancelledError:
            return connection

    try:
        with monkeypatch.context() as patched:
            patched.setattr(db.pool, "getconn", forgetful)
            asking = asyncio.create_task(db.once("SELECT 1"))
            await waits.wait()
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
        assert await db.once("SELECT 1 AS one") == [{"one": 1}]
    finally:
        await db.close()
