"""What a graph streams while it runs, numbered and kept within bounds for those who come late or come back."""

import asyncio
import secrets
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Namespace = tuple[str, ...]
RESUMABLE, LIVE = 10_000, 1_000
KEPT, KEPT_PARTS = 200, 100_000
NOTED = 100
RECENT = 64
# Of how many sessions it is known which end was told last.
ENDS = 10_000


@dataclass(frozen=True, slots=True)
class Part:
    """One thing streamed: its number in the run, where it came from, LangGraph's name for its kind, and itself."""

    number: int
    namespace: Namespace
    mode: str
    payload: Any


class RunStream:
    """The parts of one run. A reader that falls behind more than the bound goes on with the oldest one kept.

    `key` tells its numbers from those of another process that ran the same run before.
    """

    def __init__(self, *, resumable: bool, key: str | None = None) -> None:
        self.resumable = resumable
        self.key = key or secrets.token_hex(4)
        self.ended = False
        self.last = 0
        self._shift = 0
        self._parts: deque[Part] = deque(maxlen=RESUMABLE if resumable else LIVE)
        self._news = asyncio.Event()
        # Called when there is something new.
        self.on_part: Callable[[], None] | None = None

    def add(self, streamed: tuple[Namespace, str, Any] | None) -> None:
        """Take one more part; None is the end, for now: a run that waits may go on."""
        if streamed is None:
            self.ended = True
        else:
            self.last += 1
            self._parts.append(Part(self.last, *streamed))
            if self.on_part is not None:
                self.on_part()
        self._wake()

    def rename(self, key: str, first: int) -> None:
        """What comes now is another process's stream, which begins with that number."""
        self.key, self.ended = key, False
        # Readers count on: numbers of the stream before are over.
        self._shift = max(0, self.last + 1 - first) if self.last else 0

    def take(self, number: int, streamed: tuple[Namespace, str, Any] | None) -> None:
        """A part of another process's stream, under its number there; None is the end, for now."""
        if streamed is None:
            self.ended = True
        else:
            self.last = number + self._shift
            self._parts.append(Part(self.last, *streamed))
        self._wake()

    @property
    def taken(self) -> int:
        """The last number there of the stream that is taken."""
        return self.last - self._shift

    def begin(self, run_id: str, attempt: int) -> None:
        """The run starts, or goes on after a question."""
        self.ended = False
        self.add(((), "metadata", {"run_id": run_id, "attempt": attempt}))

    def close(self) -> None:
        """Nobody will add anything any more."""
        self.ended = True
        self._wake()

    @property
    def size(self) -> int:
        """How many parts are kept."""
        return len(self._parts)

    def after(self, number: int) -> list[Part]:
        """The parts kept that follow that number."""
        if number >= self.last:
            return []
        return [part for part in self._parts if part.number > number]

    async def wait(self, number: int, seconds: float) -> None:
        """Until there is something after that number, or the end, or the time is up."""
        if self.last > number or self.ended:
            return
        news = self._news
        try:
            await asyncio.wait_for(news.wait(), seconds)
        except TimeoutError:
            return

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Follower:
    """Someone who follows a whole session: woken when a run begins, and told what was written to its state."""

    def __init__(self) -> None:
        self._notes: deque[Any] = deque(maxlen=NOTED)
        self._news = asyncio.Event()

    def tell(self, note: Any = None) -> None:
        """Wake it up, with something to pass on if there is."""
        if note is not None:
            self._notes.append(note)
        self._news.set()

    def take(self) -> list[Any]:
        """What it was told since it last asked."""
        notes = list(self._notes)
        self._notes.clear()
        return notes

    async def wait(self) -> None:
        """Until there is news."""
        await self._news.wait()
        self._news.clear()


State = tuple[str, Namespace, str]


class RecentStates:
    """The last few states that runs of this process streamed, by session, namespace and checkpoint."""

    def __init__(self) -> None:
        self._states: OrderedDict[State, Any] = OrderedDict()

    def keep(self, place: State, values: Any) -> None:
        self._states[place] = values
        while len(self._states) > RECENT:
            self._states.popitem(last=False)

    def clear(self) -> None:
        self._states.clear()

    def find(self, place: State) -> Any | None:
        return self._states.get(place)


class Streams:
    """The streams of one process: of runs that run, that someone waits for, and of the last resumable ones."""

    def __init__(self) -> None:
        self._open: dict[str, RunStream] = {}
        self._over: OrderedDict[str, RunStream] = OrderedDict()
        self._followers: dict[str, list[Follower]] = {}
        self._watchers: Counter[str] = Counter()
        self.recent = RecentStates()
        self._ends: OrderedDict[str, int] = OrderedDict()

    def heard(self, session_id: str, number: int) -> None:
        """Somebody was told the end of a run: its number in the session's log."""
        self._ends[session_id] = max(number, self._ends.pop(session_id, 0))
        while len(self._ends) > ENDS:
            self._ends.popitem(last=False)

    def last_end(self, session_id: str) -> int:
        """The number of the last end that somebody was told here; 0 if that isn't known."""
        return self._ends.get(session_id, 0)

    def find(self, run_id: str) -> RunStream | None:
        return self._open.get(run_id) or self._over.get(run_id)

    def open(self, run_id: str, *, resumable: bool = False) -> RunStream:
        """The run's stream, made if there is none."""
        found = self._open.get(run_id) or self._over.pop(run_id, None) or RunStream(resumable=resumable)
        self._open[run_id] = found
        return found

    def end(self, run_id: str) -> None:
        """The run has ended or waits: what is resumable is kept a while, the rest belongs to its readers only."""
        stream = self._open.pop(run_id, None)
        if stream is None:
            return
        stream.close()
        if stream.resumable:
            self._over[run_id] = stream
            while len(self._over) > 1 and self._too_much():
                self._over.popitem(last=False)

    def _too_much(self) -> bool:
        return len(self._over) > KEPT or sum(stream.size for stream in self._over.values()) > KEPT_PARTS

    @contextmanager
    def following(self, session_id: str) -> Iterator[Follower]:
        """A follower of the session, as long as the context is open."""
        follower = Follower()
        self._followers.setdefault(session_id, []).append(follower)
        try:
            yield follower
        finally:
            self._followers[session_id].remove(follower)
            if not self._followers[session_id]:
                del self._followers[session_id]

    @contextmanager
    def watching(self, session_id: str) -> Iterator[None]:
        """As long as the context is open, runs of the session log what the thread protocol tells."""
        self._watchers[session_id] += 1
        try:
            yield
        finally:
            self._watchers[session_id] -= 1
            if not self._watchers[session_id]:
                del self._watchers[session_id]

    def watched(self, session_id: str) -> bool:
        return session_id in self._watchers

    def followed(self, session_id: str) -> bool:
        return session_id in self._followers

    def tell(self, session_id: str, note: Any = None) -> None:
        """Tell those who follow the session that something has happened in it."""
        for follower in self._followers.get(session_id, ()):
            follower.tell(note)

    def close(self) -> None:
        """End every stream, so that no reader waits for more."""
        for stream in self._open.values():
            stream.close()
        for session_id in self._followers:
            self.tell(session_id)
