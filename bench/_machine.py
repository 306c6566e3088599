"""Where a figure was measured, and whether it can be believed: a busy machine measures its other work."""

import os
import platform
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("madang", "langgraph", "langgraph-checkpoint-sqlite", "langgraph-checkpoint-postgres", "psycopg", "uvicorn")
SPINS, WORK = 40, 60_000
TOO_BUSY = 1.15
"""So much more time than work: what else runs would be in every figure."""


@dataclass(frozen=True)
class Quiet:
    """How quiet the machine is: time that passed over time that was worked, and the load on each core."""

    delay: float
    load: float

    @property
    def believable(self) -> bool:
        return self.delay <= TOO_BUSY

    def said(self) -> str:
        state = "quiet" if self.believable else "TOO BUSY TO BELIEVE"
        return f"{state}: work takes {self.delay:.2f} × its own time, load {self.load:.1f} a core"


def listen() -> Quiet:
    """Works for a moment and looks how long that took."""
    began, worked = time.perf_counter(), time.process_time()
    for _ in range(SPINS):
        sum(range(WORK))
    spent, own = time.perf_counter() - began, time.process_time() - worked
    return Quiet(spent / own if own else 1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def described() -> str:
    """Date, machine and versions, in a line."""
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC · {_processor()}, {os.cpu_count()} cores · {_versions()}"


def _processor() -> str:
    table = Path("/proc/cpuinfo")
    lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _versions() -> str:
    found = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
