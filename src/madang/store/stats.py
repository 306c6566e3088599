"""How many bytes are where: per table, per session, per turn."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from madang.errors import MadangError
from madang.store.columns import many
from madang.store.database import Database, Reader
from madang.store.sealing import unseal


@dataclass(frozen=True)
class TableSize:
    """A table with its indexes."""

    name: str
    bytes: int


@dataclass(frozen=True)
class SessionSize:
    """What a session's rows hold, by table; overhead of pages and indexes is only in the tables' sizes."""

    session_id: str
    title: str | None
    assistant: str | None
    bytes: int
    turns: int
    bytes_per_turn: int | None
    parts: dict[str, int]


@dataclass(frozen=True)
class Stats:
    """The sizes in one database, largest first."""

    backend: str
    total_bytes: int
    tables: Sequence[TableSize]
    sessions: Sequence[SessionSize]
    session_count: int

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


async def stats(db: Database, *, sessions: int = 20) -> Stats:
    """The sizes, with so many of the largest sessions."""
    sql = db.queries("stats")
    async with db.reader() as reader:
        total = int((await reader.fetch(sql["total_bytes"]))[0]["bytes"])
        parts = await _parts(db, reader)
        turns = {row["session_id"]: int(row["turns"]) for row in await reader.fetch(sql["turns"])}
        largest = sorted(parts, key=lambda session_id: (-sum(parts[session_id].values()), session_id))[:sessions]
        known = {
            row["session_id"]: unseal(db.keyring, "chat_sessions", row)
            for row in await reader.fetch(sql["titles"], {"ids": many(db.dialect, largest)})
        }
        tables = await _tables(db, reader, parts)
    return Stats(
        backend=db.dialect,
        total_bytes=total,
        tables=tables,
        sessions=[_session(id_, parts[id_], turns.get(id_, 0), known.get(id_, {})) for id_ in largest],
        session_count=len(parts),
    )


async def _parts(db: Database, reader: Reader) -> dict[str, dict[str, int]]:
    """What the rows of each session hold, by table: of every table that has sessions, whichever the schema has."""
    columns: dict[str, list[str]] = {}
    for row in await reader.fetch(db.queries("stats")["session_columns"]):
        columns.setdefault(row["table"], []).append(row["column"])
    parts: dict[str, dict[str, int]] = {}
    for table, names in columns.items():
        if db.dialect == "postgres":
            held = "pg_column_size(t.*)"
        else:
            held = " + ".join(f'coalesce(length(CAST("{name}" AS BLOB)), 0)' for name in names)
        query = f'SELECT session_id, sum({held}) AS bytes FROM "{table}" t GROUP BY session_id'  # noqa: S608
        for row in await reader.fetch(query):
            if row["session_id"] is not None:
                parts.setdefault(row["session_id"], {})[table] = int(row["bytes"])
    return parts


async def _tables(db: Database, reader: Reader, parts: dict[str, dict[str, int]]) -> list[TableSize]:
    try:
        rows = await reader.fetch(db.queries("stats")["table_bytes"])
    except MadangError:
        raise
    except Exception:
        if db.dialect != "sqlite":
            raise
        # An SQLite built without dbstat: what the rows hold is the nearest there is.
        names = sorted({name for own in parts.values() for name in own})
        sizes = [TableSize(name, sum(own.get(name, 0) for own in parts.values())) for name in names]
        return sorted(sizes, key=lambda size: -size.bytes)
    return [TableSize(row["name"], int(row["bytes"])) for row in rows]


def _session(session_id: str, parts: dict[str, int], turns: int, known: Any) -> SessionSize:
    total = sum(parts.values())
    return SessionSize(
        session_id=session_id,
        title=known.get("title"),
        assistant=known.get("assistant"),
        bytes=total,
        turns=turns,
        bytes_per_turn=round(total / turns) if turns else None,
        parts=dict(sorted(parts.items(), key=lambda part: -part[1])),
    )
