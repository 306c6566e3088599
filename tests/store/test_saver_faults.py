"""Faults for real: a server that goes, a locked file, a full disk, damage, two writers, a process killed anywhere."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from madang.errors import MadangError, ServiceUnavailable, UnreadableData
from madang.store import SessionSaver
from madang.store.database import Database
from tests.support.postgres import PostgresServer
from tests.support.saver_talk import config, question, talk, talk_graph

ROOT = Path(__file__).parents[2]


async def test_postgres_restarted_in_the_middle_of_a_run(postgres_server: PostgresServer) -> None:
    async with SessionSaver.from_url(postgres_server.url) as saver:
        graph = await talk(saver, 2)
        stopped = asyncio.Event()
        commits = 0

        def stop_once(event: Any) -> None:
            nonlocal commits
            commits += 1
            if commits == 3:
                postgres_server.stop()
                stopped.set()

        async def start_again() -> None:
            await stopped.wait()
            await asyncio.to_thread(postgres_server.start)

        saver.on_commit.append(stop_once)
        starter = asyncio.create_task(start_again())
        await graph.ainvoke(question(3), config())
        await starter
        state = await graph.aget_state(config())
        assert [m.id for m in state.values["messages"]] == ["h1", "a1", "h2", "a2", "h3", "a3"]


async def test_postgres_that_is_gone_is_named(postgres_server: PostgresServer) -> None:
    postgres_server.stop()
    with pytest.raises(ServiceUnavailable, match="Postgres"):
        await Database.open(postgres_server.url)


async def test_a_sqlite_file_locked_by_another_process(sqlite_url: str) -> None:
    path = sqlite_url.removeprefix("sqlite:///")
    database = await Database.open(sqlite_url, busy_timeout=0.2)
    saver = SessionSaver(database)
    graph = await talk(saver, 1)
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN EXCLUSIVE');"
            "print('held', flush=True); sys.stdin.read()",
            path,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(ServiceUnavailable, match="locked by another process"):
        await graph.ainvoke(question(2), config())
    assert len((await graph.aget_state(config())).values["messages"]) == 2
    holder.communicate(b"")
    await graph.ainvoke(question(2), config())
    assert len((await graph.aget_state(config())).values["messages"]) >= 4
    await database.close()


def _child(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


FULL_DISK = """
import asyncio, resource, signal, sys
from madang.errors import ServiceUnavailable
from madang.store import SessionSaver
from tests.support.saver_talk import config, question, talk_graph

async def main(url):
    async with SessionSaver.from_url(url) as saver:
        graph = talk_graph(saver)
        await graph.ainvoke(question(1), config())
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
        try:
            for number in range(2, 500):
                await graph.ainvoke(question(number), config(), durability="sync")
        except ServiceUnavailable as error:
            seen = len((await graph.aget_state(config())).values["messages"])
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            await graph.ainvoke(question(500), config())
            print("no space" in str(error), seen, len((await graph.aget_state(config())).values["messages"]))

asyncio.run(main(sys.argv[1]))
"""


def test_a_full_disk_is_named_and_nothing_is_lost(sqlite_url: str) -> None:
    done = _child(FULL_DISK, sqlite_url, str(1_500_000))
    assert done.returncode == 0, done.stderr
    named, seen, after = done.stdout.split()
    assert named == "True"
    assert int(seen) > 2
    assert int(after) > int(seen)
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def _addresses(saver: SessionSaver) -> set[bytes]:
    async with saver.database.reader() as reader:
        return {
            bytes(row["address"]) for row in await reader.fetch("SELECT address FROM chunks WHERE session_id = 't'")
        }


async def _damage(saver: SessionSaver, address: bytes, how: str) -> None:
    here = "WHERE session_id = 't' AND address = :address"
    async with saver.database.transaction() as tx:
        [row] = await tx.fetch(f"SELECT data FROM chunks {here}", {"address": address})
        data = bytearray(row["data"])
        data[len(data) // 2] ^= 0xFF
        changed = {"flipped": bytes(data), "cut": bytes(data[:9]), "empty": b""}.get(how)
        if changed is None:
            await tx.execute(f"DELETE FROM chunks {here}", {"address": address})
        else:
            await tx.execute(f"UPDATE chunks SET data = :data {here}", {"data": changed, "address": address})


@pytest.mark.parametrize("how", ["flipped", "cut", "empty", "gone"])
async def test_a_damaged_chunk_is_named_and_the_rest_is_readable(db_url: str, how: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 2)
        await talk(saver, 1, "other")
        before = await _addresses(saver)
        await graph.ainvoke(question(3), config())
        damaged = min(await _addresses(saver) - before)
        await _damage(saver, damaged, how)
    async with SessionSaver.from_url(db_url) as saver:
        readable: list[str] = []
        errors: list[UnreadableData] = []
        for thread in ("t", "other"):
            for found in [s.config async for s in _ids(saver, thread)]:
                try:
                    assert await saver.aget_tuple(found) is not None
                    readable.append(thread)
                except UnreadableData as error:
                    errors.append(error)
    assert errors
    assert all(damaged.hex() in str(error) and "channel '" in str(error) for error in errors)
    assert readable.count("t") >= 10
    assert readable.count("other") == 5


async def _ids(saver: SessionSaver, thread: str) -> Any:
    async with saver.database.reader() as reader:
        rows = await reader.fetch("SELECT checkpoint_id FROM checkpoints WHERE session_id = :s", {"s": thread})
    for row in rows:
        yield type("Seen", (), {"config": config(thread, checkpoint_ns="", checkpoint_id=row["checkpoint_id"])})


async def test_two_writers_for_one_session(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as first, SessionSaver.from_url(db_url) as second:
        graphs = [talk_graph(first), talk_graph(second)]
        await graphs[0].ainvoke(question(1), config())
        for number in range(2, 6):
            await asyncio.gather(
                *(graph.ainvoke(question(number * 10 + i), config()) for i, graph in enumerate(graphs)),
                return_exceptions=False,
            )
        states = [(await graph.aget_state(config())).values for graph in graphs]
    assert states[0] == states[1]
    async with SessionSaver.from_url(db_url) as saver:
        count = 0
        async for found in saver.alist(config()):
            count += 1
            ids = [m.id for m in found.checkpoint["channel_values"].get("messages", [])]
            assert len(ids) == len(set(ids))
        assert (await talk_graph(saver).aget_state(config())).values == states[0]
    assert count > 40


KILLED = """
import asyncio, os, signal, sqlite3, sys
from madang.store import SessionSaver, database_sqlite
from tests.support.saver_talk import config, question, talk_graph

count, fatal = 0, int(sys.argv[2])

class Fatal(sqlite3.Connection):
    def _count(self):
        global count
        count += 1
        if count == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def execute(self, *given):
        self._count()
        return super().execute(*given)

    def executemany(self, *given):
        self._count()
        return super().executemany(*given)

    def commit(self):
        self._count()
        super().commit()
        self._count()

plain = sqlite3.connect
database_sqlite.sqlite3.connect = lambda *given, **named: plain(*given, factory=Fatal, **named)

async def main(url):
    async with SessionSaver.from_url(url) as saver:
        graph = talk_graph(saver)
        start = len((await graph.aget_state(config())).values.get("messages", []))
        await graph.ainvoke(question(100 + start), config(), durability="sync")
        print(count)

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.timeout(240)
async def test_killed_between_any_two_statements_of_a_turn(sqlite_url: str) -> None:
    async with SessionSaver.from_url(sqlite_url) as saver:
        await talk(saver, 2)
    whole = _child(KILLED, sqlite_url, "1000000")
    assert whole.returncode == 0, whole.stderr
    total = int(whole.stdout)
    assert total > 50
    complete = 6
    for fatal in range(8, total, max(1, total // 24)):
        done = _child(KILLED, sqlite_url, str(fatal))
        assert done.returncode == -signal.SIGKILL, (fatal, done.stderr)
        async with SessionSaver.from_url(sqlite_url) as saver:
            graph = talk_graph(saver)
            seen = [s async for s in graph.aget_state_history(config())]
            ids = [m.id for m in seen[0].values["messages"]]
            assert len(ids) == len(set(ids)) >= complete
            if seen[0].next:
                await graph.ainvoke(None, config())
            state = await graph.aget_state(config())
            assert not state.next
            complete = len(state.values["messages"])
            assert not [m for m in state.values["messages"] if not m.content]


async def test_errors_are_ours(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is not a database, " * 100)
    for url in (f"sqlite:///{tmp_path / 'text.db'}", f"sqlite:///{tmp_path}", "mysql://x", "sqlite:/x"):
        with pytest.raises(MadangError):
            await Database.open(url)
