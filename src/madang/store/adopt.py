"""`adopt`: threads of LangGraph's own savers become sessions here. The original tables stay, aside if they must."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.types import TASKS

from madang.errors import UnreadableData
from madang.store.database import Database
from madang.store.langgraph_tables import StockCheckpoint, StockTables, StockWrite, stock_tables
from madang.store.saver import SessionSaver
from madang.store.saver.policy import Allow, ForbiddenType

Key = tuple[str, str]


@dataclass
class Adopted:
    """What was copied, what was there already, and where the originals are."""

    threads: int = 0
    checkpoints: int = 0
    writes: int = 0
    present: list[str] = field(default_factory=list)
    kept_as: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


async def adopt(
    url: str,
    *,
    source: str | None = None,
    keyring: Any = None,
    allow: Allow = (),
    progress: Callable[[int, int], None] | None = None,
) -> Adopted:
    """Copy every thread from LangGraph's tables at `source`, or at `url` itself, and compare each by reading both.

    In the same database the tables are renamed aside first. Running it again goes on where it stopped; a session that
    has other checkpoints under a thread's id is left alone and named in `present`. Raises `NotFound` if there are no
    such tables, `UnreadableData` for a thread that doesn't read the same after the copy or holds a type that isn't
    allowed (as `SessionSaver` has it).
    """
    tables = await asyncio.to_thread(stock_tables, source or url)
    aside = await asyncio.to_thread(tables.move_aside) if source in (None, url) else []
    result = Adopted(kept_as=aside)
    db = await Database.open(url, keyring=keyring)
    try:
        saver = SessionSaver(db, allow=allow)
        threads = await asyncio.to_thread(tables.threads)
        for done, thread_id in enumerate(threads, 1):
            await _adopt_thread(db, saver, tables, thread_id, result)
            if progress:
                progress(done, len(threads))
        await saver.aclose()
    finally:
        await db.close()
    return result


async def _adopt_thread(
    db: Database, saver: SessionSaver, tables: StockTables, thread_id: str, result: Adopted
) -> None:
    try:
        read = await asyncio.to_thread(lambda: list(tables.checkpoints(thread_id, saver.serde)))
    except ForbiddenType as refused:
        raise UnreadableData(f"thread {thread_id!r} holds {refused}", session_id=thread_id, type=refused.name) from None
    writes_of = {(original.ns, original.id): original.writes for original in read}
    originals = [_with_sends(original, writes_of.get((original.ns, original.parent or ""), ())) for original in read]
    ids = {(original.ns, original.id) for original in originals}
    there = await _present(db, thread_id)
    if there and not there <= ids:
        result.present.append(thread_id)
        return
    versions: dict[tuple[str, str | None], dict[str, Any]] = {}
    for original in originals:
        if (original.ns, original.id) not in there:
            await _copy(saver, thread_id, original, versions.get((original.ns, original.parent), {}))
        versions[original.ns, original.id] = original.checkpoint["channel_versions"]
    for original in originals:
        await _compare(saver, thread_id, original)
    result.threads += 1
    result.checkpoints += len(originals)
    result.writes += sum(len(original.writes) for original in originals)


def _with_sends(original: StockCheckpoint, parents: Sequence[StockWrite]) -> StockCheckpoint:
    """Before version 4 a checkpoint's pending `Send`s were only among its parent's writes; now they are a channel."""
    sends = [write.value for write in parents if write.channel == TASKS]
    if original.checkpoint.get("v", 1) >= 4 or not sends:
        return original
    versions = original.checkpoint["channel_versions"]
    checkpoint = {
        **original.checkpoint,
        "channel_values": {**original.checkpoint["channel_values"], TASKS: sends},
        "channel_versions": {**versions, TASKS: max(versions.values(), default=1)},
    }
    return replace(original, checkpoint=checkpoint)


async def _present(db: Database, thread_id: str) -> set[Key]:
    async with db.reader() as reader:
        rows = await reader.fetch(db.queries("retention")["checkpoints"], {"session_id": thread_id})
    return {(row["checkpoint_ns"], row["checkpoint_id"]) for row in rows}


async def _copy(saver: SessionSaver, thread_id: str, original: StockCheckpoint, before: dict[str, Any]) -> None:
    current = original.checkpoint["channel_versions"]
    new = {channel: version for channel, version in current.items() if before.get(channel) != version}
    checkpoint, metadata = cast(Checkpoint, original.checkpoint), cast(CheckpointMetadata, original.metadata)
    # Writes first: a checkpoint that is there then has all of its writes, also after a copy that was cut off.
    for (task_id, task_path), writes in _by_task(original.writes).items():
        await saver.aput_writes(_config(thread_id, original.ns, original.id), writes, task_id, task_path)
    await saver.aput(_config(thread_id, original.ns, original.parent), checkpoint, metadata, new)


async def _compare(saver: SessionSaver, thread_id: str, original: StockCheckpoint) -> None:
    copied = await saver.aget_tuple(_config(thread_id, original.ns, original.id))
    if copied is None or _seen(copied) != _expected(original):
        raise UnreadableData(
            f"thread {thread_id!r}: checkpoint {original.id} does not read the same after the copy",
            session_id=thread_id,
            checkpoint_id=original.id,
        )


def _seen(copied: CheckpointTuple) -> tuple[Any, ...]:
    parent = copied.parent_config["configurable"]["checkpoint_id"] if copied.parent_config else None
    writes = sorted((write[0], write[1], repr(write[2])) for write in copied.pending_writes or ())
    return parent, _core(copied.checkpoint), dict(copied.metadata), writes


def _expected(original: StockCheckpoint) -> tuple[Any, ...]:
    writes = sorted((write.task_id, write.channel, repr(write.value)) for write in original.writes)
    return original.parent, _core(original.checkpoint), dict(original.metadata), writes


def _core(checkpoint: Any) -> dict[str, Any]:
    return {name: checkpoint.get(name) for name in ("id", "ts", "channel_values", "channel_versions", "versions_seen")}


def _by_task(writes: Sequence[StockWrite]) -> dict[tuple[str, str], list[tuple[str, Any]]]:
    tasks: dict[tuple[str, str], list[tuple[str, Any]]] = {}
    for write in sorted(writes, key=lambda write: (write.channel in WRITES_IDX_MAP, write.idx)):
        tasks.setdefault((write.task_id, write.task_path), []).append((write.channel, write.value))
    return tasks


def _config(thread_id: str, namespace: str, checkpoint_id: str | None) -> RunnableConfig:
    chosen = {} if checkpoint_id is None else {"checkpoint_id": checkpoint_id}
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": namespace, **chosen}}
