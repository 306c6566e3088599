"""Additions to the event log by those who hold runs, of several sessions at once in one transaction."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from madang.errors import MadangError, ServiceUnavailable
from madang.store.database import Database
from madang.store.database_sqlite import SqliteDatabase
from madang.store.flusher import Flusher


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

    async def save(additions: list[Addition]) -> list[Exception | None]:
        try:
            stored = await (
                _in_sqlite(db, additions) if isinstance(db, SqliteDatabase) else _in_postgres(db, additions)
            )
        except ServiceUnavailable as lost:
            # Perhaps it was committed all the same: trying again could add a piece of the answer twice.
            return [lost] * len(additions)
        return [None if addition.session_id in stored else Moved("the log has moved on") for addition in additions]

    return Flusher(save, lanes=1 if db.dialect == "sqlite" else 2, keys=lambda addition: (addition.session_id,))


async def _in_postgres(db: Database, additions: Sequence[Addition]) -> set[str]:
    given = "[" + ",".join(map(_as_json, additions)) + "]"
    return {row["session_id"] for row in await db.once(db.queries("events")["extend"], {"given": given})}


def _as_json(addition: Addition) -> str:
    """The frames are JSON already: they go in as they are."""
    rows = ",".join(
        f'{{"seq":{row.seq},"key":{json.dumps(row.key)},"type":"{row.type}","frame":{row.frame}}}'
        for row in addition.rows
    )
    head = {name: getattr(addition, name) for name in ("session_id", "run_id", "fence", "after", "now")}
    head["last_seq"] = addition.rows[-1].seq
    return f'{json.dumps(head)[:-1]},"rows":[{rows}]}}'


async def _in_sqlite(db: SqliteDatabase, additions: Sequence[Addition]) -> set[str]:
    sql = db.queries("events")

    def add(connection: sqlite3.Connection, addition: Addition) -> bool:
        holder = {"session_id": addition.session_id, "run_id": addition.run_id, "fence": addition.fence}
        last = connection.execute(sql["last_seq"], holder).fetchone()
        if last != (addition.after,) or not connection.execute(sql["fence_holds"], holder).fetchone():
            return False
        named = {**holder, "now": addition.now}
        connection.executemany(sql["add_event"], [{**named, **row._asdict()} for row in addition.rows])
        connection.execute(sql["set_last_seq"], {**holder, "last_seq": addition.rows[-1].seq})
        return True

    return await db.write(lambda connection: {one.session_id for one in additions if add(connection, one)})
