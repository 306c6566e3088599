"""A runtime over both databases, with the kit's small assistant."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import date
from typing import Any

import pytest

from madang.graph import build
from madang.runtime.served import Served
from madang.runtime.service import Runtime
from madang.store import SessionSaver
from madang.store.database import Database
from tests.support.trip_assistant import Services, trip_assistant

OpenTrip = Callable[..., AbstractAsyncContextManager[Runtime]]


@asynccontextmanager
async def open_trip(
    url: str, services: Any = None, *, lease: float = 30.0, keyring: Any = None, **changes: Any
) -> AsyncIterator[Runtime]:
    """A runtime that serves the trip assistant; `changes` replace parts of it."""
    db = await Database.open(url, keyring=keyring)
    saver = SessionSaver(db)
    assistant = trip_assistant(**changes)
    served = Served("trip", build(assistant, saver), assistant, Services() if services is None else services)
    runtime = Runtime(db, saver, {"trip": served}, today=lambda: date(2026, 1, 1), lease=lease)
    try:
        yield runtime
    finally:
        await runtime.close()
        await db.close()


@pytest.fixture
async def runtime(db_url: str) -> AsyncIterator[Runtime]:
    async with open_trip(db_url) as opened:
        yield opened
