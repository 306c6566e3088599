"""kill -9 at random points of a turn: every accepted turn must end, no finished step may run again, and the events
must have no gap and no double. One warm process forks a real one for each trial.

    python -m bench.kill COUNT SEED [URL]
"""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

from bench import CHECKOUT, Row
from bench._fan import Diary, assistant


@asynccontextmanager
async def _runtime(url: str, diary: Path) -> AsyncIterator[Any]:
    from madang.graph import build
    from madang.runtime import Runtime
    from madang.runtime.assistant_graph import AssistantGraph
    from madang.store import SessionSaver
    from madang.store.database import Database

    db = await Database.open(url)
    saver = SessionSaver(db)
    served = AssistantGraph("fan", build(assistant, saver), assistant, Diary(diary))
    runtime = Runtime(db, saver, {"fan": served}, today=lambda: date(2026, 1, 1))
    yield runtime
    await runtime.close()
    await db.close()


def _count_boundaries(db: Any, kill_at: int) -> list[int]:
    """Kill this process when it enters, has worked in, or leaves its nth visit to the database; the count so far."""
    reached = [0]

    def passed() -> None:
        reached[0] += 1
        if reached[0] == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def block(original: Any) -> Any:
        @asynccontextmanager
        async def visited() -> AsyncIterator[Any]:
            passed()
            async with original() as tx:
                yield tx
                passed()
            passed()

        return visited

    def call(original: Any) -> Any:
        async def visited(work: Any, *given: Any) -> Any:
            def working(connection: Any) -> Any:
                result = work(connection)
                passed()
                return result

            passed()
            result = await original(working if callable(work) else work, *given)
            passed()
            return result

        return visited

    for name, wrap in (("transaction", block), ("connection", block), ("once", call), ("write", call)):
        if hasattr(db, name):
            setattr(db, name, wrap(getattr(db, name)))
    return reached


async def first_life(url: str, name: str, diary: Path, kill_at: int) -> int:
    """Accept a turn and run it until it ends or the process is killed; how many boundaries there were."""
    from madang.runtime import TurnRequest

    async with _runtime(url, diary) as runtime:
        await runtime.sessions.create(name, assistant="fan")
        run = await runtime.start(name, TurnRequest(text="전세", run_id=f"run-{name}"))
        reached = _count_boundaries(runtime.db, kill_at)
        await runtime.wait(run.run_id)
        return reached[0]


async def second_life(url: str, name: str, diary: Path) -> dict[str, Any]:
    """Recover, and say what had finished before and what the log holds in the end."""
    async with _runtime(url, diary) as runtime:
        snapshot = await runtime.served["fan"].graph.aget_state({"configurable": {"thread_id": name}})
        finished = {s["agent"] for s in assistant.steps(snapshot.values or {}) if s["status"] == "completed"}
        finished |= {task.name for task in snapshot.tasks if task.result}
        logged = await runtime.events.read(name)
        finished |= {
            s["agent"] for frame in logged for s in frame.get("execution_steps", ()) if s["status"] == "completed"
        }
        await runtime.recovery.recover()
        outcome = await runtime.outcome(f"run-{name}")
        frames = await runtime.events.read(name)
    return {
        "status": outcome["status"],
        "answer": (outcome["response"] or {}).get("answer"),
        "finished": sorted(finished),
        "seqs": [frame["seq"] for frame in frames],
        "types": [frame["type"] for frame in frames if frame["type"] != "token"],
    }


def _in_fork(work: Any) -> tuple[int, Any]:
    """Run `work` in a forked process; its exit status (negative for a signal) and what it returned."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        result = asyncio.run(work)
        os.write(writing, json.dumps(result).encode())
        os._exit(0)
    work.close()
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), json.loads(said) if said else None


def trials(count: int, seed: int, url: str = "") -> list[dict[str, Any]]:
    """Kill `count` turns at random boundaries and recover each; what was found. Without a URL, in an SQLite file."""
    import madang.runtime.runtime
    import madang.store.database_postgres
    import madang.store.database_sqlite  # noqa: F401 - warm for the forks

    chosen = random.Random(seed)
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        where = url or f"sqlite:///{folder}/kill.db"
        _, boundaries = _in_fork(first_life(where, "whole", Path(folder) / "whole.txt", -1))
        for i in range(count):
            kill_at = chosen.randint(1, boundaries)
            status, _ = _in_fork(first_life(where, f"trial-{i}", Path(folder) / f"{i}-first.txt", kill_at))
            diary = Path(folder) / f"{i}-second.txt"
            _, result = _in_fork(second_life(where, f"trial-{i}", diary))
            ran = diary.read_text().split() if diary.exists() else []
            killed = status == -signal.SIGKILL
            found.append({"kill_at": kill_at, "killed": killed, "ran": ran, **(result or {"status": "lost"})})
    return found


def is_whole(trial: dict[str, Any]) -> bool:
    """Whether a trial lost and repeated nothing."""
    if trial["status"] != "completed":
        return False
    todo = ["todo_updated"] * 8
    return (
        not set(trial["ran"]) & set(trial["finished"])
        and trial["seqs"] == list(range(1, len(trial["seqs"]) + 1))
        and trial["types"] == ["planning_start", "plan_ready", "execution_start", *todo, "response"]
    )


def run() -> list[Row]:
    """200 kills."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.kill", "200", "7"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    whole = sum(map(is_whole, found)) / len(found)
    killed = sum(trial["killed"] for trial in found) / len(found)
    return [
        Row(measure="turns that ended with nothing lost or repeated", value=whole, goal="1.0"),
        Row(measure="share of trials really killed", value=killed),
    ]


SUITES = {"kill": run}

if __name__ == "__main__":
    for trial in trials(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:4]):
        sys.stdout.write(json.dumps(trial, ensure_ascii=False) + "\n")
