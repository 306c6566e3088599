"""The runs of this process: each is a task of its own, with a lease that is kept alive, until it ends or waits."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from madang.errors import Fenced, MadangError, NotFound, ServiceUnavailable
from madang.events import Error
from madang.memory import owner_of
from madang.runtime.active_run import ActiveRun
from madang.runtime.environment import Environment
from madang.runtime.estimates import timings_of
from madang.runtime.graph_run import run_graph
from madang.runtime.hub import Frame, Hub
from madang.runtime.served_graph import ServedGraph
from madang.runtime.streams import RunStream, Streams
from madang.runtime.thread_events import ThreadEvents
from madang.runtime.turn_events import cancelled, interrupted
from madang.store.database import Database
from madang.store.events import Events, KeyedEvent, Tail
from madang.store.owners import Locks, Owner
from madang.store.runs import Run
from madang.store.saver import CommitEvent
from madang.store.sessions import Session, Sessions
from madang.store.turns import Reply, Turns
from madang.texts import say

if TYPE_CHECKING:
    from madang.runtime.relay import Relay

logger = logging.getLogger(__name__)
# Seconds that handing a run back may take as the process ends: a database that is away longer has its leases run out.
HAND_BACK = 5.0


@dataclass(frozen=True)
class RunEnd:
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
        self.relay: Relay | None = None
        self._active: dict[str, ActiveRun] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ends: dict[str, asyncio.Future[RunEnd | None]] = {}
        self._lease_keeper: asyncio.Task[None] | None = None
        self._asked = asyncio.Event()

    def __len__(self) -> int:
        return len(self._active)

    async def run(
        self, served: ServedGraph, run: Run, session: Session | None, after: Callable[[str], Awaitable[None]]
    ) -> None:
        """Run a run that was claimed; `after` is called with its session once it has ended or waits, unless
        no other run waits for that."""
        session = session or await self._sessions.get(run.session_id)
        tail = Tail(run.session_id, run.run_id, run.fence, run.request_id, session.last_seq)
        active = ActiveRun(run, served, self._events, self._hub, tail)
        if run.begun_before:
            await self._load_logged(active)
        else:
            active.frames = []
        self._active[run.session_id] = active
        self._ends[run.run_id] = asyncio.get_running_loop().create_future()
        self._stream(active)
        # The work may be cancelled, before it begins too; what stores its end may not.
        active.work = asyncio.create_task(self._run_to_end(served, active, session), name=f"run {run.run_id}")
        self._tasks[run.run_id] = asyncio.create_task(self._run(active, active.work, after))
        if self._lease_keeper is None or self._lease_keeper.done():
            self._lease_keeper = asyncio.create_task(self._keep_alive(), name="keep leases alive")

    def find(self, session_id: str) -> ActiveRun | None:
        """The run of a session that runs here."""
        return self._active.get(session_id)

    def has(self, run_id: str) -> bool:
        """Whether a run runs here."""
        return run_id in self._ends

    def asked(self, run_id: str) -> None:
        """Something was asked of a run by another process."""
        if run_id in self._tasks:
            self.look_again()

    def look_again(self) -> None:
        """See now, not when the leases are due, what was asked of the runs here."""
        self._asked.set()

    async def ended(self, run_id: str) -> RunEnd | None:
        """Wait for a run that runs here: how it ended; None if it doesn't run here, or was taken away."""
        waiting = self._ends.get(run_id)
        return None if waiting is None else await asyncio.shield(waiting)

    async def stop(self, active: ActiveRun) -> None:
        """Cancel a run for a user; returns when it has ended."""
        active.cancelled = True
        waiting = self._ends[active.run.run_id]
        self._cut_short(active)
        await asyncio.wait([waiting])

    def _cut_short(self, active: ActiveRun) -> None:
        """Cancel its work, once: a second cancelling could leave an end undone that is being stored."""
        if active.work is not None and not active.ending:
            active.ending = True
            active.work.cancel()

    async def close(self, grace: float) -> None:
        """Let runs end for `grace` seconds, then hand the others back to the queue, if the database takes them soon."""
        tasks = list(self._tasks.values())
        if tasks:
            _done, still = await asyncio.wait(tasks, timeout=grace)
            for active in list(self._active.values()):
                self._cut_short(active)
            _done, left = await asyncio.wait(still, timeout=HAND_BACK) if still else (still, still)
            for task in left:
                task.cancel()
            if left:
                logger.warning("runs could not be handed back; they will be recovered", extra={"runs": len(left)})
        if self._lease_keeper is not None:
            self._lease_keeper.cancel()
            await asyncio.gather(self._lease_keeper, return_exceptions=True)
        self.streams.close()
        self.locks.release(self.owner)

    def listen(self, run_id: str, *, resumable: bool = False) -> RunStream:
        """The stream of a run that runs here or is about to."""
        stream = self.streams.open(run_id, resumable=resumable)
        active = next((active for active in self._active.values() if active.run.run_id == run_id), None)
        if active is not None and stream.add not in active.listeners:
            active.listeners.append(stream.add)
        return stream

    def committed(self, commit: CommitEvent) -> None:
        """The saver has committed something: if a run of ours did, its events follow from it."""
        active = self._active.get(commit.session_id)
        if active is None or commit.checkpoint_ns or commit.run_id != active.run.run_id:
            return
        if commit.kind == "checkpoint":
            active.committed(dict(commit.channel_values))
        else:
            active.finished_task(list(commit.writes))

    def _stream(self, active: ActiveRun) -> None:
        """Let those who wait for the run's stream, follow its session or may come back have what it streams."""
        run = active.run
        resumable = run.options.stream_resumable
        followed = self.streams.followed(run.session_id)
        if self.relay is not None:
            self.relay.runs_here(run.run_id)
        elsewhere = self.relay is not None and self.relay.wanted(run)
        if elsewhere or resumable or followed or self.streams.find(run.run_id) is not None:
            stream = self.streams.open(run.run_id, resumable=resumable)
            stream.begin(run.run_id, run.attempts)
            active.listeners.append(stream.add)
        if elsewhere and self.relay is not None:
            self.relay.send(run)
        if followed:
            self.streams.tell(run.session_id)
        watched = self.relay is not None and self.relay.watched(run.session_id, "thread")
        if watched or run.options.thread_events or self.streams.watched(run.session_id):
            self._tell_thread(active)

    def watch(self, session_id: str) -> None:
        """Someone follows the thread now: a run of it that runs here tells what it streams from now on."""
        active = self._active.get(session_id)
        if active is not None and active.thread is None:
            self._tell_thread(active)

    def _tell_thread(self, active: ActiveRun) -> None:
        active.thread = ThreadEvents(active.run, active.served, self.streams.recent)
        active.tell(active.thread.begun())
        active.listeners.append(active.pass_on)

    async def _load_logged(self, active: ActiveRun) -> None:
        """What this run has said already, so that it goes on without a gap or a double."""
        for run_id in active.run.turn_run_ids:
            active.keys |= await self._events.keys(active.run.session_id, run_id)
            spoken = await self._events.of_run(active.run.session_id, run_id)
            active.restart |= any(frame["type"] == "token" for frame in spoken)

    async def _run(
        self, active: ActiveRun, work: "asyncio.Task[RunEnd]", after: Callable[[str], Awaitable[None]]
    ) -> None:
        ended: RunEnd | None = None
        try:
            ended = await work
        except Fenced:
            logger.warning("run was superseded", extra={"run_id": active.run.run_id})
        except asyncio.CancelledError:
            await self._stopped(active)
        except Exception as error:
            logger.exception("run failed", extra={"run_id": active.run.run_id})
            await self._failed(active, error)
        finally:
            await asyncio.gather(active.drained(), return_exceptions=True)
            self._active.pop(active.run.session_id, None)
            self._tasks.pop(active.run.run_id, None)
            self._ends.pop(active.run.run_id).set_result(ended)
            for listener in active.listeners:
                listener(None)
            if self.relay is not None:
                await self.relay.sent(active.run.run_id, over=True)
            self.streams.end(active.run.run_id)
        if not active.alone:
            await after(active.run.session_id)

    async def _run_to_end(self, served: ServedGraph, active: ActiveRun, session: Session) -> RunEnd:
        context = await served.context(self._environment, active.run, session, active.write)
        owner = owner_of(session.user_id, session.company_id)
        values, pending = await run_graph(served, active, context, owner)
        if pending:
            await active.drained()
            run = await self._end(active, "interrupted", [interrupted(pending)])
            return RunEnd(run, values, pending, active.frames)
        last = await active.ended(values)
        if active.was_closed and not last:
            # It was being closed, as cancelled, when its process died: nothing is left to run, nothing was answered.
            active.cancelled = True
            raise asyncio.CancelledError
        steps = served.steps(values)
        timings = timings_of(steps)
        # With steps it is in the log, with the plan.
        reading = None if steps else served.reading(values)
        run = await self._end(
            active,
            "completed",
            last,
            result={"timings": timings, **({"reading": reading} if reading else {})},
            usage=values.get("usage") or None,
            reply=served.reply(active.run, values),
        )
        self._environment.estimates.learn(served.name, timings, values.get("usage"))
        return RunEnd(run, values, [], active.frames)

    async def _end(self, active: ActiveRun, status: str, events: Sequence[KeyedEvent], **outcome: Any) -> Run:
        """The run's end with the last it tells. Raises `Fenced`."""
        if active.thread is not None:
            failure = active.served.failure_shown(outcome.get("error"))
            events = [*events, *((None, event) for event in active.thread.ended(status, failure))]
        if self.relay is not None:
            # Whoever sees that it is over finds all of its stream.
            await self.relay.sent(active.run.run_id)
        ending = asyncio.ensure_future(self._turns.end(active.run, status, events=events, tail=active.tail, **outcome))
        try:
            told = await asyncio.shield(ending)
        except asyncio.CancelledError:
            # It comes too late: the end is being stored.
            told = await ending
        active.told(told.frames)
        active.alone = not told.more
        return told.run

    async def _keep_alive(self) -> None:
        """While runs run here: extend their leases, stop those that were taken away or cancelled elsewhere."""
        while self._active:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._asked.wait(), self.lease / 3)
            self._asked.clear()
            held = {active.run.run_id: active for active in self._active.values()}
            try:
                kept, to_cancel = await self._turns.heartbeat([active.run for active in held.values()], self.lease)
            except ServiceUnavailable:
                logger.warning("leases have to wait for the database")
                continue
            for run_id, active in held.items():
                if run_id in kept and run_id not in to_cancel:
                    continue
                active.cancelled |= run_id in kept
                self._cut_short(active)

    async def _failed(self, active: ActiveRun, error: Exception) -> None:
        code = error.code if isinstance(error, MadangError) else "internal"
        hidden = active.served.hides_failures and code == "internal"
        message = say("internal_error", active.state.get("language")) if hidden else str(error) or type(error).__name__
        detail = {"code": code, "message": str(error), "type": type(error).__name__}
        try:
            await asyncio.gather(active.drained(), return_exceptions=True)
            await self._end(active, "failed", [("error", Error(error=code, message=message))], error=detail)
        except (Fenced, NotFound):
            logger.warning("run was superseded", extra={"run_id": active.run.run_id})
        except ServiceUnavailable:
            logger.warning(
                "run's failure could not be stored; it will be recovered", extra={"run_id": active.run.run_id}
            )

    async def _stopped(self, active: ActiveRun) -> None:
        """The work was cancelled: by a user, by shutdown, or because the lease was lost."""
        try:
            if not active.cancelled:
                await self._turns.release(active.run)
                return
            streamed = "".join(active.streamed)
            kept = await active.served.close_cancelled(active.run, streamed)
            await asyncio.gather(active.drained(), return_exceptions=True)
            reply = Reply(streamed, {"cancelled": True}) if streamed else None
            event = cancelled("cancelled", kept, active.state.get("language"))
            await self._end(active, "cancelled", [event], reply=reply)
        except (Fenced, NotFound):
            logger.warning("run was superseded", extra={"run_id": active.run.run_id})
        except ServiceUnavailable:
            logger.warning("run's end could not be stored; it will be recovered", extra={"run_id": active.run.run_id})
