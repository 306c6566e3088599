"""Threads whose time is over: deleted ones, those of stateless runs that a crash left behind, those with a time to
live."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

from madang.errors import ServiceUnavailable
from madang.runtime import Runtime
from madang.server.sdk.shapes import ttl_shape
from madang.server.sdk.stateless import READING
from madang.server.sockets import Sockets
from madang.store.columns import timestamp
from madang.store.session_search import SessionSearch
from madang.store.sessions import Session

logger = logging.getLogger(__name__)
# Longer than any process that is alive waits for a client to read its result.
LEFT_BEHIND = timedelta(seconds=2 * READING)
EVERY = 300.0


class Sweeper:
    """Sweeps one database; whoever listens to a thread that goes is told."""

    def __init__(self, runtime: Runtime, sockets: Sockets, undo_seconds: float = 0.0) -> None:
        self._undo = timedelta(seconds=undo_seconds)
        self._runtime = runtime
        self._sockets = sockets
        self._search = SessionSearch(runtime.db)
        self._shrunk: dict[str, str] = {}

    async def sweep(self, *, at: datetime | None = None) -> int:
        """Delete what can't be restored any more, what is left of stateless runs, and threads whose time to live has
        passed; how many."""
        moment = at or datetime.now(UTC)
        gone = len(await self._runtime.sessions.purge(timestamp(moment - self._undo)))
        for session_id in await self._search.passing_over(timestamp(moment - LEFT_BEHIND)):
            gone += await self._delete(session_id)
        for session in await self._search.limited():
            if (ttl := ttl_shape(session)) is not None and ttl["expires_at"] < moment:
                gone += await self._expire(session, ttl["strategy"])
        return gone

    async def _expire(self, session: Session, strategy: str) -> bool:
        if any(run.status != "interrupted" for run in await self._runtime.runs.open(session.session_id)):
            return False
        if strategy == "delete":
            return await self._delete(session.session_id)
        if self._shrunk.get(session.session_id) != session.updated_at:
            await self._runtime.saver.aprune([session.session_id], strategy="keep_latest")
            self._shrunk[session.session_id] = session.updated_at
        return False

    async def _delete(self, session_id: str) -> bool:
        deleted = await self._runtime.sessions.delete(session_id)
        self._runtime.deleted(session_id)
        await self._sockets.end(session_id)
        return deleted

    async def keep_on(self) -> None:
        """Sweep now and from time to time."""
        while True:
            try:
                if swept := await self.sweep():
                    logger.info("threads swept", extra={"count": swept})
            except ServiceUnavailable:
                logger.warning("sweeping has to wait for the database")
            except Exception:
                # One thread that can't be read must not keep all the others.
                logger.exception("sweeping failed")
            await asyncio.sleep(EVERY)
