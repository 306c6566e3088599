"""What is done from time to time, by one process of all that share the database."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from madang.errors import ServiceUnavailable
from madang.store.database import Database

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PeriodicJob:
    """`work` is called every so many seconds in one process; a process that dies in it leaves it to the next time.

    The name is its identity: processes that name the same job share its times.
    """

    name: str
    seconds: float
    work: Callable[[], Awaitable[object]]


class Periodic:
    """The periodic jobs of one process. What one raises is logged, and it is called again when it is due."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._sql = db.queries("queue")
        self.jobs: list[PeriodicJob] = []

    def add(self, name: str, seconds: float, work: Callable[[], Awaitable[object]]) -> None:
        """Have it done from now on, first at once. Call it before `run`."""
        self.jobs.append(PeriodicJob(name, seconds, work))

    async def run(self) -> None:
        """Do what is due until cancelled."""
        await asyncio.gather(*(self._keep_on(job) for job in self.jobs))

    async def due(self, job: PeriodicJob) -> bool:
        """Whether this process is the one that does it now; then the others are not until the next time."""
        return bool(await self._db.once(self._sql["take_period"], {"name": job.name, "seconds": job.seconds}))

    async def _keep_on(self, job: PeriodicJob) -> None:
        while True:
            try:
                if await self.due(job):
                    await job.work()
            except ServiceUnavailable:
                logger.warning("a periodic job has to wait for the database", extra={"job": job.name})
            except Exception:
                # The next time may go well, and the other jobs must go on.
                logger.exception("a periodic job failed", extra={"job": job.name})
            await asyncio.sleep(min(job.seconds, max(1.0, job.seconds / 4)))
