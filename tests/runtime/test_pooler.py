"""Servers and workers through a real transaction pooler, with a way past it to listen and without."""

import asyncio
from collections.abc import Iterator

import pytest

from madang.runtime import Runtime, TurnRequest
from madang.store import listening
from madang.store.schema import prepare_postgres
from tests.support.pooler import find_pgbouncer, pooled
from tests.support.runtimes import Gate, new_session, say
from tests.support.together import open_server, open_worker

pytestmark = pytest.mark.skipif(find_pgbouncer() is None, reason="pgbouncer is not installed")

PATIENT = 30


@pytest.fixture
def pooler(postgres_url: str) -> Iterator[str]:
    """The same database through a transaction pooler."""
    with pooled(postgres_url) as url:
        yield url


async def hear(runtime: Runtime, session_id: str) -> list[str]:
    """What a server hears of a session, until a turn has ended."""
    heard = []
    async for frame in runtime.hub.follow(session_id, 0):
        heard.append(frame["type"])
        if frame["type"] in ("response", "cancelled"):
            break
    return heard


def test_a_database_is_set_up_through_it(empty_postgres_url: str) -> None:
    with pooled(empty_postgres_url) as url:
        prepare_postgres(url)
        prepare_postgres(url)


async def test_turns_run_and_are_heard_past_it(pooler: str, postgres_url: str) -> None:
    async with (
        open_server(pooler, direct=postgres_url) as server,
        open_server(pooler, direct=postgres_url) as other,
        open_worker(pooler, direct=postgres_url, concurrency=8),
    ):
        sessions = [await new_session(server) for _ in range(12)]
        hearing = [asyncio.create_task(hear(other, session)) for session in sessions]
        outcomes = await asyncio.wait_for(asyncio.gather(*(say(server, one, "오사카 3") for one in sessions)), PATIENT)
        assert {outcome["status"] for outcome in outcomes} == {"completed"}
        assert {heard[-1] for heard in await asyncio.wait_for(asyncio.gather(*hearing), PATIENT)} == {"response"}
        for one in (server, other):
            assert one.link is not None
            await asyncio.wait_for(one.link.listener.ready.wait(), PATIENT)


async def test_without_a_way_past_it_a_process_knows_that_it_is_deaf(
    pooler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "ANSWERS", 0.5)
    warned: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch.setattr(listening.logger, "warning", warned.put_nowait)
    gate = Gate()
    # With this lease nobody would look at what was asked of a turn for twenty minutes.
    async with (
        open_server(pooler, lease=3600) as server,
        open_worker(pooler, lease=3600, agents=gate.agent()) as worker,
    ):
        for _ in range(2):
            assert "MADANG_DB_DIRECT" in await asyncio.wait_for(warned.get(), PATIENT)
        for one in (server, worker):
            assert one.link is not None
            assert not one.link.listener.connected
        session = await new_session(server)
        hearing = asyncio.create_task(hear(server, session))
        run = await server.start(session, TurnRequest(text="오사카 3"))
        await asyncio.wait_for(gate.entered.wait(), PATIENT)
        assert (await asyncio.wait_for(server.cancel(run.run_id), PATIENT)).status == "cancelled"
        assert (await asyncio.wait_for(hearing, PATIENT))[-1] == "cancelled"
