"""Where a late turn's time goes: LangGraph's own, the saver's and its driver's, the database's, and waiting.

Processor time of each process, so that other work on the machine changes little. LangGraph's own share is that of the
same turns with a saver that does nothing but keep the objects it is given.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)
from langgraph.checkpoint.serde.types import _DeltaSnapshot

from bench import Row
from bench import storage_workload as workload
from bench.storage import THREAD, Opener, ours
from bench.storage_servers import fresh_postgres
from madang.store.saver.frames import VersionClock

LATE, TURNS, WARM = 476, 60, 4


class Kept(BaseCheckpointSaver[str]):
    """The newest checkpoint of one thread as LangGraph gave it, and what was written since a delta channel's snapshot:
    nothing is copied, nothing outlives the process."""

    def __init__(self) -> None:
        super().__init__()
        self._clock = VersionClock()
        self._newest: CheckpointTuple | None = None
        self._written: dict[str, list[tuple[str, str, Any]]] = {}
        self._seeds: dict[str, Any] = {}

    def get_next_version(self, current: str | None, channel: None) -> str:  # noqa: ARG002 - LangGraph's signature
        return self._clock.next(current)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:  # noqa: ARG002 - one thread
        return self._newest

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,  # noqa: ARG002 - LangGraph's signature
    ) -> RunnableConfig:
        place: RunnableConfig = {"configurable": {**config["configurable"], "checkpoint_id": checkpoint["id"]}}
        values = dict(checkpoint["channel_values"])
        self._newest = CheckpointTuple(place, {**checkpoint, "channel_values": values}, metadata, None, [])
        for channel, value in values.items():
            if isinstance(value, _DeltaSnapshot):
                self._seeds[channel], self._written[channel] = value, []
        return place

    async def aput_writes(
        self,
        config: RunnableConfig,  # noqa: ARG002 - LangGraph's signature
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",  # noqa: ARG002
    ) -> None:
        for channel, value in writes:
            self._written.setdefault(channel, []).append((task_id, channel, value))

    async def aget_delta_channel_history(
        self,
        *,
        config: RunnableConfig,  # noqa: ARG002 - one thread
        channels: Sequence[str],
    ) -> dict[str, DeltaChannelHistory]:
        found: dict[str, DeltaChannelHistory] = {}
        for channel in channels:
            found[channel] = {"writes": list(self._written.get(channel, ()))}
            if channel in self._seeds:
                found[channel]["seed"] = self._seeds[channel]
        return found


def shares() -> list[Row]:
    """Milliseconds of the 500th turn by who spends them, on each backend, every superstep durable."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, fresh_postgres() as new_database:
        for kind in ("add_messages", "DeltaChannel"):
            _, own, _ = asyncio.run(_late_turns(_kept, kind, ""))
            databases = {"SQLite": f"sqlite:///{folder}/{kind}.db"}
            if new_database is not None:
                databases["Postgres"] = new_database()
            for backend, url in databases.items():
                whole, here, there = asyncio.run(_late_turns(ours(url), kind, urlsplit(url).path.removeprefix("/")))
                parts = {
                    "LangGraph's own": own,
                    "the saver and its driver": here - own,
                    "the processes of Postgres": there,
                    "waiting: disk, switching, other work of the machine": whole - here - there,
                }
                rows += [
                    Row(measure=f"{backend}, {kind}: {who}", value=spent, unit="ms", peer="turn 500", peer_value=whole)
                    for who, spent in parts.items()
                    if backend == "Postgres" or who != "the processes of Postgres"
                ]
    return rows


@asynccontextmanager
async def _kept() -> AsyncIterator[Kept]:
    yield Kept()


async def _late_turns(opener: Opener, kind: str, database: str) -> tuple[float, float, float]:
    """A turn's milliseconds: by the clock, of this process, of the Postgres processes that serve the database."""
    async with opener() as saver:
        graph = workload.build(saver, kind)
        await graph.aupdate_state(THREAD, workload.said(range(1, LATE)), as_node="respond")
        for turn in range(LATE, LATE + WARM):
            await graph.ainvoke(workload.question(turn), THREAD, durability="sync")
        turns = range(LATE + WARM, LATE + WARM + TURNS)
        for turn in turns:
            workload.prepare(turn)
        served, begun, worked = _served(database), time.perf_counter(), time.process_time()
        for turn in turns:
            await graph.ainvoke(workload.question(turn), THREAD, durability="sync")
        whole, here = time.perf_counter() - begun, time.process_time() - worked
        return whole * 1000 / TURNS, here * 1000 / TURNS, (_served(database) - served) * 1000 / TURNS


def _served(database: str) -> float:
    """Seconds of a processor that Postgres has used for a database; 0 where /proc has no answer."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_text(errors="replace")
            if database and command.startswith("postgres:") and f" {database} " in command:
                fields = (path.parent / "stat").read_text(errors="replace").rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


SUITES = {"shares": shares}
