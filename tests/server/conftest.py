"""Servers for tests."""

from collections.abc import AsyncIterator

import pytest

from madang.server.options import ServerOptions
from tests.server.serving import Site, serving

GUARDED = ServerOptions(credentials_required=True, requests_per_minute=0)


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Site]:
    """A server on loopback: no credentials."""
    async with serving(sqlite_url) as opened:
        yield opened


@pytest.fixture
async def guarded(sqlite_url: str) -> AsyncIterator[Site]:
    """A server where credentials are required."""
    async with serving(sqlite_url, GUARDED) as opened:
        yield opened
