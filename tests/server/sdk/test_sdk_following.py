"""Following a whole thread through the real client: run after run, coming back, what is written to the state."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import UnprocessableEntityError
from langgraph_sdk.schema import StreamPart

from madang.server.options import ServerOptions
from tests.support.plain_graph import Gate, gates
from tests.support.sdk import answered, open_graphs, said
from tests.support.serving import Site, serving
from tests.support.trip_assistant import Services


@pytest.fixture
def sdk_db(db_url: str) -> str:
    return db_url


class Follower:
    """Reads a thread's stream in the background."""

    def __init__(self, client: LangGraphClient, thread: str, **options: Any) -> None:
        self.client, self.thread, self.options = client, thread, options
        self.parts: asyncio.Queue[StreamPart] = asyncio.Queue()

    async def __aenter__(self) -> "Follower":
        begun = answered(self.client, "/stream")
        self.task = asyncio.create_task(self._read())
        await begun.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def _read(self) -> None:
        stream: AsyncIterator[StreamPart] = await self.client.threads.join_stream(self.thread, **self.options)
        async for part in stream:
            await self.parts.put(part)

    async def until_done(self) -> list[StreamPart]:
        """What is heard up to the end of a run."""
        heard = [await self.parts.get()]
        while heard[-1].event != "metadata" or heard[-1].data.get("status") != "run_done":
            heard.append(await self.parts.get())
        return heard


async def test_runs_are_heard_one_after_another(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    async with Follower(client, thread) as follower:
        for text in ("one", "two"):
            run = await client.runs.create(thread, "talk", input=said(text), stream_mode=["updates", "custom"])
            heard = await follower.until_done()
            assert heard[0].data["run_id"] == heard[-1].data["run_id"] == run["run_id"]
            assert heard[-1].data["run_status"] == "success"
            assert [next(iter(p.data)) for p in heard if p.event == "updates"] == ["counter", "think", "approve"]
            assert len({part.id for part in heard}) == len(heard)
        waited: Any = await client.runs.wait(thread, "talk", input=said("three"))
        heard = await follower.until_done()
        assert [p.data for p in heard if p.event == "values"][-1] == waited


async def test_coming_back_misses_no_run(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    async with Follower(client, thread) as follower:
        await client.runs.wait(thread, "talk", input=said("one"))
        first = await follower.until_done()
    await client.runs.wait(thread, "talk", input=said("two"))
    await client.runs.wait(thread, "talk", input=said("three"))
    async with Follower(client, thread, last_event_id=first[-1].id) as follower:
        for text in ("two", "three"):
            heard = await follower.until_done()
            assert [p.data for p in heard if p.event == "values"][-1]["messages"][-1]["content"] == f"you said {text}"
    async with Follower(client, thread, last_event_id="-1") as follower:
        heard = await follower.until_done()
        assert heard[-2].data["messages"][-1]["content"] == "you said three"


async def test_an_interrupt_and_its_answer_are_heard(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    async with Follower(client, thread) as follower:
        await client.runs.wait(thread, "talk", input=said("please approve"))
        heard = await follower.until_done()
        assert heard[-1].data["run_status"] == "interrupted"
        await client.runs.wait(thread, "talk", command={"resume": "yes"})
        heard = await follower.until_done()
        assert heard[-2].data["approved"] == "yes"


async def test_turns_of_the_other_surface_are_heard(
    client: LangGraphClient, sdk_site: Site, services: Services
) -> None:
    session = await sdk_site.session()
    services.asks.add("itinerary")
    async with Follower(client, session) as follower:
        asked = await sdk_site.ask(session, "오사카 3 100")
        assert asked["status"] == "interrupted"
        heard = await follower.until_done()
        assert heard[-1].data["run_status"] == "interrupted"
        await sdk_site.ask(session, "네")
        heard = await follower.until_done()
        assert heard[-1].data["run_status"] == "success"
        assert heard[-2].data["messages"][-1]["content"] == "합계 2100"


async def test_only_beginnings_and_ends_or_only_writes(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "talk", input=said("one"))
    async with Follower(client, thread, stream_mode=["lifecycle", "state_update"]) as follower:
        await client.runs.wait(thread, "talk", input=said("two"))
        assert {part.event for part in await follower.until_done()} == {"metadata"}
        await client.threads.update_state(thread, {"count": 70})
        written = await follower.parts.get()
        assert written.event == "state_update"
        assert written.data["state"]["values"]["count"] == 70
    with pytest.raises(UnprocessableEntityError, match="stream_mode"):
        async for _ in await client.threads.join_stream(thread, stream_mode="values"):  # type: ignore[arg-type]
            pass


async def test_a_deleted_thread_ends_its_followers(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    async with Follower(client, thread) as follower:
        await client.threads.delete(thread)
        await follower.task


async def test_a_run_of_another_server_is_joined_and_followed(postgres_url: str, tmp_path: Path) -> None:
    options = ServerOptions(heartbeat=0.2)
    async with (
        serving(postgres_url, options, opened=open_graphs(postgres_url, tmp_path / "one")) as one,
        serving(postgres_url, options, opened=open_graphs(postgres_url, tmp_path / "two")) as two,
        get_client(url=one.address, api_key=None) as here,
        get_client(url=two.address, api_key=None) as there,
    ):
        thread = (await here.threads.create())["thread_id"]
        gate = gates[thread] = Gate()
        async with Follower(there, thread) as follower:
            run = await here.runs.create(thread, "talk", input=said("hello"))
            await gate.reached.wait()
            begun = answered(there, f"{run['run_id']}/stream")
            joining = asyncio.create_task(collected(there.runs.join_stream(thread, run["run_id"])))
            await begun.wait()
            gate.open.set()
            parts = await joining
            assert {part.event for part in parts} == {"values", "end"}
            assert parts[-2].data["messages"][-1]["content"] == "you said hello"
            heard = await follower.until_done()
            assert heard[-2].data["messages"][-1]["content"] == "you said hello"
    gates.clear()


async def collected(parts: AsyncIterator[StreamPart]) -> list[StreamPart]:
    return [part async for part in parts]
