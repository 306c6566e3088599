"""Webhooks: whom they may call, what they say, how they are tried again."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import UnprocessableEntityError

from madang.server.options import ServerOptions
from madang.server.sdk.webhooks import PAUSES, SIGNATURE, Caller, signature
from tests.support.sdk import open_graphs, said
from tests.support.serving import Site, serving
from tests.support.trip_assistant import Services

HOOK = "https://hooks.example.com/madang?x=1"


@pytest.fixture
def sdk_db(db_url: str) -> str:
    return db_url


@pytest.fixture
async def sdk_site(sdk_db: str, tmp_path: Path) -> AsyncIterator[Site]:
    options = ServerOptions(webhook_hosts=("hooks.example.com",), webhook_secret="word")
    async with serving(sdk_db, options, opened=open_graphs(sdk_db, tmp_path, Services())) as site:
        # The test makes the calls itself.
        site.runtime.periodic.jobs.clear()
        yield site


@pytest.fixture
async def client(sdk_site: Site) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=sdk_site.address, api_key=None) as made:
        yield made


class Receiver:
    """Who is called."""

    def __init__(self, site: Site, *, status: int = 200, address: str = "93.184.216.34") -> None:
        self.requests: list[httpx.Request] = []
        self.status = status
        transport = httpx.MockTransport(self._answer)
        self.caller = Caller(site.runtime, site.runtime.webhooks, httpx.AsyncClient(transport=transport))
        self.caller.resolve = self._resolve
        self._address = address

    async def _resolve(self, _host: str, _port: int) -> list[str]:
        return [self._address]

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(self.status)


async def run(client: LangGraphClient, **more: Any) -> str:
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "talk", input=said("hi"), webhook=HOOK, **more)
    return thread


async def test_a_run_that_is_over_is_told_once_and_signed(sdk_site: Site, client: LangGraphClient) -> None:
    thread = await run(client)
    receiver = Receiver(sdk_site)
    assert await receiver.caller.call_due() == 1
    assert await receiver.caller.call_due(at=datetime.now(UTC) + timedelta(days=1)) == 0
    (request,) = receiver.requests
    assert (request.url.host, request.headers["host"]) == ("93.184.216.34", "hooks.example.com")
    assert request.extensions["sni_hostname"] == "hooks.example.com"
    assert (request.url.path, request.url.query) == ("/madang", b"x=1")
    body = json.loads(request.content)
    assert (body["thread_id"], body["status"], body["error"]) == (thread, "success", None)
    assert body["values"]["messages"][-1]["content"] == "you said hi"
    at, _, code = request.headers[SIGNATURE].partition(",v1=")
    assert code == signature("word", int(at.removeprefix("t=")), request.content)


async def test_what_fails_is_tried_again_and_given_up_in_the_end(sdk_site: Site, client: LangGraphClient) -> None:
    await run(client)
    receiver = Receiver(sdk_site, status=503)
    moment = datetime.now(UTC)
    for pause in PAUSES:
        assert await receiver.caller.call_due(at=moment) == 0
        assert await receiver.caller.call_due(at=moment + timedelta(seconds=pause - 1)) == 0
        moment += timedelta(seconds=pause + 1)
    assert len(receiver.requests) == len(PAUSES)
    receiver.status = 200
    assert await receiver.caller.call_due(at=moment + timedelta(days=1)) == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "0.0.0.0"])
async def test_an_address_inside_is_never_called(sdk_site: Site, client: LangGraphClient, address: str) -> None:
    await run(client)
    receiver = Receiver(sdk_site, address=address)
    assert await receiver.caller.call_due() == 0
    assert receiver.requests == []


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/",
        "https://other.example.com/",
        "https://user@hooks.example.com/",
        "https://hooks.example.com.evil.org/",
        "https://hooks.example.com:99999/",
        "https://",
        "nonsense",
    ],
)
async def test_other_addresses_are_refused(client: LangGraphClient, url: str) -> None:
    thread = (await client.threads.create())["thread_id"]
    with pytest.raises(UnprocessableEntityError, match="webhook"):
        await client.runs.create(thread, "talk", input=said("x"), webhook=url)
    with pytest.raises(UnprocessableEntityError, match="webhook"):
        await client.crons.create("talk", schedule="* * * * *", webhook=url)


async def test_a_run_that_can_t_begin_owes_nothing(sdk_site: Site, client: LangGraphClient) -> None:
    thread = (await client.threads.create(graph_id="trip"))["thread_id"]
    with pytest.raises(UnprocessableEntityError):
        await client.runs.create(thread, "trip", input={"nothing": 1}, webhook=HOOK)
    async with sdk_site.runtime.db.reader() as reader:
        assert await reader.fetch("SELECT * FROM webhooks") == []
