"""What an ordeal leaves behind: the clients' record beside the rows of the database and the states servers show."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.nemesis.record import Record
from bench.nemesis.servers import Database, Row, Server

OWNED = ("checkpoints", "checkpoint_blobs", "checkpoint_writes", "chunks", "blobs", "documents")


@dataclass(frozen=True)
class Violation:
    """A promise that was broken, where, and what shows it."""

    promise: str
    session_id: str
    shown: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        return {"promise": self.promise, "session": self.session_id, **self.shown}


@dataclass(frozen=True)
class View:
    """A conversation's state as one server gives it."""

    port: int
    status: int
    state: Mapping[str, Any]


@dataclass(frozen=True)
class Start:
    """An agent began to work: really when, in which process, on what."""

    at: float
    process: str
    session_id: str
    agent: str
    topic: str


@dataclass
class Evidence:
    """All of it, by session where it belongs to one."""

    record: Record
    sessions: Mapping[str, Row] = field(default_factory=dict)
    runs: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    events: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    messages: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    left_over: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    views: Mapping[str, Sequence[View]] = field(default_factory=dict)
    starts: Sequence[Start] = ()
    repairs: Sequence[Mapping[str, Any]] = ()


async def collect(record: Record, database: Database, servers: Sequence[Server], diary: Path) -> Evidence:
    """Read everything, once the servers are at rest."""
    sessions = {row["session_id"]: row for row in database.rows("SELECT * FROM chat_sessions")}
    events = database.rows("SELECT session_id, seq, run_id, type, frame FROM run_events ORDER BY session_id, seq")
    runs = database.rows("SELECT * FROM runs ORDER BY created_at, run_id")
    left_over: dict[str, dict[str, int]] = defaultdict(dict)
    for table in OWNED:
        for row in database.rows(f"SELECT session_id, count(*) AS n FROM {table} GROUP BY session_id"):  # noqa: S608
            left_over[row["session_id"]][table] = row["n"]
    return Evidence(
        record,
        sessions=sessions,
        runs=_by_session(runs),
        events=_by_session({**row, "frame": _plain(row["frame"])} for row in events),
        messages=_by_session(database.rows("SELECT * FROM chat_messages ORDER BY session_id, id")),
        left_over=left_over,
        views={name: [await _view(server, name) for server in servers] for name in sessions},
        starts=_starts(diary),
        repairs=_repairs(servers[0]),
    )


def _by_session(rows: Iterable[Row]) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row["session_id"]].append(row)
    return grouped


def _plain(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


async def _view(server: Server, session_id: str) -> View:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.get(f"{server.base}/api/v1/sessions/{session_id}/state")
    state = answer.json()["state"] if answer.status_code == 200 else {"said": answer.text[:300]}
    return View(server.port, answer.status_code, state)


def _starts(diary: Path) -> list[Start]:
    lines = diary.read_text().splitlines() if diary.exists() else []
    noted = [line.split("\t") for line in lines]
    return [Start(float(at), *about) for at, *about in noted]


def _repairs(server: Server) -> list[dict[str, Any]]:
    """What `madang db check` finds to mend."""
    said = server.run("db", "check", "--json")
    try:
        # Warnings of libraries may stand before it.
        return list(json.loads(said[said.index("{") :])["problems"])
    except ValueError:
        return [{"said": said[-500:]}]
