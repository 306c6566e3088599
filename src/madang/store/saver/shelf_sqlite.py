"""The saver's rows in SQLite: few at a time where the caller stands, many in one hop to a database thread."""

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

from madang.errors import Fenced, SessionBusy
from madang.store.codec import dictionary_range
from madang.store.database_sqlite import SqliteDatabase
from madang.store.saver.listing import listing
from madang.store.saver.rows import Batch, BlobRow, CheckpointRow, Stale, WriteRow, in_order

T = TypeVar("T")

_CHECKPOINT = 8
FEW = 32
_ROW = 256
LIGHT = 128 << 10
"""Bytes that are written faster than they are handed over to another thread."""


class SqliteShelf:
    lanes = 1

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self._sql = database.queries("saver")

    async def save(self, batches: list[Batch]) -> list[Exception | None]:
        return await self._database.write(lambda connection: [self._save(connection, batch) for batch in batches])

    def save_at_once(self, batches: list[Batch]) -> list[Exception | None] | None:
        """`save` on the calling thread; `None` if that would take long."""
        if sum(map(_size, batches)) > LIGHT:
            return None
        return self._database.write_at_once(lambda connection: [self._save(connection, batch) for batch in batches])

    def _save(self, connection: sqlite3.Connection, batch: Batch) -> Exception | None:
        sql = self._sql
        if (
            batch.fence
            and not connection.execute(
                sql["fence_holds"], (batch.fence.run_id, batch.session_id, batch.fence.number)
            ).fetchone()
        ):
            return refused(batch)
        if batch.between_turns and connection.execute(sql["under_way"], {"session_id": batch.session_id}).fetchone():
            return busy(batch)
        if batch.parent and not connection.execute(sql["parent_exists"], (batch.session_id, *batch.parent)).fetchone():
            return Stale()
        if not connection.execute(sql["session_exists"], (batch.session_id,)).fetchone():
            connection.execute(sql["make_session"], (batch.session_id,))
        for query, rows in (
            ("add_chunk", batch.chunks),
            ("put_blob", batch.blobs),
            ("put_checkpoint", batch.checkpoints),
            ("put_write", batch.writes),
        ):
            if rows:
                connection.executemany(sql[query], rows)
        return None

    async def _read(self, work: Callable[[sqlite3.Connection], list[T]], *, few: bool) -> list[T]:
        """On the calling thread for a few rows, if the connection is free."""
        found = self._database.read_at_once(work) if few else None
        return await self._database.read(work) if found is None else found

    async def newest(
        self, session_id: str, checkpoint_ns: str, checkpoint_id: str | None
    ) -> tuple[CheckpointRow, list[WriteRow]] | None:
        params = {"session_id": session_id, "checkpoint_ns": checkpoint_ns, "checkpoint_id": checkpoint_id}
        query = self._sql["newest" if checkpoint_id is None else "one"]

        def work(connection: sqlite3.Connection) -> list[Any]:
            return connection.execute(query, params).fetchall()

        return joined(await self._read(work, few=True))

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
        return [CheckpointRow(*row) for row in await self._database.read(lambda c: c.execute(sql, params).fetchall())]

    async def lineage(self, session_id: str, checkpoint_ns: str, checkpoint_id: str, limit: int) -> list[CheckpointRow]:
        params = {
            "session_id": session_id,
            "checkpoint_ns": checkpoint_ns,
            "checkpoint_id": checkpoint_id,
            "limit": limit,
        }

        def work(connection: sqlite3.Connection) -> list[Any]:
            return connection.execute(self._sql["lineage"], params).fetchall()

        return [CheckpointRow(*row) for row in await self._read(work, few=limit <= FEW)]

    async def blobs(self, session_id: str, checkpoint_ns: str, keys: list[tuple[str, str]]) -> list[BlobRow]:
        def work(connection: sqlite3.Connection) -> list[Any]:
            query = self._sql["blob"]
            return [connection.execute(query, (session_id, checkpoint_ns, *key)).fetchone() for key in keys]

        return [BlobRow(*row) for row in await self._read(work, few=len(keys) <= FEW) if row]

    async def blob_range(self, session_id: str, checkpoint_ns: str, channel: str, low: str, high: str) -> list[BlobRow]:
        params = {
            "session_id": session_id,
            "checkpoint_ns": checkpoint_ns,
            "channel": channel,
            "low": low,
            "high": high,
        }
        rows = await self._database.read(lambda c: c.execute(self._sql["blob_range"], params).fetchall())
        return [BlobRow(*row) for row in rows]

    async def writes(
        self, session_id: str, checkpoint_ns: str, checkpoint_ids: list[str], channels: list[str] | None
    ) -> list[WriteRow]:
        def work(connection: sqlite3.Connection) -> list[list[WriteRow]]:
            query = self._sql["writes"]
            return [
                [WriteRow(*row) for row in connection.execute(query, (session_id, checkpoint_ns, checkpoint_id))]
                for checkpoint_id in checkpoint_ids
            ]

        found = await self._read(work, few=len(checkpoint_ids) <= FEW)
        rows = [row for one in found for row in in_order(one)]
        return rows if channels is None else [row for row in rows if row.channel in channels]

    async def chunks(self, session_id: str, addresses: list[bytes]) -> dict[bytes, bytes]:
        def work(connection: sqlite3.Connection) -> dict[bytes, bytes]:
            query = self._sql["chunk"]
            found = ((a, connection.execute(query, (session_id, a)).fetchone()) for a in addresses)
            return {address: row[0] for address, row in found if row}

        return await self._database.read(work)

    async def dictionaries(self, session_id: str) -> list[tuple[bytes, bytes]]:
        low, high = dictionary_range()
        params = {"session_id": session_id, "low": low, "high": high}
        return await self._database.read(lambda c: c.execute(self._sql["dictionaries"], params).fetchall())


def joined(rows: list[Any]) -> tuple[CheckpointRow, list[WriteRow]] | None:
    """A checkpoint and its writes out of the rows of their outer join."""
    if not rows:
        return None
    row = CheckpointRow(*rows[0][:_CHECKPOINT])
    writes = [
        WriteRow(row.session_id, row.checkpoint_ns, row.checkpoint_id, *joint[_CHECKPOINT:])
        for joint in rows
        if joint[_CHECKPOINT] is not None
    ]
    return row, in_order(writes)


def _size(batch: Batch) -> int:
    """About how much there is to write: rows count as well as bytes."""
    rows = len(batch.chunks) + len(batch.blobs) + len(batch.checkpoints) + len(batch.writes)
    data = sum(len(row.data) for row in batch.chunks) + sum(len(row.blob) for row in batch.blobs)
    data += sum(len(row.blob) for row in batch.writes)
    return rows * _ROW + data


def refused(batch: Batch) -> Fenced:
    run = batch.fence.run_id if batch.fence else ""
    return Fenced(f"run {run} no longer holds session {batch.session_id}: nothing was stored", run_id=run)


def busy(batch: Batch) -> SessionBusy:
    return SessionBusy("a turn is under way in this session: nothing was stored", session_id=batch.session_id)
