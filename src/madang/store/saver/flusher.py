"""Operations that are waiting at the same moment are stored together: one transaction, one round trip."""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence

from madang.store.saver.rows import Batch, Shelf

MOST = 64


class Flusher:
    """Stores batches; those of one session in their order, those of several sessions side by side."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._waiting: deque[tuple[Batch, asyncio.Future[None]]] = deque()
        self._busy: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._lanes = 0

    async def store(self, batch: Batch) -> None:
        """Returns when the batch is committed. Raises what the database said of it; then nothing of it is stored."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((batch, done))
        self._start_lane()
        await done

    async def settle(self) -> None:
        """Waits for everything given so far."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _start_lane(self) -> None:
        if self._lanes < self._shelf.lanes:
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

    def _take(self) -> list[tuple[Batch, asyncio.Future[None]]]:
        taken: list[tuple[Batch, asyncio.Future[None]]] = []
        left: list[tuple[Batch, asyncio.Future[None]]] = []
        keys: set[tuple[str, ...]] = set()
        passed: set[str] = set(self._busy)
        while self._waiting and len(taken) < MOST:
            entry = self._waiting.popleft()
            own = set(_keys(entry[0]))
            if entry[0].session_id in passed or own & keys:
                passed.add(entry[0].session_id)
                left.append(entry)
            else:
                keys |= own
                taken.append(entry)
        self._waiting.extendleft(reversed(left))
        return taken

    async def _save(self, taken: list[tuple[Batch, asyncio.Future[None]]]) -> None:
        outcome: Sequence[BaseException | None]
        try:
            outcome = await self._shelf.save([batch for batch, _ in taken])
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
        for (_, done), refusal in zip(taken, outcome, strict=True):
            if done.done():
                continue
            if refusal is None:
                done.set_result(None)
            else:
                done.set_exception(refusal)


def _keys(batch: Batch) -> Iterable[tuple[str, ...]]:
    """What two batches may not both hold if they are to be stored by one statement."""
    for checkpoint in batch.checkpoints:
        yield checkpoint[:3]
    for write in batch.writes:
        yield write[:4]
