"""Postgres's LISTEN and NOTIFY: one connection of a process hears what the others tell, and says what it tells."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

import psycopg
from psycopg import AsyncConnection, sql

logger = logging.getLogger(__name__)

# How long a connection may be silent before it is asked whether it is there, and may take to say so.
QUIET, ANSWERS = 10.0, 5.0
AGAIN = 1.0
Heard = Callable[[str], None]


class Listener:
    """What is told on channels goes to callbacks. After each connecting, `missed` is called: some may be lost."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._channels: dict[str, Heard] = {}
        self._missed: list[Callable[[], None]] = []
        # Set while it listens.
        self.ready = asyncio.Event()

    @property
    def connected(self) -> bool:
        """Whether it listens now."""
        return self.ready.is_set()

    def on(self, channel: str, heard: Heard, missed: Callable[[], None]) -> None:
        """Have `heard` called with each payload of a channel. Call it before `run`."""
        self._channels[channel] = heard
        self._missed.append(missed)

    async def run(self) -> None:
        """Listen until cancelled, whatever becomes of the connection."""
        while True:
            try:
                await self._listen()
            except (psycopg.Error, OSError, TimeoutError) as lost:
                logger.info("listening has to wait for the database", extra={"reason": str(lost)})
            finally:
                self.ready.clear()
            await asyncio.sleep(AGAIN)

    async def _listen(self) -> None:
        connection = await AsyncConnection.connect(self._url, autocommit=True, connect_timeout=10)
        try:
            for channel in self._channels:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self.ready.set()
            for missed in self._missed:
                missed()
            while True:
                async for told in connection.notifies(timeout=QUIET):
                    self._hear(told.channel, told.payload)
                await asyncio.wait_for(connection.execute("SELECT 1"), ANSWERS)
        finally:
            with suppress(psycopg.Error, OSError):
                await connection.close()

    def _hear(self, channel: str, payload: str) -> None:
        try:
            self._channels[channel](payload)
        except Exception:
            # What somebody else wrote there must not deafen this process.
            logger.exception("what was told can't be read", extra={"channel": channel})
