"""Threads through the real client."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError, UnprocessableEntityError

from madang.runtime import TurnRequest
from madang.server.sdk.sweeping import LEFT_BEHIND, Sweeper
from tests.support.sdk import said
from tests.support.serving import Site


@pytest.fixture
def sdk_db(db_url: str) -> str:
    return db_url


async def test_a_thread_is_made_read_changed_and_deleted(client: LangGraphClient) -> None:
    made = await client.threads.create(metadata={"topic": "집"})
    assert made["status"] == "idle"
    assert made["values"] is None
    assert made["metadata"] == {"topic": "집"}
    changed = await client.threads.update(made["thread_id"], metadata={"topic": None, "title": "제목"})
    assert changed["metadata"] == {"title": "제목"}
    await client.threads.update(made["thread_id"], metadata={"a": 1}, return_minimal=True)
    assert (await client.threads.get(made["thread_id"]))["metadata"] == {"a": 1, "title": "제목"}
    await client.threads.delete(made["thread_id"])
    with pytest.raises(NotFoundError, match="no session"):
        await client.threads.get(made["thread_id"])


async def test_a_chosen_id_may_be_kept_or_refused(client: LangGraphClient) -> None:
    made = await client.threads.create(thread_id="나의 대화/1", graph_id="trip")
    assert made["thread_id"] == "나의 대화/1"
    again = await client.threads.create(thread_id="나의 대화/1", if_exists="do_nothing")
    assert again["created_at"] == made["created_at"]
    with pytest.raises(ConflictError):
        await client.threads.create(thread_id="나의 대화/1")


async def test_threads_are_sessions_and_sessions_threads(client: LangGraphClient, sdk_site: Site) -> None:
    thread = await client.threads.create(graph_id="trip", metadata={"title": "우리 여행"})
    await client.runs.wait(thread["thread_id"], "trip", input=said("오사카 3 100"))
    session = await sdk_site.session()
    await sdk_site.ask(session, "부산 2 50")
    listed = (await sdk_site.http.get("/api/v1/sessions")).json()["items"]
    assert {item["session_id"] for item in listed} == {thread["thread_id"], session}
    assert next(i["title"] for i in listed if i["session_id"] == thread["thread_id"]) == "우리 여행"
    told = (await sdk_site.http.get(f"/api/v1/sessions/{thread['thread_id']}/messages")).json()["items"]
    assert [message["role"] for message in told] == ["user", "assistant"]
    state = await client.threads.get_state(session)
    assert state["values"]["city"] == "부산"  # type: ignore[call-overload]
    assert {t["thread_id"] for t in await client.threads.search()} == {thread["thread_id"], session}
    assert len(await client.runs.list(session)) == 1


async def test_search_filters_sorts_and_pages(client: LangGraphClient) -> None:
    first = (await client.threads.create(metadata={"n": 1, "who": {"name": "김"}}))["thread_id"]
    second = (await client.threads.create(metadata={"n": 2}, graph_id="trip"))["thread_id"]
    third = (await client.threads.create(metadata={"n": 3}, graph_id="talk"))["thread_id"]
    await client.runs.wait(second, "trip", input=said("오사카 3 100"))
    await client.runs.wait(third, "talk", input=said("please approve"))

    async def found(**wanted: object) -> list[str]:
        return [thread["thread_id"] for thread in await client.threads.search(**wanted)]  # type: ignore[arg-type]

    assert await found() == [third, second, first]
    assert await found(metadata={"who": {"name": "김"}}) == [first]
    assert await found(metadata={"graph_id": "trip"}) == [second]
    assert await found(status="interrupted") == [third]
    assert await found(status="idle") == [second, first]
    assert await found(status="busy") == []
    assert await found(values={"city": "오사카"}) == [second]
    assert await found(ids=[first, third, "other"]) == [third, first]
    assert await found(sort_by="created_at", sort_order="asc") == [first, second, third]
    assert await found(sort_by="thread_id", sort_order="asc") == sorted([first, second, third])
    assert await found(sort_by="status", sort_order="desc") == [third, *sorted([first, second], reverse=True)]
    assert await found(sort_by="state_updated_at", sort_order="asc") == [first, second, third]
    assert await found(metadata={"assistant_id": (await client.assistants.get("talk"))["assistant_id"]}) == [third]
    assert await found(metadata={"graph_id": "talk", "assistant_id": "nobody"}) == []
    assert await found(metadata={"graph_id": ["talk"]}) == []
    assert await found(limit=1, offset=1) == [second]
    assert await found(status="idle", limit=1, offset=1) == [first]
    assert await client.threads.count() == 3
    assert await client.threads.count(metadata={"n": 2}) == 1
    assert await client.threads.count(values={"city": "오사카"}, status="idle") == 1
    assert await client.threads.count(status="interrupted") == 1
    [only] = await client.threads.search(ids=[second], select=["thread_id", "values"], extract={"city": "values.city"})
    assert set(only) == {"thread_id", "values", "extracted"}
    assert only["extracted"] == {"city": "오사카"}


async def copy_of(client: LangGraphClient, thread_id: str) -> str:
    copy: Any = await client.threads.copy(thread_id)  # type: ignore[func-returns-value]
    return str(copy["thread_id"])


async def test_a_copy_has_the_whole_history_and_goes_its_own_way(client: LangGraphClient, sdk_site: Site) -> None:
    for graph, text in (("talk", "hello"), ("trip", "오사카 3 100")):
        thread = (await client.threads.create())["thread_id"]
        await client.runs.wait(thread, graph, input=said(text))
        before = await client.threads.get_history(thread, limit=100)
        copied = await copy_of(client, thread)
        assert len(await client.threads.get_history(copied, limit=100)) >= len(before)
        again = "오사카 4 100" if graph == "trip" else "again"
        values = await client.runs.wait(copied, graph, input=said(again))
        assert len(values["messages"]) == 4  # type: ignore[call-overload]
        assert await client.threads.get_history(thread, limit=100) == before
        told = await sdk_site.runtime.messages.list(copied)
        assert [message.role for message in told.items] == ["user", "assistant"] * 2
        assert (await sdk_site.runtime.sessions.get(copied)).parent_session_id == thread


async def test_prune_deletes_or_keeps_the_newest(client: LangGraphClient) -> None:
    kept, gone = [(await client.threads.create())["thread_id"] for _ in range(2)]
    await client.runs.wait(kept, "talk", input=said("hello"))
    assert await client.threads.prune([kept, "unknown"], strategy="keep_latest") == {"pruned_count": 1}
    assert len(await client.threads.get_history(kept)) == 1
    assert len((await client.threads.get_state(kept))["values"]["messages"]) == 2  # type: ignore[call-overload]
    assert await client.threads.prune([gone]) == {"pruned_count": 1}
    with pytest.raises(NotFoundError):
        await client.threads.get(gone)


async def test_a_thread_made_from_supersteps(client: LangGraphClient) -> None:
    steps: Any = [
        {"updates": [{"values": said("hello"), "as_node": "__input__"}]},
        {"updates": [{"values": said("hello"), "as_node": "__start__"}]},
        {"updates": [{"values": {"count": 7}, "as_node": "counter"}]},
    ]
    made = await client.threads.create(graph_id="talk", supersteps=steps)
    assert (made["values"] or {})["count"] == 7
    assert made["status"] == "interrupted"
    values = await client.runs.wait(made["thread_id"], "talk", input=None)
    assert values["messages"][-1]["content"] == "you said hello"  # type: ignore[call-overload]
    with pytest.raises(UnprocessableEntityError):
        await client.threads.create(graph_id="talk", supersteps=[{"updates": [{"values": {}, "as_node": "nowhere"}]}])


async def test_a_thread_with_a_time_to_live_goes_when_it_is_over(client: LangGraphClient, sdk_site: Site) -> None:
    sweeper = Sweeper(sdk_site.runtime, sdk_site.app.state.sockets)
    gone, kept, shrunk = [(await client.threads.create(ttl=minutes))["thread_id"] for minutes in (5, 60, 60)]
    await client.threads.update(shrunk, metadata={}, ttl={"ttl": 5, "strategy": "keep_latest"})
    await client.runs.wait(shrunk, "talk", input=said("hello"))
    shown: Any = await client.threads.get(gone, include=["ttl"])
    assert (shown["ttl"]["ttl_minutes"], shown["ttl"]["strategy"]) == (5, "delete")
    assert shown["metadata"] == {}
    assert await sweeper.sweep() == 0
    assert await sweeper.sweep(at=datetime.now(UTC) + timedelta(minutes=30)) == 1
    with pytest.raises(NotFoundError):
        await client.threads.get(gone)
    assert (await client.threads.get(kept))["status"] == "idle"
    assert len(await client.threads.get_history(shrunk)) == 1
    for wrong in (0, -1, {"ttl": 5, "strategy": "explode"}):
        with pytest.raises(UnprocessableEntityError, match="ttl"):
            await client.threads.create(ttl=wrong)


async def test_what_a_crash_leaves_of_a_stateless_run_is_swept(client: LangGraphClient, sdk_site: Site) -> None:
    runtime = sdk_site.runtime
    left = await runtime.sessions.create(assistant="talk", passing=True)
    run = await runtime.start(left.session_id, TurnRequest(text="hello"))
    await runtime.wait(run.run_id)
    assert await client.threads.search() == []
    assert (await sdk_site.http.get("/api/v1/sessions")).json()["items"] == []
    sweeper = Sweeper(runtime, sdk_site.app.state.sockets)
    assert await sweeper.sweep() == 0  # someone may be reading its result
    assert await sweeper.sweep(at=datetime.now(UTC) + LEFT_BEHIND) == 1
    assert await runtime.sessions.find(left.session_id) is None


async def test_a_client_cannot_mark_its_threads_as_the_server_does(client: LangGraphClient) -> None:
    for name in ("company_id", "madang_ttl"):
        with pytest.raises(UnprocessableEntityError, match="set by the server"):
            await client.threads.create(metadata={name: "x"})
        assert await client.threads.search(metadata={name: "x"}) == []
    with pytest.raises(NotFoundError, match="no assistant"):
        await client.threads.create(graph_id="nobody")
