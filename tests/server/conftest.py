"""Servers for tests."""

from collections.abc import AsyncIterator

import pytest

from tests.support.serving import GUARDED, Site, serving


@pytest.fixture
def server_db(request: pytest.FixtureRequest) -> str:
    """The server's database: SQLite, or each one for tests marked with `both`."""
    return str(request.getfixturevalue(f"{getattr(request, 'param', 'sqlite')}_url"))


@pytest.fixture
async def site(server_db: str) -> AsyncIterator[Site]:
    """A server on loopback: no credentials."""
    async with serving(server_db) as opened:
        yield opened


@pytest.fixture
async def guarded(server_db: str) -> AsyncIterator[Site]:
    """A server where credentials are required."""
    async with serving(server_db, GUARDED) as opened:
        yield opened
