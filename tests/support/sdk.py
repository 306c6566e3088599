"""Graphs to serve, and small words for the LangGraph client's tests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk.client import LangGraphClient

from madang.bootstrap import open_runtime
from madang.runtime import Runtime
from madang.server.sdk.protocol import subscriptions
from madang.server.sdk.protocol.bodies import ProtocolEventStreamRequest
from madang.settings import Settings
from madang.store.sessions import Session
from tests.support import plain_graph
from tests.support.trip_assistant import Services, trip_assistant


@asynccontextmanager
async def open_graphs(url: str, folder: Path, services: Any = None, *, begins: bool = True) -> AsyncIterator[Runtime]:
    """A runtime with the trip assistant and plain graphs; without `begins`, turns are left to workers."""
    apps: dict[str, Any] = {
        "trip": trip_assistant(services=lambda _deployment: services or Services()),
        "talk": plain_graph.graph,
        "asking": plain_graph.asking,
        "adding": plain_graph.adding,
        "made": plain_graph.factory,
        "later": plain_graph.async_factory,
    }
    settings = Settings(db=url, data_dir=folder)
    async with open_runtime(settings, apps=apps, installed=False, begins=begins) as runtime:
        yield runtime


def answered(client: LangGraphClient, ending: str) -> asyncio.Event:
    """Set as soon as the server begins to answer a request whose path ends so: from then on it listens."""
    begun = asyncio.Event()

    async def note(response: httpx.Response) -> None:
        if response.url.path.endswith(ending):
            begun.set()

    client.http.client.event_hooks["response"].append(note)
    return begun


def said(text: str) -> dict[str, Any]:
    """An input with one human message."""
    return {"messages": [{"role": "user", "content": text}]}


def states_come_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state is told only after some watcher of the protocol has come to a later end of a run."""
    wanted, state_of = subscriptions.wanted, subscriptions.state_of
    seen, news = [0], asyncio.Event()

    def seen_by_watchers(frame: dict[str, Any], params: ProtocolEventStreamRequest) -> bool:
        over = frame["method"] == "lifecycle" and frame["data"]["event"] == "completed" and not frame["namespace"]
        if over and set(params.channels) == subscriptions.WATCHED:
            seen.append(frame["seq"])
            news.set()
        return wanted(frame, params)

    async def late(runtime: Runtime, session: Session, frame: dict[str, Any]) -> Any:
        while max(seen) < frame["seq"]:
            news.clear()
            await news.wait()
        return await state_of(runtime, session, frame)

    monkeypatch.setattr(subscriptions, "wanted", seen_by_watchers)
    monkeypatch.setattr(subscriptions, "state_of", late)
