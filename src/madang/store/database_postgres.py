"""Postgres: a pool used concurrently, no prepared statements (a transaction pooler may sit between), reconnecting."""

import asyncio
import struct
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC
from typing import Any, ClassVar

import psycopg
from psycopg import AsyncConnection
from psycopg.adapt import Dumper
from psycopg.pq import Format
from psycopg.rows import dict_row, tuple_row
from psycopg.types.datetime import TimestamptzLoader
from psycopg.types.string import TextLoader
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from madang.errors import AccessDenied, ConfigurationError, Conflict, InvalidInput, MadangError, ServiceUnavailable
from madang.store import schema
from madang.store.database import Database, Dialect, Params, Row
from madang.store.queries import to_psycopg

Connection = AsyncConnection[Any]
IDLE_BEFORE_CHECK = 5.0
RECONNECT_FOR = 15.0
_BYTEA, _BYTEA_ARRAY = 17, 1001


class _IsoLoader(TimestamptzLoader):
    """Times as the ISO-8601 strings that SQLite stores."""

    def load(self, data: Any) -> Any:
        return super().load(data).astimezone(UTC).isoformat(timespec="microseconds")


class ByteaArray(bytes):
    """A `bytea[]` parameter in Postgres's own binary form: half the size of hex text, and nothing to quote."""

    @classmethod
    def of(cls, items: Sequence[bytes]) -> "ByteaArray":
        if not items:
            return cls(struct.pack("!iii", 0, 0, _BYTEA))
        head = struct.pack("!iiiii", 1, 0, _BYTEA, len(items), 1)
        return cls(head + b"".join([struct.pack("!i", len(item)) + item for item in items]))


class _ByteaArrayDumper(Dumper):
    format = Format.BINARY
    oid = _BYTEA_ARRAY

    def dump(self, obj: Any) -> Any:
        return bytes(obj)


class PostgresDatabase(Database):
    dialect: ClassVar[Dialect] = "postgres"

    def __init__(self, url: str, pool: "AsyncConnectionPool[Connection]", keyring: Any) -> None:
        super().__init__(url, keyring)
        self.pool = pool

    @classmethod
    async def start(cls, url: str, *, pool_size: int, keyring: Any) -> "PostgresDatabase":
        if pool_size < 1:
            raise ConfigurationError("a pool needs at least one connection")
        with translated():
            await asyncio.get_running_loop().run_in_executor(None, schema.prepare_postgres, url)
            pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
                url,
                min_size=1,
                max_size=pool_size,
                open=False,
                timeout=RECONNECT_FOR,
                reconnect_timeout=RECONNECT_FOR,
                kwargs={"autocommit": True, "prepare_threshold": None, "connect_timeout": 10},
                configure=_configure,
                check=_check_idle,
            )
            try:
                await pool.open(wait=True, timeout=RECONNECT_FOR)
            except BaseException:
                await pool.close()
                raise
        return cls(url, pool, keyring)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator["_Session"]:
        with translated():
            connection = await self._begun()
            try:
                yield _Session(connection)
                await connection.execute("COMMIT")
            except BaseException:
                await asyncio.shield(self._abandon(connection))
                raise
            await self.give_back(connection)

    @asynccontextmanager
    async def reader(self) -> AsyncIterator["_Session"]:
        with translated():
            reader = _Reader(self, await self.standing())
            try:
                yield reader
            finally:
                if reader.holds:
                    await self.give_back(reader.connection)

    async def once(self, sql: str, params: Params | None = None) -> list[Row]:
        with translated():
            connection = await self.standing()
            try:
                return await _Session(connection).fetch(sql, params)
            finally:
                await self.give_back(connection)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """A connection of the pool in autocommit mode."""
        connection = await self._taken()
        try:
            yield connection
        finally:
            await self.give_back(connection)

    async def close(self) -> None:
        await self.pool.close()

    async def _taken(self) -> Connection:
        """A connection of the pool."""
        connection = await self.pool.getconn()
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            # The pool forgets that its caller was cancelled if a connection comes at that moment.
            await self.give_back(connection)
            raise asyncio.CancelledError
        return connection

    async def standing(self) -> Connection:
        """A connection that the server hasn't closed: it would have told us by now."""
        while True:
            connection = await self._taken()
            try:
                connection.pgconn.consume_input()
            except psycopg.OperationalError:
                await self.give_back(connection)
            else:
                return connection

    async def _begun(self) -> Connection:
        """A connection with a transaction begun; one that broke since it was last used is replaced."""
        while True:
            connection = await self._taken()
            try:
                await connection.execute("BEGIN")
            except psycopg.OperationalError:
                broken = connection.broken
                await self.give_back(connection)
                if not broken:
                    raise
            except BaseException:
                await self.give_back(connection)
                raise
            else:
                return connection

    async def _abandon(self, connection: Connection) -> None:
        try:
            if not connection.broken:
                await connection.execute("ROLLBACK")
        except psycopg.Error:
            await connection.close()
        await self.give_back(connection)

    async def give_back(self, connection: Connection) -> None:
        """Returns a connection to the pool, which replaces it if it is broken."""
        connection.__dict__["_madang_used"] = time.monotonic()
        await self.pool.putconn(connection)


class _Session:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    async def fetch(self, sql: str, params: Params | None = None) -> list[Row]:
        with translated():
            cursor = await self.connection.cursor(row_factory=dict_row).execute(to_psycopg(sql), params or {})
            # Asking for the cursor's description makes an object of every column.
            return [*await cursor.fetchall()] if cursor.pgresult and cursor.pgresult.nfields else []

    async def execute(self, sql: str, params: Params | None = None) -> int:
        with translated():
            return (await self.connection.execute(to_psycopg(sql), params or {})).rowcount

    async def executemany(self, sql: str, params: Sequence[Params]) -> None:
        with translated():
            await self.connection.cursor().executemany(to_psycopg(sql), params)


class _Reader(_Session):
    """Reads outside a transaction, so a query whose connection is lost is asked again on another."""

    def __init__(self, database: PostgresDatabase, connection: Connection) -> None:
        super().__init__(connection)
        self._database = database
        self.holds = True

    async def fetch(self, sql: str, params: Params | None = None) -> list[Row]:
        deadline = time.monotonic() + RECONNECT_FOR
        while True:
            try:
                return await super().fetch(sql, params)
            except ServiceUnavailable:
                if not self.connection.broken or time.monotonic() > deadline:
                    raise
            self.holds = False
            await self._database.give_back(self.connection)
            self.connection = await self._database.standing()
            self.holds = True


async def _configure(connection: Connection) -> None:
    connection.row_factory = tuple_row
    for name in ("json", "jsonb"):
        connection.adapters.register_loader(name, TextLoader)
    connection.adapters.register_loader("timestamptz", _IsoLoader)
    connection.adapters.register_dumper(ByteaArray, _ByteaArrayDumper)


async def _check_idle(connection: Connection) -> None:
    # A question to the server each time would double the round trips; a busy connection shows its health by working.
    if time.monotonic() - connection.__dict__.get("_madang_used", 0.0) > IDLE_BEFORE_CHECK:
        await AsyncConnectionPool.check_connection(connection)


@contextmanager
def translated() -> Iterator[None]:
    """Turns the driver's errors into ours, with a text that says what to do."""
    try:
        yield
    except MadangError:
        raise
    except (PoolTimeout, PoolClosed) as error:
        end_if_cancelled(error)
        raise ServiceUnavailable(f"no connection to Postgres: {error}") from error
    except UnicodeEncodeError as error:
        raise InvalidInput(f"half a surrogate pair can't be stored: {error.reason}") from error
    except psycopg.Error as error:
        end_if_cancelled(error)
        raise _translate(error) from error


def end_if_cancelled(problem: Exception) -> None:
    """Raises `CancelledError` in a task that is cancelled: the driver's error can come in its place.

    A statement that is cut short waits for the server to say so; if the connection is lost meanwhile, that is what it
    raises. Whoever goes on after a failure would never end.
    """
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return
    if task is not None and task.cancelling():
        raise asyncio.CancelledError from problem


def _translate(error: psycopg.Error) -> Exception:
    state = error.sqlstate or ""
    text = str(error).strip() or type(error).__name__
    if state.startswith("28") or "password authentication failed" in text or "no password supplied" in text:
        return AccessDenied(f"Postgres refused the user or password: {text}")
    if state == "42501":
        return AccessDenied(f"Postgres: {text}")
    if state == "3D000" or ('database "' in text and "does not exist" in text):
        return ConfigurationError(f"Postgres: {text}")
    if state in ("53100", "53200", "53300"):
        return ServiceUnavailable(f"Postgres has no room for this: {text}")
    if state.startswith("40") or state == "55P03":
        return Conflict(f"another change of the same rows was quicker: {text}")
    if isinstance(error, psycopg.DataError):
        return InvalidInput(f"Postgres can't hold this: {text}")
    if isinstance(error, psycopg.IntegrityError):
        return Conflict(f"the database refused the change: {text}", constraint=error.diag.constraint_name)
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return ServiceUnavailable(f"Postgres can't be reached or went away: {text}")
    return error
