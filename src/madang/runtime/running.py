"""Running claimed runs: each is a task of its own, with a lease that it keeps alive, until it ends or waits."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from madang.errors import Fenced, MadangError, ServiceUnavailable
from madang.events import Cancelled, Error
from madang.memory import owner_of
from madang.runtime.environment import Environment
from madang.runtime.estimates import timings_of
from madang.runtime.execute import drive
from madang.runtime.hub import Frame, Hub
from madang.runtime.live import Live
from madang.runtime.served_graph import ServedGraph
from madang.runtime.streams import RunStream, Streams
from madang.runtime.turn_events import interrupted
from madang.store.database import Database
from madang.store.events import Events, KeyedEvent, Tail
from madang.store.owners import Locks, Owner
from madang.store.runs import Run
from madang.store.saver import CommitEvent
from madang.store.sessions import Session, Sessions
from madang.store.turns import Reply, Turns
from madang.texts import say

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ended:
    """How a run that this process ran has ended or come to wait; `frames` are its events if it ran here whole."""

    run: Run
    values: dict[str, Any]
    interrupts: list[dict[str, Any]]
    frames: list[Frame] | None


class Runner:
    """The runs that run in this process."""

    def __init__(
        self,
        db: Database,
        events: Events,
        hub: Hub,
        environment: Environment,
        lease: float,
    ) -> None:
        self._events, self._hub, self._environment = events, hub, environment
        self._sessions, self._turns = Sessions(db), Turns(db)
        self.owner, self.lease, self.locks = Owner(), lease, Locks()
        self.locks.hold(self.owner)
        self.streams = Streams()
        self._live: dict[str, Live] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ended: dict[str, asyncio.Future[Ended | None]] = {}
        self._keeping: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._live)

    async def begin(
        self, served: ServedGraph, run: Run, session: Session | None, after: Callable[[str], Awaitable[None]]
    ) -> None:
        """Run a run that was claimed; `after` is called with its session once it has ended or waits."""
        session = session or await self._sessions.get(run.session_id)
        tail = Tail(run.session_id, run.run_id, run.fence, run.request_id, session.last_seq)
        live = Live(run, served, self._events, self._hub, tail)
        if run.begun_before:
            await self._recall(live)
        else:
            live.frames = []
        self._live[run.session_id] = live
        self._ended[run.run_id] = asyncio.get_running_loop().create_future()
        self._stream(live)
        running = self._run(served, live, session, after)
        self._tasks[run.run_id] = asyncio.create_task(running, name=f"run {run.run_id}")
        if self._keeping is None or self._keeping.done():
            self._keeping = asyncio.create_task(self._keep_alive(), name="keep leases alive")

    def find(self, session_id: str) -> Live | None:
        """The run of a session that runs here."""
        return self._live.get(session_id)

    def has(self, run_id: str) -> bool:
        """Whether a run runs here."""
        return run_id in self._ended

    async def ended(self, run_id: str) -> Ended | None:
        """Wait for a run that runs here: how it ended; None if it doesn't run here, or was taken away."""
        waiting = self._ended.get(run_id)
        return None if waiting is None else await asyncio.shield(waiting)

    async def stop(self, live: Live) -> None:
        """Cancel a run for a user; returns when it has ended."""
        live.cancelling = "cancel"
        waiting = self._ended[live.run.run_id]
        self._tasks[live.run.run_id].cancel()
        await asyncio.wait([waiting])

    async def close(self, grace: float) -> None:
        """Let runs end for `grace` seconds, then hand the others back to the queue."""
        tasks = list(self._tasks.values())
        if tasks:
            _done, still = await asyncio.wait(tasks, timeout=grace)
            for task in still:
                task.cancel()
            await asyncio.gather(*still, return_exceptions=True)
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)
        self.streams.close()
        self.locks.release(self.owner)

    def listen(self, run_id: str, *, resumable: bool = False) -> RunStream:
        """The stream of a run that runs here or is about to."""
        stream = self.streams.open(run_id, resumable=resumable)
        live = next((live for live in self._live.values() if live.run.run_id == run_id), None)
        if live is not None and stream.add not in live.listeners:
            live.listeners.append(stream.add)
        return stream

    def committed(self, commit: CommitEvent) -> None:
        """The saver has committed something: if a run of ours did, its events follow from it."""
        live = self._live.get(commit.session_id)
        if live is None or commit.checkpoint_ns or commit.run_id != live.run.run_id:
            return
        if commit.kind == "checkpoint":
            live.committed(dict(commit.channel_values))
        else:
            live.finished_task(list(commit.writes))

    def _stream(self, live: Live) -> None:
        """Let those who wait for the run's stream, follow its session or may come back have what it streams."""
        run = live.run
        resumable = run.options.stream_resumable
        followed = self.streams.followed(run.session_id)
        if resumable or followed or self.streams.find(run.run_id) is not None:
            stream = self.streams.open(run.run_id, resumable=resumable)
            stream.begin(run.run_id, run.attempts)
            live.listeners.append(stream.add)
        if followed:
            self.streams.tell(run.session_id)

    async def _recall(self, live: Live) -> None:
        """What this run has said already, so that it goes on without a gap or a double."""
        for run_id in live.run.turn_run_ids:
            live.keys |= await self._events.keys(live.run.session_id, run_id)
            spoken = await self._events.of_run(live.run.session_id, run_id)
            live.restart |= any(frame["type"] == "token" for frame in spoken)

    async def _run(
        self, served: ServedGraph, live: Live, session: Session, after: Callable[[str], Awaitable[None]]
    ) -> None:
        ended: Ended | None = None
        try:
            ended = await self._drive(served, live, session)
        except Fenced:
            logger.warning("run was superseded", extra={"run_id": live.run.run_id})
        except asyncio.CancelledError:
            await self._stopped(served, live)
        except Exception as error:
            logger.exception("run failed", extra={"run_id": live.run.run_id})
            await self._failed(live, error)
        finally:
            await asyncio.gather(live.drained(), return_exceptions=True)
            self._live.pop(live.run.session_id, None)
            self._tasks.pop(live.run.run_id, None)
            self._ended.pop(live.run.run_id).set_result(ended)
            for listener in live.listeners:
                listener(None)
            self.streams.end(live.run.run_id)
        await after(live.run.session_id)

    async def _drive(self, served: ServedGraph, live: Live, session: Session) -> Ended:
        context = await served.context(self._environment, live.run, session, live.write)
        values, pending = await drive(served, live, context, owner_of(session.user_id, session.company_id))
        if pending:
            await live.drained()
            run = await self._end(live, "interrupted", [interrupted(pending)])
            return Ended(run, values, pending, live.frames)
        last = await live.ended(values)
        timings = timings_of(served.steps(values))
        run = await self._end(
            live,
            "completed",
            last,
            result={"timings": timings},
            usage=values.get("usage") or None,
            reply=served.reply(live.run, values),
        )
        self._environment.estimates.learn(served.name, timings)
        return Ended(run, values, [], live.frames)

    async def _end(self, live: Live, status: str, events: Sequence[KeyedEvent], **outcome: Any) -> Run:
        """The run's end with the last it tells. Raises `Fenced`."""
        ending = asyncio.ensure_future(self._turns.end(live.run, status, events=events, tail=live.tail, **outcome))
        try:
            told = await asyncio.shield(ending)
        except asyncio.CancelledError:
            # It comes too late: the end is being stored.
            told = await ending
        live.told(told.frames)
        return told.run

    async def _keep_alive(self) -> None:
        """While runs run here: extend their leases, stop those that were taken away or cancelled elsewhere."""
        while self._live:
            await asyncio.sleep(self.lease / 3)
            held = {live.run.run_id: live for live in self._live.values()}
            try:
                kept, cancelled = await self._turns.heartbeat(
                    {n: live.run.fence for n, live in held.items()}, self.lease
                )
            except ServiceUnavailable:
                logger.warning("leases have to wait for the database")
                continue
            for run_id, live in held.items():
                task = self._tasks.get(run_id)
                if task is None or (run_id in kept and run_id not in cancelled):
                    continue
                live.cancelling = "cancel" if run_id in kept else live.cancelling
                task.cancel()

    async def _failed(self, live: Live, error: Exception) -> None:
        code = error.code if isinstance(error, MadangError) else "internal"
        message = str(error) if isinstance(error, MadangError) else say("internal_error", live.state.get("language"))
        detail = {"code": code, "message": str(error), "type": type(error).__name__}
        try:
            await asyncio.gather(live.drained(), return_exceptions=True)
            await self._end(live, "failed", [("error", Error(error=code, message=message))], error=detail)
        except Fenced:
            logger.warning("run was superseded", extra={"run_id": live.run.run_id})
        except ServiceUnavailable:
            logger.warning("run's failure could not be stored; it will be recovered", extra={"run_id": live.run.run_id})

    async def _stopped(self, served: ServedGraph, live: Live) -> None:
        """The task was cancelled: by a user, by shutdown, or because the lease was lost."""
        try:
            if live.cancelling != "cancel":
                await self._turns.release(live.run)
                return
            streamed = "".join(live.streamed)
            kept = await served.close_cancelled(live.run, streamed)
            await asyncio.gather(live.drained(), return_exceptions=True)
            reply = Reply(streamed, {"cancelled": True}) if streamed else None
            event = Cancelled(message=say("cancelled", live.state.get("language")), kept=kept)
            await self._end(live, "cancelled", [("cancelled", event)], reply=reply)
        except Fenced:
            logger.warning("run was superseded", extra={"run_id": live.run.run_id})
        except ServiceUnavailable:
            logger.warning("run's end could not be stored; it will be recovered", extra={"run_id": live.run.run_id})
