"""Additions to the event log by those who hold runs, of several sessions at once in one transaction."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from madang.errors import MadangError, ServiceUnavailable
from madang.store.database import Database
from madang.store.database_sqlite import SqliteDatabase
from madang.store.flusher import Flusher, Outcomes


class AddedRow(NamedTuple):
    seq: int
    key: str | None
    type: str
    frame: str


@dataclass(frozen=True, slots=True)
class Addition:
    """Events to follow number `after` of a session, while the run holds its fence."""

    session_id: str
    run_id: str
    fence: int
    after: int
    now: str
    rows: Sequence[AddedRow]


class Moved(MadangError):
    """The log doesn't end where it was thought to, or the run doesn't hold its session any more."""


def flusher_of(db: Database) -> Flusher[Addition]:
    """Stores additions; each is refused by `Moved`, or stored whole."""
    if isinstance(db, SqliteDatabase):
        return _sqlite_flusher(db)

    async def save(additions: list[Addition]) -> Outcomes:
        try:
            return _outcomes(additions, await _in_postgres(db, additions))
        except ServiceUnavailable as lost:
            # Perhaps it was committed all the same: trying again could add a piece of the answer twice.
            return [lost] * len(additions)

    return Flusher(save, lanes=2, keys=_key)


def _sqlite_flusher(db: SqliteDatabase) -> Flusher[Addition]:
    sql = db.queries("events")

    async def save(additions: list[Addition]) -> Outcomes:
        try:
            return _outcomes(additions, await db.write(lambda connection: _in_sqlite(connection, sql, additions)))
        except ServiceUnavailable as lost:
            return [lost] * len(additions)

    def save_at_once(additions: list[Addition]) -> Outcomes | None:
        stored = db.write_at_once(lambda connection: _in_sqlite(connection, sql, additions))
        return None if stored is None else _outcomes(additions, stored)

    return Flusher(save, lanes=1, keys=_key, save_at_once=save_at_once)


def _key(addition: Addition) -> tuple[str]:
    return (addition.session_id,)


def _outcomes(additions: Sequence[Addition], stored: set[str]) -> Outcomes:
    return [None if addition.session_id in stored else Moved("the log has moved on") for addition in additions]


async def _in_postgres(db: Database, additions: Sequence[Addition]) -> set[str]:
    given = "[" + ",".join(map(_as_json, additions)) + "]"
    # Ids of their own: how many they are is seen by the planner, which takes JSON for a hundred.
    ids = {name: [getattr(one, name[:-1]) for one in additions] for name in ("session_ids", "run_ids")}
    return {row["session_id"] for row in await db.once(db.queries("events")["extend"], {"given": given, **ids})}


def _as_json(addition: Addition) -> str:
    """The frames are JSON already: they go in as they are."""
    rows = ",".join(
        f'{{"seq":{row.seq},"key":{json.dumps(row.key)},"type":"{row.type}","frame":{row.frame}}}'
        for row in addition.rows
    )
    head = {name: getattr(addition, name) for name in ("session_id", "run_id", "fence", "after", "now")}
    head["last_seq"] = addition.rows[-1].seq
    return f'{json.dumps(head)[:-1]},"rows":[{rows}]}}'


def _in_sqlite(connection: sqlite3.Connection, sql: Mapping[str, str], additions: Sequence[Addition]) -> set[str]:
    def add(addition: Addition) -> bool:
        holder = {"session_id": addition.session_id, "run_id": addition.run_id, "fence": addition.fence}
        last = connection.execute(sql["last_seq"], holder).fetchone()
        if last != (addition.after,) or not connection.execute(sql["fence_holds"], holder).fetchone():
            return False
        named = {**holder, "now": addition.now}
        connection.executemany(sql["add_event"], [{**named, **row._asdict()} for row in addition.rows])
        connection.execute(sql["set_last_seq"], {**holder, "last_seq": addition.rows[-1].seq})
        return True

    return {addition.session_id for addition in additions if add(addition)}
