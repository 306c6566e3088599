"""What runs stream, for readers in other processes: kept a while, sealed to its place, gone after a crash."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from langgraph.checkpoint.serde.base import SerializerProtocol

from madang.errors import MadangError
from madang.store.codec import seal, unseal
from madang.store.database import Database

KEPT = 3600.0
PAGE = 500


class StoredPart(NamedTuple):
    """A part's place in one process's stream of a run, and what it holds."""

    key: str
    number: int
    value: Any


class StreamParts:
    """The parts and watchers of one Postgres. `serde` says which types may be made of stored bytes."""

    def __init__(self, db: Database, serde: SerializerProtocol) -> None:
        self._db, self._serde = db, serde
        self._sql = db.queries("stream_parts")

    async def add(self, session_id: str, run_id: str, key: str, parts: Sequence[tuple[int, bytes]]) -> None:
        """Store encoded parts, and tell those who wait for them."""
        sealed = [seal(raw, _place(session_id, run_id, key, number), self._db.keyring) for number, raw in parts]
        params = {
            "session_id": session_id,
            "run_id": run_id,
            "key": key,
            "numbers": [number for number, _ in parts],
            "parts": sealed,
        }
        await self._db.once(self._sql["add_parts"], params)

    async def read(self, session_id: str, run_id: str, key: str, after: int) -> list[StoredPart]:
        """Parts of other streams of the run, and of this one after a number; some of them, in order."""
        params = {"session_id": session_id, "run_id": run_id, "key": key, "after": after, "limit": PAGE}
        rows = await self._db.once(self._sql["parts_of_run"], params)
        return [StoredPart(row["stream_key"], row["number"], self._decoded(session_id, run_id, row)) for row in rows]

    def encoded(self, value: Any) -> bytes:
        """A value as it is stored. Raises what the serialiser raises for what can't be."""
        kind, raw = self._serde.dumps_typed(value)
        return kind.encode() + b":" + raw

    def _decoded(self, session_id: str, run_id: str, row: Any) -> Any:
        place = _place(session_id, run_id, row["stream_key"], row["number"])
        kind, _, raw = unseal(bytes(row["part"]), place, self._db.keyring).partition(b":")
        try:
            return self._serde.loads_typed((kind.decode(), raw))
        except MadangError:
            # A type that this process doesn't know: a gap, not an end.
            return None

    async def forget(self) -> None:
        """Forget what is old."""
        await self._db.once(self._sql["forget_parts"], {"seconds": KEPT})
        await self._db.once(self._sql["forget_watchers"])

    async def watch(self, owner: str, kind: str, session_ids: Iterable[str], seconds: float) -> None:
        """Say that somebody at `owner` watches sessions, for so long."""
        params = {"owner": owner, "kind": kind, "ids": list(session_ids), "seconds": seconds}
        await self._db.once(self._sql["watch"], params)

    async def unwatch(self, owner: str, kind: str, session_id: str) -> None:
        """Nobody at `owner` watches it any more."""
        await self._db.once(self._sql["unwatch"], {"owner": owner, "kind": kind, "session_id": session_id})

    async def watched(self) -> set[tuple[str, str]]:
        """Session and kind of all that is watched anywhere."""
        return {(row["session_id"], row["kind"]) for row in await self._db.once(self._sql["watched"])}


def _place(session_id: str, run_id: str, key: str, number: int) -> bytes:
    return f"{session_id}\n{run_id}\n{key}\n{number}".encode()
