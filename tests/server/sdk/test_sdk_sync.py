"""The client for programs without an event loop: every method, by the same checks, and its thread streams."""

import asyncio
import functools
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk._async.stream import AsyncThreadStream
from langgraph_sdk._sync.stream import SyncThreadStream
from langgraph_sdk.client import SyncLangGraphClient

from tests.support.sdk import said
from tests.support.sdk_surface import CHECKS, PARTS, World, run_check
from tests.support.serving import Site

OVER = object()
# Only the client's own transport calls it.
OWN = {"observe_applied_through_seq"}


async def one_by_one(parts: Iterator[Any]) -> AsyncIterator[Any]:
    while (part := await asyncio.to_thread(next, parts, OVER)) is not OVER:
        yield part


class Threaded:
    """A part of the client whose methods are called in threads, so that the checks can await them."""

    def __init__(self, real: Any, awaited: type) -> None:
        self._real, self._awaited = real, awaited

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._real, name)
        one = inspect.iscoroutinefunction(getattr(self._awaited, name))

        async def given(*args: Any, **kwargs: Any) -> Any:
            result = await asyncio.to_thread(method, *args, **kwargs)
            return one_by_one(result) if isinstance(result, Iterator) else result

        @functools.wraps(method)
        def called(*args: Any, **kwargs: Any) -> Any:
            return given(*args, **kwargs) if one else one_by_one(method(*args, **kwargs))

        return called


@pytest.fixture
def unawaited(sdk_site: Site) -> Iterator[SyncLangGraphClient]:
    with get_sync_client(url=sdk_site.address, api_key=None) as made:
        yield made


@pytest.mark.parametrize("method", sorted(set(CHECKS) - {"threads.stream"}))
async def test_it_works_without_an_event_loop(unawaited: SyncLangGraphClient, sdk_site: Site, method: str) -> None:
    client: Any = SimpleNamespace(**{part: Threaded(getattr(unawaited, part), kind) for part, kind in PARTS.items()})
    await run_check(World(client, sdk_site), method)


def test_both_clients_have_the_same_methods() -> None:
    client = get_sync_client(url="http://127.0.0.1:1", api_key=None)
    for part, kind in PARTS.items():
        mine = type(getattr(client, part))
        for name in public(kind) | public(mine):
            assert parameters(mine, name) == parameters(kind, name), f"{part}.{name}"
    client.close()


def public(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")}


def parameters(kind: type, name: str) -> set[str]:
    return set(inspect.signature(getattr(kind, name)).parameters)


# What a thread stream has, and what it gives for a graph and something said.
MEMBERS: dict[str, tuple[str, str, Callable[[SyncThreadStream], Any], Any]] = {
    "run": ("talk", "hello", lambda thread: thread.run.start(input=said("more"))["run_id"] != "", True),
    "agent": ("talk", "hello", lambda thread: len(thread.agent.get_tree(xray=True)["nodes"]) > 3, True),
    "output": ("talk", "hello", lambda thread: thread.output["messages"][-1]["content"], "you said hello"),
    "values": ("talk", "hello", lambda thread: list(thread.values)[-1]["count"], 1),
    "messages": ("talk", "hello", lambda thread: [str(m.text) for m in list(thread.messages)], ["you said hello"]),
    "tool_calls": ("adding", "add", lambda thread: [call.output["content"] for call in list(thread.tool_calls)], ["3"]),
    "subgraphs": ("talk", "hello", lambda thread: [inside.graph_name for inside in thread.subgraphs], ["counter"]),
    "subagents": ("talk", "hello", lambda thread: thread.subagents is thread.subgraphs, True),
    "extensions": ("talk", "hello", lambda thread: list(thread.extensions["unheard"]), []),
    "events": ("talk", "hello", lambda thread: ended(thread.events), "completed"),
    "subscribe": ("talk", "hello", lambda thread: ended(thread.subscribe(["lifecycle"])), "completed"),
    "interleave_projections": (
        "talk",
        "hello",
        lambda thread: sorted({name for name, _ in thread.interleave_projections(["values", "messages"])}),
        ["messages", "values"],
    ),
    "interrupted": ("talk", "please approve", lambda thread: asked(thread) and thread.interrupted, True),
    "interrupts": ("talk", "please approve", lambda thread: asked(thread)[0]["value"]["question"], "go on?"),
    "thread_id": ("talk", "hello", lambda thread: len(thread.thread_id), 36),
    "assistant_id": ("talk", "hello", lambda thread: thread.assistant_id, "talk"),
    "close": ("talk", "hello", lambda thread: thread.close(), None),
}


def ended(events: Iterator[Any]) -> str:
    """How the run ended, as its events tell."""
    for event in events:
        if event["method"] == "lifecycle" and not event["params"]["namespace"]:
            how = str(event["params"]["data"]["event"])
            if how != "running":
                return how
    return "untold"


def asked(thread: SyncThreadStream) -> Any:
    """What the run asks: the client's own watcher hears of it."""
    ended(thread.subscribe(["lifecycle"]))
    while not thread.interrupts:
        thread.agent.get_tree()
    return thread.interrupts


def test_every_member_of_a_thread_stream_has_a_check() -> None:
    made = get_sync_client(url="http://127.0.0.1:1", api_key=None)
    thread = made.threads.stream("t", assistant_id="talk")
    there = {name for name in {*vars(thread), *vars(SyncThreadStream)} if not name.startswith("_")}
    assert there == set(MEMBERS)
    awaited = {name for name in vars(AsyncThreadStream) if not name.startswith("_")}
    assert awaited - OWN <= there
    made.close()


@pytest.mark.parametrize("transport", ["sse", "websocket"])
@pytest.mark.parametrize("member", MEMBERS)
async def test_a_thread_stream_gives(
    unawaited: SyncLangGraphClient, member: str, transport: Literal["sse", "websocket"]
) -> None:
    graph, text, given, expected = MEMBERS[member]

    def talk() -> Any:
        with unawaited.threads.stream(assistant_id=graph, transport=transport) as thread:
            thread.run.start(input=said(text))
            return given(thread)

    assert await asyncio.to_thread(talk) == expected


@pytest.mark.parametrize("transport", ["sse", "websocket"])
async def test_a_question_is_answered(unawaited: SyncLangGraphClient, transport: Literal["sse", "websocket"]) -> None:
    def talk() -> Any:
        with unawaited.threads.stream(assistant_id="talk", transport=transport) as thread:
            thread.run.start(input=said("please approve"))
            asked(thread)
            thread.run.respond("yes")
            return thread.output["approved"]

    assert await asyncio.to_thread(talk) == "yes"
