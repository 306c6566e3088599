"""Runs through the real client: waiting, background, lists, cancelling, multitasking, stateless ones."""

import asyncio
from typing import Any

import httpx
import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError, UnprocessableEntityError
from langgraph_sdk.schema import RunCreateMetadata

from madang.runtime.streams import RunStream
from madang.server.sdk.runs import read_modes, read_position
from madang.store.columns import now
from madang.store.session_search import SessionSearch
from tests.support.plain_graph import Gate, gates
from tests.support.sdk import answered, said
from tests.support.serving import Site


async def test_wait_gives_the_final_state(client: LangGraphClient) -> None:
    created: list[RunCreateMetadata] = []
    thread = (await client.threads.create())["thread_id"]
    values: Any = await client.runs.wait(thread, "trip", input=said("오사카 3 100"), on_run_created=created.append)
    assert values["city"] == "오사카"
    assert [message["type"] for message in values["messages"]] == ["human", "ai"]
    assert values["messages"][1]["content"] == "합계 2100"
    assert created[0]["thread_id"] == thread
    run = await client.runs.get(thread, created[0]["run_id"])
    assert run["status"] == "success"
    assert run["assistant_id"] == (await client.assistants.get("trip"))["assistant_id"]
    assert (await client.threads.get(thread))["metadata"]["graph_id"] == "trip"  # type: ignore[index]


async def test_an_assistant_takes_messages_or_a_query(client: LangGraphClient) -> None:
    blocks = [{"type": "text", "text": "도쿄 2 10"}]
    inputs: list[Any] = [
        {"query": "도쿄 2 10"},
        {"messages": [{"type": "human", "content": "먼저"}, {"type": "human", "content": blocks}]},
        {"messages": [["user", "도쿄 2 10"], {"role": "assistant", "content": "네"}]},
        {"messages": "도쿄 2 10"},
    ]
    for given in inputs:
        values: Any = await client.runs.wait(None, "trip", input=given)
        assert (values["city"], values["nights"]) == ("도쿄", 2)


@pytest.mark.parametrize(
    "given", [None, {}, {"messages": []}, {"messages": [{"role": "ai", "content": "x"}]}, [1], "x"]
)
async def test_an_assistant_without_a_question_is_refused(client: LangGraphClient, given: Any) -> None:
    thread = (await client.threads.create())["thread_id"]
    with pytest.raises(UnprocessableEntityError, match="input"):
        await client.runs.create(thread, "trip", input=given)
    with pytest.raises(UnprocessableEntityError, match="response"):
        await client.runs.create(thread, "trip", input={"query": "도쿄 2", "response": {}})


async def test_of_the_runs_that_wait_the_one_with_the_lowest_priority_number_begins_first(
    client: LangGraphClient, sdk_site: Site
) -> None:
    thread = (await client.threads.create())["thread_id"]
    gate = gates[thread] = Gate()
    await client.runs.create(thread, "talk", input=said("first"))
    await gate.reached.wait()
    runs = {}
    for text, more in (("usual", {}), ("last", {"priority": 5}), ("urgent", {"priority": -5})):
        body = {"assistant_id": "talk", "input": said(text), **more}
        answer = await sdk_site.http.post(f"/threads/{thread}/runs", json=body)
        runs[text] = answer.json()["run_id"]
    refused = await sdk_site.http.post(f"/threads/{thread}/runs", json={"assistant_id": "talk", "priority": 6})
    assert refused.status_code == 422
    gate.open.set()
    values: Any = await client.runs.join(thread, runs["last"])
    told = [message["content"] for message in values["messages"] if message["type"] == "human"]
    assert told == ["first", "urgent", "usual", "last"]


async def test_a_run_may_carry_files_and_nothing_larger(client: LangGraphClient, sdk_site: Site) -> None:
    picture = {"type": "image", "mime_type": "image/png", "data": "A" * (3 << 20)}
    question: Any = {"messages": [{"role": "user", "content": [{"type": "text", "text": "hello"}, picture]}]}
    thread = (await client.threads.create())["thread_id"]
    values: Any = await client.runs.wait(thread, "talk", input=question)
    assert values["messages"][0]["content"][1]["data"] == picture["data"]
    head = {"Content-Type": "application/json"}
    for path, size in ((f"/threads/{thread}/runs", (32 << 20) + 1), ("/store/items", (1 << 20) + 1)):
        method = "PUT" if path == "/store/items" else "POST"
        answer = await sdk_site.http.request(method, path, content=b" " * size, headers=head)
        assert answer.status_code == 413


async def test_a_failed_run_says_why(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    with pytest.raises(Exception, match="RuntimeError: told to fail"):
        await client.runs.wait(thread, "talk", input=said("fail"))
    values: Any = await client.runs.wait(thread, "talk", input=said("fail"), raise_error=False)
    assert values["__error__"] == {"error": "RuntimeError", "message": "told to fail"}
    assert (await client.threads.get(thread))["status"] == "error"
    assert [run["status"] for run in await client.runs.list(thread)] == ["error", "error"]
    after: Any = await client.runs.wait(thread, "talk", input=said("fine"))
    assert after["messages"][-1]["content"] == "you said fine"
    assert (await client.threads.get(thread))["status"] == "idle"


async def test_a_background_run_is_joined(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    gate = gates[thread] = Gate()
    run = await client.runs.create(thread, "talk", input=said("hello"), metadata={"why": "test"})
    assert run["status"] in ("pending", "running")
    assert run["metadata"]["why"] == "test"  # type: ignore[index]
    await gate.reached.wait()
    assert (await client.threads.get(thread))["status"] == "busy"
    assert [t["thread_id"] for t in await client.threads.search(status="busy")] == [thread]
    with pytest.raises(ConflictError):
        await client.threads.update_state(thread, {"count": 1})
    begun = answered(client, "/join")
    joining = asyncio.create_task(client.runs.join(thread, run["run_id"]))
    await begun.wait()
    gate.open.set()
    values = await joining
    assert values["messages"][-1]["content"] == "you said hello"
    assert (await client.runs.join(thread, run["run_id"]))["count"] == 1


async def test_runs_are_listed_and_deleted(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    for text in ("a", "b", "c"):
        await client.runs.wait(thread, "talk", input=said(text))
    runs = await client.runs.list(thread)
    assert len(runs) == 3
    assert [run["run_id"] for run in await client.runs.list(thread, limit=1, offset=1)] == [runs[1]["run_id"]]
    assert await client.runs.list(thread, status="error") == []
    assert [set(run) for run in await client.runs.list(thread, limit=1, select=["run_id"])] == [{"run_id"}]
    await client.runs.delete(thread, runs[0]["run_id"])
    with pytest.raises(NotFoundError):
        await client.runs.get(thread, runs[0]["run_id"])
    other = (await client.threads.create())["thread_id"]
    with pytest.raises(NotFoundError):
        await client.runs.get(other, runs[1]["run_id"])


async def test_cancel_interrupts_and_rollback_forgets(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "talk", input=said("first"))
    before = await client.threads.get_state(thread)
    for action in ("rollback", "interrupt"):
        gate = gates[thread] = Gate()
        run = await client.runs.create(thread, "talk", input=said("second"))
        await gate.reached.wait()
        await client.runs.cancel(thread, run["run_id"], wait=True, action=action)
        if action == "rollback":
            assert (await client.threads.get_state(thread))["checkpoint"] == before["checkpoint"]
            with pytest.raises(NotFoundError):
                await client.runs.get(thread, run["run_id"])
        else:
            assert (await client.runs.get(thread, run["run_id"]))["status"] == "interrupted"
            assert (await client.threads.get(thread))["status"] == "interrupted"
    gates.pop(thread)
    values: Any = await client.runs.wait(thread, "talk", input=None)
    assert values["messages"][-1]["content"] == "you said second"


async def test_a_thread_that_is_deleted_while_its_run_is_waited_for(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    gate = gates[thread] = Gate()
    run = await client.runs.create(thread, "talk", input=said("x"), stream_resumable=True)
    await gate.reached.wait()
    streamed = client.runs.join_stream(thread, run["run_id"], last_event_id="-1", stream_mode="values")
    assert (await anext(streamed)).event == "metadata"
    begun = answered(client, "/join")
    joining = asyncio.create_task(client.runs.join(thread, run["run_id"]))
    await begun.wait()
    await client.threads.delete(thread)
    # The run is stopped first: they see its last state, or that it is gone, but they do end.
    assert {"__error__", "messages"} & set(await joining)
    assert [part.event async for part in streamed][-1] in ("end", "error")


async def test_several_runs_are_cancelled_at_once(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    gate = gates[thread] = Gate()
    runs = [await client.runs.create(thread, "talk", input=said(text)) for text in ("a", "b", "c")]
    await gate.reached.wait()
    await client.runs.cancel_many(thread_id=thread, run_ids=[runs[2]["run_id"]])
    assert (await client.runs.get(thread, runs[2]["run_id"]))["status"] == "interrupted"
    await client.runs.cancel_many(thread_id=thread, status="all")
    assert {run["status"] for run in await client.runs.list(thread)} == {"interrupted"}


async def test_multitask_strategies(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    gate = gates[thread] = Gate()
    first = await client.runs.create(thread, "talk", input=said("first"))
    await gate.reached.wait()
    with pytest.raises(ConflictError, match="running"):
        await client.runs.create(thread, "talk", input=said("no"), multitask_strategy="reject")
    queued = await client.runs.create(thread, "talk", input=said("queued"), multitask_strategy="enqueue")
    assert queued["status"] == "pending"
    gates.pop(thread)
    gate.open.set()
    values: Any = await client.runs.join(thread, queued["run_id"])
    said_by_people = [m["content"] for m in values["messages"] if m["type"] == "human"]
    assert said_by_people == ["first", "queued"]
    gate = gates[thread] = Gate()
    running = await client.runs.create(thread, "talk", input=said("stopped"))
    await gate.reached.wait()
    gates.pop(thread)
    values = await client.runs.wait(thread, "talk", input=said("instead"), multitask_strategy="interrupt")
    assert (await client.runs.get(thread, running["run_id"]))["status"] == "interrupted"
    assert [m["content"] for m in values["messages"] if m["type"] == "human"][-2:] == ["stopped", "instead"]
    gate = gates[thread] = Gate()
    running = await client.runs.create(thread, "talk", input=said("forgotten"))
    await gate.reached.wait()
    gates.pop(thread)
    values = await client.runs.wait(thread, "talk", input=said("anew"), multitask_strategy="rollback")
    assert "forgotten" not in [m["content"] for m in values["messages"]]
    assert (await client.runs.get(thread, first["run_id"]))["status"] == "success"


async def test_stateless_runs_leave_no_thread(
    client: LangGraphClient, sdk_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madang.server.sdk.stateless.LINGERING", 0)
    gone: asyncio.Queue[str] = asyncio.Queue()
    delete = sdk_site.runtime.sessions.delete

    async def noted(session_id: str) -> bool:
        deleted = await delete(session_id)
        gone.put_nowait(session_id)
        return deleted

    monkeypatch.setattr(sdk_site.runtime.sessions, "delete", noted)
    values: Any = await client.runs.wait(None, "talk", input=said("hello"))
    assert values["messages"][-1]["content"] == "you said hello"
    parts = [part async for part in client.runs.stream(None, "talk", input=said("hello"))]
    assert parts[-1].event == "end"
    runs = await client.runs.create_batch([{"assistant_id": "talk", "input": said(t)} for t in "ab"])  # type: ignore[typeddict-item]
    assert len(runs) == 2
    kept: Any = await client.runs.wait(None, "talk", input=said("kept"), on_completion="keep")
    assert len({await gone.get() for _ in range(4)}) == 4
    assert await SessionSearch(sdk_site.runtime.db).passing_over(now()) == []
    [thread] = await client.threads.search()
    assert (thread["values"] or {})["messages"] == kept["messages"]


async def test_a_stateless_run_in_the_background_can_be_joined(client: LangGraphClient, sdk_site: Site) -> None:
    run = await client.runs.create(None, "talk", input=said("hello"))
    await sdk_site.runtime.wait(run["run_id"])
    values: Any = await client.runs.join(run["thread_id"], run["run_id"])
    assert values["messages"][-1]["content"] == "you said hello"
    assert (await sdk_site.http.get(f"/runs/{run['run_id']}/join")).json() == values
    assert await client.threads.search() == []


async def test_a_missing_thread_is_refused_or_made(client: LangGraphClient) -> None:
    with pytest.raises(NotFoundError):
        await client.runs.create("new one", "talk", input=said("x"))
    values: Any = await client.runs.wait("new one", "talk", input=said("x"), if_not_exists="create")
    assert values["count"] == 1
    with pytest.raises(ConflictError, match="belongs to 'talk'"):
        await client.runs.create("new one", "trip", input=said("오사카 3"))


async def test_leaving_cancels_the_run_if_asked(client: LangGraphClient, sdk_site: Site) -> None:
    thread = (await client.threads.create())["thread_id"]
    for mode, status in (("cancel", "interrupted"), ("continue", "success")):
        gate = gates[thread] = Gate()
        body = {"assistant_id": "talk", "input": said("x"), "on_disconnect": mode}
        async with (
            httpx.AsyncClient(base_url=sdk_site.address) as http,
            http.stream("POST", f"/threads/{thread}/runs/stream", json=body) as answer,
        ):
            run_id = answer.headers["content-location"].rpartition("/")[2]
            await gate.reached.wait()
        if mode == "continue":
            gate.open.set()
        await sdk_site.runtime.wait(run_id)
        assert (await client.runs.get(thread, run_id))["status"] == status


async def test_what_is_not_offered_is_refused(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    with pytest.raises(UnprocessableEntityError, match="webhook"):
        await client.runs.create(thread, "talk", input=said("x"), webhook="http://example.com")
    with pytest.raises(NotFoundError, match="no assistant"):
        await client.runs.create(thread, "nobody", input=said("x"))
    assert await client.runs.list(thread) == []


def test_where_a_client_goes_on() -> None:
    stream = RunStream(resumable=True)
    stream.begin("run", 1)
    assert read_position(None, stream) == (2, 0)
    assert read_position("-1", stream) == (0, 0)
    assert read_position(f"{stream.key}-1.1", stream) == (1, 1)
    # Numbers of another process say nothing about what is here.
    assert read_position("0badc0de-7.1", stream) == (0, 0)
    assert read_position("nonsense", stream) == (0, 0)


def test_modes_in_a_query() -> None:
    assert read_modes(["values", "updates"]) == ["values", "updates"]
    assert read_modes(['["values","messages-tuple"]']) == ["values", "messages-tuple"]
    assert read_modes(["values,custom"]) == ["values", "custom"]
    assert read_modes([""]) == []
