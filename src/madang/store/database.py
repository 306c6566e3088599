"""One database, two backends: SQLite for one machine, Postgres for several.

SQL is written once with `:name` placeholders. JSON columns are text both ways, times are ISO-8601 strings with offset
both ways, so callers see no difference.
"""

import asyncio
import contextvars
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from madang.errors import ConfigurationError, needs_extra
from madang.store import queries

Row = Mapping[str, Any]
Params = Mapping[str, Any]
Dialect = Literal["sqlite", "postgres"]
T = TypeVar("T")


class Reader(Protocol):
    """Something that answers queries."""

    async def fetch(self, sql: str, params: Params | None = None) -> list[Row]: ...


class Transaction(Reader, Protocol):
    """An open transaction: committed when its block ends, rolled back when an error leaves it."""

    async def execute(self, sql: str, params: Params | None = None) -> int: ...

    async def executemany(self, sql: str, params: Sequence[Params]) -> None: ...


class Database(ABC):
    """A database that is set up and open. Make one with `Database.open`."""

    dialect: ClassVar[Dialect]

    def __init__(self, url: str, keyring: Any = None) -> None:
        self.url = url
        self.keyring = keyring
        self.loop = asyncio.get_running_loop()

    @staticmethod
    async def open(url: str, *, pool_size: int = 20, keyring: Any = None, busy_timeout: float = 10.0) -> "Database":
        """Opens `sqlite:///path`, `sqlite://` (in memory) or `postgresql://…` and makes sure of its schema.

        An empty database is set up, an outdated SQLite file is upgraded after a back-up copy. Raises `SchemaOutdated`
        (Postgres), `UnknownSchemaVersion`, `ForeignTables`, `ServiceUnavailable`, `AccessDenied`,
        `ConfigurationError`, or `DecryptionFailed` for keys that aren't those of the database.
        """
        from madang.store.key_checks import check_keys

        database = await Database.connect(url, pool_size=pool_size, keyring=keyring, busy_timeout=busy_timeout)
        try:
            await check_keys(database)
        except BaseException:
            await database.close()
            raise
        return database

    @staticmethod
    async def connect(url: str, *, pool_size: int = 20, keyring: Any = None, busy_timeout: float = 10.0) -> "Database":
        """`open` without trying the keys."""
        scheme = url.partition(":")[0]
        if scheme == "sqlite":
            from madang.store.database_sqlite import SqliteDatabase

            return await SqliteDatabase.start(url, keyring=keyring, busy_timeout=busy_timeout)
        if scheme in ("postgresql", "postgres"):
            with needs_extra("postgres", "a Postgres database"):
                from madang.store.database_postgres import PostgresDatabase

            return await PostgresDatabase.start(url, pool_size=pool_size, keyring=keyring)
        raise ConfigurationError(f"a database URL starts with sqlite:// or postgresql://, not {scheme!r}")

    @abstractmethod
    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """One transaction. SQLite has one writer at a time, Postgres one connection of the pool for each."""

    @abstractmethod
    def reader(self) -> AbstractAsyncContextManager[Reader]:
        """Reads beside writers; each `fetch` sees what is committed by then."""

    @abstractmethod
    async def once(self, sql: str, params: Params | None = None) -> list[Row]:
        """One transaction in a single round trip; its rows. Not begun again if the connection is lost.

        SQLite may be given several statements, separated by semicolons: the rows are those of the first that has any.
        """

    @abstractmethod
    async def close(self) -> None:
        """Waits for work in progress and lets everything go. Closing twice is fine."""

    def queries(self, name: str) -> Mapping[str, str]:
        """The named queries of `sql/<name>.sql` in this dialect."""
        return queries.load(name, self.dialect)

    def run_sync(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Runs a coroutine on the database's loop from another thread. On that loop's own thread it raises."""
        refuse_own_thread(self.loop)
        context = contextvars.copy_context()

        async def inside() -> T:
            return await self.loop.create_task(call(), context=context)

        return asyncio.run_coroutine_threadsafe(inside(), self.loop).result()

    async def run_here(self, call: Callable[[], Awaitable[T]]) -> T:
        """Runs a coroutine on the database's loop from any loop."""
        if asyncio.get_running_loop() is self.loop:
            return await call()

        async def inside() -> T:
            return await call()

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(inside(), self.loop))


def refuse_own_thread(loop: asyncio.AbstractEventLoop) -> None:
    """Raises if the calling thread runs `loop`: waiting for it there would never end."""
    try:
        running = asyncio.get_running_loop()
    except RuntimeError:
        return
    if running is loop:
        raise asyncio.InvalidStateError(
            "a synchronous call on the event loop's own thread would wait for itself: use the async method"
        )
