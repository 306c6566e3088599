"""The saver's rows in Postgres: everything of a superstep, of several sessions at once, in one statement.

The statement repeats safely (all its rows are keyed by what they hold), so it is sent again after a lost connection.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from functools import lru_cache
from typing import Any, TypeVar, cast

import psycopg

from madang.errors import ServiceUnavailable
from madang.store.codec import dictionary_range
from madang.store.database_postgres import RECONNECT_FOR, ByteaArray, Connection, PostgresDatabase, translated
from madang.store.queries import to_psycopg
from madang.store.saver.listing import listing
from madang.store.saver.rows import Batch, BlobRow, CheckpointRow, Stale, WriteRow, in_order
from madang.store.saver.shelf_sqlite import busy, joined, refused

T = TypeVar("T")


class PostgresShelf:
    lanes = 4
    save_at_once = None

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._sql = database.queries("saver")

    async def save(self, batches: list[Batch]) -> list[Exception | None]:
        if any(batch.between_turns for batch in batches):
            return [await self._save_between_turns(batch) for batch in batches]
        params = _arrays(batches)

        async def work(connection: Connection) -> list[Any]:
            cursor = await connection.execute(self._sql["save"], params)
            return await cursor.fetchall()

        [[verdicts]] = await self._retried(work)
        return [_refusal(verdict, batch) for verdict, batch in zip(verdicts, batches, strict=True)]

    async def _save_between_turns(self, batch: Batch) -> Exception | None:
        """Nobody can begin a turn of the session meanwhile: that takes the lock too."""
        params, session = _arrays([batch]), {"session_id": batch.session_id}

        async def work(connection: Connection) -> Exception | None:
            async with connection.transaction():
                if batch.between_turns:
                    await connection.execute(to_psycopg(self._sql["hold_session"]), session)
                    under_way = await connection.execute(to_psycopg(self._sql["under_way"]), session)
                    if await under_way.fetchone():
                        return busy(batch)
                cursor = await connection.execute(self._sql["save"], params)
                [[[verdict]]] = await cursor.fetchall()
            return _refusal(verdict, batch)

        return await self._retried(work)

    async def newest(
        self, session_id: str, checkpoint_ns: str, checkpoint_id: str | None
    ) -> tuple[CheckpointRow, list[WriteRow]] | None:
        params = {"session_id": session_id, "checkpoint_ns": checkpoint_ns, "checkpoint_id": checkpoint_id}
        return joined(await self._fetch(self._sql["newest" if checkpoint_id is None else "one"], params))

    async def checkpoints(
        self,
        session_id: str | None,
        checkpoint_ns: str | None,
        *,
        checkpoint_id: str | None = None,
        before: str | None = None,
        after: tuple[str, str, str] | None = None,
        limit: int,
    ) -> list[CheckpointRow]:
        sql, params = listing(
            session_id, checkpoint_ns, checkpoint_id=checkpoint_id, before=before, after=after, limit=limit
        )
        return [CheckpointRow(*row) for row in await self._fetch(sql, params)]

    async def lineage(self, session_id: str, checkpoint_ns: str, checkpoint_id: str, limit: int) -> list[CheckpointRow]:
        params = {
            "session_id": session_id,
            "checkpoint_ns": checkpoint_ns,
            "checkpoint_id": checkpoint_id,
            "limit": limit,
        }
        return [CheckpointRow(*row) for row in await self._fetch(self._sql["lineage"], params)]

    async def blobs(self, session_id: str, checkpoint_ns: str, keys: list[tuple[str, str]]) -> list[BlobRow]:
        params = {
            "session_id": session_id,
            "checkpoint_ns": checkpoint_ns,
            "channels": [channel for channel, _ in keys],
            "versions": [version for _, version in keys],
        }
        return [BlobRow(*row) for row in await self._fetch(self._sql["blobs"], params)]

    async def blob_range(self, session_id: str, checkpoint_ns: str, channel: str, low: str, high: str) -> list[BlobRow]:
        params = {
            "session_id": session_id,
            "checkpoint_ns": checkpoint_ns,
            "channel": channel,
            "low": low,
            "high": high,
        }
        return [BlobRow(*row) for row in await self._fetch(self._sql["blob_range"], params)]

    async def writes(
        self, session_id: str, checkpoint_ns: str, checkpoint_ids: list[str], channels: list[str] | None
    ) -> list[WriteRow]:
        params = {
            "session_id": session_id,
            "checkpoint_ns": checkpoint_ns,
            "ids": checkpoint_ids,
            "channels": channels,
        }
        rows = in_order(WriteRow(*row) for row in await self._fetch(self._sql["writes"], params))
        place = {checkpoint_id: i for i, checkpoint_id in enumerate(checkpoint_ids)}
        return sorted(rows, key=lambda row: place[row.checkpoint_id])

    async def chunks(self, session_id: str, addresses: list[bytes]) -> dict[bytes, bytes]:
        params = {"session_id": session_id, "addresses": addresses}
        return {bytes(address): bytes(data) for address, data in await self._fetch(self._sql["chunks"], params)}

    async def dictionaries(self, session_id: str) -> list[tuple[bytes, bytes]]:
        low, high = dictionary_range()
        params = {"session_id": session_id, "low": low, "high": high}
        return [(bytes(a), bytes(d)) for a, d in await self._fetch(self._sql["dictionaries"], params)]

    async def _fetch(self, sql: str, params: dict[str, Any]) -> list[Any]:
        async def work(connection: Connection) -> list[Any]:
            cursor = await connection.execute(to_psycopg(sql), params)
            return await cursor.fetchall()

        return await self._retried(work)

    async def _retried(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Runs what may be run twice; through a restart of the server if it comes back soon."""
        deadline = time.monotonic() + RECONNECT_FOR
        pause = 0.05
        with translated():
            while True:
                try:
                    async with self._database.connection() as connection:
                        return await work(connection)
                except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                    if not _lost(error) or time.monotonic() > deadline:
                        raise
                await asyncio.sleep(pause)
                pause = min(1.0, pause * 2)
        raise ServiceUnavailable("Postgres can't be reached")


def _refusal(verdict: str, batch: Batch) -> Exception | None:
    if verdict == "stored":
        return None
    return refused(batch) if verdict == "fenced" else Stale()


def _lost(error: psycopg.Error) -> bool:
    """Whether the connection, not the statement, is what failed."""
    return error.sqlstate is None or error.sqlstate[:3] in ("57P", "080", "08P") or error.sqlstate in ("40001", "40P01")


def _arrays(batches: list[Batch]) -> dict[str, str | ByteaArray]:
    """The batches as Postgres array literals, a row once each: one statement can't touch a row twice."""
    chunks: dict[Any, tuple[Any, ...]] = {}
    blobs: dict[Any, tuple[Any, ...]] = {}
    checkpoints: dict[Any, tuple[Any, ...]] = {}
    writes: dict[Any, tuple[Any, ...]] = {}
    for number, batch in enumerate(batches, 1):
        # Shared only by batches that are refused together.
        chunks |= {(*row[:2], batch.fence, batch.parent): (number, *row[1:]) for row in batch.chunks}
        blobs |= {row[:4]: (number, *row[1:]) for row in batch.blobs}
        checkpoints |= {row[:3]: (number, *row[1:]) for row in batch.checkpoints}
        for row in batch.writes:
            if row.idx < 0 or row[:5] not in writes:
                writes[row[:5]] = (number, *row[1:])
    return {
        "b_session": _texts(b.session_id for b in batches),
        "b_run": _texts(b.fence.run_id if b.fence else None for b in batches),
        "b_fence": _numbers(b.fence.number if b.fence else None for b in batches),
        "b_ns": _texts(b.parent.checkpoint_ns if b.parent else None for b in batches),
        "b_parent": _texts(b.parent.checkpoint_id if b.parent else None for b in batches),
        **_columns("c", ("batch", "address", "data"), chunks.values()),
        **_columns("l", ("batch", "ns", "channel", "version", "type", "blob"), blobs.values()),
        **_columns(
            "k", ("batch", "ns", "id", "parent", "type", "checkpoint", "metadata", "packed"), checkpoints.values()
        ),
        **_columns("w", ("batch", "ns", "id", "task", "idx", "channel", "type", "blob", "path"), writes.values()),
    }


def _columns(prefix: str, names: tuple[str, ...], rows: Collection[tuple[Any, ...]]) -> dict[str, str | ByteaArray]:
    if not rows:
        return _no_rows(prefix, names)
    return {
        f"{prefix}_{name}": _literal(name, column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }


@lru_cache(maxsize=8)
def _no_rows(prefix: str, names: tuple[str, ...]) -> dict[str, str | ByteaArray]:
    return {f"{prefix}_{name}": _literal(name, ()) for name in names}


def _literal(name: str, column: tuple[Any, ...]) -> str | ByteaArray:
    if name in ("batch", "idx"):
        return _numbers(column)
    if name in ("address", "data", "blob", "packed"):
        return ByteaArray.of(column)
    return _texts(column)


def _numbers(column: Iterable[int | None]) -> str:
    return "{" + ",".join(["NULL" if value is None else str(value) for value in column]) + "}"


def _texts(column: Iterable[str | None]) -> str:
    texts = list(column)
    if None not in texts:
        joined = "\0".join(cast("list[str]", texts))
        if joined.count("\0") == len(texts) - 1:
            return '{"' + _escaped(joined).replace("\0", '","') + '"}'
    return "{" + ",".join(["NULL" if value is None else f'"{_escaped(value)}"' for value in texts]) + "}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
