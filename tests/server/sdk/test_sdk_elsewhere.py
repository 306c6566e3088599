"""Streams of runs that a worker runs while servers only accept: what clients read doesn't differ.

`MADANG_TEST_SPLIT=1 pytest tests/server/sdk` runs all of this folder that way.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.schema import StreamPart

from madang.server.options import ServerOptions
from tests.support import plain_graph
from tests.support.sdk import open_graphs, said
from tests.support.serving import Site, serving
from tests.support.split import split_site
from tests.support.trip_assistant import Services

MODES: Any = ["values", "updates", "messages", "custom", "debug"]


@pytest.fixture
async def sdk_site(postgres_url: str, tmp_path: Path, services: Services) -> AsyncIterator[Site]:
    async with split_site(postgres_url, tmp_path, services) as site:
        yield site
    plain_graph.gates.clear()


async def collected(stream: AsyncIterator[StreamPart]) -> list[StreamPart]:
    return [part async for part in stream]


@pytest.mark.parametrize(("graph", "text"), [("talk", "hello"), ("trip", "오사카 3")])
async def test_a_worker_streams_what_the_server_itself_would(
    client: LangGraphClient, sqlite_url: str, tmp_path: Path, graph: str, text: str
) -> None:
    async with (
        serving(sqlite_url, ServerOptions(heartbeat=0.2), opened=open_graphs(sqlite_url, tmp_path)) as alone,
        get_client(url=alone.address, api_key=None) as other,
    ):
        streams = []
        for one in (client, other):
            thread = (await one.threads.create())["thread_id"]
            given = one.runs.stream(thread, graph, input=said(text), stream_mode=MODES)
            streams.append([(part.event, shape(part.data)) for part in await collected(given)])
    assert streams[0] == streams[1]


def shape(data: Any) -> Any:
    """What an event tells, without ids, times and texts that differ from run to run."""
    if isinstance(data, dict):
        # Messages are named by ids of their run.
        return {"id" if "-" in key else key: shape(value) for key, value in data.items()}
    if isinstance(data, list):
        return [shape(value) for value in data]
    return type(data).__name__


async def test_every_server_streams_what_one_accepted(sdk_site: Site, postgres_url: str, tmp_path: Path) -> None:
    gate = plain_graph.Gate()
    opened = open_graphs(postgres_url, tmp_path, begins=False)
    async with (
        serving(postgres_url, ServerOptions(heartbeat=0.2), opened=opened) as other,
        get_client(url=sdk_site.address, api_key=None) as here,
        get_client(url=other.address, api_key=None) as there,
    ):
        thread = (await here.threads.create())["thread_id"]
        plain_graph.gates[thread] = gate
        run = await here.runs.create(
            thread, "talk", input=said("hello"), stream_mode=["updates", "messages"], stream_resumable=True
        )
        await gate.reached.wait()
        reading = [
            asyncio.create_task(collected(one.runs.join_stream(thread, run["run_id"], last_event_id="-1")))
            for one in (here, there)
        ]
        gate.open.set()
        first, second = await asyncio.gather(*reading)
        assert first == second
        assert {"metadata", "updates", "messages/partial", "end"} <= {part.event for part in second}


async def test_an_answer_sent_again_before_its_run_has_begun_is_taken_once(postgres_url: str, tmp_path: Path) -> None:
    """Nobody works: the run that goes on with the answer stays queued while the answer comes again."""
    opened = open_graphs(postgres_url, tmp_path, begins=False)
    async with (
        split_site(postgres_url, tmp_path, Services()) as busy,
        get_client(url=busy.address, api_key=None) as client,
    ):
        thread = (await client.threads.create())["thread_id"]
        await client.runs.wait(thread, "talk", input=said("approve"))
        [question] = (await client.threads.get_state(thread))["interrupts"]
    async with (
        serving(postgres_url, ServerOptions(), opened=opened) as idle,
        httpx.AsyncClient(base_url=idle.address, timeout=30) as http,
    ):
        body = {"assistant_id": "talk", "command": {"resume": {question["id"]: "yes"}}}
        sent = await asyncio.gather(*(http.post(f"/threads/{thread}/runs", json=body) for _ in range(4)))
        again = await http.post(f"/threads/{thread}/runs", json=body)
        assert sorted(answer.status_code for answer in (*sent, again)) == [200, 409, 409, 409, 409]
