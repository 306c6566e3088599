"""A server with the kit's small assistant and plain graphs, and the real client."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from madang.bootstrap import open_runtime
from madang.runtime.service import Runtime
from madang.server.options import ServerOptions
from madang.settings import Settings
from tests.support import plain_graph
from tests.support.serving import Site, serving
from tests.support.trip_assistant import Services, trip_assistant


@asynccontextmanager
async def open_graphs(url: str, folder: Path, services: Any = None) -> AsyncIterator[Runtime]:
    """A runtime with the trip assistant and plain graphs."""
    apps: dict[str, Any] = {
        "trip": trip_assistant(services=lambda _deployment: services or Services()),
        "talk": plain_graph.graph,
        "asking": plain_graph.asking,
        "made": plain_graph.factory,
        "later": plain_graph.async_factory,
    }
    settings = Settings(db=url, data_dir=folder)
    async with open_runtime(settings, apps=apps, own={}) as runtime:
        yield runtime


@pytest.fixture
def services() -> Services:
    """What the trip assistant's agents reach."""
    return Services()


@pytest.fixture
def sdk_db(sqlite_url: str) -> str:
    """The server's database; a module that asks the store much overrides it with both."""
    return sqlite_url


@pytest.fixture
async def sdk_site(sdk_db: str, tmp_path: Path, services: Services) -> AsyncIterator[Site]:
    options = ServerOptions(heartbeat=0.2)
    async with serving(sdk_db, options, opened=open_graphs(sdk_db, tmp_path, services)) as site:
        yield site
    plain_graph.gates.clear()


@pytest.fixture
async def client(sdk_site: Site) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=sdk_site.address, api_key=None) as made:
        yield made


def answered(client: LangGraphClient, ending: str) -> asyncio.Event:
    """Set as soon as the server begins to answer a request whose path ends so: from then on it listens."""
    begun = asyncio.Event()

    async def note(response: httpx.Response) -> None:
        if response.url.path.endswith(ending):
            begun.set()

    client.http.client.event_hooks["response"].append(note)
    return begun


def said(text: str) -> dict[str, Any]:
    """An input with one human message."""
    return {"messages": [{"role": "user", "content": text}]}
