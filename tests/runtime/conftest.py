"""A runtime over both databases, with the kit's small assistant."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager

import pytest

from madang.runtime import Runtime
from tests.support.runtimes import open_trip

OpenTrip = Callable[..., AbstractAsyncContextManager[Runtime]]


@pytest.fixture
async def runtime(db_url: str) -> AsyncIterator[Runtime]:
    async with open_trip(db_url) as opened:
        yield opened
