"""The runtime: accepts turns, runs them, answers what they ask, cancels and recovers them."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, Literal

from madang.errors import Conflict, Fenced, InvalidInput, MadangError, NotFound, ServiceUnavailable, SessionBusy
from madang.events import Cancelled, Error
from madang.graph.context import Memory, TurnContext
from madang.runtime.derive import interrupted, response_event
from madang.runtime.estimates import Estimates, timings_of
from madang.runtime.execute import close_cancelled, drive, pending_interrupts
from madang.runtime.hub import Hub
from madang.runtime.live import Live
from madang.runtime.outcome import Outcome, outcome_of
from madang.runtime.plain_graphs import graph_response
from madang.runtime.served import Served, find_served
from madang.runtime.streams import RunStream, Streams
from madang.state.steps import TERMINAL_RUNS
from madang.store import SessionSaver
from madang.store.blobs import Blobs
from madang.store.database import Database
from madang.store.documents import Documents
from madang.store.events import Events
from madang.store.messages import Messages
from madang.store.runs import LivePids, Owner, Run, Runs
from madang.store.saver import CommitEvent
from madang.store.sessions import Session, Sessions

logger = logging.getLogger(__name__)

Policy = Literal["reject", "enqueue", "interrupt", "rollback"]
POLICIES: tuple[Policy, ...] = ("reject", "enqueue", "interrupt", "rollback")
MAX_TEXT = 100_000


@dataclass(frozen=True)
class Turn:
    """What a client asks of a session: a message, or the graph's own input, and how to deal with a running turn."""

    text: str = ""
    input: Mapping[str, Any] | None = None
    request_id: str | None = None
    policy: Policy = "enqueue"
    kwargs: Mapping[str, Any] | None = None
    metadata: Mapping[str, Any] | None = None
    run_id: str | None = None


class Runtime:
    """One process's runtime over one database. Built by `bootstrap`; `close` it in the end."""

    def __init__(
        self,
        db: Database,
        saver: SessionSaver,
        served: Mapping[str, Served],
        *,
        today: Callable[[], date],
        models: Any = None,
        memory: Memory | None = None,
        lease: float = 30.0,
    ) -> None:
        self.db, self.saver, self.served = db, saver, dict(served)
        self.sessions, self.messages, self.runs, self.events = Sessions(db), Messages(db), Runs(db), Events(db)
        self.hub = Hub(self.events.read)
        self.streams = Streams()
        self.estimates = Estimates(self.runs)
        self.documents, self.blobs = Documents(db), Blobs(db)
        self._today, self._models, self._memory = today, models, memory
        self._owner, self._lease = Owner(), lease
        self._live: dict[str, Live] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ended: dict[str, asyncio.Event] = {}
        self._accepting: dict[str, asyncio.Lock] = {}
        self._beside: set[asyncio.Task[Any]] = set()
        self._closing = False
        saver.on_commit.append(self._committed)

    # Accepting turns

    async def start(self, session_id: str, turn: Turn) -> Run:
        """Accept a turn: its run is durable when this returns. Plain text that fits a pending question answers it.

        Raises `NotFound`, `InvalidInput`, or `SessionBusy` under the policy `reject`.
        """
        check_turn(turn)
        if self._closing:
            raise Conflict("the server is shutting down")
        session = await self.sessions.get(session_id)
        served = find_served(self.served, session.assistant)
        lock = self._accepting.setdefault(session_id, asyncio.Lock())
        async with lock:
            running, waiting = await self._open(session_id)
            if running is not None:
                await self._make_room(running, turn.policy)
            elif waiting is not None:
                answers = await self._fitting(served, session_id, turn)
                if answers:
                    await self.messages.append(
                        session_id, "user", turn.text, request_id=waiting.request_id, run_id=waiting.run_id
                    )
                    return await self._resume(waiting, answers, turn.kwargs)
                await self._abandon(served, waiting)
            run = await self._accept(session, turn)
            if running is None:
                with suppress(SessionBusy):
                    await self._begin(run, session=session)
                return run
        await self._kick(session_id)
        return run

    async def _open(self, session_id: str) -> tuple[Run | None, Run | None]:
        """The run that runs or is about to, and the one that waits for an answer."""
        found = await self.runs.open(session_id)
        running = next((run for run in found if run.status in ("running", "queued")), None)
        return running, next((run for run in found if run.status == "interrupted"), None)

    async def _accept(self, session: Session, turn: Turn) -> Run:
        given = dict(turn.input) if turn.input is not None else ({"query": turn.text} if turn.text else None)
        async with self.db.transaction() as tx:
            run = await self.runs.create(
                session.session_id,
                run_id=turn.run_id,
                assistant=session.assistant,
                input=given,
                request_id=turn.request_id or _new_request(),
                kwargs=turn.kwargs,
                metadata=turn.metadata,
                multitask_strategy=turn.policy,
                tx=tx,
            )
            if turn.text:
                await self.messages.append(
                    session.session_id, "user", turn.text, request_id=run.request_id, run_id=run.run_id, tx=tx
                )
        return run

    async def _make_room(self, running: Run, policy: Policy) -> None:
        """Deal with a turn that is running, as the policy says."""
        if policy == "enqueue":
            return
        if policy == "reject":
            raise SessionBusy("a turn is running in this session", session_id=running.session_id, run_id=running.run_id)
        await self.cancel(running.run_id)
        if policy == "rollback":
            await self._forget(running.run_id)

    async def resume(self, session_id: str, answers: Mapping[str, Any], turn: Turn | None = None) -> Run:
        """Answer pending interrupts by their ids. The run that waits goes on; with `turn`, a new one takes over.

        Raises `NotFound` for an id that isn't pending.
        """
        waiting = await self.waiting_run(session_id)
        pending = {item["interrupt_id"] for item in await self.interrupts(session_id)}
        unknown = set(answers) - pending
        if waiting is None or unknown or not answers:
            named = ", ".join(sorted(unknown)) or "none given"
            raise NotFound(f"no such pending question: {named}", interrupt_ids=sorted(pending))
        return await (self._resume(waiting, answers) if turn is None else self._take_over(waiting, answers, turn))

    async def _take_over(self, waiting: Run, answers: Mapping[str, Any], turn: Turn) -> Run:
        """A run that goes on where another one waits: the same turn, under an id of its own."""
        given = dict(turn.kwargs or {})
        kwargs = {
            **given,
            "command": {**(given.get("command") or {}), "resume": dict(answers)},
            "resume": dict(answers),
            "resumes": [*waiting.kwargs.get("resumes", ()), waiting.run_id],
        }
        async with self.db.transaction() as tx:
            await self.runs.cancel(waiting.run_id, tx=tx)
            run = await self.runs.create(
                waiting.session_id,
                run_id=turn.run_id,
                assistant=waiting.assistant,
                request_id=waiting.request_id,
                kwargs=kwargs,
                metadata=turn.metadata,
                multitask_strategy=turn.policy,
                tx=tx,
            )
        await self._begin(run)
        return run

    async def _resume(self, run: Run, answers: Mapping[str, Any], kwargs: Mapping[str, Any] | None = None) -> Run:
        # A command that the run began with has been carried out.
        going_on = {**run.kwargs, "command": None, **(kwargs or {})}
        await self._begin(replace(run, kwargs=going_on), resume=answers)
        return await self.runs.get(run.run_id)

    async def _fitting(self, served: Served, session_id: str, turn: Turn) -> dict[str, Any]:
        """The pending questions that a plain text answers; the first one, if there are several."""
        if served.assistant is None or not turn.text:
            return {}
        snapshot = await served.graph.aget_state({"configurable": {"thread_id": session_id}})
        for pending in snapshot.interrupts:
            question: Any = {**pending.value, "answered": False, "answer": None}
            answer = served.assistant.read_answer(question, turn.text, snapshot.values)
            if answer is not None:
                return {pending.id: answer}
        return {}

    async def _abandon(self, served: Served, run: Run) -> None:
        kept = await close_cancelled(served, run, None, "")
        await self.runs.cancel(run.run_id)
        await self._log(run, ("abandoned", Cancelled(message="새 질문으로 넘어갔습니다.", kept=kept)))

    async def _log(self, run: Run, *events: Any) -> None:
        self.hub.publish(await self.events.append(run.session_id, run.run_id, None, events))

    # Running

    async def _kick(self, session_id: str) -> None:
        """Start the session's next queued run, unless one runs or waits."""
        if self._closing or session_id in self._live:
            return
        run = await self.runs.next_queued(session_id)
        if run is not None:
            with suppress(SessionBusy):
                await self._begin(run)

    async def _begin(
        self, run: Run, *, resume: Mapping[str, Any] | None = None, session: Session | None = None
    ) -> None:
        async with self.db.transaction() as tx:
            if resume is not None:
                run = replace(run, kwargs={**run.kwargs, "resume": dict(resume)})
                await self.runs.set_kwargs(run.run_id, run.kwargs, tx=tx)
            fence = await self.runs.claim(run.run_id, self._owner, self._lease, tx=tx)
        served = find_served(self.served, run.assistant)
        live = Live(run, fence, served.assistant, self.events, self.hub)
        if run.attempts or run.status == "interrupted" or run.kwargs.get("resumes"):
            await self._recall(live)
        self._live[run.session_id] = live
        self._ended[run.run_id] = asyncio.Event()
        self._stream(live)
        self._tasks[run.run_id] = asyncio.create_task(self._run(served, live, session), name=f"run {run.run_id}")

    def _stream(self, live: Live) -> None:
        """Let those who wait for the run's stream, or may come back to it, have what it streams."""
        run = live.run
        stream = self.streams.find(run.run_id)
        if stream is not None or run.kwargs.get("stream_resumable"):
            stream = self.streams.open(run.run_id, resumable=bool(run.kwargs.get("stream_resumable")))
            stream.begin(run.run_id, run.attempts + 1)
            live.listeners.append(stream.add)

    def listen(self, run_id: str, *, resumable: bool = False) -> RunStream:
        """The stream of a run that runs in this process or is about to."""
        stream = self.streams.open(run_id, resumable=resumable)
        live = self.live(run_id)
        if live is not None and stream.add not in live.listeners:
            live.listeners.append(stream.add)
        return stream

    async def _recall(self, live: Live) -> None:
        """What this run has said already, so that it goes on without a gap or a double."""
        for run_id in _of_turn(live.run):
            live.keys |= await self.events.keys(live.run.session_id, run_id)
            spoken = await self.events.of_run(live.run.session_id, run_id)
            live.restart |= any(frame["type"] == "token" for frame in spoken)

    async def _run(self, served: Served, live: Live, session: Session | None) -> None:
        heartbeat = asyncio.create_task(self._heartbeat(live))
        try:
            await self._drive(served, live, session or await self.sessions.get(live.run.session_id))
        except Fenced:
            logger.warning("run was superseded", extra={"run_id": live.run.run_id})
        except asyncio.CancelledError:
            await self._stopped(served, live)
        except Exception as error:
            logger.exception("run failed", extra={"run_id": live.run.run_id})
            await self._failed(live, error)
        finally:
            heartbeat.cancel()
            await asyncio.gather(heartbeat, live.drained(), return_exceptions=True)
            self._live.pop(live.run.session_id, None)
            self._tasks.pop(live.run.run_id, None)
            self._ended.pop(live.run.run_id).set()
            for listener in live.listeners:
                listener(None)
            self.streams.end(live.run.run_id)
        await self._kick(live.run.session_id)

    async def _drive(self, served: Served, live: Live, session: Session) -> None:
        context = await self._context(served, live, session) if served.assistant is not None else None
        modes = list(live.run.kwargs.get("stream_mode") or ["custom"])
        values, pending = await drive(served, live, context, modes, session.user_id)
        if pending:
            await live.append(interrupted(pending))
            await self.runs.finish(live.run.run_id, live.fence, "interrupted")
            return
        timings: dict[str, float] = {}
        if served.assistant is not None:
            live.committed(values)
            timings = timings_of(served.assistant.steps(values))
        else:
            await live.append(("response", response_event(graph_response(values))))
        await live.drained()
        async with self.db.transaction() as tx:
            await self._say(served, live, values, tx)
            await self.runs.finish(
                live.run.run_id,
                live.fence,
                "completed",
                result={"timings": timings},
                usage=values.get("usage") or None,
                tx=tx,
            )
        self.estimates.learn(live.run.assistant or "", timings)

    async def _say(self, served: Served, live: Live, values: Mapping[str, Any], tx: Any) -> None:
        own = served.assistant is not None
        response = served.assistant.response(values) if served.assistant is not None else graph_response(values)
        # A run that only moved the graph on (a command) leaves the response of the turn before.
        if response is None or (own and values.get("request_id") != live.run.request_id):
            return
        if not own and not response["answer"]:
            return
        await self.messages.append(
            live.run.session_id,
            "assistant",
            response["answer"],
            structured_data={"type": response["type"], **response["structured_data"]},
            request_id=live.run.request_id,
            run_id=live.run.run_id,
            once=True,
            tx=tx,
        )

    async def _context(self, served: Served, live: Live, session: Session) -> TurnContext:
        today = live.run.kwargs.get("today")
        run_id = live.run.run_id

        class Skips:
            async def skipped(_self) -> frozenset[str]:  # noqa: N805
                controls = [control for one in _of_turn(live.run) for control in await self.runs.controls(one)]
                return frozenset(str(c.data.get("step_id")) for c in controls if c.kind == "todo_skip")

        return TurnContext(
            today=date.fromisoformat(today) if today else self._today(),
            services=served.services,
            models=self._models,
            memory=self._memory,
            controls=Skips(),
            user_id=session.user_id,
            company_id=str(session.metadata.get("company_id") or "sample"),
            estimates=await self.estimates.of(served.name),
            blobs=self.blobs.of(session.session_id),
            save_document=partial(self._save_document, session, run_id),
            write=live.write,
        )

    async def _save_document(self, session: Session, run_id: str, made: dict[str, Any]) -> str:
        """Keep a document that an agent has made; making it again after a crash is its next version."""
        saved = await self.documents.save(
            session.session_id,
            document_id=made.get("document_id"),
            kind=made.get("kind"),
            title=made.get("title"),
            content={"markdown": made.get("markdown", "")},
            metadata=made.get("metadata"),
            files=made.get("files"),
            run_id=run_id,
            step_id=made.get("step_id"),
            assistant=session.assistant,
        )
        return saved.document_id

    async def _heartbeat(self, live: Live) -> None:
        while True:
            await asyncio.sleep(self._lease / 3)
            try:
                await self.runs.heartbeat(live.run.run_id, live.fence, self._lease)
                asked = await self.runs.controls(live.run.run_id)
            except Fenced:
                self._tasks[live.run.run_id].cancel()
                return
            if any(control.kind == "cancel" for control in asked):
                await self._cancel_live(live)
                return

    def _committed(self, commit: CommitEvent) -> None:
        live = self._live.get(commit.session_id)
        if live is None or commit.checkpoint_ns or commit.run_id != live.run.run_id:
            return
        if commit.kind == "checkpoint":
            live.committed(dict(commit.channel_values))
        else:
            live.finished_task(list(commit.writes))

    async def _failed(self, live: Live, error: Exception) -> None:
        code = error.code if isinstance(error, MadangError) else "internal"
        message = str(error) if isinstance(error, MadangError) else "처리하는 중에 문제가 생겼습니다."
        try:
            await live.append(("error", Error(error=code, message=message)))
            detail = {"code": code, "message": str(error), "type": type(error).__name__}
            await self.runs.finish(live.run.run_id, live.fence, "failed", error=detail)
        except Fenced:
            logger.warning("run was superseded", extra={"run_id": live.run.run_id})

    # Stopping

    async def cancel(self, run_id: str) -> Run:
        """Stop a run: what finished stays, what was streamed is kept and marked. Cancelling twice is fine."""
        run = await self.runs.get(run_id)
        live = self._live.get(run.session_id)
        if run.status in TERMINAL_RUNS:
            return run
        if live is not None and live.run.run_id == run_id:
            await self._cancel_live(live)
        elif run.status == "running":
            await self.runs.control(run_id, "cancel")
        else:
            served = find_served(self.served, run.assistant)
            kept = await close_cancelled(served, run, None, "") if run.status == "interrupted" else {}
            await self.runs.cancel(run_id)
            await self._log(run, ("cancelled", Cancelled(message="취소했습니다.", kept=kept)))
            self.streams.end(run_id)
        return await self.runs.get(run_id)

    async def rollback(self, run_id: str) -> None:
        """Stop a run and forget it, with every checkpoint that it made. Raises `NotFound`."""
        await self.cancel(run_id)
        await self._forget(run_id)

    async def _forget(self, run_id: str) -> None:
        await self.saver.adelete_for_runs([run_id])
        await self.runs.delete(run_id)

    async def _cancel_live(self, live: Live) -> None:
        live.cancelling = "cancel"
        ended = self._ended[live.run.run_id]
        self._tasks[live.run.run_id].cancel()
        await ended.wait()

    async def _stopped(self, served: Served, live: Live) -> None:
        """The task was cancelled: by a user, by shutdown, or because the lease was lost."""
        try:
            if live.cancelling != "cancel":
                await self.runs.release(live.run.run_id, live.fence)
                return
            streamed = "".join(live.streamed)
            kept = await close_cancelled(served, live.run, live.fence, streamed)
            await live.append(("cancelled", Cancelled(message="취소했습니다.", kept=kept)))
            if streamed:
                await self.messages.append(
                    live.run.session_id,
                    "assistant",
                    streamed,
                    structured_data={"cancelled": True},
                    request_id=live.run.request_id,
                    run_id=live.run.run_id,
                    once=True,
                )
            await self.runs.finish(live.run.run_id, live.fence, "cancelled")
        except Fenced:
            logger.warning("run was superseded", extra={"run_id": live.run.run_id})

    async def skip(self, run_id: str, step_id: str) -> None:
        """Ask a run to skip a step that hasn't started. Raises `NotFound`, or `Conflict` if it has started."""
        run = await self.runs.get(run_id)
        served = find_served(self.served, run.assistant)
        snapshot = await served.graph.aget_state({"configurable": {"thread_id": run.session_id}})
        steps = served.assistant.steps(snapshot.values) if served.assistant is not None else []
        found = next((step for step in steps if step["step_id"] == step_id), None)
        if found is None:
            raise NotFound(f"no step {step_id!r} in this turn", step_id=step_id)
        if found["status"] != "pending":
            raise Conflict(f"step {step_id} is {found['status']}; only a pending step can be skipped", step_id=step_id)
        await self.runs.control(run_id, "todo_skip", {"step_id": step_id})

    async def recover(self) -> int:
        """Take over runs that nobody runs any more, and start what is queued; how many there were."""
        count = 0
        for orphan in await self.runs.find_orphans(datetime.now(UTC), self._owner.host, LivePids()):
            with suppress(Fenced):
                await self.runs.requeue(orphan)
                count += 1
        for run in await self.runs.queued():
            await self._kick(run.session_id)
        return count

    def watch(self) -> None:
        """Go on recovering while this runtime is open: owners elsewhere may die too."""
        self._beside.add(asyncio.create_task(self._watch(), name="watch for orphaned runs"))

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._lease)
            try:
                await self.recover()
            except ServiceUnavailable:
                logger.warning("recovery has to wait for the database")

    async def close(self, grace: float = 5.0) -> None:
        """Let running turns end for `grace` seconds, then hand them back to the queue; nothing is lost."""
        self._closing = True
        for task in self._beside:
            task.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)
        tasks = list(self._tasks.values())
        if tasks:
            _done, still = await asyncio.wait(tasks, timeout=grace)
            for task in still:
                task.cancel()
            await asyncio.gather(*still, return_exceptions=True)
        self.hub.close()
        self.streams.close()
        if self._committed in self.saver.on_commit:
            self.saver.on_commit.remove(self._committed)

    def beside(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Do something beside the turns; it is stopped when the runtime closes."""
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return task

    # Looking

    async def running_run(self, session_id: str) -> Run | None:
        """The run that runs in this session now."""
        page = await self.runs.list(session_id, status="running", limit=1)
        return page.items[0] if page.items else None

    async def waiting_run(self, session_id: str) -> Run | None:
        """The run that waits for an answer."""
        page = await self.runs.list(session_id, status="interrupted", limit=1)
        return page.items[0] if page.items else None

    async def interrupts(self, session_id: str) -> list[dict[str, Any]]:
        """What the session waits for."""
        session = await self.sessions.get(session_id)
        served = find_served(self.served, session.assistant)
        return pending_interrupts(await served.graph.aget_state({"configurable": {"thread_id": session_id}}))

    async def wait(self, run_id: str) -> Run:
        """The run once it has ended or waits, whoever runs it. Raises `NotFound`."""
        while True:
            if ended := self._ended.get(run_id):
                await ended.wait()
            run = await self.runs.get(run_id)
            if run.status not in ("queued", "running"):
                return run
            if run_id not in self._ended:
                await asyncio.sleep(0.05)

    async def outcome(self, run_id: str) -> Outcome:
        """Wait for a run and give its outcome."""
        run = await self.wait(run_id)
        served = find_served(self.served, run.assistant)
        snapshot = await served.graph.aget_state({"configurable": {"thread_id": run.session_id}})
        frames = await self.events.of_run(run.session_id, run_id, limit=1000)
        return outcome_of(run, served.assistant, snapshot, frames)

    @property
    def closing(self) -> bool:
        """Whether it takes no more turns."""
        return self._closing

    def live_in(self, session_id: str) -> Live | None:
        """The run of a session that runs in this process."""
        return self._live.get(session_id)

    @property
    def live_count(self) -> int:
        """How many runs run in this process."""
        return len(self._live)

    def live(self, run_id: str) -> Live | None:
        """The run, if it runs in this process."""
        return next((live for live in self._live.values() if live.run.run_id == run_id), None)


def check_turn(turn: Turn) -> None:
    """Raise `InvalidInput` for a turn that can't be accepted."""
    if turn.policy not in POLICIES:
        raise InvalidInput(f"multitask_strategy: {turn.policy!r} is not one of {', '.join(POLICIES)}")
    if turn.input is None and not turn.kwargs and not turn.text.strip():
        raise InvalidInput("the message is empty", field="query")
    if len(turn.text) > MAX_TEXT:
        raise InvalidInput(f"the message is longer than {MAX_TEXT:,} characters", field="query")


def _of_turn(run: Run) -> list[str]:
    """The ids of the runs that make up a run's turn: those that it took over from, and itself."""
    return [*run.kwargs.get("resumes", ()), run.run_id]


def _new_request() -> str:
    from madang.store.columns import new_id

    return new_id()
