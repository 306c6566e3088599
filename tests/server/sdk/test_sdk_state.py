"""A thread's state through the real client: read, updated, its history, forks, interrupts and resuming."""

from typing import Any

import httpx
import pytest
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError, UnprocessableEntityError

from madang.store.runs import Run, Runs
from tests.support.sdk import said
from tests.support.serving import Site
from tests.support.trip_assistant import Services


async def talked(client: LangGraphClient, *texts: str) -> str:
    """A thread of the plain graph on which these things were said."""
    thread = (await client.threads.create())["thread_id"]
    for text in texts:
        await client.runs.wait(thread, "talk", input=said(text))
    return thread


async def test_a_thread_without_a_run_has_an_empty_state(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    state = await client.threads.get_state(thread)
    assert (state["values"], state["next"], state["tasks"]) == ({}, [], [])
    assert state["checkpoint"]["thread_id"] == thread
    assert await client.threads.get_history(thread) == []
    with pytest.raises(NotFoundError, match="no graph yet"):
        await client.threads.update_state(thread, {"count": 1})


async def test_state_now_and_at_a_checkpoint(client: LangGraphClient) -> None:
    thread = await talked(client, "one", "two")
    now: Any = await client.threads.get_state(thread)
    assert [m["type"] for m in now["values"]["messages"]] == ["human", "ai"] * 2
    assert set(now["values"]["messages"][0]) >= {"content", "additional_kwargs", "response_metadata", "type", "id"}
    assert "fence" not in now["metadata"]
    history = await client.threads.get_history(thread, limit=100)
    assert history[0]["checkpoint"] == now["checkpoint"]
    for earlier in history:
        by_id = await client.threads.get_state(thread, checkpoint_id=str(earlier["checkpoint"]["checkpoint_id"]))
        assert by_id == await client.threads.get_state(thread, checkpoint=earlier["checkpoint"])
        assert by_id["values"] == earlier["values"]
    only: Any = await client.threads.get_state(thread, select=["values.count", "next"])
    assert only == {"values": {"count": 2}, "next": []}
    for wrong in ("1ef4a9b8-0000-0000-0000-000000000000", "nonsense"):
        with pytest.raises(NotFoundError):
            await client.threads.get_state(thread, checkpoint_id=wrong)


async def test_history_is_paged_and_filtered(client: LangGraphClient) -> None:
    thread = await talked(client, "one", "two")
    whole = await client.threads.get_history(thread, limit=100)
    page = await client.threads.get_history(thread, limit=3)
    assert page == whole[:3]
    assert await client.threads.get_history(thread, limit=100, before=page[-1]["checkpoint"]) == whole[3:]
    before = str(page[-1]["checkpoint"]["checkpoint_id"])
    assert await client.threads.get_history(thread, limit=100, before=before) == whole[3:]
    inputs = await client.threads.get_history(thread, limit=100, metadata={"source": "input"})
    assert [state["metadata"]["source"] for state in inputs] == ["input", "input"]  # type: ignore[index]


async def test_state_is_updated_as_a_node(client: LangGraphClient) -> None:
    thread = await talked(client, "one")
    written = await client.threads.update_state(thread, {"count": 10}, as_node="counter")
    state: Any = await client.threads.get_state(thread)
    assert state["checkpoint"]["checkpoint_id"] == written["checkpoint"]["checkpoint_id"]
    assert (state["values"]["count"], state["next"]) == (10, ["think"])
    assert (await client.threads.get(thread))["status"] == "interrupted"
    values: Any = await client.runs.wait(thread, "talk", input=None)
    assert values["count"] == 10
    with pytest.raises(UnprocessableEntityError, match="nowhere"):
        await client.threads.update_state(thread, {"count": 1}, as_node="nowhere")


async def test_a_run_forks_from_a_checkpoint(client: LangGraphClient) -> None:
    thread = await talked(client, "one", "two")
    history = await client.threads.get_history(thread, limit=100)
    after_one = next(s for s in history if len(s["values"]["messages"]) == 2 and not s["next"])  # type: ignore[call-overload]
    values: Any = await client.runs.wait(thread, "talk", input=said("other"), checkpoint=after_one["checkpoint"])
    people = [m["content"] for m in values["messages"] if m["type"] == "human"]
    assert people == ["one", "other"]
    edited = await client.threads.update_state(
        thread, said("edited"), checkpoint_id=str(after_one["checkpoint"]["checkpoint_id"]), as_node="__start__"
    )
    values = await client.runs.wait(thread, "talk", input=None, checkpoint=edited["checkpoint"])
    assert [m["content"] for m in values["messages"] if m["type"] == "human"] == ["one", "edited"]


async def test_the_state_of_a_subgraph(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "talk", input=said("x"), interrupt_before=["think"])
    state = await client.threads.get_state(thread)
    assert state["next"] == ["think"]
    assert (await client.threads.get(thread))["status"] == "interrupted"
    history = await client.threads.get_history(thread)
    inside = next(task["checkpoint"] for s in history for task in s["tasks"] if task["name"] == "counter")
    assert inside is not None
    assert inside["checkpoint_ns"].startswith("counter:")


async def test_an_interrupt_is_shown_and_resumed(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    values: Any = await client.runs.wait(thread, "talk", input=said("please approve"))
    [asked] = values["__interrupt__"]
    assert asked["value"] == {"question": "go on?", "count": 1}
    found = await client.threads.get(thread)
    assert found["status"] == "interrupted"
    assert [i["id"] for waiting in found["interrupts"].values() for i in waiting] == [asked["id"]]
    state = await client.threads.get_state(thread)
    assert state["next"] == ["approve"]
    assert state["tasks"][0]["interrupts"][0]["id"] == asked["id"]
    assert state["interrupts"][0]["id"] == asked["id"]
    assert (await client.runs.list(thread))[0]["status"] == "interrupted"
    command: Any = {"resume": "yes", "update": {"count": 5}}
    resumed = client.runs.stream(thread, "talk", command=command, stream_mode="values", metadata={"by": "me"})
    parts = [part async for part in resumed]
    assert parts[-1].data["status"] == "success"
    runs = await client.runs.list(thread)
    assert [run["status"] for run in runs] == ["success", "interrupted"]
    assert runs[0]["run_id"] == parts[0].data["run_id"]
    assert runs[0]["metadata"]["by"] == "me"  # type: ignore[index]
    assert (parts[-2].data["approved"], parts[-2].data["count"]) == ("yes", 5)
    assert (await client.threads.get(thread))["status"] == "idle"


async def test_an_interrupt_is_answered_by_its_id(client: LangGraphClient) -> None:
    thread = await talked(client, "please approve")
    state = await client.threads.get_state(thread)
    answer = {state["interrupts"][0]["id"]: {"any": ["value"]}}
    values: Any = await client.runs.wait(thread, "talk", command={"resume": answer})
    assert values["approved"] == {"any": ["value"]}


@pytest.mark.parametrize("by_id", [True, False])
async def test_an_answer_that_another_one_overtakes_is_a_conflict(
    client: LangGraphClient, sdk_site: Site, monkeypatch: pytest.MonkeyPatch, by_id: bool
) -> None:
    """The other is taken, and its run ends, between the two looks at what waits."""
    thread = await talked(client, "please approve")
    interrupt = (await client.threads.get_state(thread))["interrupts"][0]["id"]
    looked = Runs.waiting

    async def overtaken(runs: Runs, session_id: str) -> Run | None:
        found = await looked(runs, session_id)
        monkeypatch.setattr(Runs, "waiting", looked)
        await client.runs.wait(thread, "talk", command={"resume": {interrupt: "first"}})
        return found

    monkeypatch.setattr(Runs, "waiting", overtaken)
    answer: Any = {interrupt: "second"} if by_id else "second"
    with pytest.raises(ConflictError, match="answered already"):
        await client.runs.create(thread, "talk", command={"resume": answer})
    assert len(await client.runs.list(thread)) == 2
    assert (await client.threads.get_state(thread))["values"]["approved"] == "first"  # type: ignore[call-overload]


async def test_a_new_input_abandons_an_interrupt(client: LangGraphClient) -> None:
    thread = await talked(client, "please approve")
    values: Any = await client.runs.wait(thread, "talk", input=said("never mind"))
    assert values["messages"][-1]["content"] == "you said never mind"
    assert "__interrupt__" not in values


async def test_a_copy_of_a_waiting_thread_is_resumed(client: LangGraphClient) -> None:
    thread = await talked(client, "please approve")
    copy: Any = await client.threads.copy(thread)  # type: ignore[func-returns-value]
    assert copy["status"] == "interrupted"
    values: Any = await client.runs.wait(copy["thread_id"], "talk", command={"resume": "on the copy"})
    assert values["approved"] == "on the copy"
    assert (await client.threads.get(thread))["status"] == "interrupted"


async def test_an_assistants_question_is_answered(client: LangGraphClient, sdk_site: Site, services: Services) -> None:
    services.asks.add("itinerary")
    resume = {"command": {"resume": "ok"}}
    # agent-chat-ui sends an empty input beside its answers.
    for answer in (resume, {"input": {}, **resume}, {"input": said("네")}):
        thread = (await client.threads.create())["thread_id"]
        values: Any = await client.runs.wait(thread, "trip", input=said("오사카 3 100"))
        assert values["__interrupt__"][0]["value"]["question"] == "이대로 만들까요?"
        parts = [p async for p in client.runs.stream(thread, "trip", stream_mode="values", **answer)]
        assert parts[-1].data["status"] == "success"
        assert parts[-2].data["messages"][-1]["content"] == "합계 2100"
        events = await sdk_site.http.get(f"/api/v1/sessions/{thread}/events?follow=false")
        for kind in ("planning_start", "plan_ready", "execution_start", "workflow_interrupted", "response"):
            assert events.text.count(f'"type":"{kind}"') == 1, kind
        assert '"type":"cancelled"' not in events.text


async def test_an_assistants_state_is_checked(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "trip", input=said("오사카 3 100"))
    await client.threads.update_state(thread, {"nights": 5})
    state: Any = await client.threads.get_state(thread)
    assert state["values"]["nights"] == 5
    assert state["values"]["provenance"]["nights"]["agent"] == "user"
    assert state["next"] == []
    for wrong in ({"nights": "many"}, {"nowhere": 1}, {"session_id": "other"}):
        with pytest.raises(UnprocessableEntityError, match=next(iter(wrong))):
            await client.threads.update_state(thread, wrong)


async def test_a_command_after_an_update_is_a_run_of_its_own(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "trip", input=said("오사카 3 100"))
    await client.threads.update_state(thread, {"nights": 5})
    values: Any = await client.runs.wait(thread, "trip", command={"update": {"nights": 6}, "goto": "__end__"})
    assert values["nights"] == 6
    assert len(await client.runs.list(thread)) == 2


async def test_an_assistants_answer_is_made_again(client: LangGraphClient, services: Services, sdk_site: Site) -> None:
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "trip", input=said("오사카 3 100"))
    history: Any = await client.threads.get_history(thread, limit=100)
    answered = [s for s in history if any(m["type"] == "ai" for m in s["values"].get("messages", ()))]
    services.calls.clear()
    values: Any = await client.runs.wait(thread, "trip", input=None, checkpoint=answered[-1]["parent_checkpoint"])
    assert [m["type"] for m in values["messages"]] == ["human", "ai"]
    assert services.calls == {}
    values = await client.runs.wait(thread, "trip", input=said("부산 2 50"), checkpoint=history[-1]["checkpoint"])
    assert [m["content"] for m in values["messages"] if m["type"] == "human"] == ["부산 2 50"]
    assert (await sdk_site.runtime.sessions.get(thread)).message_count >= 4


async def test_an_assistants_question_is_put_aside(client: LangGraphClient, services: Services) -> None:
    services.asks.add("itinerary")
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "trip", input=said("오사카 3 100"))
    assert (await client.threads.get(thread))["status"] == "interrupted"
    parts = [part async for part in client.runs.stream(thread, "trip", command={"goto": "__end__"})]
    assert parts[-1].data["status"] == "success"
    assert (await client.threads.get(thread))["status"] == "idle"
    with pytest.raises(UnprocessableEntityError, match="goto"):
        await client.runs.create(thread, "trip", command={"goto": "respond"})
    with pytest.raises(UnprocessableEntityError, match="nights"):
        await client.runs.create(thread, "trip", command={"update": {"nights": "many"}})


async def test_nothing_that_is_said_to_an_assistant_is_lost_beside_a_command(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    with pytest.raises(httpx.HTTPStatusError) as refused:
        await client.runs.wait(thread, "trip", input=said("부산 2 50"), command={"update": {"nights": 6}})
    assert refused.value.response.json()["field"] == "command"


async def test_an_assistant_that_was_stopped_before_a_node_goes_on(client: LangGraphClient) -> None:
    thread = (await client.threads.create())["thread_id"]
    await client.runs.wait(thread, "trip", input=said("오사카 3 100"), interrupt_before=["respond"])
    assert (await client.threads.get_state(thread))["next"] == ["respond"]
    values: Any = await client.runs.wait(thread, "trip", input=None)
    assert values["messages"][-1]["content"] == "합계 2100"
    assert (await client.threads.get(thread))["status"] == "idle"


async def test_a_plain_graph_talks_on_the_other_surface(client: LangGraphClient, sdk_site: Site) -> None:
    made = await sdk_site.http.post("/api/v1/sessions", json={"assistant": "talk"})
    session = made.json()["session_id"]
    outcome = await sdk_site.ask(session, "hello")
    assert outcome["response"]["answer"] == "you said hello"
    assert [event["type"] for event in outcome["events"]] == ["response"]
    told = (await sdk_site.http.get(f"/api/v1/sessions/{session}/messages")).json()["items"]
    assert [(m["role"], m["content"]) for m in told] == [("user", "hello"), ("assistant", "you said hello")]
    state: Any = await client.threads.get_state(session)
    assert [m["type"] for m in state["values"]["messages"]] == ["human", "ai"]
    asked = await sdk_site.ask(session, "please approve")
    assert asked["status"] == "interrupted"
    values: Any = await client.runs.wait(session, "talk", command={"resume": "fine"})
    assert values["approved"] == "fine"


async def test_the_last_ten_states_of_an_assistant_tell_where_messages_began_and_its_branches(
    client: LangGraphClient,
) -> None:
    """What agent-chat-ui goes by: it reads no more than ten."""
    thread = (await client.threads.create())["thread_id"]
    for text in ("오사카 3 100", "부산 2 50"):
        values: Any = await client.runs.wait(thread, "trip", input=said(text))

    async def began(message: dict[str, Any]) -> Any:
        """Before the oldest state that has it."""
        history: Any = await client.threads.get_history(thread)
        return [s for s in history if message in s["values"].get("messages", [])][-1]["parent_checkpoint"]

    question, answer, *_ = values["messages"]
    before = await began(question)
    edited: Any = await client.runs.wait(thread, "trip", input=said("도쿄 4 10"), checkpoint=before)
    assert [message["content"] for message in edited["messages"]][:1] == ["도쿄 4 10"]
    assert len(edited["messages"]) == 2
    history: Any = await client.threads.get_history(thread)
    parents = [(state["parent_checkpoint"] or {}).get("checkpoint_id") for state in history]
    assert parents.count(before["checkpoint_id"]) == 2
    assert set(parents) - {state["checkpoint"]["checkpoint_id"] for state in history} == {None}
    again: Any = await client.runs.wait(thread, "trip", input=None, checkpoint=await began(answer))
    assert [message["content"] for message in again["messages"]] == [question["content"], answer["content"]]
    assert again["messages"][1]["id"] != answer["id"]
