"""`seal_database`: a first key for a database that has rows already. Everything that a key seals is sealed in place.

A session is one transaction, and the key is noted at the end: cut off, it goes on where it stopped. Addresses of
content stay what they were, plain hashes of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.errors import UnreadableData
from madang.store import codec
from madang.store.database import Database, Row, Transaction
from madang.store.key_checks import note_key, try_keys
from madang.store.saver import SessionSaver
from madang.store.saver.core import row_identity
from madang.store.saver.frames import pack_frame
from madang.store.saver.reading import Reader
from madang.store.saver.rows import CheckpointRow
from madang.store.saver.writing import shown_metadata, to_text
from madang.store.sealing import TABLES, is_sealed, seal

_OF_SESSION = (
    "chat_sessions",
    "chat_messages",
    "runs",
    "run_events",
    "documents",
    "document_versions",
    "document_files",
    "blobs",
    "attachments",
    "feedback",
    "shares",
    "webhooks",
)
_KEYS = {
    "chat_messages": ("id",),
    "documents": ("document_id",),
    "webhooks": ("run_id",),
}
_SAVER = {
    "chunks": ("data", ("session_id", "address"), ("session_id", "address")),
    "checkpoint_blobs": (
        "blob",
        ("session_id", "checkpoint_ns", "channel", "version"),
        ("session_id", "checkpoint_ns", "channel", "version", "type"),
    ),
    "checkpoint_writes": (
        "blob",
        ("session_id", "checkpoint_ns", "checkpoint_id", "task_id", "idx"),
        ("session_id", "checkpoint_ns", "checkpoint_id", "task_id", "idx", "channel", "type"),
    ),
}
"""By table of the saver what is sealed, what the row's key is, and what it is sealed to."""


async def seal_database(url: str, keyring: codec.Keyring) -> dict[str, int]:
    """Seals every row of the database at `url`; how many of each table. One that has a key already is left as it is.

    Raises `DecryptionFailed` if it has another key, `UnreadableData` for what can't be read.
    """
    db = await Database.connect(url)
    try:
        async with db.reader() as reader:
            if await try_keys(db, reader, keyring):
                return {}
            sessions = [row["session_id"] for row in await reader.fetch("SELECT session_id FROM chat_sessions")]
        work = _Work(db, keyring)
        for session_id in sessions:
            async with db.transaction() as tx:
                await tx.fetch(db.queries("sessions")["lock_session"], {"session_id": session_id})
                await work.seal_session(tx, session_id)
        async with db.transaction() as tx:
            for table in ("memories", "assistant_versions", "crons"):
                await work.seal_table(tx, table, await tx.fetch(f"SELECT * FROM {table}"))  # noqa: S608
            if db.dialect == "sqlite":
                # What was searched in until now is taken out of the index for good.
                await tx.execute("INSERT INTO message_search (message_search) VALUES ('delete-all')")
            await note_key(db, tx, keyring)
        return work.counts
    finally:
        await db.close()


class _Work:
    def __init__(self, db: Database, keyring: codec.Keyring) -> None:
        self._db = db
        self._keyring = keyring
        self._saver = SessionSaver(db)
        self.counts: dict[str, int] = {}

    async def seal_session(self, tx: Transaction, session_id: str) -> None:
        named = {"session_id": session_id}
        await self._seal_checkpoints(tx, session_id)
        for table in _SAVER:
            await self._seal_bytes(tx, table, await tx.fetch(_all_of(table), named))
        await self._seal_blobs(tx, await tx.fetch(_all_of("blobs"), named))
        for table in _OF_SESSION:
            await self.seal_table(tx, table, await tx.fetch(_all_of(table), named))

    async def seal_table(self, tx: Transaction, table: str, rows: Sequence[Row]) -> None:
        """Seals the columns that `sealing.TABLES` names."""
        columns = TABLES[table]
        for row in rows:
            plain = [name for name in columns.sealed if row[name] is not None and not is_sealed(table, name, row[name])]
            sealed = seal(self._keyring, table, {name: row[name] for name in (*columns.identity, *plain)})
            key = dict.fromkeys((*_KEYS.get(table, columns.identity), *(["session_id"] * (table in _OF_SESSION))))
            await self._change(tx, table, row, list(key), {name: sealed[name] for name in plain})

    async def _seal_bytes(self, tx: Transaction, table: str, rows: Sequence[Row]) -> None:
        column, key, identity = _SAVER[table]
        for row in rows:
            stored = bytes(row[column] or b"") or codec.compress(b"", None)
            if stored[0] != codec.SEALED:
                parts = [row[name] if name == "address" else str(row[name]) for name in identity]
                sealed = codec.seal(stored, row_identity(parts), self._keyring)
                await self._change(tx, table, row, key, {column: sealed})

    async def _seal_blobs(self, tx: Transaction, rows: Sequence[Row]) -> None:
        from madang.store.blobs import sealed_body

        for row in rows:
            stored = bytes(row["data"])
            if stored[:1] == b"z":
                body = sealed_body(stored[1:], row["session_id"], row["blob_id"], self._keyring)
                await self._change(tx, "blobs", row, ("session_id", "blob_id"), {"data": body})

    async def _seal_checkpoints(self, tx: Transaction, session_id: str) -> None:
        core = self._saver._core
        state = await core.state(session_id)
        for row in await tx.fetch(_all_of("checkpoints"), {"session_id": session_id}):
            stored = CheckpointRow(**{name: row[name] for name in CheckpointRow._fields})
            stored = stored._replace(packed=bytes(stored.packed))
            if not stored.packed:
                raise UnreadableData(f"checkpoint {stored.checkpoint_id} of session {session_id} is damaged")
            if stored.packed[0] == codec.SEALED:
                continue
            reader = Reader(core, self._saver.serde, session_id, stored.checkpoint_ns, state)
            checkpoint, metadata = reader.frame(stored)
            frame = pack_frame(checkpoint, checkpoint["channel_values"], self._saver.serde, to_text(metadata))
            identity = row_identity((session_id, stored.checkpoint_ns, stored.checkpoint_id))
            changes = {
                "packed": codec.seal(codec.compress(frame, None), identity, self._keyring),
                "checkpoint": to_text({"ts": checkpoint["ts"], "channel_values": {}}),
                "metadata": to_text(shown_metadata(metadata)),
            }
            await self._change(tx, "checkpoints", row, ("session_id", "checkpoint_ns", "checkpoint_id"), changes)

    async def _change(
        self, tx: Transaction, table: str, row: Row, key: Sequence[str], changes: Mapping[str, Any]
    ) -> None:
        if not changes:
            return
        assignments = ", ".join(f"{name} = :new_{name}" for name in changes)
        where = " AND ".join(f"{name} = :{name}" for name in key)
        params = {name: row[name] for name in key} | {f"new_{name}": value for name, value in changes.items()}
        await tx.execute(f"UPDATE {table} SET {assignments} WHERE {where}", params)  # noqa: S608
        self.counts[table] = self.counts.get(table, 0) + 1


def _all_of(table: str) -> str:
    return f"SELECT * FROM {table} WHERE session_id = :session_id"  # noqa: S608
