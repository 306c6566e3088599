"""The thread protocol, with the real client, over both of its transports."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, Literal

import httpx
import pytest
from langgraph_sdk._async.stream import AsyncThreadStream
from langgraph_sdk.client import LangGraphClient

from madang.server.sdk.protocol import subscriptions
from tests.support import plain_graph
from tests.support.plain_graph import Gate
from tests.support.sdk import answered, said, states_come_late
from tests.support.serving import Site, receive

Transport = Literal["sse", "websocket"]
ALL = ["values", "updates", "messages", "tools", "lifecycle", "input", "checkpoints", "tasks", "custom"]
TERMINAL = ("completed", "failed", "interrupted")
transports = pytest.mark.parametrize("transport", ["sse", "websocket"])
UNKNOWN = "00000000-0000-4000-8000-000000000000"


def is_end(event: Any) -> bool:
    """Whether an event is the end of a run."""
    root = event["method"] == "lifecycle" and not event["params"]["namespace"]
    return root and event["params"]["data"]["event"] in TERMINAL


async def until_end(events: AsyncIterator[Any], ends: int = 1) -> list[Any]:
    """Events up to the end of a run, or of several."""
    heard = []
    async for event in events:
        heard.append(event)
        ends -= is_end(event)
        if not ends:
            break
    return heard


async def told(site: Site, thread_id: str, ends: int = 1, **body: Any) -> list[Any]:
    """What a stream of events tells up to the end of a run."""
    where = f"/threads/{thread_id}/stream/events"
    async with site.http.stream("POST", where, json={"channels": ALL, "since": 0, **body}) as answer:
        assert answer.status_code == 200

        async def events() -> AsyncIterator[Any]:
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

        return await until_end(events(), ends)


async def command(site: Site, thread_id: str, method: str, **params: Any) -> dict[str, Any]:
    given = {"id": 7, "method": method, "params": params}
    answer = await site.http.post(f"/threads/{thread_id}/commands", json=given)
    assert answer.status_code == 200, answer.text
    said_back: dict[str, Any] = answer.json()
    assert said_back["id"] == 7
    return said_back


async def started(site: Site, thread_id: str, graph: str, text: str, **params: Any) -> str:
    answer = await command(site, thread_id, "run.start", assistant_id=graph, input=said(text), **params)
    assert answer["type"] == "success", answer
    return str(answer["result"]["run_id"])


async def asked(client: LangGraphClient, thread: AsyncThreadStream) -> None:
    """Until the client, which listens beside, knows what it is asked."""
    while not thread.interrupts:
        await client.threads.get(thread.thread_id)


@transports
async def test_a_plain_graph_talks(client: LangGraphClient, transport: Transport) -> None:
    async with client.threads.stream(assistant_id="talk", transport=transport) as thread:
        await thread.run.start(input=said("hello"))
        spoken = [message async for message in thread.messages]
        assert [await message.text for message in spoken] == ["you said hello"]
        values = await thread.output
        assert [message["content"] for message in values["messages"]] == ["hello", "you said hello"]
        assert values["messages"][-1]["id"] == spoken[0].message_id


@transports
@pytest.mark.parametrize("at_once", [True, False])
async def test_the_end_of_an_earlier_run_is_not_taken_for_that_of_the_next(
    client: LangGraphClient, sdk_site: Site, transport: Transport, at_once: bool
) -> None:
    thread_id = (await client.threads.create())["thread_id"]
    for text in ("one", "two", "three"):
        async with client.threads.stream(thread_id, assistant_id="talk", transport=transport) as thread:
            while not at_once and not sdk_site.runtime.streams.watched(thread_id):
                await client.threads.get(thread_id)
            await thread.run.start(input=said(text))
            spoken = [message async for message in thread.messages]
            assert [await message.text for message in spoken] == [f"you said {text}"]
            assert (await thread.output)["messages"][-1]["content"] == f"you said {text}"


async def test_whoever_reads_a_thread_is_told_all_of_it(sdk_site: Site) -> None:
    thread_id = await sdk_site.session()
    for text in ("오사카 3 100", "부산 2 50"):
        await started(sdk_site, thread_id, "trip", text)
        await told(sdk_site, thread_id, channels=["lifecycle"])
    assert sum(map(is_end, await told(sdk_site, thread_id, ends=2, since=None))) == 2


async def test_a_watcher_that_comes_late_is_told_the_end_of_its_run(sdk_site: Site) -> None:
    thread_id = await sdk_site.session()
    run = await started(sdk_site, thread_id, "trip", "오사카 3 100")
    await sdk_site.runtime.wait(run)
    [*_, end] = await told(sdk_site, thread_id, channels=["lifecycle", "input"], since=None)
    assert is_end(end)


@transports
async def test_an_assistant_talks(client: LangGraphClient, transport: Transport) -> None:
    async with client.threads.stream(assistant_id="trip", transport=transport) as thread:
        await thread.run.start(input=said("오사카 3 100"))
        spoken = [message async for message in thread.messages]
        assert [await message.text for message in spoken] == ["합계 2100"]
        assert (await thread.output)["city"] == "오사카"


@transports
async def test_a_question_is_answered(client: LangGraphClient, transport: Transport) -> None:
    async with client.threads.stream(assistant_id="talk", transport=transport) as thread:
        await thread.run.start(input=said("please approve"))
        await until_end(thread.subscribe(["lifecycle"]))
        await asked(client, thread)
        assert thread.interrupts[0]["value"]["question"] == "go on?"
        await thread.run.respond("yes")
        assert (await thread.output)["approved"] == "yes"


async def test_a_question_inside_a_subgraph_names_its_place(client: LangGraphClient) -> None:
    async with client.threads.stream(assistant_id="asking") as thread:
        await thread.run.start(input=said("hello"))
        heard = await until_end(thread.events)
        places = [event["params"]["namespace"] for event in heard if event["method"] == "input.requested"]
        assert [place[0].partition(":")[0] for place in places] == ["inner"]
        await asked(client, thread)
        await thread.run.respond("inside it is")
        assert (await thread.output)["approved"] == "inside it is"


async def test_tools_are_told(client: LangGraphClient) -> None:
    async with client.threads.stream(assistant_id="adding") as thread:
        await thread.run.start(input=said("add"))
        calls = [call async for call in thread.tool_calls]
        assert [(call.name, call.input) for call in calls] == [("add", {"first": 1, "second": 2})]
        assert (await calls[0].output)["content"] == "3"


async def test_subgraphs_are_found(client: LangGraphClient) -> None:
    async with client.threads.stream(assistant_id="talk") as thread:
        await thread.run.start(input=said("hello"))
        inside = [handle async for handle in thread.subgraphs]
        assert [(handle.graph_name, handle.status) for handle in inside] == [("counter", "completed")]


async def test_what_nodes_stream_is_told(sdk_site: Site) -> None:
    await started(sdk_site, "t", "talk", "hello")
    custom = [e["params"]["data"] for e in await told(sdk_site, "t") if e["method"] == "custom"]
    assert custom == [{"payload": {"counting": 0}}]


async def test_a_failure_is_told(client: LangGraphClient, sdk_site: Site) -> None:
    async with client.threads.stream(assistant_id="talk") as thread:
        await thread.run.start(input=said("fail"))
        with pytest.raises(RuntimeError, match="told to fail"):
            await thread.output
        last = (await told(sdk_site, thread.thread_id))[-1]
        assert last["params"]["data"] == {"event": "failed", "graph_name": "talk", "error": "told to fail"}


async def test_every_event_has_the_next_number_of_the_log(sdk_site: Site) -> None:
    await started(sdk_site, "t", "talk", "hello")
    heard = await told(sdk_site, "t")
    numbers = [event["seq"] for event in heard]
    assert numbers == sorted(set(numbers))
    assert len({event["event_id"] for event in heard}) == len(heard)
    middle = numbers[len(numbers) // 2]
    assert await told(sdk_site, "t", since=middle) == [event for event in heard if event["seq"] > middle]
    frames = await sdk_site.runtime.events.read("t")
    assert {frame["seq"] for frame in frames} >= set(numbers)


async def test_a_state_is_told_from_its_checkpoint_when_it_is_not_at_hand(sdk_site: Site) -> None:
    await started(sdk_site, "t", "talk", "hello")
    heard = await told(sdk_site, "t")
    sdk_site.runtime.streams.recent.clear()
    assert await told(sdk_site, "t") == heard
    stored = [frame for frame in await sdk_site.runtime.events.read("t") if frame.get("method") == "values"]
    assert stored
    assert all(set(frame["data"]) == {"checkpoint_id"} for frame in stored)


async def test_several_clients_are_told_the_same(sdk_site: Site) -> None:
    gate = plain_graph.gates["t"] = Gate()
    await started(sdk_site, "t", "talk", "hello")
    await gate.reached.wait()
    following = [asyncio.create_task(told(sdk_site, "t")) for _ in range(3)]
    gate.open.set()
    first, second, third = await asyncio.gather(*following)
    assert first == second == third


async def test_only_what_was_asked_for_is_told(sdk_site: Site) -> None:
    await started(sdk_site, "t", "talk", "hello")
    whole = await told(sdk_site, "t")
    inside = await told(sdk_site, "t", channels=["values", "lifecycle"], namespaces=[["counter"], []], depth=0)
    assert {event["method"] for event in inside} == {"values", "lifecycle"}
    assert [e for e in inside if e["params"]["namespace"]] == [
        e for e in whole if e["params"]["namespace"] and e["method"] in ("values", "lifecycle")
    ]


async def test_a_client_that_comes_in_the_middle_of_another_surfaces_turn(
    client: LangGraphClient, sdk_site: Site
) -> None:
    gate = plain_graph.gates["t"] = Gate()
    await client.threads.create(thread_id="t")
    await client.runs.create("t", "talk", input=said("hello"))
    await gate.reached.wait()
    listening = answered(client, "/stream/events")
    async with client.threads.stream("t", assistant_id="talk") as thread:
        await listening.wait()
        gate.open.set()
        values = await thread.output
    assert [message["content"] for message in values["messages"]] == ["hello", "you said hello"]
    heard = await told(sdk_site, "t")
    states = [event["params"]["data"] for event in heard if event["method"] == "values"]
    assert states[-1] == values


@transports
async def test_once_it_is_answered_a_subscription_misses_nothing(
    sdk_site: Site, transport: Transport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run may end before it is known where in the log to begin."""
    await sdk_site.http.post("/threads", json={"thread_id": "t"})
    at_the_log = asyncio.Event()

    async def late(*_: Any) -> int:
        await at_the_log.wait()
        return 0

    monkeypatch.setattr(subscriptions, "_first", late)
    async with AsyncExitStack() as stack:
        if transport == "sse":
            where = "/threads/t/stream/events"
            await stack.enter_async_context(sdk_site.http.stream("POST", where, json={"channels": ALL}))
        else:
            socket = await stack.enter_async_context(sdk_site.thread_socket("t"))
            subscribing = {"id": 1, "method": "subscription.subscribe", "params": {"channels": ALL}}
            await socket.send(json.dumps(subscribing))
            assert (await receive(socket))["type"] == "success"
        assert sdk_site.runtime.streams.watched("t")
        at_the_log.set()


async def test_other_surfaces_are_not_told(sdk_site: Site) -> None:
    await started(sdk_site, "t", "trip", "오사카 3 100")
    await told(sdk_site, "t")
    events = await sdk_site.http.get("/api/v1/sessions/t/events?follow=false")
    assert "thread_event" not in events.text
    assert "response" in events.text
    async with sdk_site.socket("t", "?after=0") as socket:
        heard = [await receive(socket)]
        while heard[-1]["type"] != "response":
            heard.append(await receive(socket))
    assert "thread_event" not in {frame["type"] for frame in heard}


async def test_a_cancelled_run_is_over(client: LangGraphClient, sdk_site: Site) -> None:
    gate = plain_graph.gates["t"] = Gate()
    run_id = await started(sdk_site, "t", "talk", "hello")
    await gate.reached.wait()
    await client.runs.cancel("t", run_id, wait=True)
    assert (await told(sdk_site, "t"))[-1]["params"]["data"]["event"] == "interrupted"


@pytest.mark.parametrize(("strategy", "answers"), [("enqueue", 2), ("rollback", 1), ("interrupt", 1)])
async def test_runs_at_once(sdk_site: Site, strategy: str, answers: int) -> None:
    gate = plain_graph.gates["t"] = Gate()
    await started(sdk_site, "t", "talk", "one")
    await gate.reached.wait()
    second = await started(sdk_site, "t", "talk", "two", multitaskStrategy=strategy)
    gate.open.set()
    await sdk_site.runtime.wait(second)
    state = (await command(sdk_site, "t", "state.get", namespace=[]))["result"]["values"]
    said_back = [message["content"] for message in state["messages"] if message["type"] == "ai"]
    assert said_back[-1] == "you said two"
    assert len(said_back) == answers


async def test_a_branch_begins_at_a_checkpoint(sdk_site: Site) -> None:
    await started(sdk_site, "t", "talk", "first")
    heard = await told(sdk_site, "t")
    places = [event["params"]["data"] for event in heard if event["method"] == "checkpoints"]
    begin = next(place for place in places if place["source"] == "input")
    run_id = await started(sdk_site, "t", "talk", "edited", config={"configurable": {"checkpoint_id": begin["id"]}})
    await sdk_site.runtime.wait(run_id)
    forked = await command(sdk_site, "t", "state.fork", checkpoint_id=begin["id"], input=said("forked"))
    await sdk_site.runtime.wait(forked["result"]["run_id"])
    assert forked["result"]["thread_id"] == "t"
    state = (await command(sdk_site, "t", "state.get", namespace=[]))["result"]["values"]
    assert [message["content"] for message in state["messages"]][-2:] == ["forked", "you said forked"]
    assert "edited" not in str(state)


async def test_commands_about_the_state(sdk_site: Site) -> None:
    await started(sdk_site, "t", "talk", "hello")
    await told(sdk_site, "t")
    got = (await command(sdk_site, "t", "state.get", namespace=[], keys=["count"]))["result"]
    assert got["values"] == {"count": 1}
    listed = (await command(sdk_site, "t", "state.listCheckpoints", limit=2))["result"]["checkpoints"]
    assert listed[0]["id"] == got["checkpoint"]["id"]
    before = await command(sdk_site, "t", "state.listCheckpoints", limit=1, before=listed[0]["id"])
    assert before["result"]["checkpoints"] == listed[1:]
    tree = (await command(sdk_site, "t", "agent.getTree"))["result"]["tree"]
    assert (tree["graph_name"], tree["status"]) == ("talk", "completed")
    assert [(child["graph_name"], child["status"]) for child in tree["children"]] == [("counter", "completed")]
    assert (await command(sdk_site, "t", "input.inject", message={"role": "user", "content": "psst"}))["result"] == {}
    got = (await command(sdk_site, "t", "state.get", namespace=[]))["result"]
    assert got["values"]["messages"][-1]["content"] == "psst"
    reconnected = await command(sdk_site, "t", "subscription.reconnect", run_id="r", last_event_id="t:3")
    assert reconnected["result"] == {"restored": True, "missed_events": reconnected["meta"]["applied_through_seq"] - 3}


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("bogus", {}, "unknown_command"),
        ("run.start", {}, "invalid_argument"),
        ("run.start", {"assistant_id": "nobody"}, "invalid_argument"),
        ("input.respond", {"interrupt_id": "x", "namespace": [], "response": 1}, "no_such_interrupt"),
        ("input.respond", {"responses": []}, "no_such_interrupt"),
        ("state.fork", {"checkpoint_id": UNKNOWN}, "no_such_checkpoint"),
        ("state.get", {"namespace": ["nowhere:1"]}, "no_such_namespace"),
        ("agent.getTree", {"run_id": UNKNOWN}, "no_such_run"),
        ("subscription.subscribe", {"channels": "values"}, "invalid_argument"),
    ],
)
async def test_what_cannot_be_done_is_said(sdk_site: Site, method: str, params: dict[str, Any], code: str) -> None:
    await started(sdk_site, "t", "talk", "hello")
    await told(sdk_site, "t")
    answer = await command(sdk_site, "t", method, **params)
    assert (answer["type"], answer["error"]) == ("error", code), answer


async def test_an_assistant_takes_messages_by_runs_only(sdk_site: Site) -> None:
    await started(sdk_site, "t", "trip", "오사카 3 100")
    await told(sdk_site, "t")
    answer = await command(sdk_site, "t", "input.inject", message={"role": "user", "content": "psst"})
    assert answer["error"] == "not_supported"


async def test_a_message_is_not_put_before_an_answer(sdk_site: Site) -> None:
    await started(sdk_site, "t", "talk", "please approve")
    await told(sdk_site, "t")
    answer = await command(sdk_site, "t", "input.inject", message={"role": "user", "content": "psst"})
    assert answer["error"] == "invalid_argument"


async def test_several_questions_are_answered_at_once(sdk_site: Site) -> None:
    await started(sdk_site, "t", "talk", "please approve")
    asked = [e["params"]["data"] for e in await told(sdk_site, "t") if e["method"] == "input.requested"]
    responses = [{"interrupt_id": one["interrupt_id"], "namespace": [], "response": "yes"} for one in asked]
    answer = await command(sdk_site, "t", "input.respond", responses=responses, update={"count": 41})
    await sdk_site.runtime.wait(answer["result"]["run_id"])
    state = (await command(sdk_site, "t", "state.get", namespace=[]))["result"]["values"]
    assert (state["approved"], state["count"]) == ("yes", 41)


async def test_an_unknown_thread_is_not_there(sdk_site: Site) -> None:
    given = {"id": 1, "method": "state.get", "params": {}}
    assert (await sdk_site.http.post(f"/threads/{UNKNOWN}/commands", json=given)).status_code == 404
    answer = await sdk_site.http.post(f"/threads/{UNKNOWN}/stream/events", json={"channels": ALL})
    assert answer.status_code == 404


async def test_commands_over_the_socket(sdk_site: Site) -> None:
    async with sdk_site.thread_socket("t") as socket:

        async def send(number: int, method: str, **params: Any) -> None:
            await socket.send(json.dumps({"id": number, "method": method, "params": params}))

        await send(1, "run.start", assistant_id="talk", input=said("hello"))
        assert (await receive(socket))["type"] == "success"
        await send(2, "subscription.subscribe", channels=["lifecycle"], namespaces=[[]], depth=0)
        subscribed = await receive(socket)
        assert subscribed["id"] == 2
        heard = [await receive(socket), await receive(socket)]
        assert [event["params"]["data"]["event"] for event in heard] == ["running", "completed"]
        await send(3, "subscription.unsubscribe", subscription_id=subscribed["result"]["subscription_id"])
        assert (await receive(socket))["id"] == 3
        await send(4, "run.start", assistant_id="talk", input=said("again"))
        run_id = (await receive(socket))["result"]["run_id"]
        await sdk_site.runtime.wait(run_id)
        for bad in ("no json", json.dumps({"method": "state.get"}), "[]"):
            await socket.send(bad)
            refused = await receive(socket)
            assert (refused["type"], refused["id"], refused["error"]) == ("error", None, "invalid_argument")
        await socket.send(b"bytes")
        assert (await receive(socket))["type"] == "error"


@pytest.mark.parametrize("reader_first", [True, False])
async def test_over_one_socket_the_end_comes_after_what_other_subscriptions_tell(
    sdk_site: Site, monkeypatch: pytest.MonkeyPatch, reader_first: bool
) -> None:
    states_come_late(monkeypatch)
    async with sdk_site.thread_socket("t") as socket:

        async def send(number: int, method: str, **params: Any) -> None:
            await socket.send(json.dumps({"id": number, "method": method, "params": params}))

        await send(1, "run.start", assistant_id="talk", input=said("hello"))
        await sdk_site.runtime.wait((await receive(socket))["result"]["run_id"])
        subscriptions: list[dict[str, Any]] = [
            {"channels": ["values", "messages", "lifecycle"], "namespaces": [[]], "depth": 1},
            {"channels": ["lifecycle", "input"]},
        ]
        for number, asked_for in enumerate(subscriptions if reader_first else reversed(subscriptions), 2):
            await send(number, "subscription.subscribe", **asked_for)
        heard = [await receive(socket)]
        while heard[-1]["type"] != "event" or not is_end(heard[-1]):
            heard.append(await receive(socket))
        numbers = {frame["seq"] for frame in heard if frame["type"] == "event"}
        before = [e["seq"] for e in await told(sdk_site, "t", **subscriptions[0])]
        assert numbers >= set(before)


async def test_a_watcher_that_nobody_reads_beside_is_told_the_end(sdk_site: Site) -> None:
    async with sdk_site.thread_socket("t") as socket:
        for number, (method, params) in enumerate(
            [
                ("run.start", {"assistant_id": "talk", "input": said("hello")}),
                ("subscription.subscribe", {"channels": ["lifecycle", "input"]}),
            ]
        ):
            await socket.send(json.dumps({"id": number, "method": method, "params": params}))
        heard = [await receive(socket)]
        while heard[-1]["type"] != "event" or not is_end(heard[-1]):
            heard.append(await receive(socket))


async def test_a_stream_ends_with_its_thread(client: LangGraphClient, sdk_site: Site) -> None:
    async with client.threads.stream(assistant_id="talk") as thread:
        await thread.run.start(input=said("hello"))
        await thread.output
        await client.threads.delete(thread.thread_id)
        answer = await sdk_site.http.post(f"/threads/{thread.thread_id}/stream/events", json={"channels": ALL})
        assert answer.status_code == httpx.codes.NOT_FOUND
