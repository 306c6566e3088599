"""Work that is cancelled while Postgres fails: the driver tells of that, and whoever goes on after it never ends."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import pytest
from psycopg import AsyncConnection

from madang.errors import MadangError
from madang.store.database import Database
from madang.store.listening import Listener

PATIENT = 20
ENDLESS = "SELECT pg_sleep(3600)"
Cut = Callable[[Awaitable[object]], Awaitable[None]]


@pytest.fixture
def cut(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Cut:
    """Cancels what waits for Postgres, and ends its connection at that moment; whether it ends."""
    ended: list[AsyncConnection[Any]] = []

    async def end(connection: AsyncConnection[Any], **_: object) -> None:
        ended.append(connection)
        with psycopg.connect(postgres_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", (connection.info.backend_pid,))

    monkeypatch.setattr(AsyncConnection, "_try_cancel", end)

    async def cutting(work: Awaitable[object]) -> None:
        working = asyncio.ensure_future(work)
        with psycopg.connect(postgres_url, autocommit=True) as other:
            while not other.execute(
                "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)%' AND wait_event = 'PgSleep'"
            ).fetchone():
                await asyncio.sleep(0)
        working.cancel()
        await asyncio.wait([working], timeout=PATIENT)
        over = working.cancelled()
        working.cancel()
        assert over
        assert ended

    return cutting


async def trying_again(statement: Callable[[], Awaitable[object]]) -> None:
    """As those do who look now and then, and the next time is far."""
    try:
        await statement()
    except MadangError:
        await asyncio.Event().wait()


@pytest.mark.parametrize("how", ["once", "reader", "transaction"])
async def test_a_statement_that_is_cut_short_is_cancelled_though_its_connection_is_lost(
    postgres_url: str, how: str, cut: Cut
) -> None:
    database = await Database.open(postgres_url)

    async def statement() -> None:
        if how == "once":
            await database.once(ENDLESS)
        elif how == "reader":
            async with database.reader() as reader:
                await reader.fetch(ENDLESS)
        else:
            async with database.transaction() as tx:
                await tx.execute(ENDLESS)

    await cut(trying_again(statement))
    await database.close()


async def test_a_listener_ends_though_its_connection_is_lost(
    postgres_url: str, cut: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = AsyncConnection.execute

    async def endless(self: AsyncConnection[Any], *_: object, **__: object) -> object:
        return await execute(self, ENDLESS)

    async def tell(*_: object) -> None: ...

    monkeypatch.setattr(AsyncConnection, "execute", endless)
    await cut(Listener(postgres_url, tell).run())
