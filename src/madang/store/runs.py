"""Runs as they are stored: finding them, and what is asked of them from outside. `Turns` begins and ends them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from madang.errors import Conflict, Fenced, NotFound, SessionBusy
from madang.state.steps import TERMINAL_RUNS
from madang.store.codec import Keyring
from madang.store.columns import from_json, many, now, to_json
from madang.store.database import Database, Row, Transaction
from madang.store.paging import Page, check_limit, decode_cursor, encode_cursor, page_of
from madang.store.run_options import RunOptions
from madang.store.sealing import unseal
from madang.store.transactions import joined

_JSON = ("input", "metadata", "error", "result", "usage")


@dataclass(frozen=True)
class Control:
    """Something asked of a running run from outside: `todo_skip`, `cancel`, …"""

    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """One turn of a session, from when it was accepted."""

    run_id: str
    session_id: str
    assistant: str | None
    status: str
    input: Any
    request_id: str | None
    options: RunOptions
    metadata: Mapping[str, Any]
    multitask_strategy: str | None
    owner_host: str | None
    owner_pid: int | None
    owner_id: str | None
    lease_until: str | None
    fence: int
    attempts: int
    continues: str | None
    branch_of: str | None
    deaths: int
    error: Mapping[str, Any] | None
    result: Any
    usage: Mapping[str, Any] | None
    created_at: str
    updated_at: str
    started_at: str | None
    ended_at: str | None

    @property
    def begun_before(self) -> bool:
        """Whether its turn has begun already: it was claimed before, or took over from another run."""
        return self.attempts > 1 or bool(self.options.earlier_runs)

    @property
    def under_way(self) -> bool:
        """Whether something of its turn may have been done, by itself or by a run that it took over from."""
        return self.attempts > 0 or bool(self.options.earlier_runs)

    @property
    def answer_id(self) -> str:
        """The id of its answer's message: its own where a turn is gone through again, whose answer has one."""
        first = f"{self.request_id}:answer"
        return first if self.continues is None else f"{first}:{self.run_id}"

    @property
    def turn_run_ids(self) -> list[str]:
        """The runs that make up its turn: those that it took over from, and itself."""
        return [*self.options.earlier_runs, self.run_id]


class Runs:
    """The runs of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("runs")
        self._keyring: Keyring | None = db.keyring

    async def get(self, run_id: str, session_id: str | None = None) -> Run:
        """The run; who knows its session names it, so that only its rows are looked at. Raises `NotFound`."""
        query = "get_run" if session_id is None else "run_of_session"
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql[query], {"run_id": run_id, "session_id": session_id})
        if not rows:
            raise NotFound(f"no run {run_id!r}", run_id=run_id)
        return self._run(rows[0])

    async def find_orphans(self, dead: Callable[[Iterable[str]], list[str]]) -> Sequence[Run]:
        """Running runs that nobody runs: the lease has expired by the database's clock, or `dead` names their owner."""
        async with self._db.reader() as reader:
            owners = [row["owner_id"] for row in await reader.fetch(self._sql["owners"])]
            gone = many(self._db.dialect, dead(owners))
            return [self._run(row) for row in await reader.fetch(self._sql["find_orphans"], {"dead": gone})]

    async def of_request(self, session_id: str, request_id: str, *, tx: Transaction | None = None) -> Run | None:
        """The run that a request has made."""
        params = {"session_id": session_id, "request_id": request_id}
        async with joined(self._db, tx) if tx is not None else self._db.reader() as within:
            rows = await within.fetch(self._sql["run_of_request"], params)
        return self._run(rows[0]) if rows else None

    async def open(self, session_id: str) -> list[Run]:
        """The session's runs that aren't over, oldest first."""
        async with self._db.reader() as reader:
            return [self._run(row) for row in await reader.fetch(self._sql["open_runs"], {"session_id": session_id})]

    async def running(self, session_id: str) -> Run | None:
        """The run that runs in a session now."""
        return next(iter((await self.list(session_id, status="running", limit=1)).items), None)

    async def waiting(self, session_id: str) -> Run | None:
        """The run that waits for an answer."""
        return next(iter((await self.list(session_id, status="interrupted", limit=1)).items), None)

    async def next_queued(self, session_id: str) -> Run | None:
        """The session's queued run that is next: by priority, then the oldest; one that was begun before goes first."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["next_queued"], {"session_id": session_id})
        return self._run(rows[0]) if rows else None

    async def queued(self, limit: int = 100) -> Sequence[Run]:
        """Queued runs of all sessions in which nothing runs, by priority, then oldest first."""
        async with self._db.reader() as reader:
            return [self._run(row) for row in await reader.fetch(self._sql["queued"], {"limit": check_limit(limit)})]

    async def backlog(self) -> tuple[int, float]:
        """How many runs are queued anywhere, and for how many seconds the first that could begin has been."""
        async with self._db.reader() as reader:
            [row] = await reader.fetch(self._sql["backlog"])
        return int(row["queued"]), max(0.0, float(row["oldest"] or 0.0))

    async def list(
        self,
        session_id: str | None = None,
        *,
        status: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Run]:
        """Runs, newest first. Raises `InvalidInput`."""
        time, last = decode_cursor(cursor, str, str) if cursor else (None, None)
        params = {
            "session_id": session_id,
            "status": status,
            "after_time": time,
            "after_id": last,
            "limit": check_limit(limit) + 1,
        }
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["list_runs"], params)
        return page_of([self._run(row) for row in rows], limit, lambda r: encode_cursor(r.created_at, r.run_id))

    async def lately_completed(self, assistant: str, limit: int = 200) -> Sequence[Run]:
        """Completed runs of the conversations that an assistant had last, newest first."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["lately_completed"], {"assistant": assistant, "limit": limit})
        return [self._run(row) for row in rows]

    async def delete(self, run_id: str, *, tx: Transaction | None = None) -> bool:
        """Delete a run that isn't running; whether it was there. Raises `SessionBusy`."""
        async with joined(self._db, tx) as within:
            rows = await within.fetch(self._sql["get_run"], {"run_id": run_id})
            if rows and (await self._locked(within, run_id)).status == "running":
                raise SessionBusy(f"run {run_id} is running", run_id=run_id)
            params = {"run_id": run_id, "session_id": rows[0]["session_id"] if rows else ""}
            return bool(await within.execute(self._sql["delete_run"], params))

    async def control(self, run_id: str, kind: str, data: Mapping[str, Any] | None = None) -> None:
        """Ask something of a run. Raises `NotFound`, or `Conflict` if it is over."""
        params = {"run_id": run_id, "kind": kind, "data": to_json(dict(data or {}), "data"), "now": now()}
        async with self._db.transaction() as tx:
            run = await self._locked(tx, run_id)
            if run.status in TERMINAL_RUNS:
                raise Conflict(f"run {run_id} is over ({run.status})", run_id=run_id, status=run.status)
            await tx.execute(self._sql["add_control"], {**params, "session_id": run.session_id})

    async def controls(self, run_id: str, session_id: str) -> Sequence[Control]:
        """What was asked of it, in order."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["controls"], {"run_id": run_id, "session_id": session_id})
        return [Control(row["kind"], from_json(row["data"], "data")) for row in rows]

    async def _locked(self, tx: Transaction, run_id: str) -> Run:
        await tx.fetch(self._sql["session_of_run"], {"run_id": run_id})
        rows = await tx.fetch(self._sql["get_run"], {"run_id": run_id})
        if not rows:
            raise NotFound(f"no run {run_id!r}", run_id=run_id)
        return self._run(rows[0])

    def _run(self, row: Row) -> Run:
        return run_of(self._keyring, row)


def run_of(keyring: Keyring | None, row: Row) -> Run:
    """A run out of its row. Raises `DecryptionFailed` or `UnreadableData`."""
    opened = unseal(keyring, "runs", row)
    parsed = {name: from_json(opened[name], name) for name in _JSON}
    parsed["options"] = RunOptions.from_json(from_json(opened["kwargs"], "kwargs"))
    return Run(**{name: opened[name] for name in Run.__dataclass_fields__ if name not in parsed}, **parsed)


def check_fence(run_id: str, status: str, current: int, given: int) -> None:
    """Raises `Fenced` unless `given` is the token of a run that is running. Call it under the session's lock."""
    if status != "running" or current != given:
        raise fenced(run_id)


def fenced(run_id: str) -> Fenced:
    return Fenced(f"run {run_id} is gone, over or held by someone else", run_id=run_id)
