"""A run while it runs: the events that its commits and its stream give rise to, appended in order."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from madang.events import ThreadEvent, TodoUpdated, Token, of_turn
from madang.runtime.hub import Frame, Hub
from madang.runtime.served_graph import ServedGraph
from madang.runtime.thread_events import ThreadEvents, joined
from madang.runtime.turn_events import summaries, with_progress
from madang.store.events import Events, KeyedEvent, Tail
from madang.store.runs import Run

COALESCE = 0.05
# The event that a run ends with is stored together with its end.
LAST = "response"
# What several commits of a moment tell goes to the log together.
GATHER = 0.005


@dataclass
class ActiveRun:
    """One running run. `state` is what is committed so far; `keys` are the events logged so far.

    `frames` are all of its events, unless it began elsewhere or before.
    """

    run: Run
    served: ServedGraph
    events: Events
    hub: Hub
    tail: Tail
    frames: list[Frame] | None = None
    keys: set[str] = field(default_factory=set)
    state: dict[str, Any] = field(default_factory=dict)
    streamed: list[str] = field(default_factory=list)
    restart: bool = False
    cancelled: bool = False
    work: "asyncio.Task[Any] | None" = None
    # Its work was cancelled: its end follows.
    ending: bool = False
    # It was begun elsewhere and stands at its end already, without an answer.
    was_closed: bool = False
    # It has ended, and no other run of its session waited for that.
    alone: bool = False
    # What those who follow the thread are told, if anyone does.
    thread: ThreadEvents | None = None
    listeners: list[Callable[[Any], None]] = field(default_factory=list)
    _tokens: list[str] = field(default_factory=list)
    _reached: dict[str, int] = field(default_factory=dict)
    _progressed: bool = False
    _queue: list[KeyedEvent] = field(default_factory=list)
    _timer: asyncio.TimerHandle | None = None
    _gathering: asyncio.TimerHandle | None = None
    _appending: asyncio.Task[None] | None = None
    _failure: BaseException | None = None

    def committed(self, values: dict[str, Any]) -> None:
        """A checkpoint was committed: log what its state implies."""
        self.state = values
        self._log_implied(ended=False)

    async def ended(self, values: dict[str, Any]) -> list[KeyedEvent]:
        """The run has come to its end: the log holds all but the last when this returns, which goes with the end."""
        self.state = values
        self._log_implied(ended=True)
        await self.drained()
        implied = self.served.events(self.run, self.state, self._reached, ended=True)
        return [(key, event) for key, event in implied if key == LAST]

    def told(self, frames: Sequence[Frame]) -> None:
        """The end of the run was stored with these."""
        fresh = [frame for frame in frames if frame["seq"] > self.tail.last_seq]
        if fresh:
            self.tail.last_seq = fresh[-1]["seq"]
            if self.frames is not None:
                self.frames += of_turn(fresh)
            self.hub.publish(fresh)

    def finished_task(self, writes: list[tuple[str, Any]]) -> None:
        """A task's writes were committed before its superstep ended: its step has changed."""
        if self.ending:
            # LangGraph doesn't wait for all of them once it is cancelled: what counts is what the closing state holds.
            return
        after = self.served.with_writes(self.state, writes)
        if after is not None:
            self.committed(after)

    def write(self, part: dict[str, Any]) -> None:
        """Something streamed from inside a node: a piece of the answer, or progress."""
        if part.get("type") == "token":
            if part.get("restart"):
                self.restart = True
                self._tokens.clear()
                self.streamed.clear()
            self._tokens.append(part["text"])
            self.streamed.append(part["text"])
        elif part.get("type") == "progress":
            self._reached[part["step_id"]] = max(part["progress"], self._reached.get(part["step_id"], 0))
            self._progressed = True
        else:
            return
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(COALESCE, self._log)

    def tell(self, *events: ThreadEvent) -> None:
        """Log what those who follow the thread are told."""
        self._log(*((None, event) for event in events))

    def pass_on(self, streamed: tuple[tuple[str, ...], str, Any] | None) -> None:
        """A part of the stream, or its end: tell those who follow the thread."""
        if self.thread is not None and streamed is not None:
            self.tell(*self.thread.told(*streamed))

    async def drained(self) -> None:
        """Wait until the log holds everything so far. Raises what appending raised."""
        self._log()
        self._start_appending()
        while self._appending is not None:
            await asyncio.wait([self._appending])
        if self._failure is not None:
            raise self._failure

    def _log_implied(self, *, ended: bool) -> None:
        implied = self.served.events(self.run, self.state, self._reached, ended=ended, logged=self.keys)
        if fresh := [(key, event) for key, event in implied if key != LAST and key not in self.keys]:
            self._log(*fresh)

    def _log(self, *events: KeyedEvent) -> None:
        """Queue events behind what was streamed. One append at a time: what comes meanwhile goes together."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._queue += [*self._streamed_events(), *events]
        self.keys.update(key for key, _ in events if key is not None)
        if self._queue and self._gathering is None and self._appending is None:
            self._gathering = asyncio.get_running_loop().call_later(GATHER, self._start_appending)

    def _start_appending(self) -> None:
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None
        if self._queue and self._appending is None and self._failure is None:
            self._appending = asyncio.get_running_loop().create_task(self._append_all())
            self._appending.add_done_callback(self._appended)

    async def _append_all(self) -> None:
        while self._queue:
            batch, self._queue = joined(self._queue), []
            logged = await self.events.extend(self.tail, batch)
            if self.frames is not None:
                self.frames += of_turn(logged)
            self.hub.publish(logged)

    def _appended(self, task: asyncio.Task[None]) -> None:
        self._appending = None
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = error
        self._start_appending()

    def _streamed_events(self) -> list[KeyedEvent]:
        pending: list[KeyedEvent] = []
        if self._progressed:
            steps = with_progress(self.served.steps(self.state), self._reached)
            pending.append((None, TodoUpdated(execution_steps=summaries(steps))))
            self._progressed = False
        if self._tokens:
            pending.append((None, Token(text="".join(self._tokens), restart=self.restart)))
            self._tokens.clear()
            self.restart = False
        return pending
