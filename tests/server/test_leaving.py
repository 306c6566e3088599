"""What clients see of a server that is told to end while a worker runs their turn: at most a lost connection."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as wire
from langgraph_sdk import get_client

from madang.server.options import ServerOptions
from tests.support.cable import Cable
from tests.support.runtimes import Gate, open_trip
from tests.support.serving import Site, events_of, serving
from tests.support.together import open_worker

PATIENT = 20
SAID, ANSWER = "오사카 3 100", "합계 2100"


class Pair:
    """Two servers that leave their turns to one worker, and an address that leads to the first until it ends."""

    def __init__(self, first: Site, second: Site, cable: Cable, gate: Gate, ending: AsyncExitStack) -> None:
        self.first, self.second, self._cable, self._gate, self._ending = first, second, cable, gate, ending
        self.address = cable.address
        self.http = httpx.AsyncClient(base_url=cable.address, timeout=PATIENT)

    async def under_way(self) -> None:
        """Until the worker runs the turn."""
        await asyncio.wait_for(self._gate.entered.wait(), PATIENT)

    async def end_the_first(self) -> None:
        """As by SIGTERM; whoever comes from now on comes to the second."""
        self._cable.lead_to(self.second.port)
        await self._ending.aclose()

    def let_the_turn_end(self) -> None:
        self._gate.open.set()

    def hold_the_next(self) -> None:
        self._gate.open.clear()
        self._gate.entered.clear()

    async def events(self, session_id: str) -> list[dict[str, Any]]:
        """What the second server tells of a conversation, to its end."""
        await self.ended(session_id)
        told = await self.http.get(f"/api/v1/sessions/{session_id}/events?follow=false")
        return events_of(told.text)

    async def ended(self, session_id: str) -> None:
        """Until the conversation's last turn is over."""
        [run, *_] = (await self.second.runtime.runs.list(session_id)).items
        await asyncio.wait_for(self.second.runtime.wait(run.run_id), PATIENT)


@pytest.fixture
def grace() -> float:
    return 0.2


@pytest.fixture
async def pair(postgres_url: str, grace: float) -> AsyncIterator[Pair]:
    gate, options = Gate(), ServerOptions(grace=grace, heartbeat=0.2)

    def opened() -> Any:
        return open_trip(postgres_url, begins=False, linked=True)

    async with (
        open_worker(postgres_url, agents=gate.agent()),
        AsyncExitStack() as ending,
        serving(postgres_url, options, opened=opened()) as second,
    ):
        first = await ending.enter_async_context(serving(postgres_url, options, opened=opened()))
        with Cable(first.address) as cable:
            made = Pair(first, second, cable, gate, ending)
            async with made.http:
                yield made
                gate.open.set()


WAYS = {
    "messages": ("POST", {"query": SAID}),
    "inputs": ("PATCH", {"city": "오사카", "nights": 3, "task": "plan"}),
    "regenerate": ("POST", {}),
}


@pytest.mark.parametrize("way", WAYS)
async def test_a_request_that_waits_is_answered_with_its_run(pair: Pair, way: str) -> None:
    session = await pair.second.session()
    if way == "regenerate":
        pair.let_the_turn_end()
        await pair.second.ask(session, SAID)
        pair.hold_the_next()
    method, body = WAYS[way]
    where = f"/api/v1/sessions/{session}/{way}?wait=true"
    asking = asyncio.create_task(pair.http.request(method, where, json=body))
    await pair.under_way()
    await pair.end_the_first()
    answer = await asking
    assert answer.status_code == 202, answer.text
    run = answer.json()
    assert run["status"] == "running"
    pair.let_the_turn_end()
    events = await pair.events(session)
    assert [event["type"] for event in events if event["request_id"] == run["request_id"]][-1] == "response"


@pytest.mark.filterwarnings("ignore:Request failed, attempting reconnect")
async def test_a_run_that_is_waited_for_is_waited_for_at_the_other_server(pair: Pair) -> None:
    async with get_client(url=pair.address, api_key=None) as client:
        thread = (await client.threads.create())["thread_id"]
        asked = client.runs.wait(thread, "trip", input={"query": SAID}, on_disconnect="cancel")
        waiting = asyncio.create_task(asked)
        await pair.under_way()
        await pair.end_the_first()
        pair.let_the_turn_end()
        values: Any = await asyncio.wait_for(waiting, PATIENT)
    assert values["response"]["answer"] == ANSWER


@pytest.mark.parametrize("way", ["stateless", "stream", "join"])
async def test_a_stream_goes_on_at_the_other_server(pair: Pair, way: str) -> None:
    async with get_client(url=pair.address, api_key=None) as client:
        thread: Any = None if way == "stateless" else (await client.threads.create())["thread_id"]
        given: Any = {"input": {"query": SAID}, "stream_mode": ["values", "updates"]}
        if way == "join":
            run = await client.runs.create(thread, "trip", stream_resumable=True, **given)
            stream = client.runs.join_stream(thread, run["run_id"], last_event_id="-1")
        else:
            stream = client.runs.stream(thread, "trip", stream_resumable=True, on_disconnect="cancel", **given)
        reading = asyncio.create_task(_read(stream))
        await pair.under_way()
        await pair.end_the_first()
        pair.let_the_turn_end()
        parts = await asyncio.wait_for(reading, PATIENT)
    assert parts[-1].event == "end"
    assert parts[-1].data["status"] == "success"
    assert [part.data for part in parts if part.event == "values"][-1]["response"]["answer"] == ANSWER


async def _read(stream: Any) -> list[Any]:
    return [part async for part in stream]


@pytest.mark.parametrize("transport", ["sse", "websocket"])
async def test_a_thread_is_followed_at_the_other_server(pair: Pair, transport: Any) -> None:
    async with get_client(url=pair.address, api_key=None) as client:
        await client.threads.create(thread_id="t")
        async with client.threads.stream("t", assistant_id="trip", transport=transport) as thread:
            run = await thread.run.start(input={"query": SAID})
            output = asyncio.ensure_future(_output(thread))
            await pair.under_way()
            await pair.end_the_first()
            pair.let_the_turn_end()
            assert run["run_id"]
            assert (await asyncio.wait_for(output, PATIENT))["response"]["answer"] == ANSWER


async def _output(thread: Any) -> Any:
    return await thread.output


async def test_a_javascript_client_is_not_told_that_a_run_is_over(pair: Pair) -> None:
    """It takes an orderly end for the run's, and goes on only where the connection was broken off."""
    made = await pair.http.post("/threads", json={})
    where = f"/threads/{made.json()['thread_id']}/runs"
    asked = {"assistant_id": "trip", "input": {"query": SAID}}
    run = (await pair.http.post(where, json=asked)).json()["run_id"]
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(pair.http.stream("GET", path))
            for path in (f"{where}/{run}/stream", f"{where}/{run}/join", f"/threads/{made.json()['thread_id']}/stream")
        ]
        await pair.under_way()
        await pair.end_the_first()
        for stream in streams:
            assert stream.headers["Location"]
            with pytest.raises(httpx.RemoteProtocolError):
                await stream.aread()


# Longer than the library that streams its answers takes to see that the server ends.
@pytest.mark.parametrize("grace", [1.2])
async def test_a_tool_call_says_where_its_turn_goes_on(pair: Pair) -> None:
    calling = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "trip", "arguments": {"message": SAID}},
    }
    headers = {"Accept": "application/json, text/event-stream"}
    asking = asyncio.create_task(pair.http.post("/mcp", json=calling, headers=headers))
    await pair.under_way()
    await pair.end_the_first()
    [answer] = events_of((await asking).text)
    told = answer["result"]
    assert told["isError"]
    assert told["structuredContent"]["status"] == "running"
    session = told["structuredContent"]["session_id"]
    assert session in told["content"][0]["text"]
    pair.let_the_turn_end()
    assert (await pair.events(session))[-1]["answer"] == ANSWER


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_task_goes_on_at_the_other_server(pair: Pair, streaming: bool) -> None:
    card = await A2ACardResolver(pair.http, f"{pair.address}/a2a/trip").get_agent_card()
    client = ClientFactory(ClientConfig(streaming=streaming, httpx_client=pair.http)).create(card)
    for interface in card.supported_interfaces:
        interface.url = interface.url.replace(pair.first.address, pair.address)
    message = wire.Message(message_id="m", role=wire.Role.ROLE_USER, parts=[wire.Part(text=SAID)])
    asking = asyncio.create_task(_read(client.send_message(wire.SendMessageRequest(message=message))))
    await pair.under_way()
    await pair.end_the_first()
    task = (await asking)[0].task
    assert task.status.state in (wire.TaskState.TASK_STATE_WORKING, wire.TaskState.TASK_STATE_SUBMITTED)
    pair.let_the_turn_end()
    await pair.ended(task.context_id)
    found = await client.get_task(wire.GetTaskRequest(id=task.id))
    assert found.artifacts[0].parts[0].text == ANSWER


async def test_a_run_of_ag_ui_is_told_again_from_its_beginning(pair: Pair) -> None:
    message = {"id": "m", "role": "user", "content": SAID}
    empty: dict[str, Any] = {"tools": [], "context": [], "state": {}, "forwardedProps": {}}
    body = {"threadId": "t", "runId": "r", "messages": [message], **empty}
    asking = asyncio.create_task(pair.http.post("/ag-ui/trip", json=body))
    await pair.under_way()
    await pair.end_the_first()
    with pytest.raises(httpx.RemoteProtocolError):
        await asking
    for _ in range(2):
        pair.let_the_turn_end()
        told = events_of((await pair.http.post("/ag-ui/trip", json=body)).text)
        assert [told[0]["type"], told[-1]["type"]] == ["RUN_STARTED", "RUN_FINISHED"]
        assert "".join(event["delta"] for event in told if event["type"] == "TEXT_MESSAGE_CONTENT") == ANSWER
