"""Who looks at a session that has a run to run.

The run's row, its lease and its token are the truth; a queue only says where to look. A job lost, doubled or left
behind by a crash therefore costs a look and nothing else, and `reconcile` goes by the rows.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from madang.errors import ConfigurationError
from madang.store.database import Database

Look = Callable[[str], Awaitable[object]]


class RunQueue(Protocol):
    """`here`: a turn is begun by the process that accepted it, at once."""

    here: bool

    async def put(self, session_id: str) -> None:
        """Have some process look at the session. A run that becomes queued has this done in its own transaction."""

    async def offer(self, session_id: str) -> None:
        """Have another process look at it, if there is one to do so."""

    async def work(self, look: Look, concurrency: int, /) -> None:
        """Take jobs until cancelled, so many at once; each is done when `look` returns."""

    async def reconcile(self) -> None:
        """Put what the rows of runs say is missing, and forget jobs that nobody does any more."""


class InProcessQueue:
    """The embedded queue: to put is to begin here."""

    here = True

    def __init__(self, look: Look) -> None:
        self._look = look

    async def put(self, session_id: str) -> None:
        await self._look(session_id)

    async def offer(self, session_id: str) -> None:
        pass

    async def work(self, _look: Look, _concurrency: int, /) -> None:
        raise ConfigurationError("workers need Postgres: what an SQLite file has to run is run by its server")

    async def reconcile(self) -> None:
        pass


def make_queue(db: Database, look: Look, assistants: Sequence[str], *, here: bool) -> RunQueue:
    """The queue of a process that serves these assistants. Raises `ConfigurationError`."""
    if db.dialect == "postgres":
        from madang.runtime.shared_queue import SharedQueue

        return SharedQueue(db, look, assistants, here=here)
    if not here:
        raise ConfigurationError("only with Postgres can another process run what this one accepts")
    return InProcessQueue(look)
