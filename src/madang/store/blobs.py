"""Values too large for state, by their content's address, within one session. Compressed, and sealed if there is a key.

The first byte of a row says which: `z` compressed, `s` compressed and sealed to (session, blob).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import zstandard

from madang.errors import DecryptionFailed, NotFound, UnreadableData
from madang.store.codec import Keyring, address_of, check_size, inflate
from madang.store.columns import from_json, now, to_json
from madang.store.database import Database, Transaction
from madang.store.sealing import seal, unseal

LEVEL = 3


@dataclass(frozen=True)
class Blob:
    """What is known of a blob without reading it."""

    blob_id: str
    media_type: str | None
    size: int
    summary: Mapping[str, Any] | None
    created_at: str


class Blobs:
    """The blobs of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("blobs")
        self._keyring: Keyring | None = db.keyring
        self._lock = db.queries("sessions")["lock_session"]

    async def put(
        self,
        session_id: str,
        data: bytes,
        *,
        media_type: str = "application/json",
        summary: Mapping[str, Any] | None = None,
    ) -> str:
        """Keep `data`; its id, the same for the same bytes.

        Raises `NotFound` for an unknown session, `InvalidInput` for more bytes than can be stored.
        """
        blob_id = address_of(check_size(data), self._keyring).hex()
        columns = {
            "session_id": session_id,
            "blob_id": blob_id,
            "media_type": media_type,
            "size": len(data),
            "summary": None if summary is None else to_json(summary, "summary"),
            "data": self._packed(data, session_id, blob_id),
            "now": now(),
        }
        params = seal(self._keyring, "blobs", columns)
        async with self._db.transaction() as tx:
            if not await tx.fetch(self._lock, params):
                raise NotFound(f"no session {session_id!r}", session_id=session_id)
            await tx.execute(self._sql["put_blob"], params)
        return blob_id

    async def get(self, session_id: str, blob_id: str) -> bytes:
        """The bytes. Raises `NotFound`, `UnreadableData`, or `DecryptionFailed` without the right key."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["get_blob"], {"session_id": session_id, "blob_id": blob_id})
        if not rows:
            raise NotFound(f"no blob {blob_id!r} in session {session_id!r}", blob_id=blob_id)
        return unpack(bytes(rows[0]["data"]), session_id, blob_id, self._keyring)

    async def restore(self, tx: Transaction, row: Mapping[str, Any]) -> None:
        """Put an exported blob back under its own id, inside the caller's transaction."""
        data = self._packed(row["data"], row["session_id"], row["blob_id"])
        columns = {**row, "size": len(row["data"]), "data": data, "now": row["created_at"]}
        await tx.execute(self._sql["put_blob"], seal(self._keyring, "blobs", columns))

    async def list(self, session_id: str) -> Sequence[Blob]:
        """What a session has, oldest first."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["list_blobs"], {"session_id": session_id})
        opened = [unseal(self._keyring, "blobs", {**row, "session_id": session_id}) for row in rows]
        names = [field.name for field in fields(Blob)]
        return [
            Blob(**{name: row[name] for name in names} | {"summary": from_json(row["summary"], "summary")})
            for row in opened
        ]

    async def delete(self, session_id: str, blob_id: str) -> bool:
        """Delete one; whether it was there."""
        async with self._db.transaction() as tx:
            return bool(await tx.execute(self._sql["delete_blob"], {"session_id": session_id, "blob_id": blob_id}))

    def of(self, session_id: str) -> "SessionBlobs":
        """A session's blobs as `madang.state.size.Blobs`: synchronous, so not for the loop's own thread."""
        return SessionBlobs(self, self._db, session_id)

    def _packed(self, data: bytes, session_id: str, blob_id: str) -> bytes:
        compressed = zstandard.ZstdCompressor(level=LEVEL).compress(data)
        if self._keyring is None:
            return b"z" + compressed
        return sealed_body(compressed, session_id, blob_id, self._keyring)


class SessionBlobs:
    """One session's blobs for synchronous code in another thread."""

    def __init__(self, blobs: Blobs, db: Database, session_id: str) -> None:
        self._blobs = blobs
        self._db = db
        self._session_id = session_id

    def put(self, data: bytes, /) -> str:
        return self._db.run_sync(lambda: self._blobs.put(self._session_id, data))

    def get(self, blob_id: str, /) -> bytes:
        return self._db.run_sync(lambda: self._blobs.get(self._session_id, blob_id))


def unpack(stored: bytes, session_id: str, blob_id: str, keyring: Keyring | None) -> bytes:
    """The bytes in a row. Raises `UnreadableData`, or `DecryptionFailed` without the right key."""
    body = stored[1:]
    if stored[:1] == b"s":
        if keyring is None:
            raise DecryptionFailed(f"blob {blob_id} is encrypted and no key is configured", blob_id=blob_id)
        body = keyring.open(body, _identity(session_id, blob_id))
    elif keyring is not None and stored[:1] == b"z":
        raise DecryptionFailed(f"blob {blob_id} is not encrypted, as everything in this database is", blob_id=blob_id)
    elif stored[:1] != b"z":
        raise UnreadableData(f"blob {blob_id} is damaged", blob_id=blob_id)
    try:
        return inflate(body)
    except UnreadableData as problem:
        raise UnreadableData(f"blob {blob_id}: {problem}", blob_id=blob_id) from problem


def sealed_body(compressed: bytes, session_id: str, blob_id: str, keyring: Keyring) -> bytes:
    """The bytes of a row, sealed to it."""
    return b"s" + keyring.seal(compressed, _identity(session_id, blob_id))


def _identity(session_id: str, blob_id: str) -> bytes:
    return f"blobs\0{session_id}\0{blob_id}".encode()
