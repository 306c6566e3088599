"""A server with the kit's small assistant and plain graphs, and the real client."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from madang.server.options import ServerOptions
from tests.support import plain_graph
from tests.support.sdk import open_graphs
from tests.support.serving import Site, serving
from tests.support.split import split_site
from tests.support.trip_assistant import Services


@pytest.fixture
def services() -> Services:
    """What the trip assistant's agents reach."""
    return Services()


@pytest.fixture
def sdk_db(sqlite_url: str) -> str:
    """The server's database; a module that asks the store much overrides it with both."""
    return sqlite_url


@pytest.fixture
async def sdk_site(
    request: pytest.FixtureRequest, sdk_db: str, tmp_path: Path, services: Services
) -> AsyncIterator[Site]:
    """A server; with MADANG_TEST_SPLIT, one without work and a worker that runs what it accepts."""
    if os.environ.get("MADANG_TEST_SPLIT"):
        opened = split_site(str(request.getfixturevalue("postgres_url")), tmp_path, services)
    else:
        opened = serving(sdk_db, ServerOptions(heartbeat=0.2), opened=open_graphs(sdk_db, tmp_path, services))
    async with opened as site:
        yield site
    plain_graph.gates.clear()


@pytest.fixture
async def client(sdk_site: Site) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=sdk_site.address, api_key=None) as made:
        yield made
