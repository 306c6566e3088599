"""Runs: a turn is a durable row before it starts. Whoever runs it holds a lease and a fencing token.

The token of a claim is valid while the run is running and nobody claimed it since. Everything that changes it takes
the session's lock first, so a check under that lock (`check_fence`) holds until the transaction ends.
"""

import os
import socket
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn, TypedDict, Unpack

from madang.errors import Conflict, Fenced, NotFound, SessionBusy
from madang.state.steps import TERMINAL_RUNS, check_run_transition
from madang.store.codec import Keyring
from madang.store.columns import check_id, from_json, many, new_id, now, timestamp, to_json
from madang.store.database import Database, Row, Transaction
from madang.store.paging import Page, check_limit, decode_cursor, encode_cursor, page_of
from madang.store.sealing import seal, unseal
from madang.store.transactions import joined

_JSON = ("input", "kwargs", "metadata", "error", "result", "usage")


@dataclass(frozen=True)
class Owner:
    """Who runs a run: a process on a host, and which of its workers."""

    host: str = field(default_factory=socket.gethostname)
    pid: int = field(default_factory=os.getpid)
    id: str = field(default_factory=new_id)


class LivePids(Container[int]):
    """The processes alive on this host, asked one by one."""

    def __contains__(self, pid: object) -> bool:
        if not isinstance(pid, int) or pid <= 0:
            return False
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


@dataclass(frozen=True)
class Control:
    """Something asked of a running run from outside: `todo_skip`, `cancel`, …"""

    idx: int
    kind: str
    data: Mapping[str, Any]
    created_at: str


@dataclass(frozen=True)
class Run:
    """One turn of a session, from when it was accepted."""

    run_id: str
    session_id: str
    assistant: str | None
    status: str
    input: Any
    request_id: str | None
    kwargs: Mapping[str, Any]
    metadata: Mapping[str, Any]
    multitask_strategy: str | None
    owner_host: str | None
    owner_pid: int | None
    owner_id: str | None
    lease_until: str | None
    fence: int
    attempts: int
    error: Mapping[str, Any] | None
    result: Any
    usage: Mapping[str, Any] | None
    created_at: str
    updated_at: str
    started_at: str | None
    ended_at: str | None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Asked(TypedDict, total=False):
    """What a new run is asked to do; its id is made unless it is given."""

    run_id: str | None
    assistant: str | None
    input: Any
    request_id: str | None
    kwargs: Mapping[str, Any] | None
    metadata: Mapping[str, Any] | None
    multitask_strategy: str | None


class Runs:
    """The runs of one database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("runs")
        self._lock = db.queries("sessions")["lock_session"]
        self._keyring: Keyring | None = db.keyring

    async def create(self, session_id: str, *, tx: Transaction | None = None, **asked: Unpack[Asked]) -> Run:
        """A queued run. Raises `NotFound` for an unknown session, `Conflict` if the run exists."""
        params = columns_of(self._keyring, session_id, asked)
        async with joined(self._db, tx) as within:
            if not await within.fetch(self._lock, params):
                raise NotFound(f"no session {session_id!r}", session_id=session_id)
            made = await within.fetch(self._sql["create_run"], params)
            if not made:
                raise Conflict(f"run {params['run_id']!r} exists", run_id=params["run_id"])
            return self._run(made[0])

    async def get(self, run_id: str) -> Run:
        """The run. Raises `NotFound`."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["get_run"], {"run_id": run_id})
        if not rows:
            raise NotFound(f"no run {run_id!r}", run_id=run_id)
        return self._run(rows[0])

    async def claim(self, run_id: str, owner: Owner, lease_seconds: float, *, tx: Transaction | None = None) -> int:
        """Make `owner` the one who runs it; the fencing token that its writes must carry.

        Raises `NotFound`, `IllegalTransition` (it is running already, or over) or `SessionBusy` (another one runs).
        """
        params = {
            "run_id": run_id,
            "host": owner.host,
            "pid": owner.pid,
            "owner": owner.id,
            "lease_until": lease_end(lease_seconds),
            "now": now(),
        }
        async with joined(self._db, tx) as within:
            # No lock: until a run is running nobody has a token that could become void.
            try:
                claimed = await within.fetch(self._sql["claim_run"], params)
            except Conflict as raced:
                raise SessionBusy("another run of this session has just started", run_id=run_id) from raced
            if not claimed:
                await self._refuse_claim(within, run_id)
            return int(claimed[0]["fence"])

    async def set_kwargs(self, run_id: str, kwargs: Mapping[str, Any], *, tx: Transaction | None = None) -> None:
        """Replace what a run was asked with, as when an answer is given to what it waits for. Raises `NotFound`."""
        params = {"run_id": run_id, "kwargs": to_json(dict(kwargs), "kwargs"), "now": now()}
        async with joined(self._db, tx) as within:
            if not await within.execute(self._sql["set_kwargs"], seal(self._keyring, "runs", params)):
                raise NotFound(f"no run {run_id!r}", run_id=run_id)

    async def heartbeat(self, held: Mapping[str, int], lease_seconds: float) -> tuple[set[str], set[str]]:
        """Extend the leases of runs, given with their tokens: which are still held, and which are to be cancelled."""
        pairs = to_json([[run_id, fence] for run_id, fence in held.items()], "held")
        params = {"held": pairs, "lease_until": lease_end(lease_seconds), "now": now()}
        kept = {row["run_id"] for row in await self._db.once(self._sql["heartbeat"], params)}
        async with self._db.reader() as reader:
            asked = await reader.fetch(self._sql["to_cancel"], {"ids": many(self._db.dialect, held)})
        return kept, {row["run_id"] for row in asked}

    async def finish(
        self,
        run_id: str,
        fence: int,
        status: str,
        *,
        error: Mapping[str, Any] | None = None,
        result: Any = None,
        usage: Mapping[str, Any] | None = None,
        tx: Transaction | None = None,
    ) -> Run:
        """Its end, or its interruption. Raises `Fenced` for a token that isn't valid, `IllegalTransition`."""
        async with joined(self._db, tx) as within:
            run = await self._owned(within, run_id, fence)
            check_run_transition(run.status, status)
            return await self._move(within, run, status, error=error, result=result, usage=usage)

    async def release(self, run_id: str, fence: int) -> Run:
        """Give it back to the queue, by its holder. Raises `Fenced`."""
        async with self._db.transaction() as tx:
            return await self._move(tx, await self._owned(tx, run_id, fence), "queued")

    async def requeue(self, orphan: Run) -> Run:
        """Put an orphan back to the queue, unless its owner has shown life or someone else did it: then `Fenced`."""
        async with self._db.transaction() as tx:
            run = await self._owned(tx, orphan.run_id, orphan.fence)
            if run.lease_until != orphan.lease_until:
                raise fenced(orphan.run_id)
            return await self._move(tx, run, "queued")

    async def cancel(self, run_id: str, *, tx: Transaction | None = None) -> Run:
        """Cancel it whoever holds it; the holder's token is void from now on. Raises `IllegalTransition` if over."""
        async with joined(self._db, tx) as within:
            run = await self._locked(within, run_id)
            check_run_transition(run.status, "cancelled")
            return await self._move(within, run, "cancelled")

    async def find_orphans(self, at: datetime, host: str, alive_pids: Container[int]) -> Sequence[Run]:
        """Running runs that nobody runs: the lease has expired, or their owner on `host` is dead."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["find_orphans"], {"now": timestamp(at), "host": host})
        runs = map(self._run, rows)
        limit = timestamp(at)
        return [
            run
            for run in runs
            if run.lease_until is None
            or run.lease_until < limit
            or (run.owner_host == host and run.owner_pid not in alive_pids)
        ]

    async def open(self, session_id: str) -> list[Run]:
        """The session's runs that aren't over, oldest first."""
        async with self._db.reader() as reader:
            return [self._run(row) for row in await reader.fetch(self._sql["open_runs"], {"session_id": session_id})]

    async def next_queued(self, session_id: str) -> Run | None:
        """The session's oldest queued run."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["next_queued"], {"session_id": session_id})
        return self._run(rows[0]) if rows else None

    async def queued(self, limit: int = 100) -> Sequence[Run]:
        """Queued runs of all sessions in which nothing runs, oldest first."""
        async with self._db.reader() as reader:
            return [self._run(row) for row in await reader.fetch(self._sql["queued"], {"limit": check_limit(limit)})]

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

    async def delete(self, run_id: str) -> bool:
        """Delete a run that isn't running; whether it was there. Raises `SessionBusy`."""
        async with self._db.transaction() as tx:
            rows = await tx.fetch(self._sql["get_run"], {"run_id": run_id})
            if rows and (await self._locked(tx, run_id)).status == "running":
                raise SessionBusy(f"run {run_id} is running", run_id=run_id)
            return bool(await tx.execute(self._sql["delete_run"], {"run_id": run_id}))

    async def control(self, run_id: str, kind: str, data: Mapping[str, Any] | None = None) -> Control:
        """Ask something of a run. Raises `NotFound`, or `Conflict` if it is over."""
        params = {"run_id": run_id, "kind": kind, "data": to_json(dict(data or {}), "data"), "now": now()}
        async with self._db.transaction() as tx:
            run = await self._locked(tx, run_id)
            if run.status in TERMINAL_RUNS:
                raise Conflict(f"run {run_id} is over ({run.status})", run_id=run_id, status=run.status)
            idx = int((await tx.fetch(self._sql["add_control"], params))[0]["idx"])
        return Control(idx, kind, dict(data or {}), params["now"])

    async def controls(self, run_id: str, *, after: int = 0) -> Sequence[Control]:
        """What was asked of it, in order."""
        async with self._db.reader() as reader:
            rows = await reader.fetch(self._sql["controls"], {"run_id": run_id, "after": after})
        return [Control(r["idx"], r["kind"], from_json(r["data"], "data"), r["created_at"]) for r in rows]

    async def _refuse_claim(self, tx: Transaction, run_id: str) -> NoReturn:
        """Raises what keeps a run from being claimed."""
        run = await self._locked(tx, run_id)
        check_run_transition(run.status, "running")
        running = await tx.fetch(self._sql["running_in_session"], {"session_id": run.session_id})
        holder = running[0]["run_id"] if running else None
        raise SessionBusy(
            f"run {holder} is running in session {run.session_id!r}", session_id=run.session_id, run_id=holder
        )

    async def _locked(self, tx: Transaction, run_id: str) -> Run:
        await tx.fetch(self._sql["session_of_run"], {"run_id": run_id})
        rows = await tx.fetch(self._sql["get_run"], {"run_id": run_id})
        if not rows:
            raise NotFound(f"no run {run_id!r}", run_id=run_id)
        return self._run(rows[0])

    async def _owned(self, tx: Transaction, run_id: str, fence: int) -> Run:
        try:
            run = await self._locked(tx, run_id)
        except NotFound as gone:
            raise fenced(run_id) from gone
        check_fence(run_id, run.status, run.fence, fence)
        return run

    async def _move(
        self,
        tx: Transaction,
        run: Run,
        status: str,
        *,
        error: Mapping[str, Any] | None = None,
        result: Any = None,
        usage: Mapping[str, Any] | None = None,
    ) -> Run:
        moment = now()
        params = {
            "run_id": run.run_id,
            "status": status,
            "error": None if error is None else to_json(error, "error"),
            "result": None if result is None else to_json(result, "result"),
            "usage": None if usage is None else to_json(usage, "usage"),
            # A run that leaves `running` voids its token, so it stays void when it is claimed again.
            "fence_step": 1 if run.status == "running" else 0,
            "ended_at": moment if status in TERMINAL_RUNS else None,
            "now": moment,
        }
        return self._run((await tx.fetch(self._sql["move_run"], seal(self._keyring, "runs", params)))[0])

    def _run(self, row: Row) -> Run:
        return run_of(self._keyring, row)


def columns_of(keyring: Keyring | None, session_id: str, asked: Asked) -> dict[str, Any]:
    """A new run as parameters. Raises `InvalidName` or `InvalidInput`."""
    run_id = asked.get("run_id")
    params = {
        "run_id": new_id() if run_id is None else check_id(run_id, "run_id"),
        "session_id": session_id,
        "assistant": asked.get("assistant"),
        "input": to_json(asked.get("input"), "input"),
        "request_id": asked.get("request_id"),
        "kwargs": to_json(dict(asked.get("kwargs") or {}), "kwargs"),
        "metadata": to_json(dict(asked.get("metadata") or {}), "metadata"),
        "multitask_strategy": asked.get("multitask_strategy"),
        "now": now(),
    }
    return seal(keyring, "runs", params)


def run_of(keyring: Keyring | None, row: Row) -> Run:
    """A run out of its row. Raises `DecryptionFailed` or `UnreadableData`."""
    opened = unseal(keyring, "runs", row)
    parsed = {name: from_json(opened[name], name) for name in _JSON}
    return Run(**{name: opened[name] for name in Run.__dataclass_fields__ if name not in parsed}, **parsed)


def check_fence(run_id: str, status: str, current: int, given: int) -> None:
    """Raises `Fenced` unless `given` is the token of a run that is running. Call it under the session's lock."""
    if status != "running" or current != given:
        raise fenced(run_id)


def fenced(run_id: str) -> Fenced:
    return Fenced(f"run {run_id} is gone, over or held by someone else", run_id=run_id)


def lease_end(seconds: float) -> str:
    return timestamp(datetime.now(UTC) + timedelta(seconds=seconds))
