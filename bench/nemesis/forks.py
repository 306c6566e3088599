"""Processes of `madang` that start at once: what they import is imported once, here, and each is a fork of it.

    python -m bench.nemesis.forks CLOCK

Orders come in as lines of JSON, answers go out so: `{"start": …}` gives a process id, `{"poll": id}` its exit status.
"""

import faulthandler
import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from bench.nemesis.skewed import Clock, follow, skew

# What a server imports as it starts.
IMPORTED = ("madang.cli.serve", "madang.cli.worker", "madang.cli.db", "madang.bootstrap", "madang.server",
            "madang.server.logs", "madang.server.pages", "madang.server.http_protocol", "bench.nemesis.assistant",
            "uvicorn")  # fmt: skip


class Forked:
    """A process as `subprocess` would show it; it is the fork's own parent that knows how it ended."""

    def __init__(self, forks: "Forks", pid: int) -> None:
        self._forks, self.pid = forks, pid
        self._code: int | None = None

    def poll(self) -> int | None:
        if self._code is None:
            self._code = self._forks.order({"poll": self.pid})
        return self._code

    def wait(self, patience: float | None = None) -> int:
        """Raises `TimeoutExpired` if it hasn't ended by then."""
        until = time.monotonic() + (float("inf") if patience is None else patience)
        while (code := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired("madang", patience or 0.0)
            time.sleep(0.02)
        return code


class Forks:
    """The process that forks, as the nemesis holds it."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="nemesis-clock-")
        clock = Path(self._folder.name) / "clock"
        Clock(clock)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.nemesis.forks", str(clock)],
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()
        self._folder.cleanup()

    def start(self, arguments: Sequence[str], *, env: Mapping[str, str], cwd: Path, log: Path, clock: Path) -> Forked:
        given = {"arguments": list(arguments), "env": dict(env), "cwd": str(cwd), "log": str(log), "clock": str(clock)}
        return Forked(self, self.order({"start": given}))

    def order(self, what: Mapping[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())


def _obey() -> dict[str, Any] | None:
    """Take orders until there are no more. In a fork: what it is to be."""
    # Two may ask for one process at the same moment: the kernel tells its end only once.
    ended: dict[int, int] = {}
    for line in sys.stdin:
        order = json.loads(line)
        if "start" in order:
            sys.stdout.flush()
            answer: int | None = os.fork()
            if answer == 0:
                started: dict[str, Any] = order["start"]
                return started
        else:
            asked: int = order["poll"]
            if asked not in ended:
                pid, status = os.waitpid(asked, os.WNOHANG)
                ended |= {pid: os.waitstatus_to_exitcode(status)} if pid else {}
            answer = ended.get(asked)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return None


def _become(given: Mapping[str, Any]) -> None:
    nothing, log = (
        os.open(os.devnull, os.O_RDONLY),
        os.open(given["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644),
    )
    for number, handle in ((0, nothing), (1, log), (2, log)):
        os.dup2(handle, number)
    faulthandler.enable()
    os.environ.clear()
    os.environ.update(given["env"])
    os.chdir(given["cwd"])
    follow(Path(given["clock"]))
    sys.argv = ["madang", *given["arguments"]]


if __name__ == "__main__":
    skew(Path(sys.argv[1]))
    for name in IMPORTED:
        importlib.import_module(name)
    if (order := _obey()) is not None:
        _become(order)
        from madang.cli import main

        main()
