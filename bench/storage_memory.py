"""What the saver keeps in memory over very many sessions: bounded, and what it says is what the process shows."""

import asyncio
import gc
import resource
import tempfile
from pathlib import Path
from typing import Any, TypedDict

from bench import Row, Suite
from bench.storage_workload import question, text

BASE = 1000


class _Note(TypedDict, total=False):
    messages: list[Any]
    note: str


def _resident() -> float:
    """Megabytes of this process; where the system doesn't say, the most there ever were."""
    table = Path("/proc/self/statm")
    if table.exists():
        return int(table.read_text().split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


async def _measure(sessions: int) -> list[Row]:
    from langgraph.graph import START, StateGraph

    from madang.store import SessionSaver

    def note(state: _Note) -> dict[str, Any]:
        return {"note": text(len(state["messages"]), 2000)}

    builder: Any = StateGraph(_Note)
    builder.add_node(note)
    builder.add_edge(START, "note")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        async with SessionSaver.from_url(f"sqlite:///{folder}/memory.db") as saver:
            graph = builder.compile(checkpointer=saver)
            for number in range(1, sessions + 1):
                config: Any = {"configurable": {"thread_id": f"session-{number}"}}
                await graph.ainvoke(question(number % 50), config, durability="sync")
                if number in (BASE, sessions // 2, sessions):
                    gc.collect()
                    sizes = {name: f"{size / 1e6:.1f} MB" for name, size in saver.cache_sizes().items()}
                    note_text = ", ".join(f"{name} {size}" for name, size in sizes.items())
                    measure = f"SQLite: resident memory after {number:,} sessions"
                    rows.append(Row(measure=measure, value=_resident(), unit="MB", note=note_text))
    return rows


def memory(sessions: int = 10_000) -> list[Row]:
    """One turn each in very many sessions; the process and the saver's own figures on the way."""
    return asyncio.run(_measure(max(sessions, 2 * BASE)))


SUITES: dict[str, Suite] = {"memory": memory}
