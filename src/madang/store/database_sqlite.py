"""SQLite: write-ahead log, one writer thread, a few readers beside it.

`synchronous=NORMAL` in WAL mode survives `kill -9` at any point. After a power failure the last moments may be missing,
never half-written: docs/decisions.md says why that is enough.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from urllib.parse import unquote

from madang.errors import (
    AccessDenied,
    ConfigurationError,
    Conflict,
    InvalidInput,
    MadangError,
    ServiceUnavailable,
    UnreadableData,
)
from madang.store import schema
from madang.store.database import Database, Dialect, Params, Row

T = TypeVar("T")
PAGE_SIZE = 8192
READERS = 4
LOG_PAGES = 1000
HANDED_OVER = 64
"""Of so many writes at least one goes to the writer thread: there the write-ahead log is moved into the file."""


class SqliteDatabase(Database):
    dialect: ClassVar[Dialect] = "sqlite"

    def __init__(self, url: str, path: str, writer: sqlite3.Connection, keyring: Any, busy_timeout: float) -> None:
        super().__init__(url, keyring)
        self.path = path
        self._writer = writer
        self._busy_timeout = busy_timeout
        self._write_lock = asyncio.Lock()
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="madang-sqlite-writer")
        self._read_threads = ThreadPoolExecutor(READERS, thread_name_prefix="madang-sqlite-reader")
        self._all_readers: list[sqlite3.Connection] = []
        self._idle_readers: list[sqlite3.Connection] = []
        self._reader_slots = asyncio.Semaphore(READERS)
        self._patient = True
        self._since_handed_over = 0
        self._closed = False

    @classmethod
    async def start(cls, url: str, *, keyring: Any, busy_timeout: float) -> "SqliteDatabase":
        path = path_of(url)

        def begin() -> sqlite3.Connection:
            with translated(path):
                if path:
                    Path(path).parent.mkdir(parents=True, exist_ok=True)
                connection = connect(path, busy_timeout)
                try:
                    schema.prepare_sqlite(connection, path)
                except BaseException:
                    connection.close()
                    raise
                return connection

        connection = await asyncio.get_running_loop().run_in_executor(None, begin)
        return cls(url, path, connection, keyring, busy_timeout)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator["_Session"]:
        self._check_open()
        async with self._write_lock:
            tx = _Session(self, self._writer, self._write_thread)
            try:
                await tx.call(self._begin)
                yield tx
                await tx.call(lambda c: c.commit())
            except BaseException:
                # Queued behind whatever the writer thread still does, so it is safe when the task was cancelled.
                await asyncio.shield(tx.call(lambda c: c.rollback()))
                raise

    @asynccontextmanager
    async def reader(self) -> AsyncIterator["_Session"]:
        self._check_open()
        if not self.path:
            async with self._write_lock:
                yield _Session(self, self._writer, self._write_thread)
            return
        async with self._reader_slots:
            connection = self._idle_readers.pop() if self._idle_readers else await self._new_reader()
            session = _Session(self, connection, self._read_threads)
            try:
                yield session
            finally:
                await session.settle()
                self._idle_readers.append(connection)

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` on the writer thread inside one transaction, in a single hop."""
        self._check_open()

        def inside() -> T:
            with translated(self.path):
                self._begin(self._writer)
                return _committed(self._writer, work)

        async with self._write_lock:
            return await _finish(self.loop.run_in_executor(self._write_thread, inside))

    def write_at_once(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Runs `work` in one transaction on the calling thread, the loop's; `None` if it has to be handed over.

        For what takes less time than the hand-over. It never waits: not for a lock, not for the disk.
        """
        self._check_open()
        if self._write_lock.locked() or self._writer.in_transaction or self._since_handed_over >= HANDED_OVER:
            return None
        self._since_handed_over += 1
        with translated(self.path):
            self._wait_for_file(wait=False)
            try:
                self._writer.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not _is_busy(error):
                    raise
                return None
            return _committed(self._writer, work)

    def read_at_once(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Runs one query on the calling thread, the loop's; `None` if the connection isn't free."""
        self._check_open()
        if self._write_lock.locked() or self._writer.in_transaction:
            return None
        with translated(self.path):
            self._wait_for_file(wait=False)
            try:
                return work(self._writer)
            except sqlite3.OperationalError as error:
                if not _is_busy(error):
                    raise
                return None

    def _begin(self, connection: sqlite3.Connection) -> None:
        self._since_handed_over = 0
        self._wait_for_file(wait=True)
        connection.execute("BEGIN IMMEDIATE")

    def _wait_for_file(self, *, wait: bool) -> None:
        """Whether the writer waits for other processes, and moves the log into the file when it has grown."""
        if self._patient is wait:
            return
        self._writer.execute(f"PRAGMA busy_timeout={int(self._busy_timeout * 1000) if wait else 0}").fetchall()
        self._writer.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES if wait else 0}").fetchall()
        self._patient = wait

    async def once(self, sql: str, params: Params | None = None) -> list[Row]:
        def work(connection: sqlite3.Connection) -> list[Row]:
            found: list[Row] = []
            for statement in sql.split(";"):
                rows = rows_of(connection.execute(statement, params or {}))
                found = found or rows
            return found

        done = self.write_at_once(work)
        return await self.write(work) if done is None else done

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` on a reader in a single hop, over one snapshot."""
        async with self.reader() as session:
            return await session.call(lambda c: _snapshot(c, work))

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        # A connection closed while a thread still reads from it takes the process down.
        await asyncio.to_thread(self._read_threads.shutdown)
        async with self._write_lock:
            for connection in self._all_readers:
                connection.close()
            await self.loop.run_in_executor(self._write_thread, self._writer.close)
        self._write_thread.shutdown(wait=False)

    async def _new_reader(self) -> sqlite3.Connection:
        def begin() -> sqlite3.Connection:
            with translated(self.path):
                return connect(self.path, self._busy_timeout, read_only=True)

        connection = await self.loop.run_in_executor(self._read_threads, begin)
        self._all_readers.append(connection)
        return connection

    def _check_open(self) -> None:
        if self._closed:
            raise ServiceUnavailable("the database is closed")


class _Session:
    def __init__(self, database: SqliteDatabase, connection: sqlite3.Connection, threads: ThreadPoolExecutor) -> None:
        self._database = database
        self._connection = connection
        self._threads = threads
        self._last: asyncio.Future[Any] | None = None

    async def fetch(self, sql: str, params: Params | None = None) -> list[Row]:
        return await self.call(lambda c: rows_of(c.execute(sql, params or {})))

    async def execute(self, sql: str, params: Params | None = None) -> int:
        return await self.call(lambda c: c.execute(sql, params or {}).rowcount)

    async def executemany(self, sql: str, params: Sequence[Params]) -> None:
        await self.call(lambda c: c.executemany(sql, params))

    async def call(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` on the connection's thread."""

        def inside() -> T:
            with translated(self._database.path):
                return work(self._connection)

        self._last = self._database.loop.run_in_executor(self._threads, inside)
        return await asyncio.shield(self._last)

    async def settle(self) -> None:
        """Waits for a call whose caller was cancelled, so that nobody else gets a connection in use."""
        if self._last is not None and not self._last.done():
            await asyncio.wait([self._last])


async def _finish(future: asyncio.Future[T]) -> T:
    """The result; when cancelled, only once the thread has finished, so that the lock isn't given away early."""
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        raise


def _committed(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    try:
        result = work(connection)
        connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return result


def _snapshot(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    if connection.in_transaction:
        return work(connection)
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        connection.rollback()


def path_of(url: str) -> str:
    """The file of a `sqlite:///path` URL; empty for a database in memory."""
    rest = url.removeprefix("sqlite:")
    if rest in ("//", "///:memory:", "//:memory:", ""):
        return ""
    if not rest.startswith("///"):
        raise ConfigurationError(f"write the path of a SQLite file as sqlite:///path, not {url!r}")
    return unquote(rest.removeprefix("///"))


def connect(path: str, busy_timeout: float = 10.0, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection with our settings. `path` may be empty for a database in memory."""
    connection = sqlite3.connect(
        path or ":memory:",
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    try:
        if not read_only:
            connection.execute(f"PRAGMA page_size={PAGE_SIZE}")
            if path and connection.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
                raise ConfigurationError(f"{path} is on a file system without shared memory: SQLite can't use WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA temp_store=MEMORY")
        connection.execute("PRAGMA query_only=ON" if read_only else f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
    except BaseException:
        connection.close()
        raise
    return connection


def rows_of(cursor: sqlite3.Cursor) -> list[Row]:
    if cursor.description is None:
        return []
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Turns SQLite's errors into ours, with a text that says what to do."""
    try:
        yield
    except MadangError:
        raise
    except sqlite3.Error as error:
        raise _translate(error, path or "memory") from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise InvalidInput(f"SQLite can't hold this: {error}") from error
    except PermissionError as error:
        raise AccessDenied(f"no permission to use {path}") from error
    except OSError as error:
        raise ServiceUnavailable(f"{path} can't be used: {error.strerror or error}") from error


def _is_busy(error: sqlite3.Error) -> bool:
    return (getattr(error, "sqlite_errorname", "") or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _translate(error: sqlite3.Error, path: str) -> Exception:
    name = getattr(error, "sqlite_errorname", "") or ""
    if _is_busy(error):
        return ServiceUnavailable(f"{path} is locked by another process; try again when it has finished", path=path)
    if name.startswith("SQLITE_FULL") or name in ("SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE"):
        return ServiceUnavailable(f"no space left to write {path}; nothing of this change was stored", path=path)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return UnreadableData(f"{path} is damaged or is not a SQLite database", path=path)
    if name.startswith("SQLITE_READONLY"):
        return AccessDenied(f"{path} can't be written: it is read-only")
    if name.startswith("SQLITE_CANTOPEN"):
        return ServiceUnavailable(f"{path} can't be opened: is the directory there and writable?", path=path)
    if name.startswith("SQLITE_CONSTRAINT"):
        return Conflict(f"the database refused the change: {error}", constraint=str(error))
    if name.startswith("SQLITE_IOERR"):
        return ServiceUnavailable(f"{path} can't be read or written: {error}", path=path)
    return error
