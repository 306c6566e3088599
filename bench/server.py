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
from functools import partial
from pathlib import Path
from typing import Any

from bench import CHECKOUT, Row
from bench._clients import Caller, at_once, listen

SOCKETS = 1000
FAN_EVENTS, FAN_BYTES = 200, 800
RATE, SECONDS = 50, 8
CLIENTS, RUNS = 100, 1000
HAND_TURNS = 200
BEHIND = 10_000
LIMIT = 300.0


@contextmanager
def process(which: str, url: str) -> Iterator[tuple[int, Callable[[], int]]]:
    """A served process: its port, and how many bytes it holds in memory."""
    command = [sys.executable, "-m", "bench._served", which, url]
    server = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
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


def server(*, profile: bool = False) -> list[Row]:
    """Everything in turn, on Postgres if there is one, else on SQLite; or, under load, where the time goes."""
    from bench.storage_servers import fresh_postgres

    with tempfile.TemporaryDirectory() as folder, fresh_postgres() as postgres:
        files = iter(range(100))

        def database() -> str:
            return postgres() if postgres is not None else f"sqlite:///{folder}/{next(files)}.db"

        backend = "Postgres" if postgres is not None else "SQLite"
        rows: list[Row] = []
        runs = partial(runs_a_second, profiled=profile)
        for measure in (runs,) if profile else (fan_out, turns_with_sockets_open, runs, reconnect):
            rows += asyncio.run(asyncio.wait_for(measure(database, backend), LIMIT))
        return rows


async def fan_out(database: Callable[[], str], backend: str) -> list[Row]:
    """Events to 1,000 sockets on one session, each logged before it is sent; Starlette only sends."""
    body = {"count": FAN_EVENTS, "size": FAN_BYTES}
    with process("ours", database()) as (port, memory):
        session = await new_session(port, "fan")
        rate, each, lost = await deliver(port, f"/ws/{session}?after=0", memory, {**body, "session_id": session})
    with process("bare", database()) as (port, memory):
        floor, floor_each, _ = await deliver(port, "/ws/all", memory, body)
    return [
        Row(
            measure=f"fan-out to {SOCKETS} sockets", value=rate, unit="deliveries/s", peer="bare Starlette",
            peer_value=floor, goal="≥ ½ of the floor", note=f"each event in the log on {backend} first",
        ),
        Row(
            measure="memory a socket", value=each / 1000, unit="kB", peer="bare Starlette",
            peer_value=floor_each / 1000, goal="≤ 60 kB",
        ),
        Row(measure="events lost or doubled in the fan-out", value=lost, goal="0"),
    ]  # fmt: skip


async def deliver(port: int, path: str, memory: Callable[[], int], body: Any) -> tuple[float, float, int]:
    """Open the sockets and publish: deliveries a second, bytes of memory a socket, gaps seen."""
    caller = Caller(port)
    await (await listen(port, path)).until(1)
    before = memory()
    sockets = [await listen(port, path) for _ in range(SOCKETS)]
    each = (memory() - before) / SOCKETS
    begun = time.perf_counter()
    await caller.post("/publish", body)
    await asyncio.gather(*(socket.until(1 + FAN_EVENTS) for socket in sockets))
    took = time.perf_counter() - begun
    caller.close()
    lost = sum(socket.gaps for socket in sockets) + sum(socket.frames - 1 - FAN_EVENTS for socket in sockets)
    return FAN_EVENTS * SOCKETS / took, each, lost


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
            peer="hand-written graph, stock saver, no server",
            peer_value=await by_hand_a_second(database()),
            goal=f"{RATE} asked for, all end",
            note=f"{count} turns of 4 steps on {backend}",
        ),
        Row(measure="events lost or doubled meanwhile", value=lost + count - ended, goal="0"),
    ]


async def by_hand_a_second(url: str) -> float:
    """Turns a second of the same steps in a graph written by hand, as many at once as one process can run."""
    from langchain_core.messages import HumanMessage

    from bench._served import stock_saver
    from bench.turn import by_hand

    async with stock_saver(url) as saver:
        graph = by_hand(saver)
        todo = iter(range(HAND_TURNS))

        async def one_after_another() -> None:
            for number in todo:
                given = {"query": f"q{number}", "messages": [HumanMessage(f"q{number}")]}
                await graph.ainvoke(given, {"configurable": {"thread_id": f"hand-{number}"}}, durability="sync")

        begun = time.perf_counter()
        await asyncio.gather(*(one_after_another() for _ in range(RATE)))
        return HAND_TURNS / (time.perf_counter() - begun)


async def runs_a_second(database: Callable[[], str], backend: str, *, profiled: bool = False) -> list[Row]:
    """100 clients: a new session and a run of the echo graph to its end, beside a bare route with the stock saver."""

    async def thread_and_run(caller: Caller, number: int) -> None:
        made = await caller.post("/api/v1/sessions", {"assistant": "echo"})
        path = f"/api/v1/sessions/{made['session_id']}/messages?wait=true"
        outcome = await caller.post(path, {"query": f"run {number}"})
        assert outcome["state"]["answer"] == f"run {number}"

    async def only_run(caller: Caller, number: int) -> None:
        assert (await caller.post(f"/runs/{number}", {"query": f"run {number}"}))["answer"] == f"run {number}"

    with process("profiled" if profiled else "ours", database()) as (port, _memory):
        own = await at_once(port, thread_and_run, clients=CLIENTS, count=RUNS)
        spent = await profile_of(port) if profiled else {}
    with process("bare", database()) as (port, _memory):
        stock = await at_once(port, only_run, clients=CLIENTS, count=RUNS)
    where = [
        Row(
            measure=f"the loop is in {place}",
            value=round(100 * share, 1),
            unit="%",
            note="of its time, under load",
        )
        for place, share in spent.items()
    ]
    return [
        Row(
            measure=f"session and run to completion, {CLIENTS} clients, {backend}",
            value=own,
            unit="runs/s",
            peer="bare Starlette route, stock saver",
            peer_value=stock,
            goal="≥ 200 (quiet machine)",
            note="ours keeps session, message, run, lease and events as well",
        ),
        *where,
    ]


async def profile_of(port: int) -> dict[str, float]:
    """Where the server's event loop was, as shares of the samples since it began."""
    caller = Caller(port)
    shares = await caller.post("/profile", {})
    caller.close()
    return {str(place): float(share) for place, share in shares.items()}


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


SUITES = {"server": server}
