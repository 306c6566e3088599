"""Postgres's LISTEN and NOTIFY: one connection of a process hears what the others tell, and says what it tells."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress

import psycopg
from psycopg import AsyncConnection, sql

from madang.errors import MadangError
from madang.store.database_postgres import end_if_cancelled

logger = logging.getLogger(__name__)

# A channel of each listener's own: what is told there must come back.
ECHO = "madang_echo_"

# How long a connection may be silent before it is asked whether it is there, and may take to say so.
QUIET, ANSWERS = 10.0, 5.0
AGAIN, DEAF_AGAIN = 1.0, 15.0
Heard = Callable[[str], None]
Tell = Callable[[str, str], Awaitable[object]]


class Deaf(Exception):
    """What is told doesn't arrive: a transaction pooler lets LISTEN pass and keeps what would be heard."""


class Listener:
    """What is told on channels goes to callbacks. After each connecting, `missed` is called: some may be lost."""

    def __init__(self, url: str, tell: Tell) -> None:
        """`tell` a channel something, over another connection."""
        self._url, self._tell = url, tell
        self._echo = ECHO + secrets.token_hex(8)
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
            except Deaf:
                logger.warning(
                    "Postgres isn't heard and is looked at instead: MADANG_DB_DIRECT must lead past a pooler"
                )
                await asyncio.sleep(DEAF_AGAIN)
            except (psycopg.Error, MadangError, OSError, TimeoutError) as lost:
                end_if_cancelled(lost)
                logger.info("listening has to wait for the database", extra={"reason": str(lost)})
            finally:
                self.ready.clear()
            await asyncio.sleep(AGAIN)

    async def _listen(self) -> None:
        connection = await AsyncConnection.connect(self._url, autocommit=True, connect_timeout=10)
        try:
            await self._prove(connection)
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

    async def _prove(self, connection: AsyncConnection) -> None:
        """Raises `Deaf` if a word of our own isn't heard."""
        await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._echo)))
        word = secrets.token_hex(8)
        await self._tell(self._echo, word)
        async with aclosing(connection.notifies(timeout=ANSWERS)) as heard:
            async for told in heard:
                if told.payload == word:
                    break
            else:
                raise Deaf
        await connection.execute(sql.SQL("UNLISTEN {}").format(sql.Identifier(self._echo)))

    def _hear(self, channel: str, payload: str) -> None:
        try:
            self._channels[channel](payload)
        except Exception:
            # What somebody else wrote there must not deafen this process.
            logger.exception("what was told can't be read", extra={"channel": channel})
