"""A turn's way through the database: accepted as a run with the user's message, run by an owner, ended with its reply.

A run is a durable row before it starts. Whoever runs it holds a lease and a fencing token, valid while the run is
running and nobody has claimed it since. What makes a token void takes the session's lock first, so that a check under
that lock holds until its transaction ends.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, NoReturn

from madang.errors import Conflict, Fenced, NotFound, ServiceUnavailable, SessionBusy
from madang.state.steps import TERMINAL_RUNS, check_run_transition
from madang.store.codec import Keyring
from madang.store.columns import check_id, check_text, many, new_id, now, timestamp, to_json
from madang.store.database import Database, Transaction
from madang.store.events import Events, Frame, KeyedEvent, Tail
from madang.store.messages import PREVIEW
from madang.store.owners import Owner
from madang.store.run_options import RunOptions
from madang.store.runs import Run, Runs, fenced, run_of
from madang.store.sealing import seal
from madang.store.transactions import fetch_all, joined

OUTCOME = ("error", "result", "usage")
# How many runs of one session may wait for their turn.
MOST_QUEUED = 100


@dataclass(frozen=True, kw_only=True)
class NewRun:
    """What a session is asked to do; the run's id is made unless it is given. `message` is what the user said.

    A request makes one run, however often it is sent; `continues` names the run that this one takes over from.
    """

    run_id: str | None = None
    assistant: str | None = None
    input: Any = None
    request_id: str | None = None
    options: RunOptions = field(default_factory=RunOptions)
    metadata: Mapping[str, Any] | None = None
    multitask_strategy: str | None = None
    continues: str | None = None
    # When its turn began, if it takes over from a run that waits: it goes before turns that have not begun.
    started_at: str | None = None
    # The run that its turn follows, if that isn't the newest one; empty: it begins the conversation again.
    branch_of: str | None = None
    message: str | None = None
    # What belongs to the message, as the files that came with it.
    message_data: Mapping[str, Any] | None = None
    # What the session is called if it has no name yet.
    title: str | None = None


@dataclass(frozen=True)
class Reply:
    """What the assistant says at the end of a run."""

    content: str
    structured_data: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Told:
    """A run as it stands now, and what its log was told with that; `more` if another may wait for its end."""

    run: Run
    frames: Sequence[Frame]
    more: bool = True


class Turns:
    """The turns of one database. Each step is one transaction; a run has what it began or ended with, or nothing."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("turns")
        self._runs, self._events = Runs(db), Events(db)
        self._keyring: Keyring | None = db.keyring

    async def begin(self, session_id: str, new: NewRun, owner: Owner, lease_seconds: float) -> Run | None:
        """A run that `owner` runs from now on, with the user's message; None, and nothing stored, if it has to wait.

        It has to while another run of the session is queued, runs or waits for an answer, and when the session or
        the run id isn't what it was thought to be, or the request has its run: `queue` tells which.
        """
        params = {
            **self._columns(session_id, new, now()),
            **_held(owner, lease_seconds),
            "status": "running",
            "claims": 1,
            "started_at": now(),
            "behind": 0,
        }
        rows = await self._db.once(self._sql["add_run"], params)
        return run_of(self._keyring, rows[0]) if rows else None

    async def offer(self, session_id: str, new: NewRun) -> Run | None:
        """`begin` for another process to run: queued, and None if it would have to wait for another run."""
        params = {**self._columns(session_id, new, now()), **NOBODY, "behind": 0}
        rows = await self._db.once(self._sql["add_run"], params)
        return run_of(self._keyring, rows[0]) if rows else None

    async def queue(self, session_id: str, new: NewRun, *, tx: Transaction | None = None) -> Run:
        """A run that waits to be claimed, with the user's message; the run there is if the request has been sent.

        Raises `NotFound` for an unknown session, `Conflict` if the run exists, `SessionBusy` if too many wait.
        """
        async with joined(self._db, tx) as within:
            moment = await self._in_turn(within, session_id)
            params = {**self._columns(session_id, new, moment), **NOBODY, "started_at": new.started_at, "behind": 1}
            rows = await fetch_all(within, self._sql["add_run"], params)
            if not rows:
                if not await within.fetch(self._sql["session"], params):
                    raise NotFound(f"no session {session_id!r}", session_id=session_id)
                if new.request_id is not None and new.continues is None:
                    there = await self._runs.of_request(session_id, new.request_id, tx=within)
                    if there is not None:
                        return there
            if not rows:
                raise Conflict(f"run {params['run_id']!r} exists", run_id=params["run_id"])
        return run_of(self._keyring, rows[0])

    async def _in_turn(self, tx: Transaction, session_id: str) -> str:
        """Now, or a moment after what is queued already, which may be of a server whose clock is ahead."""
        moment, found = now(), (await tx.fetch(self._sql["last_queued"], {"session_id": session_id}))[0]
        if found["waiting"] >= MOST_QUEUED:
            raise SessionBusy(f"{found['waiting']} turns wait in this session", session_id=session_id)
        last = found["created_at"]
        if last is None or last < moment:
            return moment
        return timestamp(datetime.fromisoformat(last) + timedelta(microseconds=1))

    async def claim(
        self,
        run: Run,
        owner: Owner,
        lease_seconds: float,
        *,
        options: RunOptions | None = None,
        message: str | None = None,
    ) -> Run:
        """Make `owner` the one who runs it; the run with the fencing token that its writes must carry.

        A run that waits for an answer goes on with other `options`, and with the user's message.
        Raises `NotFound`, `IllegalTransition` (it is running already, or over), `SessionBusy` (another one runs or
        waits for an answer) or `Conflict` (it has gone on since `run` was read).
        """
        params = self._claiming(run, owner, lease_seconds, options, message)
        try:
            rows = await self._db.once(self._sql["claim_run"], params)
        except Conflict as raced:
            raise SessionBusy("another run of this session has just started", run_id=run.run_id) from raced
        return run_of(self._keyring, rows[0]) if rows else await self._refuse_claim(run)

    def _claiming(
        self, run: Run, owner: Owner, lease_seconds: float, options: RunOptions | None, message: str | None
    ) -> dict[str, Any]:
        given = None if options is None else to_json(options.as_json(), "kwargs")
        return {
            **seal(self._keyring, "runs", {"run_id": run.run_id, "kwargs": given}),
            **self._message(run.session_id, now(), message),
            **_held(owner, lease_seconds),
            "seen": run.fence,
        }

    async def hand_on(self, run: Run, owner: Owner, *, options: RunOptions, message: str | None = None) -> Run:
        """`claim` a run that waits for an answer for another process to run: it is queued with what was answered."""
        params = self._claiming(run, owner, 0.0, options, message)
        async with self._db.transaction() as tx:
            rows = await fetch_all(tx, self._sql["claim_run"], params)
            if rows:
                claimed = run_of(self._keyring, rows[0])
                rows = await fetch_all(tx, self._sql["end_run"], self._leaving(claimed, "queued"))
        return run_of(self._keyring, rows[0]) if rows else await self._refuse_claim(run)

    async def heartbeat(self, held: Sequence[Run], lease_seconds: float) -> tuple[set[str], set[str]]:
        """Extend the leases of runs, by their tokens: which are still held, and which are to be cancelled."""
        keys = to_json([[run.session_id, run.run_id, run.fence] for run in held], "held")
        params = {"held": keys, "lease": lease_seconds, "now": now()}
        kept = {row["run_id"] for row in await self._db.once(self._sql["heartbeat"], params)}
        ids = many(self._db.dialect, [run.run_id for run in held])
        sessions = many(self._db.dialect, [run.session_id for run in held])
        async with self._db.reader() as reader:
            asked = await reader.fetch(self._sql["to_cancel"], {"ids": ids, "sessions": sessions})
        return kept, {row["run_id"] for row in asked}

    async def end(
        self,
        run: Run,
        status: str,
        *,
        error: Mapping[str, Any] | None = None,
        result: Any = None,
        usage: Mapping[str, Any] | None = None,
        reply: Reply | None = None,
        events: Sequence[KeyedEvent] = (),
        tail: Tail | None = None,
    ) -> Told:
        """The end of a run by its holder, or its interruption, with the last it tells and the assistant's message,
        which a run has once: all of it or nothing.

        `tail` spares a look at the log. Raises `Fenced` if its token isn't valid any more, `IllegalTransition` for a
        status it can't have then; nothing is stored in either case.
        """
        params = self._leaving(run, status, {"error": error, "result": result, "usage": usage}, reply)
        if not events:
            return await self._leave(run, params)
        if tail is not None:
            frames, rows = self._events.numbered(tail, events)
            at_once = {"after": tail.last_seq, "last_seq": rows[-1]["seq"], "events": to_json(rows, "events")}
            with suppress(Fenced, Conflict):
                # Somebody else may have written to the log: then it is looked at below.
                return replace(await self._leave(run, {**params, **at_once}), frames=frames)
        async with self._db.transaction() as tx:
            frames = await self._events.append(run.session_id, run.run_id, run.fence, events, tx=tx)
            ended = await fetch_all(tx, self._sql["end_run"], params)
            if not ended:
                raise fenced(run.run_id)
        return Told(run_of(self._keyring, ended[0]), frames)

    async def release(self, run: Run) -> Run:
        """Give it back to the queue, by its holder. Raises `Fenced`."""
        return (await self._leave(run, self._leaving(run, "queued"))).run

    async def requeue(self, orphan: Run) -> Run:
        """Put an orphan back to the queue, unless its owner has shown life or someone else did it: then `Fenced`.

        Its process has died in it: that is counted.
        """
        return (await self._leave(orphan, {**self._leaving(orphan, "queued"), **_seen(orphan)})).run

    async def give_up(
        self, orphan: Run, status: str, events: Sequence[KeyedEvent], *, error: Mapping[str, Any] | None = None
    ) -> Told:
        """End an orphan, with what its log is told. Raises `Fenced` as `requeue` does."""
        params = {**self._leaving(orphan, status, {"error": error}), **_seen(orphan)}
        async with self._db.transaction() as tx:
            frames = await self._events.append(orphan.session_id, orphan.run_id, orphan.fence, events, tx=tx)
            rows = await fetch_all(tx, self._sql["end_run"], params)
            if not rows:
                raise fenced(orphan.run_id)
        return Told(run_of(self._keyring, rows[0]), frames)

    async def cancel(
        self,
        run_id: str,
        *,
        events: Sequence[KeyedEvent] = (),
        only: str | None = None,
        tx: Transaction | None = None,
    ) -> Told:
        """Cancel it whoever holds it, with what its log is told; the holder's token is void from now on.

        Raises `NotFound`, `IllegalTransition` if it is over, `Conflict` if it isn't in the status `only`.
        """
        async with joined(self._db, tx) as within:
            rows = await within.fetch(self._sql["cancel_run"], {"run_id": run_id, "now": now(), "only": only})
            frames: Sequence[Frame] = ()
            if rows and events:
                frames = await self._events.append(rows[0]["session_id"], run_id, None, events, tx=within)
        if not rows:
            check_run_transition((await self._runs.get(run_id)).status, "cancelled")
            raise Conflict(f"run {run_id} has gone on meanwhile", run_id=run_id)
        return Told(run_of(self._keyring, rows[0]), frames)

    async def _leave(self, run: Run, params: Mapping[str, Any]) -> Told:
        try:
            rows = await self._db.once(self._sql["end_run"], params)
        except ServiceUnavailable:
            # The connection was lost, perhaps after the commit: the run tells.
            with suppress(NotFound):
                stored = await self._runs.get(run.run_id, run.session_id)
                if (stored.status, stored.updated_at) == (params["status"], params["now"]):
                    return Told(stored, ())
            rows = await self._db.once(self._sql["end_run"], params)
        if not rows:
            raise fenced(run.run_id)
        return Told(run_of(self._keyring, rows[0]), (), bool(rows[0]["more"]))

    def _leaving(
        self, run: Run, status: str, outcome: Mapping[str, Any] | None = None, reply: Reply | None = None
    ) -> dict[str, Any]:
        """Out of `running`, which makes the token void, so that it stays void when the run is claimed again."""
        check_run_transition("running", status)
        moment = now()
        found = outcome or {}
        columns = {name: None if found.get(name) is None else to_json(found[name], name) for name in OUTCOME}
        content, data = (None, None) if reply is None else (reply.content, reply.structured_data)
        return {
            **seal(self._keyring, "runs", {"run_id": run.run_id, **columns}),
            "fence": run.fence,
            "lease_until": None,
            "died": 0,
            "status": status,
            "ended_at": moment if status in TERMINAL_RUNS else None,
            "after": None,
            "last_seq": None,
            "events": "[]",
            **self._message(run.session_id, moment, content, data),
        }

    async def _refuse_claim(self, asked: Run) -> NoReturn:
        """Raises what keeps a run from being claimed."""
        run_id, run = asked.run_id, await self._runs.get(asked.run_id, asked.session_id)
        check_run_transition(run.status, "running")
        others = [one for one in await self._runs.open(run.session_id) if one.run_id != run_id]
        holder = next((one for one in others if one.status in ("running", "interrupted")), None)
        if holder is None:
            raise Conflict(f"run {run_id} has gone on meanwhile", run_id=run_id)
        raise SessionBusy(
            f"run {holder.run_id} is {holder.status} in session {run.session_id!r}",
            session_id=run.session_id,
            run_id=holder.run_id,
        )

    def _columns(self, session_id: str, new: NewRun, moment: str) -> dict[str, Any]:
        """A new run and its message as parameters. Raises `InvalidName` or `InvalidInput`."""
        params = {
            "run_id": new_id() if new.run_id is None else check_id(new.run_id, "run_id"),
            "assistant": new.assistant,
            "input": to_json(new.input, "input"),
            "request_id": new.request_id,
            "kwargs": to_json(new.options.as_json(), "kwargs"),
            "metadata": to_json(dict(new.metadata or {}), "metadata"),
            "multitask_strategy": new.multitask_strategy,
            "continues": new.continues,
            "not_before": new.options.not_before,
            "priority": new.options.priority,
            "branch_of": new.branch_of,
        }
        named = {"session_id": session_id, "title": new.title and check_text(new.title, "title")}
        return {
            **seal(self._keyring, "runs", params),
            **seal(self._keyring, "chat_sessions", named),
            **self._message(session_id, moment, new.message, new.message_data),
        }

    def _message(
        self, session_id: str, moment: str, content: str | None, data: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """What is said as parameters, and the moment of it all."""
        said = {
            "session_id": session_id,
            "created_at": moment,
            "content": None if content is None else check_text(content, "content"),
            "structured_data": None if data is None else to_json(data, "structured_data"),
        }
        preview = {"session_id": session_id, "last_message": content and content[:PREVIEW]}
        sealed = seal(self._keyring, "chat_messages", said) | seal(self._keyring, "chat_sessions", preview)
        return {**sealed, "now": moment}


NOBODY: Mapping[str, Any] = {
    **dict.fromkeys(("host", "pid", "owner", "lease", "started_at")),
    "status": "queued",
    "claims": 0,
}


def _held(owner: Owner, lease_seconds: float) -> dict[str, Any]:
    """The lease ends by the database's clock, so that no other process's clock can take it away."""
    return {"host": owner.host, "pid": owner.pid, "owner": owner.id, "lease": lease_seconds}


def _seen(orphan: Run) -> dict[str, Any]:
    return {"lease_until": orphan.lease_until, "died": 1}
