"""Servers and workers over one Postgres: turns a second with one process and with one, two and four workers.

Real processes on loopback; the clients share this one. A turn is measured from its request to its answer.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
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
    """Turns a second; how long a turn took, the median and the slowest twentieth, in milliseconds; and milliseconds
    of a processor that it cost the server, the workers and Postgres, which other work on the machine hardly changes."""

    rate: float
    median: float
    slow: float
    cost: Mapping[str, float]

    def told(self) -> str:
        shares = " + ".join(f"{name} {share:.0f}" for name, share in self.cost.items() if share)
        return f"median {self.median:.0f} ms, 95 % {self.slow:.0f} ms; of a core: {shares} ms a turn"


@dataclass(frozen=True)
class Load:
    """What is asked: how many `turns` of an assistant, and how many of them a worker may run at once."""

    assistant: str
    turns: int
    concurrency: int


def workers(
    *, clients: int = 24, turns: int = 240, waiting: int = 144, concurrency: int = 4, most: int = 4
) -> list[Row]:
    """Up to `most` workers and `clients` at once. `turns` that compute, of which a worker may run as many as come;
    and turns that are `waiting` for a model, of which it may run `concurrency`: none are measured for 0."""
    computing, idle = Load("fan", turns, clients), Load("graph", waiting, concurrency)
    counts = [count for count in (0, 1, 2, 4) if count <= most]
    with tempfile.TemporaryDirectory(prefix="workers-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        postgres = PostgresServer.create(home / "postgres")

        def measure(count: int, load: Load) -> Measured:
            found = asyncio.run(_measure(home, create_database(postgres.url), count, clients, load))
            sys.stderr.write(f"{count} workers, {load.assistant}: {found.rate:.2f} turns/s, {found.told()}\n")
            return found

        try:
            busy = {count: measure(count, computing) for count in counts}
            # One process has no bound of its own: waiting turns are compared between workers only.
            slow = {count: measure(count, idle) for count in counts[1:] if waiting}
        finally:
            postgres.remove()
    rows = [
        Row(
            measure=f"turns/s that compute, {count} worker(s) beside a server" if count else "turns/s that compute",
            value=found.rate,
            unit="turns/s",
            peer="one process",
            peer_value=busy[0].rate,
            goal="no worse on two cores" if count else "",
            note=found.told(),
        )
        for count, found in busy.items()
    ]
    return rows + [
        Row(
            measure=f"turns/s that wait {STEPS} × {SECONDS * 1000:.0f} ms, {count} worker(s) × {concurrency} at once",
            value=found.rate,
            unit="turns/s",
            peer="1 worker",
            peer_value=slow[1].rate,
            goal="≥ 1.8 × from 1 to 2" if count == 2 else "",
            note=f"{found.told()}; the slots alone allow {count * concurrency / (STEPS * SECONDS):.1f} turns/s",
        )
        for count, found in slow.items()
    ]


async def _measure(home: Path, url: str, count: int, clients: int, load: Load) -> Measured:
    with ExitStack() as stack:
        port = free_port()
        server = stack.enter_context(process(home, url, ["serve", *(["--no-work"] if count else [])], port))
        ports = [port, *(free_port() for _ in range(count))]
        command = ["worker", "--concurrency", str(load.concurrency)]
        started = [stack.enter_context(process(home, url, command, one)) for one in ports[1:]]
        await asyncio.gather(*(ready(one) for one in ports))
        postmaster = int((home / "postgres" / "data" / "postmaster.pid").read_text().split()[0])
        parts = {"server": [server.pid], "workers": [one.pid for one in started], "Postgres": [postmaster]}
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as http:
            await _turns(http, load.assistant, clients, clients)
            before = {name: _worked(pids) for name, pids in parts.items()}
            begun = time.perf_counter()
            times = await _turns(http, load.assistant, clients, load.turns)
            seconds = time.perf_counter() - begun
        cost = {name: (_worked(pids) - before[name]) * 1000 / load.turns for name, pids in parts.items()}
    cuts = quantiles(times, n=20)
    return Measured(load.turns / seconds, cuts[9], cuts[18], cost)


def _worked(pids: Sequence[int]) -> float:
    """Seconds of a processor that these processes and their children have used; 0 where that can't be seen."""
    if not Path("/proc/self/stat").exists():
        return 0.0
    stats = [_stat(path) for path in Path("/proc").glob("[0-9]*/stat")]
    ticks = [stat for pid, stat in stats if pid in pids or int(stat[1] if stat else 0) in pids]
    # Its own time in both modes, and that of children which have ended.
    return sum(sum(map(int, stat[11:15])) for stat in ticks) / os.sysconf("SC_CLK_TCK")


def _stat(path: Path) -> tuple[int, list[str]]:
    """A process and the fields after its name, which may hold anything; none if it has just ended."""
    try:
        return int(path.parent.name), path.read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0, []


async def _turns(http: httpx.AsyncClient, assistant: str, clients: int, turns: int) -> list[float]:
    """How many milliseconds each took."""
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

    await asyncio.gather(*(client() for _ in range(clients)))
    return times


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
