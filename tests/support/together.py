"""Servers without work and workers over one Postgres, in the test's own loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from madang.runtime import Runtime
from tests.support.runtimes import open_trip


@asynccontextmanager
async def open_server(url: str, services: Any = None, **changes: Any) -> AsyncIterator[Runtime]:
    """A runtime that leaves its turns to workers."""
    async with open_trip(url, services, begins=False, linked=True, **changes) as runtime:
        yield runtime


@asynccontextmanager
async def open_worker(
    url: str, services: Any = None, *, concurrency: int = 4, **changes: Any
) -> AsyncIterator[Runtime]:
    """A runtime that runs what others accept."""
    async with open_trip(url, services, begins=False, linked=True, **changes) as runtime:
        working = asyncio.create_task(runtime.work(concurrency))
        try:
            yield runtime
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
