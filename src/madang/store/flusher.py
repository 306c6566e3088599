"""What waits to be stored at the same moment is stored together: one transaction, one round trip."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

MOST = 64


class OfSession(Protocol):
    """Something to store that belongs to one session."""

    @property
    def session_id(self) -> str: ...


B = TypeVar("B", bound=OfSession)
Outcomes = Sequence[Exception | None]


class Flusher(Generic[B]):
    """Stores batches; those of one session in their order, those of several sessions side by side.

    `save` gives each batch None or why it was refused. Two batches with a key in common are never saved together.
    """

    def __init__(
        self,
        save: Callable[[list[B]], Awaitable[Outcomes]],
        *,
        lanes: int,
        keys: Callable[[B], Iterable[Hashable]],
        save_at_once: Callable[[list[B]], Outcomes | None] | None = None,
    ) -> None:
        """`save_at_once` saves on the calling thread, or gives `None` if only `save` can."""
        self._save_all = save
        self._save_at_once = save_at_once
        self._soon = False
        self._most_lanes = lanes
        self._keys = keys
        self._waiting: deque[tuple[B, asyncio.Future[None]]] = deque()
        self._busy: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._lanes = 0

    async def store(self, batch: B) -> None:
        """Returns when the batch is committed. Raises what the database said of it; then nothing of it is stored."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.append((batch, done))
        if self._save_at_once is None:
            self._start_lane()
        elif not self._soon and not self._lanes:
            # A superstep's writes and its checkpoint are given in one moment, by different tasks: let them meet.
            self._soon = True
            loop.call_soon(loop.call_soon, self._at_once)
        await done

    async def settle(self) -> None:
        """Waits for everything given so far."""
        while self._soon or self._tasks:
            await (asyncio.wait(self._tasks) if self._tasks else asyncio.sleep(0))

    def _at_once(self) -> None:
        self._soon = False
        assert self._save_at_once is not None
        while not self._lanes and (taken := self._take()):
            outcome: Outcomes | None
            try:
                outcome = self._save_at_once([batch for batch, _ in taken])
            except Exception as problem:  # noqa: BLE001 - handed to whoever waits for the batch
                outcome = [problem] if len(taken) == 1 else None
            if outcome is None:
                self._waiting.extendleft(reversed(taken))
                self._start_lane()
            else:
                _tell(taken, outcome)

    def _start_lane(self) -> None:
        if self._lanes < self._most_lanes:
            self._lanes += 1
            lane = asyncio.get_running_loop().create_task(self._lane())
            self._tasks.add(lane)
            lane.add_done_callback(self._tasks.discard)

    async def _lane(self) -> None:
        try:
            # A superstep's writes and its checkpoint are given in one moment, by different tasks: let them meet.
            await asyncio.sleep(0)
            while taken := self._take():
                sessions = {batch.session_id for batch, _ in taken}
                self._busy |= sessions
                try:
                    await self._save(taken)
                finally:
                    self._busy -= sessions
        finally:
            self._lanes -= 1

    def _take(self) -> list[tuple[B, asyncio.Future[None]]]:
        taken: list[tuple[B, asyncio.Future[None]]] = []
        left: list[tuple[B, asyncio.Future[None]]] = []
        keys: set[Hashable] = set()
        passed: set[str] = set(self._busy)
        while self._waiting and len(taken) < MOST:
            entry = self._waiting.popleft()
            own = set(self._keys(entry[0]))
            if entry[0].session_id in passed or own & keys:
                passed.add(entry[0].session_id)
                left.append(entry)
            else:
                keys |= own
                taken.append(entry)
        self._waiting.extendleft(reversed(left))
        return taken

    async def _save(self, taken: list[tuple[B, asyncio.Future[None]]]) -> None:
        outcome: Outcomes
        try:
            outcome = await self._save_all([batch for batch, _ in taken])
        except Exception as problem:  # noqa: BLE001 - handed to whoever waits for the batch
            if len(taken) > 1:
                for entry in taken:
                    await self._save([entry])
                return
            outcome = [problem]
        except BaseException:
            for _, done in taken:
                done.cancel()
            raise
        _tell(taken, outcome)


def _tell(taken: Sequence[tuple[B, asyncio.Future[None]]], outcome: Outcomes) -> None:
    for (_, done), refusal in zip(taken, outcome, strict=True):
        if done.done():
            continue
        if refusal is None:
            done.set_result(None)
        else:
            done.set_exception(refusal)
