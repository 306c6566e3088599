"""Postgres is restarted while turns run: each of them ends, nothing is lost and nothing said twice."""

import asyncio
from typing import Any

import pytest

from madang.runtime import TurnRequest
from tests.support.postgres import PostgresServer
from tests.support.runtimes import open_trip

TURNS = 5


@pytest.mark.parametrize("at", [2, 9, 16, 23, 30])
async def test_turns_ride_through_a_restart(postgres_server: PostgresServer, at: int) -> None:
    """The restart comes after the given number of commits, over all the turns."""
    async with open_trip(postgres_server.url) as runtime:
        stopped = asyncio.Event()
        commits = 0

        def stop_once(_event: Any) -> None:
            nonlocal commits
            commits += 1
            if commits == at:
                postgres_server.stop()
                stopped.set()

        async def start_again() -> None:
            await stopped.wait()
            await asyncio.to_thread(postgres_server.start)

        sessions = [(await runtime.sessions.create(None, assistant="trip")).session_id for _ in range(TURNS)]
        starter = asyncio.create_task(start_again())
        runs = [await runtime.start(session, TurnRequest(text="오사카 3")) for session in sessions]
        runtime.saver.on_commit.append(stop_once)
        outcomes = [await runtime.outcome(run.run_id) for run in runs]
        await starter
        assert [outcome["status"] for outcome in outcomes] == ["completed"] * TURNS
        for session, outcome in zip(sessions, outcomes, strict=True):
            frames = await runtime.events.read(session)
            assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
            assert frames == outcome["events"]
            told = [frame["text"] for frame in frames if frame["type"] == "token"]
            assert "".join(told) == frames[-1]["answer"]
            assert [m.role for m in (await runtime.messages.list(session)).items] == ["user", "assistant"]
