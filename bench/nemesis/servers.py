"""The processes under attack: `madang serve`, `madang worker`, the database behind them, the cables between."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

import madang
from bench import CHECKOUT
from bench.nemesis.assistant import DIARY
from bench.nemesis.forks import Forked, Forks
from bench.nemesis.skewed import Clock
from tests.support.cable import Cable
from tests.support.postgres import PostgresServer, create_database

SOURCES = Path(madang.__file__).parents[1]
# What a supervisor expects when the database is away at start: one line, exit status 1.
AWAY = ("madang: Postgres can't be reached", "madang: no connection to Postgres")
SAYS_ERROR = re.compile(r"^([\w.]+(?:Error|Exception|Unavailable|Transition|Busy|Found|Conflict|Fenced)\b|madang: )")
Row = dict[str, Any]


def environment() -> dict[str, str]:
    """What every process of an ordeal finds: this checkout."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCES), str(CHECKOUT)])}


class Database:
    """A Postgres server of our own, which can be broken, or an SQLite file."""

    def __init__(self, home: Path, backend: str) -> None:
        self.postgres = PostgresServer.create(home / "postgres") if backend == "postgres" else None
        self._home, self._file = home, home / "nemesis.db"
        self.url = f"sqlite:///{self._file}" if self.postgres is None else create_database(self.postgres.url)
        self.cables: list[Cable] = []
        self._standby: PostgresServer | None = None
        self._removed: list[PostgresServer] = []

    def cable(self) -> tuple[str, Cable]:
        """A way to the database of one process's own, that can be cut."""
        assert self.postgres is not None
        cable = Cable(f"127.0.0.1:{self.postgres.port}")
        cable.__enter__()
        self.cables.append(cable)
        return self.url.replace(f":{self.postgres.port}/", f":{cable.port}/"), cable

    def prepare_standby(self) -> None:
        """Have a second server follow the first, ready to take over."""
        assert self.postgres is not None
        self._standby = self.postgres.standby(self._home / "standby")

    @property
    def may_fail_over(self) -> bool:
        return self._standby is not None

    def fail_over(self) -> None:
        """The server is gone for good, the standby takes over, and every cable leads there."""
        assert self.postgres is not None
        assert self._standby is not None
        old, new = self.postgres, self._standby
        old.stop("immediate")
        with (self._home / "standby" / "data" / "postgresql.auto.conf").open("a") as conf:
            conf.write("synchronous_standby_names = ''\n")
        new.promote()
        self.url = self.url.replace(f":{old.port}/", f":{new.port}/")
        self.postgres, self._standby = new, None
        self._removed.append(old)
        for cable in self.cables:
            cable.lead_to(new.port)
            cable.cut()
            cable.plug()

    def rows(self, query: str) -> list[Row]:
        """What a query gives, whichever database it is."""
        if self.postgres is not None:
            import psycopg
            from psycopg.rows import dict_row

            with psycopg.connect(self.url, row_factory=dict_row) as connection:
                return connection.execute(query).fetchall()
        with contextlib.closing(sqlite3.connect(self._file)) as file:
            file.row_factory = sqlite3.Row
            return [dict(row) for row in file.execute(query).fetchall()]

    def restart(self, pause: float) -> None:
        """A crash of the database server: sessions die, the log is replayed at the start."""
        assert self.postgres is not None
        self.postgres.stop("immediate")
        time.sleep(pause)
        self.postgres.start()

    def terminate(self, share: float) -> None:
        """End some of the connections that others have."""
        import psycopg

        with contextlib.suppress(psycopg.Error), psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND random() < %s",
                (share,),
            )

    def close(self) -> None:
        for cable in self.cables:
            cable.__exit__()
        for server in (self.postgres, self._standby, *self._removed):
            if server is not None:
                server.remove()


class Server:
    """One `madang serve` or `madang worker` on a port of its own, killed and started again at will."""

    def __init__(
        self,
        home: Path,
        number: int,
        url: str,
        lease: float,
        forks: Forks,
        *,
        role: Sequence[str] = ("serve",),
        cable: Cable | None = None,
    ) -> None:
        self._role, self.cable, self._forks = role, cable, forks
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.base = f"http://127.0.0.1:{self.port}"
        self._log = home / f"{role[0]}{number}.log"
        self._home = home
        self._clock_file = home / f"clock{number}"
        self.clock = Clock(self._clock_file)
        self._environment = {
            **environment(),
            "MADANG_DB": url,
            "MADANG_DATA_DIR": str(home / f"data{number}"),
            "MADANG_LEASE": str(lease),
            "MADANG_LOG_LEVEL": "WARNING",
            "MADANG_RATE_LIMIT": "0",
            "MADANG_UNDO_SECONDS": "0",
            DIARY: str(home / "diary.tsv"),
        }
        self._process: Forked | None = None
        self._started_at = 0
        # Whether it has answered since it was started.
        self._served = False

    def start(self) -> None:
        app = "bench.nemesis.assistant:assistant"
        self._served = False
        self._log.touch()
        self._started_at = self._log.stat().st_size
        self._process = self._forks.start(
            [*self._role, "--port", str(self.port), "--only-app", "--app", app],
            env=self._environment,
            cwd=self._home,
            log=self._log,
            clock=self._clock_file,
        )

    def run(self, *arguments: str) -> str:
        """Another command of `madang` on the same database; what it said."""
        said = self._home / "said.txt"
        said.unlink(missing_ok=True)
        self._forks.start(arguments, env=self._environment, cwd=self._home, log=said, clock=self._clock_file).wait()
        return said.read_text(encoding="utf-8")

    def send(self, number: int) -> None:
        if self._process is not None and self._process.poll() is None:
            os.kill(self._process.pid, number)

    def end(self, number: int = signal.SIGKILL, patience: float = 30.0) -> bool:
        """End it; whether it went in time. One that doesn't is killed."""
        if self._process is None:
            return True
        self.send(signal.SIGCONT)
        self.send(number)
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            # Its log then tells what it was waiting for.
            self.send(signal.SIGABRT)
            self._process.wait()
            return False
        return True

    def left(self) -> str | None:
        """If it has ended by itself: what it said last, empty if the database was away when it started."""
        code = self._process.poll() if self._process is not None else None
        if code is None or code < 0:
            return None
        lines = self._log.read_bytes()[self._started_at :].decode(errors="replace").splitlines()
        said = next((line for line in reversed(lines) if SAYS_ERROR.match(line)), f"exit status {code}")
        return "" if said.startswith(AWAY) and not self._served else said

    async def ready(self, seconds: float) -> bool:
        """Whether it answers within so many seconds."""
        until = time.monotonic() + seconds
        async with httpx.AsyncClient(timeout=3) as client:
            while time.monotonic() < until and self.left() is None:
                with contextlib.suppress(httpx.HTTPError):
                    if (await client.get(self.base + "/readyz")).status_code == 200:
                        self._served = True
                        return True
                await asyncio.sleep(0.2)
        return False


async def stand_up(servers: Sequence[Server], seconds: float) -> bool:
    """Wait until all answer; one that ends by itself is started again, as a supervisor would."""
    until = time.monotonic() + seconds
    for server in servers:
        while not await server.ready(5):
            if time.monotonic() > until:
                return False
            if server.left() is not None:
                server.start()
    return True
