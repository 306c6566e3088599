"""Streams across processes: what a run streams in one is read in another, and runs know who watches elsewhere."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from madang.errors import MadangError
from madang.runtime.state_json import plain
from madang.runtime.streams import RunStream
from madang.store.runs import Run
from madang.store.stream_parts import StreamParts

if TYPE_CHECKING:
    from madang.runtime.runtime import Runtime

logger = logging.getLogger(__name__)

Kind = Literal["parts", "thread"]
PARTS, WATCHED = "madang_parts", "madang_watched"
# Seconds: parts of so long go together; how often to look for lost ones; how long a watcher is believed to watch.
GATHER, LOOK, WATCHES = 0.02, 2.0, 60.0
END, JOINED = "end", "joined"


@dataclass
class Copy:
    """A run's stream of another process, as far as it was read. Streams that it had before are over."""

    session_id: str
    stream: RunStream
    over: set[str] = field(default_factory=set)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)


class Relay:
    """One process's end of it."""

    def __init__(self, runtime: "Runtime") -> None:
        self._runtime = runtime
        self._parts = StreamParts(runtime.db, runtime.saver.serde)
        self._copies: dict[str, Copy] = {}
        self._own: Counter[tuple[str, Kind]] = Counter()
        self._watched: set[tuple[str, str]] = set()
        self._senders: dict[str, Sender] = {}

    async def run(self) -> None:
        """Look for what was missed, and keep on watching, until cancelled."""
        while True:
            try:
                self._watched = await self._parts.watched()
                for kind in ("parts", "thread"):
                    if own := [session_id for session_id, of in self._own if of == kind]:
                        await self._parts.watch(self._owner, kind, own, WATCHES)
                for _ in range(int(WATCHES / LOOK / 3)):
                    await asyncio.sleep(LOOK)
                    for run_id in list(self._copies):
                        await self._look(run_id)
            except MadangError as problem:
                logger.info("watching has to wait", extra={"reason": str(problem)})
                await asyncio.sleep(LOOK)

    async def forget_old(self) -> None:
        """A periodic job: what was streamed long ago."""
        await self._parts.forget()

    # Reading what another process streams

    async def follow(self, session_id: str, run_id: str, stream: RunStream, *, joins: bool) -> None:
        """Fill a stream with what another process streams, now and from now on.

        Who `joins` a run in its middle may be the first to read it: whoever runs it is asked to begin.
        """
        if run_id in self._copies:
            return
        copy = self._copies[run_id] = Copy(session_id, stream)
        await self._look(run_id)
        # An end that is stored is that of an earlier stint: it goes on after a question.
        stream.ended = False
        self._copies[run_id] = copy
        if joins and not copy.begun.is_set():
            self._runtime.in_background(self._watch_until_over(copy))
            with suppress(TimeoutError):
                await asyncio.wait_for(copy.begun.wait(), LOOK)

    async def _watch_until_over(self, copy: Copy) -> None:
        async with self.watching(copy.session_id, "parts"):
            while not copy.stream.ended:
                await copy.stream.wait(copy.stream.last, WATCHES)

    def runs_here(self, run_id: str) -> None:
        """A run whose stream was expected from elsewhere runs in this process."""
        self._copies.pop(run_id, None)

    async def catch_up(self, run_id: str) -> None:
        """Read what there is."""
        copy = self._copies.get(run_id)
        if copy is None:
            return
        async with copy.reading:
            while not copy.stream.ended and await self._read(run_id, copy):
                pass
        if copy.stream.ended:
            self._copies.pop(run_id, None)

    def heard(self, run_id: str) -> None:
        """A run has streamed something, somewhere."""
        if run_id in self._copies:
            self._runtime.in_background(self._look(run_id))

    async def _look(self, run_id: str) -> None:
        try:
            await self.catch_up(run_id)
        except MadangError as problem:
            logger.info("a stream has to wait for the database", extra={"reason": str(problem)})

    async def _read(self, run_id: str, copy: Copy) -> bool:
        begun = copy.begun.is_set()
        key = copy.stream.key if begun else ""
        found = await self._parts.read(copy.session_id, run_id, key, 2 * copy.stream.taken + 1 if begun else 0)
        fresh = [part for part in found if part.key not in copy.over]
        for part in fresh:
            if not copy.begun.is_set() or part.key != copy.stream.key:
                # Another process has taken the run over: its numbers begin again.
                copy.over |= {copy.stream.key} if copy.begun.is_set() else set()
                copy.begun.set()
                copy.stream.rename(part.key, part.number // 2)
            if part.value is not None:
                namespace, mode, payload = part.value
                copy.stream.take(part.number // 2, None if mode == END else (tuple(namespace), mode, payload))
        return bool(fresh)

    # Streaming to other processes

    def wanted(self, run: Run) -> bool:
        """Whether somebody elsewhere reads what a run streams, or may come back for it."""
        heard = run.options.heard and self._runtime.streams.find(run.run_id) is None
        return heard or run.options.stream_resumable or self.watched(run.session_id, "parts")

    def send(self, run: Run) -> None:
        """Store what a run that runs here streams from now on."""
        if run.run_id not in self._senders:
            stream = self._runtime.runner.listen(run.run_id, resumable=run.options.stream_resumable)
            self._senders[run.run_id] = Sender(self._parts, run.session_id, run.run_id, stream)

    async def sent(self, run_id: str, *, over: bool = False) -> None:
        """Returns when everything that the run has streamed here is stored."""
        sender = self._senders.get(run_id)
        if sender is not None:
            await sender.flush(over=over)
            if over:
                del self._senders[run_id]

    # Who watches

    @property
    def _owner(self) -> str:
        return self._runtime.runner.owner.id

    def watched(self, session_id: str, kind: Kind) -> bool:
        """Whether somebody in some process watches a session."""
        return (session_id, kind) in self._watched

    def told(self, payload: str) -> None:
        """Somebody begins to watch a session: a run of it that runs here tells from now on."""
        session_id, kind = json.loads(payload)
        self._watched.add((session_id, kind))
        active = self._runtime.runner.find(session_id)
        if active is None:
            return
        if kind == "thread":
            self._runtime.runner.watch(session_id)
        elif active.run.run_id not in self._senders:
            self.send(active.run)
            # The first thing sent says that from now on everything is.
            self._runtime.runner.listen(active.run.run_id).add(((), JOINED, None))

    @asynccontextmanager
    async def watching(self, session_id: str, kind: Kind) -> AsyncIterator[None]:
        """As long as the context is open, runs of the session anywhere stream to other processes."""
        self._own[session_id, kind] += 1
        try:
            await self._parts.watch(self._owner, kind, [session_id], WATCHES)
            yield
        finally:
            self._own[session_id, kind] -= 1
            if not self._own[session_id, kind]:
                del self._own[session_id, kind]
                self._runtime.in_background(self._parts.unwatch(self._owner, kind, session_id))


class Sender:
    """Stores what one run streams here, a few parts at a time and in order."""

    def __init__(self, parts: StreamParts, session_id: str, run_id: str, stream: RunStream) -> None:
        self._parts, self._session_id, self._run_id, self._stream = parts, session_id, run_id, stream
        self._sent = 0
        self._flushing = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        stream.on_part = self._soon
        self._soon()

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER, self._start)

    def _start(self) -> None:
        task = asyncio.get_running_loop().create_task(self.flush())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def flush(self, *, over: bool = False) -> None:
        """Store what there is, and with `over` that there is no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        async with self._flushing:
            waiting = self._stream.after(self._sent)
            # An end comes between two numbers: a run that waited may go on in the same stream.
            rows = [(2 * part.number, self._encoded(list(part.namespace), part.mode, part.payload)) for part in waiting]
            last = self._stream.last
            if over:
                rows.append((2 * last + 1, self._encoded([], END, None)))
                self._stream.on_part = None
            if not rows:
                return
            try:
                await self._parts.add(self._session_id, self._run_id, self._stream.key, rows)
                self._sent = last
            except MadangError as problem:
                logger.info("a stream has to wait for the database", extra={"reason": str(problem)})

    def _encoded(self, namespace: list[str], mode: str, payload: object) -> bytes:
        try:
            return self._parts.encoded([namespace, mode, payload])
        except (MadangError, TypeError, ValueError):
            # What can't be stored as it is goes as it would be shown.
            return self._parts.encoded([namespace, mode, plain(payload)])
