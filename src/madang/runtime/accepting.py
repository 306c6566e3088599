"""How a turn becomes a run: begun at once, an answer to what waits, queued behind others, or room is made for it."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from madang.errors import Conflict, IllegalTransition, NotFound, ServiceUnavailable, SessionBusy
from madang.runtime.served_graph import ServedGraph, find_served
from madang.runtime.turn_request import Policy, TurnRequest
from madang.state.clock import seconds_until
from madang.store.run_options import RunOptions
from madang.store.runs import Run
from madang.store.sessions import Session
from madang.store.turns import NewRun

if TYPE_CHECKING:
    from madang.runtime.runtime import Runtime

# So many runs back an answer that is sent again is known.
REMEMBERED = 20


@contextmanager
def races() -> Iterator[None]:
    """What has gone on since it was looked at is a conflict, not a wrong request."""
    try:
        yield
    except IllegalTransition as raced:
        raise Conflict("the turn has gone on meanwhile", **raced.details) from raced


class Accepting:
    """Accepts the turns of one runtime."""

    def __init__(self, runtime: "Runtime") -> None:
        self._runtime = runtime
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def start(self, session_id: str, turn: TurnRequest, session: Session | None) -> Run:
        """As `Runtime.start` says."""
        runtime = self._runtime
        turn.check()
        if runtime.closing:
            raise ServiceUnavailable("the server is shutting down")
        session = session or await runtime.sessions.get(session_id)
        served = find_served(runtime.served, session.assistant)
        lock = self._locks.setdefault(session_id, asyncio.Lock())
        with races():
            async with lock:
                if session.message_count and (answered := await self._answered_by(session_id, turn.request_id)):
                    return answered
                if turn.options is None or turn.options.not_before is None:
                    begun = await self._begin_at_once(served, session, turn)
                    if begun is not None:
                        return begun
                return await self._accept(served, session, turn)

    async def _sent_before(self, session_id: str, request_id: str | None) -> Run | None:
        """The run that this request has made already, or has answered."""
        if request_id is None:
            return None
        answered = await self._answered_by(session_id, request_id)
        return answered or await self._runtime.runs.of_request(session_id, request_id)

    async def _answered_by(self, session_id: str, request_id: str | None) -> Run | None:
        """The run that this request was an answer to."""
        if request_id is None:
            return None
        newest = (await self._runtime.runs.list(session_id, limit=REMEMBERED)).items
        return next((run for run in newest if request_id in run.options.answered_by), None)

    async def _begin_at_once(self, served: ServedGraph, session: Session, turn: TurnRequest) -> Run | None:
        """The turn's run, running or offered to workers; None if something else is open in the session."""
        runtime = self._runtime
        if not runtime.queue.here:
            # Other policies look first at what is open.
            alone = turn.policy == "enqueue"
            return await runtime.turns.offer(session.session_id, turn.as_run(session.assistant)) if alone else None
        if runtime.runner.find(session.session_id) is not None:
            return None
        run = await runtime.turns.begin(
            session.session_id, turn.as_run(session.assistant), runtime.runner.owner, runtime.runner.lease
        )
        if run is not None:
            await runtime.runner.run(served, run, session, runtime.start_next)
        return run

    async def _accept(self, served: ServedGraph, session: Session, turn: TurnRequest) -> Run:
        """Accept a turn while others are open: answer what waits, make room, or queue."""
        runtime = self._runtime
        session_id = session.session_id
        if turn.continues is None and (sent := await self._sent_before(session_id, turn.request_id)):
            return sent
        open_runs = await runtime.runs.open(session_id)
        running, waiting, queued = (
            next((run for run in open_runs if run.status == status), None)
            for status in ("running", "interrupted", "queued")
        )
        if running is None and waiting is not None:
            if turn.text and turn.branch_of is None and (answers := await served.answers_in(session_id, turn.text)):
                return await self._resume(waiting, answers, turn)
            await runtime.end_waiting(waiting, "abandoned")
        if in_the_way := running or queued:
            await self._make_room(in_the_way, turn.policy)
        run = await runtime.turns.queue(session_id, turn.as_run(session.assistant))
        if runtime.queue.here:
            await runtime.start_next(session_id)
        elif (wait := seconds_until(run.options.not_before)) > 0:
            runtime.in_background(runtime.start_later(session_id, wait))
        return run

    async def _make_room(self, running: Run, policy: Policy) -> None:
        """Deal with a turn that is running, as the policy says."""
        if policy == "enqueue":
            return
        if policy == "reject":
            raise SessionBusy("a turn is running in this session", session_id=running.session_id, run_id=running.run_id)
        if policy == "rollback":
            await self._runtime.rollback(running.run_id)
        else:
            await self._runtime.cancel(running.run_id)

    async def resume(self, session_id: str, answers: Mapping[str, Any], turn: TurnRequest | None) -> Run:
        """As `Runtime.resume` says."""
        runtime = self._runtime
        waiting = await runtime.runs.waiting(session_id)
        pending = await self._pending(session_id)
        unknown = set(answers) - pending
        if waiting is None or unknown or not answers:
            newest = (await runtime.runs.list(session_id, limit=1)).items
            if answers and newest and set(answers) <= newest[0].options.answers.keys():
                raise Conflict("this has been answered already", run_id=newest[0].run_id)
            named = ", ".join(sorted(unknown)) or "none given"
            raise NotFound(f"no such pending question: {named}", interrupt_ids=sorted(pending))
        said = find_served(runtime.served, waiting.assistant).answers_said(answers)
        with races():
            if turn is None:
                return await self._resume(waiting, answers, TurnRequest(said))
            return await self._take_over(waiting, answers, said, turn)

    async def _pending(self, session_id: str) -> set[str]:
        """The ids of the questions that the session waits for."""
        served = find_served(self._runtime.served, (await self._runtime.sessions.get(session_id)).assistant)
        return {interrupt.id for interrupt in (await served.snapshot(session_id)).interrupts}

    async def _take_over(self, waiting: Run, answers: Mapping[str, Any], said: str, turn: TurnRequest) -> Run:
        """A run that goes on where another one waits: the same turn, under an id of its own."""
        runtime = self._runtime
        given = turn.options or RunOptions()
        options = replace(
            given,
            command={**(given.command or {}), "resume": dict(answers)},
            answers=dict(answers),
            earlier_runs=tuple(waiting.turn_run_ids),
        )
        new = NewRun(
            run_id=turn.run_id,
            assistant=waiting.assistant,
            request_id=waiting.request_id,
            continues=waiting.run_id,
            started_at=waiting.started_at,
            options=options,
            metadata=turn.metadata,
            multitask_strategy=turn.policy,
            message=said,
        )
        async with runtime.db.transaction() as tx:
            await runtime.turns.cancel(waiting.run_id, tx=tx)
            run = await runtime.turns.queue(waiting.session_id, new, tx=tx)
        return await runtime.begin(run) if runtime.queue.here else run

    async def _resume(self, run: Run, answers: Mapping[str, Any], turn: TurnRequest) -> Run:
        """Go on with a run that waits; `turn` is what was said."""
        runtime = self._runtime
        sent = (turn.request_id,) if turn.request_id else ()
        changed = replace(
            turn.options or run.options,
            # A command that the run began with has been carried out.
            command=None,
            answers=dict(answers),
            answered_by=(*run.options.answered_by, *sent),
            earlier_runs=run.options.earlier_runs,
        )
        if not runtime.queue.here:
            return await runtime.turns.hand_on(run, runtime.runner.owner, options=changed, message=turn.text or None)
        return await runtime.begin(run, options=changed, message=turn.text or None)
