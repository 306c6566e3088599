"""The queue that several processes share: procrastinate's tables and functions in the same Postgres.

A job names a session and carries no lock: which run is next, and that one runs at a time, is for the runs' rows to say.
A session has at most one job that waits, so a long backlog of one session costs the others nothing, and a run whose
time has not come has none.
"""

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg

from madang.errors import MadangError, needs_extra
from madang.runtime.queue import Look
from madang.store.database import Database
from madang.store.database_postgres import PostgresDatabase, end_if_cancelled

if TYPE_CHECKING:
    from procrastinate.jobs import Job
    from procrastinate.manager import JobManager

logger = logging.getLogger(__name__)

# Seconds: how long a lost notification delays a job, a worker may be silent, and an outage lets pass before a new try.
POLL, SILENT, AGAIN = 2.0, 30.0, 1.0
MOST_PUT = 1000
# Postgres bounds the name of a channel; `madang_queue_of` says the same in SQL.
LONGEST_NAME = 38


def queue_of(assistant: str) -> str:
    """The queue of an assistant's runs."""
    raw = assistant.encode()
    name = assistant if len(raw) <= LONGEST_NAME else hashlib.md5(raw, usedforsecurity=False).hexdigest()
    return f"madang:{name}"


class SharedQueue:
    """One process's end of it. `here`: what this process accepts it begins itself, and only the rest is for others."""

    def __init__(self, db: Database, look: Look, assistants: Sequence[str], *, here: bool) -> None:
        assert isinstance(db, PostgresDatabase)
        self._db, self._look, self.here = db, look, here
        self._sql = db.queries("queue")
        self._queues = [queue_of(name) for name in assistants]
        self._jobs: JobManager | None = None
        self._worker_id: int | None = None
        self._registering = asyncio.Lock()
        self._held: set[int] = set()
        self._news = asyncio.Event()

    async def put(self, session_id: str) -> None:
        if self.here:
            await self._look(session_id)
        else:
            await self.offer(session_id)

    async def offer(self, session_id: str) -> None:
        await self._db.once(self._sql["look_at"], {"session_id": session_id})

    async def reconcile(self) -> None:
        params = {"patience": SILENT, "worker_id": self._worker_id, "held": list(self._held)}
        await self._db.once(self._sql["forget_dead_jobs"], params)
        lost = await self._db.once(self._sql["lost_jobs"], {"limit": MOST_PUT})
        for row in lost:
            await self._db.once(self._sql["look_at"], row)

    @property
    def channels(self) -> list[str]:
        """Where a new job is told of; `wake` is for whoever listens there."""
        from procrastinate.manager import get_channel_for_queues

        return list(get_channel_for_queues(self._queues))

    def wake(self, _payload: str = "") -> None:
        """There may be a new job."""
        self._news.set()

    async def work(self, look: Look, concurrency: int, /) -> None:
        with needs_extra("postgres", "a Postgres database"):
            from procrastinate import PsycopgConnector
            from procrastinate.manager import JobManager

        connector = PsycopgConnector()
        # A pool of its own would be more connections, and other ways to wait for a database that is away.
        await connector.open_async(self._db.pool)
        self._jobs = JobManager(connector)
        slots = asyncio.Semaphore(concurrency)
        doing: set[asyncio.Task[None]] = set()
        alive = asyncio.create_task(self._stay_alive(), name="keep the worker known")
        try:
            while True:
                await slots.acquire()
                task = asyncio.create_task(self._do(await self._take(), look))
                doing.add(task)
                task.add_done_callback(doing.discard)
                task.add_done_callback(lambda _: slots.release())
        finally:
            alive.cancel()
            for task in doing:
                task.cancel()
            await asyncio.gather(alive, *doing, return_exceptions=True)
            # In a task of its own: this one is cancelled, and no database serves such a one.
            await asyncio.create_task(self._leave())

    async def _take(self) -> "Job":
        """The next job, waiting for one as long as it takes."""
        while True:
            self._news.clear()
            try:
                job = await self._manager.fetch_job(self._queues, await self._registered())
            except self._errors as problem:
                end_if_cancelled(problem)
                # Perhaps it was taken for dead meanwhile: then it is made known again.
                self._worker_id = None
                logger.warning("taking jobs has to wait for the database", extra={"reason": str(problem)})
                await asyncio.sleep(AGAIN)
                continue
            if job is not None:
                return job
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), POLL)

    async def _do(self, job: "Job", look: Look) -> None:
        assert job.id is not None
        self._held.add(job.id)
        try:
            await look(job.queueing_lock or "")
        except MadangError as problem:
            # The row is as it was: whoever looks next sees it.
            logger.warning("a session could not be looked at", extra={"reason": str(problem)})
        except Exception:
            # One session must not end the worker.
            logger.exception("a session could not be looked at", extra={"session_id": job.queueing_lock})
        finally:
            self._held.discard(job.id)
            await self._done(job)

    async def _done(self, job: "Job") -> None:
        from procrastinate.jobs import Status

        try:
            await self._manager.finish_job(job, Status.SUCCEEDED, delete_job=True)
        except self._errors as problem:
            logger.info("a job is left to be reconciled", extra={"reason": str(problem)})

    async def _stay_alive(self) -> None:
        while True:
            try:
                await self._manager.update_heartbeat(await self._registered())
                await self._manager.prune_stalled_workers(SILENT)
            except self._errors as problem:
                end_if_cancelled(problem)
                logger.info("a worker's sign of life has to wait", extra={"reason": str(problem)})
            await asyncio.sleep(SILENT / 3)

    async def _registered(self) -> int:
        # The taking and the sign of life ask at the same moment: two ids would leave one's jobs with nobody.
        async with self._registering:
            if self._worker_id is None:
                self._worker_id = await self._manager.register_worker()
            return self._worker_id

    async def _leave(self) -> None:
        """Give back what was taken and not done: a job can be cut off between its taking and its end."""
        from procrastinate.exceptions import ConnectorException

        if self._worker_id is None:
            return
        try:
            for row in await self._db.once(self._sql["give_back_jobs"], {"worker_id": self._worker_id}):
                await self.offer(row["session_id"])
            await self._manager.unregister_worker(self._worker_id)
        except (ConnectorException, psycopg.Error, MadangError) as problem:
            logger.info("a worker's jobs are left to be reconciled", extra={"reason": str(problem)})

    @property
    def _manager(self) -> "JobManager":
        assert self._jobs is not None
        return self._jobs

    @property
    def _errors(self) -> tuple[type[Exception], ...]:
        from procrastinate.exceptions import ConnectorException

        return (ConnectorException, psycopg.Error)
