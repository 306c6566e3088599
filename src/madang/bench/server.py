"""The server: sockets and fan-out, turns while they are open, runs a second, reconnecting far behind.

Loopback only; each server is a process of its own, the clients share this one.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from madang.bench import Row
from madang.bench._clients import Caller, listen

SOCKETS = 1000
FAN_SESSIONS, FAN_TURNS = 10, 15
RATE, SECONDS = 50, 8
CLIENTS, RUNS = 100, 1000
BEHIND = 10_000
LIMIT = 300.0


@contextmanager
def process(which: str, url: str) -> Iterator[tuple[int, Callable[[], int]]]:
    """A served process: its port, and how many bytes it holds in memory."""
    command = [sys.executable, "-m", "madang.bench._served", which, url]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield int(server.stdout.readline()), lambda: resident(server.pid)
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def resident(pid: int) -> int:
    """Bytes of a process in memory; 0 where /proc has no answer."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0
    line = next((line for line in status.read_text().splitlines() if line.startswith("VmRSS")), "VmRSS: 0 kB")
    return int(line.split()[1]) * 1024


def server() -> list[Row]:
    """Everything in turn, on Postgres if there is one, else on SQLite."""
    from madang.bench.storage_servers import fresh_postgres

    with tempfile.TemporaryDirectory() as folder, fresh_postgres() as postgres:
        files = iter(range(100))

        def database() -> str:
            return postgres() if postgres is not None else f"sqlite:///{folder}/{next(files)}.db"

        backend = "Postgres" if postgres is not None else "SQLite"
        rows: list[Row] = []
        for measure in (fan_out, turns_with_sockets_open, runs_a_second, reconnect):
            rows += asyncio.run(asyncio.wait_for(measure(database, backend), LIMIT))
        return rows


async def fan_out(database: Callable[[], str], backend: str) -> list[Row]:
    """Turns in ten sessions, each event to the 100 sockets on its session; Starlette sends texts of the same size."""
    with process("ours", database()) as (port, memory):
        sessions = [await new_session(port, "fan") for _ in range(FAN_SESSIONS)]
        await asyncio.gather(*(say(port, session, 1) for session in sessions))
        before = memory()
        sockets = [await listen(port, f"/ws/{sessions[n % FAN_SESSIONS]}?after=0") for n in range(SOCKETS)]
        await asyncio.gather(*(socket.until_ended(1) for socket in sockets))
        each = (memory() - before) / SOCKETS
        frames, size = sum(s.frames for s in sockets), sum(s.bytes for s in sockets)
        begun = time.perf_counter()
        await asyncio.gather(*(say(port, session, FAN_TURNS) for session in sessions))
        await asyncio.gather(*(socket.until_ended(1 + FAN_TURNS) for socket in sockets))
        took = time.perf_counter() - begun
        delivered = sum(s.frames for s in sockets) - frames
        length = (sum(s.bytes for s in sockets) - size) // delivered
        lost = sum(s.gaps for s in sockets)
    rate, floor, floor_each = delivered / took, *await bare_fan_out(database(), delivered // SOCKETS, length)
    note = f"{length} bytes a frame, turns on {backend} included"
    return [
        Row(
            measure=f"fan-out to {SOCKETS} sockets", value=rate, unit="deliveries/s", peer="bare Starlette",
            peer_value=floor, goal="≥ ½ of the floor", note=note,
        ),
        Row(
            measure="memory a socket", value=each / 1000, unit="kB", peer="bare Starlette",
            peer_value=floor_each / 1000, goal="≤ 60 kB",
        ),
        Row(measure="events lost or doubled in the fan-out", value=lost, goal="0"),
    ]  # fmt: skip


async def bare_fan_out(url: str, count: int, size: int) -> tuple[float, float]:
    """Deliveries a second and bytes a socket of Starlette alone."""
    with process("bare", url) as (port, memory):
        before = memory()
        sockets = [await listen(port, f"/ws/{number}") for number in range(SOCKETS)]
        each = (memory() - before) / SOCKETS
        caller = Caller(port)
        begun = time.perf_counter()
        await caller.post("/publish", {"count": count, "size": max(1, size - 20)})
        await asyncio.gather(*(socket.until(1 + count) for socket in sockets))
        took = time.perf_counter() - begun
        caller.close()
    return count * SOCKETS / took, each


async def turns_with_sockets_open(database: Callable[[], str], backend: str) -> list[Row]:
    """1,000 sessions with a socket each; 50 turns begin each second, whether or not the others have ended."""
    with process("ours", database()) as (port, _memory):
        sessions = [await new_session(port, "fan") for _ in range(SOCKETS)]
        sockets = [await listen(port, f"/ws/{session}") for session in sessions]
        count = RATE * SECONDS
        begun = time.perf_counter()
        for number in range(count):
            await asyncio.sleep(max(0.0, begun + number / RATE - time.perf_counter()))
            sockets[number % SOCKETS].send({"type": "query", "query": f"turn {number}"})
        await asyncio.gather(*(socket.until_ended(1) for socket in sockets[:count]))
        took = time.perf_counter() - begun
        lost = sum(socket.gaps for socket in sockets)
        ended = sum(socket.ended for socket in sockets)
    return [
        Row(
            measure=f"turns with {SOCKETS} sockets open, asked for at {RATE}/s",
            value=ended / took,
            unit="turns/s",
            goal=f"{RATE} asked for, all end",
            note=f"{count} turns of 4 steps on {backend}",
        ),
        Row(measure="events lost or doubled meanwhile", value=lost + count - ended, goal="0"),
    ]


async def runs_a_second(database: Callable[[], str], backend: str) -> list[Row]:
    """100 clients: a new session and a run of the echo graph to its end, beside a bare route with the stock saver."""

    async def by(port: int, one: Callable[[Caller, int], Any]) -> float:
        todo = iter(range(RUNS))

        async def client() -> None:
            caller = Caller(port)
            for number in todo:
                await one(caller, number)
            caller.close()

        begun = time.perf_counter()
        await asyncio.gather(*(client() for _ in range(CLIENTS)))
        return RUNS / (time.perf_counter() - begun)

    async def thread_and_run(caller: Caller, number: int) -> None:
        made = await caller.post("/api/v1/sessions", {"assistant": "echo"})
        path = f"/api/v1/sessions/{made['session_id']}/messages?wait=true"
        outcome = await caller.post(path, {"query": f"run {number}"})
        assert outcome["state"]["answer"] == f"run {number}"

    async def only_run(caller: Caller, number: int) -> None:
        assert (await caller.post(f"/runs/{number}", {"query": f"run {number}"}))["answer"] == f"run {number}"

    with process("ours", database()) as (port, _memory):
        own = await by(port, thread_and_run)
    with process("bare", database()) as (port, _memory):
        stock = await by(port, only_run)
    return [
        Row(
            measure=f"session and run to completion, {CLIENTS} clients, {backend}",
            value=own,
            unit="runs/s",
            peer="bare Starlette route, stock saver",
            peer_value=stock,
            goal="≥ 200 (quiet machine)",
            note="ours keeps session, message, run, lease and events as well",
        )
    ]


async def reconnect(database: Callable[[], str], backend: str) -> list[Row]:
    """A client that is 10,000 events behind: when the first one comes, and whether all do."""
    from madang.events import Token
    from madang.store.database import Database
    from madang.store.events import Events
    from madang.store.sessions import Sessions

    url = database()
    db = await Database.open(url)
    await Sessions(db).create("behind", assistant="fan")
    for _ in range(BEHIND // 500):
        await Events(db).append("behind", None, None, [(None, Token(text="가나다라 " * 5)) for _ in range(500)])
    await db.close()
    with process("ours", url) as (port, _memory):
        first: list[float] = []
        for _ in range(5):
            begun = time.perf_counter()
            socket = await listen(port, "/ws/behind?after=0")
            await socket.until(2)
            first.append((time.perf_counter() - begun) * 1000)
            await socket.until(1 + BEHIND)
            whole = time.perf_counter() - begun
            assert (socket.gaps, socket.last_seq) == (0, BEHIND)
            socket.transport.close()
    return [
        Row(
            measure=f"reconnect {BEHIND:,} events behind: first event",
            value=sorted(first)[2],
            unit="ms",
            goal="< 100 ms, nothing lost, nothing twice",
            note=f"median of 5 on {backend}; all of them in {whole * 1000:.0f} ms",
        )
    ]


async def new_session(port: int, assistant: str) -> str:
    caller = Caller(port)
    made = await caller.post("/api/v1/sessions", {"assistant": assistant})
    caller.close()
    return str(made["session_id"])


async def say(port: int, session: str, turns: int) -> None:
    caller = Caller(port)
    for number in range(turns):
        await caller.post(f"/api/v1/sessions/{session}/messages?wait=true", {"query": f"turn {number}"})
    caller.close()


SUITES = {"server": server}
