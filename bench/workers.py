"""Servers and workers over one Postgres: turns a second with one process and with one, two and four workers.

Real processes on loopback; the clients share this one. A turn is measured from its request to its answer.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import httpx

from bench import CHECKOUT, Row
from bench._waiting import SECONDS, STEPS
from tests.support.ports import free_port
from tests.support.postgres import PostgresServer, create_database

APPS = ("bench._waiting:fan", "bench._waiting:graph")
START = 300.0


@dataclass(frozen=True)
class Measured:
    """Turns a second, and how long a turn took: the median and the slowest twentieth, in milliseconds."""

    rate: float
    median: float
    slow: float


def workers(
    *, clients: int = 48, turns: int = 240, waiting: int = 144, concurrency: int = 8, most: int = 4
) -> list[Row]:
    """Up to `most` workers; `clients` at once, `turns` of the assistant, and those that are `waiting` for a model."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="workers-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        postgres = PostgresServer.create(home / "postgres")
        try:
            found = {
                count: asyncio.run(
                    _measure(home, create_database(postgres.url), count, clients, turns, waiting, concurrency)
                )
                for count in (0, 1, 2, 4)
                if count <= most
            }
        finally:
            postgres.remove()
    for count in sorted(found)[1:]:
        busy, alone = found[count][0], found[0][0]
        rows.append(
            Row(
                measure=f"turns/s, {count} worker(s) beside a server",
                value=busy.rate,
                unit="turns/s",
                peer="one process",
                peer_value=alone.rate,
                goal="no worse on two cores",
                note=f"median {busy.median:.0f} (alone {alone.median:.0f}), 95 % {busy.slow:.0f} ({alone.slow:.0f}) ms",
            )
        )
    for count, fewer in ((count, count // 2) for count in sorted(found)[2:]):
        more, less = found[count][1], found[fewer][1]
        rows.append(
            Row(
                measure=f"turns/s that wait {STEPS} × {SECONDS * 1000:.0f} ms, {count} workers × {concurrency} at once",
                value=more.rate,
                unit="turns/s",
                peer=f"{fewer} worker(s)",
                peer_value=less.rate,
                goal="≥ 1.8 × from 1 to 2" if count == 2 else "",
                note=f"median {more.median:.0f} ms, 95 % {more.slow:.0f} ms",
            )
        )
    return rows


async def _measure(
    home: Path, url: str, count: int, clients: int, turns: int, waiting: int, concurrency: int
) -> tuple[Measured, Measured]:
    with ExitStack() as stack:
        port = free_port()
        stack.enter_context(process(home, url, ["serve", *(["--no-work"] if count else [])], port))
        ports = [port, *(free_port() for _ in range(count))]
        for one in ports[1:]:
            stack.enter_context(process(home, url, ["worker", "--concurrency", str(concurrency)], one))
        await asyncio.gather(*(ready(one) for one in ports))
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as http:
            await _turns(http, "fan", clients, clients)
            busy = await _turns(http, "fan", clients, turns)
            # One process has no bound of its own: waiting turns are compared between workers only.
            idle = await _turns(http, "graph", clients, waiting) if count else busy
        sys.stderr.write(f"{count} workers: {busy} {idle}\n")
        return busy, idle


async def _turns(http: httpx.AsyncClient, assistant: str, clients: int, turns: int) -> Measured:
    times: list[float] = []
    left = iter(range(turns))

    async def client() -> None:
        for number in left:
            thread = (await http.post("/threads", json={})).json()["thread_id"]
            given = {"assistant_id": assistant, "input": _input(assistant, number)}
            begun = time.perf_counter()
            answer = await http.post(f"/threads/{thread}/runs/wait", json=given)
            answer.raise_for_status()
            assert "__error__" not in answer.json(), answer.text
            times.append((time.perf_counter() - begun) * 1000)

    begun = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    cuts = quantiles(times, n=20)
    return Measured(turns / (time.perf_counter() - begun), cuts[9], cuts[18])


def _input(assistant: str, number: int) -> dict[str, object]:
    if assistant == "fan":
        return {"messages": [{"role": "user", "content": f"turn {number}"}]}
    return {"query": f"turn {number}"}


@contextmanager
def process(home: Path, url: str, command: Sequence[str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A `madang` command with the suite's graphs, killed in the end."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(CHECKOUT / "src"), str(CHECKOUT)]),
        "MADANG_DB": url,
        "MADANG_DATA_DIR": str(home / "data"),
        "MADANG_LOG_LEVEL": "WARNING",
        "MADANG_RATE_LIMIT": "0",
    }
    apps = [word for app in APPS for word in ("--app", app)]
    with (home / f"{command[0]}-{port}.log").open("ab") as log:
        started = subprocess.Popen(
            [sys.executable, "-m", "madang", *command, "--port", str(port), "--only-app", *apps],
            env=environment,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


async def ready(port: int) -> None:
    async with asyncio.timeout(START), httpx.AsyncClient(timeout=5) as http:
        while True:
            try:
                if (await http.get(f"http://127.0.0.1:{port}/readyz")).status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(0.2)


SUITES = {"workers": workers}
