"""A server without work and a worker beside it, over one Postgres, for the LangGraph client's tests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from madang.server.options import ServerOptions
from tests.support.sdk import open_graphs
from tests.support.serving import Site, serving
from tests.support.trip_assistant import Services


@asynccontextmanager
async def split_site(url: str, folder: Path, services: Services) -> AsyncIterator[Site]:
    """The server; what it accepts is run by the worker."""
    opened = open_graphs(url, folder, begins=False)
    async with (
        open_graphs(url, folder, services, begins=False) as worker,
        serving(url, ServerOptions(heartbeat=0.2), opened=opened) as site,
    ):
        working = asyncio.create_task(worker.work(8))
        yield site
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
