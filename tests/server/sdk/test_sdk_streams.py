"""Streams through the real client: every mode, subgraphs, joining, coming back, heartbeats, the headers."""

import asyncio
import json
from itertools import pairwise
from typing import Any

import httpx
import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.schema import StreamPart

from tests.support.plain_graph import Gate, gates
from tests.support.sdk import answered, said
from tests.support.serving import Site
from tests.support.trip_assistant import Services


async def streamed(client: LangGraphClient, graph: str, text: str, **options: Any) -> list[StreamPart]:
    """The parts of a run on a new thread."""
    thread = (await client.threads.create())["thread_id"]
    return [part async for part in client.runs.stream(thread, graph, input=said(text), **options)]


def names(parts: list[StreamPart]) -> list[str]:
    return [part.event for part in parts]


def of(parts: list[StreamPart], name: str) -> list[Any]:
    return [part.data for part in parts if part.event == name]


async def test_values_are_the_default(client: LangGraphClient) -> None:
    parts = await streamed(client, "talk", "hello")
    assert names(parts)[0] == "metadata"
    assert set(names(parts)[1:-1]) == {"values"}
    assert names(parts)[-1] == "end"
    assert parts[-1].data["status"] == "success"
    assert parts[0].data["run_id"] == parts[-1].data["run_id"]
    assert parts[-2].data["messages"][-1]["type"] == "ai"
    assert {part.id for part in parts} == {None}


async def test_updates_name_their_nodes(client: LangGraphClient) -> None:
    parts = await streamed(client, "talk", "hello", stream_mode="updates")
    assert [set(data) for data in of(parts, "updates")] == [{"counter"}, {"think"}, {"approve"}]


async def test_subgraphs_are_named_with_their_namespace(client: LangGraphClient) -> None:
    parts = await streamed(client, "talk", "hello", stream_mode=["updates", "custom"], stream_subgraphs=True)
    inner = [name for name in names(parts) if "|" in name]
    assert {name.partition(":")[0] for name in inner} == {"updates|counter", "custom|counter"}
    assert [part.data for part in parts if part.event.startswith("custom|")] == [{"counting": 0}]
    without = await streamed(client, "talk", "hello", stream_mode=["updates", "custom"])
    assert not [name for name in names(without) if "|" in name]


async def test_messages_come_in_pieces(client: LangGraphClient) -> None:
    parts = await streamed(client, "talk", "hello", stream_mode="messages")
    assert set(names(parts)) == {"metadata", "messages/metadata", "messages/partial", "end"}
    texts = [data[0]["content"] for data in of(parts, "messages/partial")]
    assert texts[-1] == "you said hello"
    assert all(after.startswith(before) for before, after in pairwise(texts))
    assert len(texts) > 2
    [about] = of(parts, "messages/metadata")
    assert next(iter(about.values()))["metadata"]["langgraph_node"] == "think"
    assert "fence" not in json.dumps(about)


async def test_message_tuples(client: LangGraphClient) -> None:
    parts = await streamed(client, "talk", "hello", stream_mode="messages-tuple")
    tuples = of(parts, "messages")
    assert {chunk["type"] for chunk, _ in tuples} == {"AIMessageChunk"}
    assert "".join(chunk["content"] for chunk, _ in tuples) == "you said hello"
    assert {about["langgraph_node"] for _, about in tuples} == {"think"}


async def test_an_assistant_streams_its_answer_as_messages(client: LangGraphClient) -> None:
    parts = await streamed(client, "trip", "오사카 3 100", stream_mode=["messages-tuple", "values", "custom"])
    chunks = [chunk for chunk, _ in of(parts, "messages")]
    assert "".join(chunk["content"] for chunk in chunks) == "합계 2100"
    final = of(parts, "values")[-1]
    assert {chunk["id"] for chunk in chunks} == {final["messages"][-1]["id"]}
    assert of(parts, "custom")[0]["type"] == "token"
    partial = await streamed(client, "trip", "오사카 3 100", stream_mode=["messages"])
    assert of(partial, "messages/partial")[-1][0]["content"] == "합계 2100"


async def test_tasks_checkpoints_and_debug(client: LangGraphClient) -> None:
    parts = await streamed(client, "talk", "hello", stream_mode=["tasks", "checkpoints", "debug"])
    assert {task["name"] for task in of(parts, "tasks")} == {"counter", "think", "approve"}
    checkpoints = of(parts, "checkpoints")
    assert checkpoints[-1]["next"] == []
    assert checkpoints[1]["parent_checkpoint"] == checkpoints[0]["checkpoint"]
    assert set(checkpoints[0]["checkpoint"]) >= {"thread_id", "checkpoint_id", "checkpoint_ns"}
    assert {data["type"] for data in of(parts, "debug")} == {"checkpoint", "task", "task_result"}
    assert "fence" not in json.dumps([part.data for part in parts])


async def test_a_failure_is_an_error_event(client: LangGraphClient) -> None:
    parts = await streamed(client, "talk", "fail")
    assert names(parts)[-2:] == ["error", "end"]
    assert parts[-2].data == {"error": "RuntimeError", "message": "told to fail"}


async def test_the_inside_of_an_assistant_stays_inside(client: LangGraphClient, services: Services) -> None:
    parts = await streamed(client, "trip", "오사카 셋 100")
    [error] = of(parts, "error")
    assert "invalid literal" not in error["message"]
    assert services.calls == {}


async def test_version_two_parts(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    given = said("please approve")
    parts = [p async for p in client.runs.stream(thread, "talk", input=given, stream_mode=["values"], version="v2")]
    assert parts[-1]["type"] == "values"
    assert parts[-1]["interrupts"][0]["value"]["question"] == "go on?"


async def open_when(begun: asyncio.Event, gate: Gate) -> None:
    await begun.wait()
    gate.open.set()


async def test_a_run_is_joined_in_the_middle(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    gate = gates[thread] = Gate()
    run = await client.runs.create(thread, "talk", input=said("hello"))
    await gate.reached.wait()
    opening = asyncio.create_task(open_when(answered(client, "/stream"), gate))
    joined = client.runs.join_stream(thread, run["run_id"], stream_mode=["updates", "messages-tuple"])
    parts = [part async for part in joined]
    await opening
    assert "".join(chunk["content"] for chunk, _ in of(parts, "messages")) == "you said hello"
    assert [list(data) for data in of(parts, "updates")] == [["think"], ["approve"]]
    assert names(parts)[-1] == "end"


async def test_coming_back_misses_nothing_and_repeats_nothing(client: LangGraphClient, sdk_site: Site) -> None:
    thread = (await client.threads.create())["thread_id"]
    options: Any = {"stream_mode": ["values", "messages", "updates"], "stream_resumable": True}
    parts = [part async for part in client.runs.stream(thread, "talk", input=said("hello"), **options)]
    run_id = parts[0].data["run_id"]
    whole = [(part.event, part.data) for part in parts]
    ids = [part.id for part in parts[:-1]]
    assert len(set(ids)) == len(ids) > 5
    again = [part async for part in client.runs.join_stream(thread, run_id, last_event_id="-1")]
    assert [(part.event, part.data) for part in again] == whole
    for place in range(len(parts) - 1):
        rest = client.runs.join_stream(thread, run_id, last_event_id=parts[place].id)
        assert [(part.event, part.data) async for part in rest] == whole[place + 1 :]
    only = [part async for part in client.runs.join_stream(thread, run_id, stream_mode="updates", last_event_id="-1")]
    assert set(names(only)) == {"metadata", "updates", "end"}
    assert len(sdk_site.runtime.runner) == 0


async def test_a_cut_connection_is_taken_up_again(client: LangGraphClient, sdk_site: Site) -> None:
    thread = (await client.threads.create())["thread_id"]
    gate = gates[thread] = Gate()
    body = {"assistant_id": "talk", "input": said("hello"), "stream_resumable": True, "stream_mode": ["updates"]}
    async with (
        httpx.AsyncClient(base_url=sdk_site.address) as http,
        http.stream("POST", f"/threads/{thread}/runs/stream", json=body) as answer,
    ):
        place = answer.headers["location"]
        assert place == answer.headers["content-location"] + "/stream"
        last = ""
        async for line in answer.aiter_lines():
            last = line.removeprefix("id: ") if line.startswith("id: ") else last
            if gate.reached.is_set():
                break
    gate.open.set()
    run_id = place.split("/")[-2]
    rest = [part async for part in client.runs.join_stream(thread, run_id, last_event_id=last)]
    assert [list(data) for data in of(rest, "updates")] == [["think"], ["approve"]]


async def test_a_finished_run_ends_with_its_state(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    for resumable in (False, True):
        run = await client.runs.create(thread, "talk", input=said("hello"), stream_resumable=resumable)
        await client.runs.join(thread, run["run_id"])
        parts = [part async for part in client.runs.join_stream(thread, run["run_id"])]
        assert names(parts) == ["values", "end"]
        assert parts[0].data["messages"][-1]["content"] == "you said hello"


async def test_a_stream_that_is_gone_is_made_again_from_checkpoints(client: LangGraphClient, sdk_site: Site) -> None:
    thread = (await client.threads.create())["thread_id"]
    modes: Any = ["values", "updates", "messages"]
    run: Any = client.runs.stream(
        thread, "talk", input=said("please approve"), stream_mode=modes, stream_resumable=True
    )
    live = [part async for part in run]
    run_id = live[0].data["run_id"]
    sdk_site.runtime.streams._over.clear()  # as after a restart
    again = [part async for part in client.runs.join_stream(thread, run_id, last_event_id=live[2].id)]
    assert of(again, "values") == of(live, "values")
    assert of(again, "updates") == of(live, "updates")
    assert of(again, "metadata") == of(live, "metadata")
    assert of(again, "messages/complete")[-1][0]["content"] == "you said please approve"
    assert names(again)[-1] == "end"
    # Ids of what was made again hold the next time too.
    rest = client.runs.join_stream(thread, run_id, last_event_id=again[3].id)
    assert [part.data async for part in rest] == [part.data for part in again[4:]]


async def test_a_reader_that_missed_parts_is_told(
    client: LangGraphClient, sdk_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madang.runtime.streams.RESUMABLE", 2)
    thread = (await client.threads.create())["thread_id"]
    run = await client.runs.create(thread, "talk", input=said("hello"), stream_mode="values", stream_resumable=True)
    await client.runs.join(thread, run["run_id"])
    stream = sdk_site.runtime.streams.find(run["run_id"])
    assert stream is not None
    parts = [part async for part in client.runs.join_stream(thread, run["run_id"], last_event_id="-1")]
    assert parts[0].event == "metadata"
    assert parts[0].data["missed"] == stream.last - 2
    assert parts[1].event == "values"
    assert parts[1].data["messages"][-1]["content"] == "you said hello"
    assert names(parts)[-1] == "end"


async def test_a_turn_of_the_other_surface_is_joined(client: LangGraphClient, sdk_site: Site) -> None:
    session = await sdk_site.session()
    posted = await sdk_site.http.post(f"/api/v1/sessions/{session}/messages", json={"query": "오사카 3 100"})
    run_id = posted.json()["run_id"]
    parts = [part async for part in client.runs.join_stream(session, run_id, stream_mode=["custom", "values"])]
    assert names(parts)[-1] == "end"


@pytest.mark.parametrize(("ending", "sign"), [("stream", ": heartbeat"), ("wait", "")])
async def test_a_slow_run_is_kept_alive(client: LangGraphClient, sdk_site: Site, ending: str, sign: str) -> None:
    thread = (await client.threads.create())["thread_id"]
    gate = gates[thread] = Gate()
    body = {"assistant_id": "talk", "input": said("hello")}
    async with sdk_site.http.stream("POST", f"/threads/{thread}/runs/{ending}", json=body) as answer:
        lines = answer.aiter_lines()
        await gate.reached.wait()
        while await anext(lines) != sign:
            pass
        gate.open.set()
        assert "you said hello" in "".join([line async for line in lines])
    assert answer.headers["cache-control"] == "no-store"


async def test_a_queued_run_is_streamed_from_its_beginning(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    gate = gates[thread] = Gate()
    await client.runs.create(thread, "talk", input=said("first"))
    await gate.reached.wait()
    opening = asyncio.create_task(open_when(answered(client, "/stream"), gate))
    parts = [part async for part in client.runs.stream(thread, "talk", input=said("second"), stream_mode="updates")]
    await opening
    assert names(parts)[0] == "metadata"
    assert [next(iter(data)) for data in of(parts, "updates")] == ["counter", "think", "approve"]
