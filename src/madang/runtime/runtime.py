"""The runtime: accepts turns, has them run, answers what they ask, stops them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from madang.errors import (
    Conflict,
    IllegalTransition,
    NotFound,
)
from madang.events import of_turn
from madang.graph.context import Tools, TurnContext
from madang.runtime.accepting import Accepting, races
from madang.runtime.environment import Environment, MemoryOf
from madang.runtime.estimates import Estimates
from madang.runtime.hub import Hub
from madang.runtime.leaving import Leaving
from madang.runtime.outcome import Outcome, outcome_of
from madang.runtime.periodic import Periodic
from madang.runtime.queue import make_queue
from madang.runtime.recovery import Recovery
from madang.runtime.runner import RunEnd, Runner
from madang.runtime.served_graph import ServedGraph, as_fields, find_served, pending_questions
from madang.runtime.streams import RunStream
from madang.runtime.turn_context import look_ahead_context
from madang.runtime.turn_events import cancelled
from madang.runtime.turn_request import TurnRequest
from madang.runtime.webhook_policy import WebhookPolicy
from madang.state.clock import seconds_until
from madang.state.steps import TERMINAL_RUNS
from madang.store import SessionSaver
from madang.store.blobs import Blobs
from madang.store.database import Database, Transaction
from madang.store.documents import Documents
from madang.store.events import Events
from madang.store.messages import Messages
from madang.store.run_options import RunOptions
from madang.store.runs import Run, Runs
from madang.store.sessions import Session, Sessions
from madang.store.turns import Told, Turns

if TYPE_CHECKING:
    from madang.llm import Models
    from madang.runtime.link import Link
    from madang.runtime.relay import Kind

logger = logging.getLogger(__name__)

# Seconds beyond a heartbeat that another process has to stop a run.
PATIENCE = 2.0
# Seconds that work beside the turns has to end.
LAST_WORK = 5.0
# How often to look at a run of another process that says when it has gone on, and of one that can't.
LOOK, LOOK_ALONE = 1.0, 0.05


class Runtime:
    """One process's runtime over one database. Built by `bootstrap`; `close` it in the end."""

    def __init__(
        self,
        db: Database,
        saver: SessionSaver,
        served: Mapping[str, ServedGraph],
        *,
        today: Callable[[], date],
        models: Any = None,
        memory: MemoryOf | None = None,
        tools: Tools | None = None,
        lease: float = 30.0,
        begins: bool = True,
        queues: Sequence[str] | None = None,
    ) -> None:
        """`begins`: turns that it accepts run in this process. `queues`: the assistants whose turns it runs for others;
        all that it serves if not given."""
        self.db, self.saver, self.served = db, saver, dict(served)
        self.sessions, self.messages, self.runs, self.events = Sessions(db), Messages(db), Runs(db), Events(db)
        self.documents, self.blobs = Documents(db), Blobs(db)
        self.hub = Hub(self.events.read)
        self.turns = Turns(db)
        environment = Environment(
            runs=self.runs,
            documents=self.documents,
            blobs=self.blobs,
            estimates=Estimates(self.runs),
            today=today,
            models=models,
            memory=memory,
            tools=tools,
        )
        self.environment = environment
        self.runner = Runner(db, self.events, self.hub, environment, lease)
        self.streams = self.runner.streams
        self._making_room: set[str] = set()
        self._background: set[asyncio.Task[Any]] = set()
        self.closing = False
        self.leaving = Leaving()
        self._over_by: float | None = None
        self._working: asyncio.Task[Any] | None = None
        # How long threads that say nothing themselves are kept, if that is limited.
        self.thread_ttl: Mapping[str, Any] | None = None
        # What gives a thread its priority at its first run: LangGraph's `@priority.assign`.
        self.assign_priority: Callable[[Any], Awaitable[Any]] | None = None
        self.webhooks = WebhookPolicy()
        self.rehearsing = False
        # Whether the model that is set answered when this process started; none where none is set or asked.
        self.model: Literal["asked", "answers", "fails"] | None = None
        self.queue = make_queue(db, self._start_here, list(served if queues is None else queues), here=begins)
        self.periodic = Periodic(db)
        self.link: Link | None = None
        self.recovery = Recovery(self)
        self._accepting = Accepting(self)
        saver.on_commit.append(self.runner.committed)

    # Accepting turns

    async def start(self, session_id: str, turn: TurnRequest, *, session: Session | None = None) -> Run:
        """Accept a turn: its run is durable when this returns. Plain text that fits a pending question answers it.

        `session` spares a look at it, if it was read just now. Raises `NotFound`, `InvalidInput`, or `SessionBusy`
        under the policy `reject`.
        """
        return await self._accepting.start(session_id, turn, session)

    async def resume(self, session_id: str, answers: Mapping[str, Any], turn: TurnRequest | None = None) -> Run:
        """Answer pending interrupts by their ids. The run that waits goes on; with `turn`, a new one takes over.

        Raises `NotFound` for an id that isn't pending.
        """
        return await self._accepting.resume(session_id, answers, turn)

    async def look_ahead(self, served: ServedGraph, session: Session) -> TurnContext:
        """What planning needs to say what a turn would do, without a run."""
        return await look_ahead_context(self.environment, getattr(served, "services", None), session)

    # Running

    async def start_next(self, session_id: str) -> None:
        """Have the session's next queued run started, here or by a worker, unless one runs or waits."""
        if session_id not in self._making_room:
            await (self.queue.offer if self.closing else self.queue.put)(session_id)

    def connect(self, url: str) -> None:
        """Hear from and tell the other processes of this Postgres. `url` leads to it past any transaction pooler."""
        from madang.runtime.link import Link

        self.link = Link(self, url)
        self.link.open()

    def deleted(self, session_id: str) -> None:
        """A session was deleted: the other processes are told, for those who listen to it there."""
        if self.link is not None:
            self.link.tell_deleted(session_id)

    async def listen(self, run: Run, *, joins: bool = True) -> RunStream:
        """The stream of a run that isn't over, whichever process runs it, with what it holds so far.

        Who `joins` it wasn't there when it was accepted.
        """
        stream = self.runner.listen(run.run_id, resumable=run.options.stream_resumable)
        if self.link is not None and not self.runner.has(run.run_id):
            await self.link.relay.follow(run.session_id, run.run_id, stream, joins=joins and run.status == "running")
        return stream

    async def catch_up(self, run_id: str) -> None:
        """Have the stream of a run hold all that another process has streamed of it."""
        if self.link is not None:
            await self.link.relay.catch_up(run_id)

    @asynccontextmanager
    async def watching(self, session_id: str, kind: "Kind") -> AsyncIterator[None]:
        """As long as the context is open, runs of the session stream (`parts`) or log (`thread`) for who watches."""
        async with AsyncExitStack() as stack:
            if self.link is not None:
                await stack.enter_async_context(self.link.relay.watching(session_id, kind))
            yield

    async def work(self, concurrency: int) -> None:
        """Run what other processes have accepted, so many turns at once, until cancelled or told to stop."""
        self._working = asyncio.current_task()
        await self.queue.work(self._run_next, concurrency)

    async def _run_next(self, session_id: str) -> None:
        """One stint: the session's next queued run until it ends or waits."""
        run = await self._start_here(session_id)
        if run is not None:
            await self.runner.ended(run.run_id)

    async def _start_here(self, session_id: str) -> Run | None:
        if self.closing or session_id in self._making_room or self.runner.find(session_id) is not None:
            return None
        run = await self.runs.next_queued(session_id)
        if run is not None and (wait := seconds_until(run.options.not_before)) > 0:
            self.in_background(self.start_later(session_id, wait))
        elif run is not None and run.assistant in self.served:
            # Somebody else may have started it, or another one, or have deleted the session.
            with suppress(Conflict, IllegalTransition, NotFound):
                return await self.begin(run)
        return None

    async def start_later(self, session_id: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.start_next(session_id)

    async def begin(self, run: Run, *, options: RunOptions | None = None, message: str | None = None) -> Run:
        """Run a run that is queued or waits."""
        served = find_served(self.served, run.assistant)
        claimed = await self.turns.claim(run, self.runner.owner, self.runner.lease, options=options, message=message)
        await self.runner.run(served, claimed, None, self.start_next)
        return claimed

    # Stopping

    async def cancel(self, run_id: str) -> Run:
        """Stop a run, wherever it runs: what finished stays, what was streamed is kept and marked.

        That it is to stop is stored before anything acts on it. Cancelling twice is fine. Raises `NotFound`.
        """
        with suppress(Conflict):
            await self.runs.control(run_id, "cancel")
        while (run := await self.runs.get(run_id)).status not in TERMINAL_RUNS:
            active = self.runner.find(run.session_id)
            # What has gone on meanwhile is looked at again.
            with suppress(Conflict, IllegalTransition):
                if active is not None and active.run.run_id == run_id:
                    await self.runner.stop(active)
                elif run.status == "running":
                    await self._stop_elsewhere(run)
                elif run.status == "interrupted":
                    await self.end_waiting(run, "cancelled")
                else:
                    self.publish(await self.turns.cancel(run_id, events=[cancelled("cancelled")], only="queued"))
        self.streams.end(run_id)
        return run

    async def _stop_elsewhere(self, run: Run) -> None:
        """Give whoever runs it the time to see that it is to stop; then its token is void and it is over."""
        patience = asyncio.get_running_loop().time() + self.runner.lease / 3 + PATIENCE
        while (await self.runs.get(run.run_id, run.session_id)).status == "running":
            if asyncio.get_running_loop().time() > patience:
                self.publish(await self.turns.cancel(run.run_id, events=[cancelled("cancelled")], only="running"))
            await asyncio.sleep(0.1)

    async def end_waiting(self, run: Run, why: str) -> None:
        """End a run that waits for an answer: held while its state is put in order, so that nobody answers it now."""
        if run.assistant not in self.served:
            self.publish(await self.turns.cancel(run.run_id, events=[cancelled(why)], only="interrupted"))
            return
        claimed = await self.turns.claim(run, self.runner.owner, self.runner.lease)
        kept = await self.served[run.assistant].close_cancelled(claimed, "")
        self.publish(await self.turns.end(claimed, "cancelled", events=[cancelled(why, kept)]))

    async def abandon(self, session_id: str) -> None:
        """End the run that waits for an answer, if there is one: what it asked about has changed."""
        if (waiting := await self.runs.waiting(session_id)) is not None:
            with races():
                await self.end_waiting(waiting, "abandoned")

    def publish(self, told: Told) -> None:
        self.hub.publish(list(told.frames))

    async def rollback(self, run_id: str) -> None:
        """Stop a run and forget it, with every checkpoint that it made. Raises `NotFound`, and `SessionBusy` if
        another server has begun the next one meanwhile: that builds on what would be forgotten."""
        session_id = (await self.runs.get(run_id)).session_id
        self._making_room.add(session_id)
        try:
            await self._forget(await self.cancel(run_id))
        finally:
            self._making_room.discard(session_id)
            await self.start_next(session_id)

    async def _forget(self, run: Run) -> None:
        """Forget a run that is over and those it took over from, with their checkpoints and what was said: all or
        nothing. Raises `SessionBusy` if it isn't over."""

        async def delete(tx: Transaction) -> None:
            for run_id in run.turn_run_ids:
                await self.messages.forget_run(run_id, run.session_id, tx=tx)
                await self.runs.delete(run_id, tx=tx)

        await self.saver.forget_runs(run.turn_run_ids, delete)

    async def skip(self, run_id: str, step_id: str) -> None:
        """Ask a run to skip a step that hasn't started. Raises `NotFound`, or `Conflict` if it has started."""
        run = await self.runs.get(run_id)
        served = find_served(self.served, run.assistant)
        steps = served.steps((await served.snapshot(run.session_id)).values)
        found = next((step for step in steps if step["step_id"] == step_id), None)
        if found is None:
            raise NotFound(f"no step {step_id!r} in this turn", step_id=step_id)
        if found["status"] != "pending":
            raise Conflict(f"step {step_id} is {found['status']}; only a pending step can be skipped", step_id=step_id)
        await self.runs.control(run_id, "todo_skip", {"step_id": step_id})

    def stop(self, grace: float) -> asyncio.TimerHandle:
        """Take nothing new from others; in `grace` seconds let go whoever still waits for a turn or listens.

        Turns have no longer either: `close` hands on what isn't over by then.
        """
        if self._working is not None:
            self._working.cancel()
        loop = asyncio.get_running_loop()
        self._over_by = loop.time() + grace
        return loop.call_later(grace, self._leave)

    def _leave(self) -> None:
        self.leaving.begin()
        self.hub.close()
        self.streams.close()

    async def close(self, grace: float = 5.0) -> None:
        """Let running turns end for `grace` seconds, then hand them back to the queue; nothing is lost."""
        self.closing = True
        self.leaving.begin()
        if self._over_by is not None:
            grace = min(grace, max(0.0, self._over_by - asyncio.get_running_loop().time()))
        await self._end_background()
        await self.runner.close(grace)
        if self.link is not None:
            await self.link.close()
        self.hub.close()
        if self.runner.committed in self.saver.on_commit:
            self.saver.on_commit.remove(self.runner.committed)

    async def _end_background(self) -> None:
        """End what is done beside the turns; what doesn't end soon is named and left."""
        for task in self._background:
            task.cancel()
        _done, left = await asyncio.wait(self._background, timeout=LAST_WORK) if self._background else ((), ())
        for task in left:
            logger.warning("work beside the turns does not end", extra={"work": str(task.get_coro())})

    def rehearse(self) -> None:
        """Let the assistants load what their first turns need, beside whatever else is asked meanwhile."""
        self.rehearsing = True
        self.in_background(self._rehearse())
        models = self.environment.models
        if models is not None and models.configured:
            self.model = "asked"
            self.in_background(self._ask_model(models))

    async def _rehearse(self) -> None:
        try:
            for served in self.served.values():
                await served.rehearse(self.environment.today())
        finally:
            self.rehearsing = False

    async def _ask_model(self, models: "Models") -> None:
        from madang.llm.checks import check_model

        found = await check_model(models)
        self.model = "answers" if found["reachable"] else "fails"
        if not found["reachable"]:
            logger.warning("the model does not answer", extra={"model": found["model"], "reason": found["why"]})

    def in_background(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Do something beside the turns; it is stopped when the runtime closes. What fails in it is logged."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background_ended)
        return task

    def _background_ended(self, task: "asyncio.Task[Any]") -> None:
        self._background.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.warning("work beside the turns has failed", exc_info=error)

    # Waiting for what becomes of a run

    async def wait(self, run_id: str, session_id: str | None = None) -> Run:
        """The run once it has ended or waits, whoever runs it. Raises `NotFound`."""
        return (await self._wait(run_id, session_id))[0]

    async def _wait(self, run_id: str, session_id: str | None) -> tuple[Run, RunEnd | None]:
        if ended := await self.runner.ended(run_id):
            return ended.run, ended
        session_id = session_id or (await self.runs.get(run_id)).session_id
        with self.hub.waiting(session_id) as news:
            while True:
                if ended := await self.runner.ended(run_id):
                    return ended.run, ended
                news.clear()
                run = await self.runs.get(run_id, session_id)
                if run.status not in ("queued", "running"):
                    return run, None
                if not self.runner.has(run_id):
                    with suppress(TimeoutError):
                        await asyncio.wait_for(news.wait(), LOOK if self.link is not None else LOOK_ALONE)

    async def outcome(self, run_id: str, session_id: str | None = None) -> Outcome:
        """Wait for a run and give its outcome; who knows its session names it."""
        run, ended = await self._wait(run_id, session_id)
        served = find_served(self.served, run.assistant)
        if ended is not None and ended.frames is not None:
            return outcome_of(run, served, ended.values, ended.interrupts, ended.frames)
        snapshot = await served.snapshot(run.session_id)
        frames = of_turn(await self.events.of_run(run.session_id, run_id, limit=1000))
        return outcome_of(run, served, as_fields(snapshot.values), pending_questions(snapshot), frames)
