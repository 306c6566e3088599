"""A saver for the length of a block, asynchronous or synchronous."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from madang.store.database import Database, refuse_own_thread


class _Closable(Protocol):
    async def aclose(self) -> None: ...


S = TypeVar("S", bound=_Closable)
T = TypeVar("T")


class Opening(Generic[S]):
    """`async with` uses the running event loop; `with` runs one of its own in a thread, for synchronous graphs."""

    def __init__(self, begin: Callable[[], Awaitable[tuple[S, Database]]]) -> None:
        self._begin = begin
        self._opened: tuple[S, Database] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    async def __aenter__(self) -> S:
        self._opened = await self._begin()
        return self._opened[0]

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._close()

    def __enter__(self) -> S:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="madang-saver", daemon=True)
        self._thread.start()
        try:
            return self._run(self.__aenter__())
        except BaseException:
            self._stop()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._run(self._close())
        finally:
            self._stop()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        assert self._loop is not None
        refuse_own_thread(self._loop)
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def _stop(self) -> None:
        assert self._loop is not None
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        if self._opened is None:
            return
        saver, database = self._opened
        self._opened = None
        try:
            await saver.aclose()
        finally:
            await database.close()
