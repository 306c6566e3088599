"""What a process holds on to: turns over many sessions, and what is in memory, open and running meanwhile."""

import asyncio
import gc
import resource
import tempfile
from contextlib import suppress
from datetime import date
from pathlib import Path

from bench import Row
from bench._fan import Diary, assistant
from madang.graph import build
from madang.runtime import Runtime, TurnRequest
from madang.runtime.assistant_graph import AssistantGraph
from madang.store import SessionSaver
from madang.store.database import Database

AT_ONCE = 8


def soak(turns: int = 10_000, sessions: int = 1_000, db: str = "") -> list[Row]:
    """`turns` turns, `sessions` conversations; `db` is an SQLite file of its own unless it names a database."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_soak(turns, sessions, db or f"sqlite:///{folder}/soak.db"))


async def _soak(turns: int, sessions: int, url: str) -> list[Row]:
    database = await Database.open(url)
    saver = SessionSaver(database)
    served = AssistantGraph("fan", build(assistant, saver), assistant, Diary())
    runtime = Runtime(database, saver, {"fan": served}, today=lambda: date(2026, 1, 1))
    names = [(await runtime.sessions.create(assistant="fan")).session_id for _ in range(sessions)]
    marks = {0: "at the start", turns // 10: "after a tenth", turns // 2: "in the middle", turns: "at the end"}
    rows: list[Row] = []
    first = 0.0
    for done in range(0, turns + 1, AT_ONCE):
        reached = next((mark for mark in marks if mark <= done), None)
        if reached is not None:
            held = _resident()
            first = first or held
            rows += _rows(marks.pop(reached), held, first, done, sum(saver.cache_sizes().values()), url)
        batch = [names[(done + i) % sessions] for i in range(AT_ONCE) if done + i < turns]
        await asyncio.gather(*(_turn(runtime, name, done) for name in batch))
    await runtime.close()
    await database.close()
    return rows


async def _turn(runtime: Runtime, session_id: str, number: int) -> None:
    run = await runtime.start(session_id, TurnRequest(text=f"질문 {number} " + "가" * 200))
    await runtime.wait(run.run_id)


def _rows(when: str, held: float, first: float, done: int, cached: int, url: str) -> list[Row]:
    grown = (held - first) * 1024 / done if done else 0.0
    note = f"{grown:.2f} kB a turn since the start"
    return [
        Row(measure=f"memory {when}", value=held, unit="MB", peer="at the start", peer_value=first, note=note),
        Row(measure=f"the saver's caches {when}", value=round(cached / (1 << 20), 1), unit="MB"),
        Row(measure=f"open files {when}", value=float(len(_open_files())), unit="descriptors"),
        Row(measure=f"connections {when}", value=float(_connections(url)), unit="to the database"),
        Row(measure=f"tasks {when}", value=float(len(asyncio.all_tasks())), unit="asyncio tasks"),
    ]


def _open_files() -> list[str]:
    found = []
    for handle in Path("/proc/self/fd").iterdir():
        # The one that the folder itself is read by is gone again.
        with suppress(FileNotFoundError):
            found.append(str(handle.readlink()))
    return found


def _connections(url: str) -> int:
    """An SQLite connection has the file open; one to a server is a socket."""
    file = url.removeprefix("sqlite:///")
    return sum(name == file if file != url else name.startswith("socket:") for name in _open_files())


def _resident() -> float:
    gc.collect()
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


SUITES = {"soak": soak}
