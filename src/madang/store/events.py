"""The event log: what clients were told, numbered per session without gaps, each event once.

Appending takes the session's lock, so numbers are given in the order of commits and a reader who has seen number n has
seen everything before it. A transaction that fails gives its numbers back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from madang.errors import Conflict, NotFound, ServiceUnavailable
from madang.events import Event, to_wire
from madang.store.codec import Keyring
from madang.store.columns import from_json, many, now, storable, to_json
from madang.store.database import Database, Row, Transaction
from madang.store.event_batches import AddedRow, Addition, Moved, flusher_of
from madang.store.paging import check_limit
from madang.store.runs import check_fence
from madang.store.sealing import seal, unseal
from madang.store.transactions import joined

Frame = dict[str, Any]
KeyedEvent = tuple[str | None, Event]


class Fresh(NamedTuple):
    """An event to add: its frame, and the frame as it is stored."""

    key: str | None
    frame: Frame
    text: str


@dataclass(slots=True)
class Tail:
    """The end of a session's log as the holder of a run knows it."""

    session_id: str
    run_id: str
    fence: int
    request_id: str | None
    last_seq: int


class Events:
    """The event log of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("events")
        self._lock = db.queries("sessions")["lock_session"]
        self._keyring: Keyring | None = db.keyring
        self._flusher = flusher_of(db)

    async def extend(self, tail: Tail, events: Iterable[KeyedEvent]) -> list[Frame]:
        """`append` for the holder of a run: one round trip, shared with other sessions that append at the moment."""
        given = list(events)
        frames, fresh = _number(given, {}, tail.last_seq, tail.session_id, tail.request_id)
        if not fresh:
            return frames
        rows = self._rows(tail.session_id, fresh)
        try:
            await self._flusher.store(
                Addition(tail.session_id, tail.run_id, tail.fence, tail.last_seq, fresh[-1].frame["timestamp"], rows)
            )
        except ServiceUnavailable:
            # The connection was lost, perhaps after the commit: the log tells.
            if await self.read(tail.session_id, tail.last_seq, len(fresh)) != [one.frame for one in fresh]:
                frames = await self.append(tail.session_id, tail.run_id, tail.fence, given)
        except (Moved, Conflict):
            # Somebody else has written to the log, or an event is in it already, or the run was superseded.
            frames = await self.append(tail.session_id, tail.run_id, tail.fence, given)
        tail.last_seq = max(tail.last_seq, frames[-1]["seq"])
        return frames

    def numbered(self, tail: Tail, events: Iterable[KeyedEvent]) -> tuple[list[Frame], list[dict[str, Any]]]:
        """The frames of events that follow the end of the log as the holder knows it, and their rows."""
        frames, fresh = _number(list(events), {}, tail.last_seq, tail.session_id, tail.request_id)
        return frames, [row._asdict() for row in self._rows(tail.session_id, fresh)]

    async def append(
        self,
        session_id: str,
        run_id: str | None,
        fence: int | None,
        events: Iterable[KeyedEvent],
        *,
        request_id: str | None = None,
        tx: Transaction | None = None,
    ) -> list[Frame]:
        """Add events; their frames with their numbers, in the order given.

        An event whose key its run has logged already is not added again: the frame returned is the one stored. A key
        of None is never the same as another. Without `fence` the writer isn't checked (the server's own events).
        Raises `NotFound` for an unknown session, `Fenced` for a token that isn't valid; nothing is added then.
        """
        given = list(events)
        async with joined(self._db, tx) as within:
            locked = await within.fetch(self._lock, {"session_id": session_id})
            if not locked:
                raise NotFound(f"no session {session_id!r}", session_id=session_id)
            last = int(locked[0]["last_seq"])
            seen: dict[str, Frame] = {}
            if run_id is not None:
                keys = [key for key, _ in given if key is not None]
                request, seen = await self._check(within, session_id, run_id, fence, keys)
                request_id = request_id or request
            frames, fresh = _number(given, seen, last, session_id, request_id)
            await self._add(within, session_id, run_id, fresh)
            return frames

    async def read(self, session_id: str, after: int = 0, limit: int = 1000) -> list[Frame]:
        """Frames with a number above `after`, in order."""
        params = {"session_id": session_id, "after": after, "limit": check_limit(limit)}
        return await self._frames("read_events", params)

    async def of_run(self, session_id: str, run_id: str, after: int = 0, limit: int = 1000) -> list[Frame]:
        """One run's frames with a number above `after`, in order."""
        params = {"session_id": session_id, "run_id": run_id, "after": after, "limit": check_limit(limit)}
        return await self._frames("events_of_run", params)

    async def keys(self, session_id: str, run_id: str) -> set[str]:
        """The keys that a run has logged."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["keys_of_run"], {"session_id": session_id, "run_id": run_id})
        return {row["key"] for row in rows}

    async def last_seq(self, session_id: str) -> int:
        """The last number given, also when retention has removed its event. Raises `NotFound`."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["last_seq"], {"session_id": session_id})
        if not rows:
            raise NotFound(f"no session {session_id!r}", session_id=session_id)
        return int(rows[0]["last_seq"])

    async def _check(
        self, tx: Transaction, session_id: str, run_id: str, fence: int | None, keys: Sequence[str]
    ) -> tuple[str | None, dict[str, Frame]]:
        params = {"session_id": session_id, "run_id": run_id, "keys": many(self._db.dialect, keys)}
        rows = await tx.fetch(self._sql["run_and_seen"], params)
        if fence is not None:
            status, current = (rows[0]["status"], rows[0]["fence"]) if rows else ("gone", -1)
            check_fence(run_id, status, current, fence)
        elif not rows:
            raise NotFound(f"no run {run_id!r} in session {session_id!r}", run_id=run_id)
        seen = {row["key"]: self._frame(session_id, row) for row in rows if row["key"] is not None}
        return rows[0]["request_id"], seen

    async def _add(self, tx: Transaction, session_id: str, run_id: str | None, fresh: Sequence[Fresh]) -> None:
        if not fresh:
            return
        rows = self._rows(session_id, fresh)
        params = {
            "session_id": session_id,
            "run_id": run_id,
            "rows": to_json([row._asdict() for row in rows], "rows"),
            "last_seq": rows[-1].seq,
            "now": fresh[-1].frame["timestamp"],
        }
        await tx.execute(self._sql["add_events"], params)
        if self._db.dialect == "sqlite":
            # Postgres does both in one statement, one round trip less.
            await tx.execute(self._sql["set_last_seq"], params)

    def _rows(self, session_id: str, fresh: Sequence[Fresh]) -> list[AddedRow]:
        return [
            AddedRow(frame["seq"], key, frame["type"], self._sealed(session_id, frame["seq"], text))
            for key, frame, text in fresh
        ]

    def _sealed(self, session_id: str, seq: int, text: str) -> str:
        sealed = seal(self._keyring, "run_events", {"session_id": session_id, "seq": seq, "frame": text})
        return str(sealed["frame"])

    async def _frames(self, query: str, params: Mapping[str, Any]) -> list[Frame]:
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql[query], params)
        return [self._frame(params["session_id"], row) for row in rows]

    def _frame(self, session_id: str, row: Row) -> Frame:
        opened = unseal(self._keyring, "run_events", {**row, "session_id": session_id})
        frame: Frame = from_json(opened["frame"], "frame")
        return frame


def _number(
    given: Sequence[KeyedEvent], seen: Mapping[str, Frame], last: int, session_id: str, request_id: str | None
) -> tuple[list[Frame], list[Fresh]]:
    """The frame of each event, and those to add: a key that is known has its frame, any other gets the next number."""
    known = dict(seen)
    frames: list[Frame] = []
    fresh: list[Fresh] = []
    moment = now()
    for key, event in given:
        if key is None or key not in known:
            seq = last + len(fresh) + 1
            wire = to_wire(event, seq=seq, session_id=session_id, request_id=request_id, timestamp=moment)
            text = _stored(wire)
            # Parsed again, so that what is told now is exactly what will be read later.
            fresh.append(Fresh(key, orjson.loads(text), text))
            if key is not None:
                known[key] = fresh[-1].frame
        frames.append(fresh[-1].frame if key is None else known[key])
    return frames, fresh


def _stored(wire: Frame) -> str:
    """A frame as JSON that every database can hold."""
    try:
        text = orjson.dumps(wire).decode()
    except TypeError:
        return to_json(storable(wire), "frame")
    return to_json(storable(wire), "frame") if "\\u0000" in text else text
