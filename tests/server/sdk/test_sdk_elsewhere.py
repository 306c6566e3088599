"""The same streams and runs when a worker runs them and the server only accepts: what clients read doesn't differ."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from langgraph_sdk import get_client

from madang.server.options import ServerOptions
from tests.server.sdk.test_sdk_following import *  # noqa: F403
from tests.server.sdk.test_sdk_protocol import *  # noqa: F403
from tests.server.sdk.test_sdk_runs import *  # noqa: F403
from tests.server.sdk.test_sdk_streams import *  # noqa: F403
from tests.support import plain_graph
from tests.support.sdk import open_graphs, said
from tests.support.serving import Site, serving
from tests.support.trip_assistant import Services

# These look into the process that runs, or rely on its order of events and ours being one.
del test_a_cut_connection_is_taken_up_again, test_a_reader_that_missed_parts_is_told  # noqa: F821


@pytest.fixture
async def sdk_site(postgres_url: str, tmp_path: Path, services: Services) -> AsyncIterator[Site]:
    """A server without work; what it accepts is run by a worker."""
    opened = open_graphs(postgres_url, tmp_path, begins=False)
    async with (
        open_graphs(postgres_url, tmp_path, services, begins=False) as worker,
        serving(postgres_url, ServerOptions(heartbeat=0.2), opened=opened) as site,
    ):
        working = asyncio.create_task(worker.work(8))
        yield site
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    plain_graph.gates.clear()


async def test_another_server_streams_what_one_accepted(sdk_site: Site, postgres_url: str, tmp_path: Path) -> None:
    gate = plain_graph.Gate()
    async with (
        serving(
            postgres_url, ServerOptions(heartbeat=0.2), opened=open_graphs(postgres_url, tmp_path, begins=False)
        ) as other,
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
            asyncio.create_task(_read(client.runs.join_stream(thread, run["run_id"], last_event_id="-1")))
            for client in (here, there)
        ]
        gate.open.set()
        first, second = await asyncio.gather(*reading)
        assert [part for part in first if part[0] != "end"] == [part for part in second if part[0] != "end"]
        assert {"metadata", "updates", "messages/partial", "end"} <= {name for name, *_ in second}


async def _read(stream: AsyncIterator[object]) -> list[tuple[object, ...]]:
    return [(part.event, part.data, part.id) async for part in stream]  # type: ignore[attr-defined]
