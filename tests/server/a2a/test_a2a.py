"""A2A with its published client: a card, a turn, a stream, a question back, what is another's."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as wire
from a2a.utils.errors import A2AError, ContentTypeNotSupportedError, TaskNotFoundError
from google.protobuf.json_format import MessageToDict

from tests.support.serving import Site, both, serving
from tests.support.trip_assistant import Services


def message(text: str, **more: Any) -> wire.SendMessageRequest:
    parts = more.pop("parts", [wire.Part(text=text)])
    named = more.pop("message_id", f"m:{text}")
    said = wire.Message(message_id=named, role=wire.Role.ROLE_USER, parts=parts, **more)
    return wire.SendMessageRequest(message=said)


class Agents:
    """Clients of a server, each closed in the end."""

    def __init__(self) -> None:
        self.opened: list[httpx.AsyncClient] = []

    async def of(self, site: Site, *, streaming: bool, headers: Any = None) -> Client:
        http = httpx.AsyncClient(timeout=30, headers=headers or {})
        self.opened.append(http)
        card = await A2ACardResolver(http, f"{site.address}/a2a/trip").get_agent_card()
        return ClientFactory(ClientConfig(streaming=streaming, httpx_client=http)).create(card)


@pytest.fixture
async def agents() -> AsyncIterator[Agents]:
    made = Agents()
    yield made
    for http in made.opened:
        await http.aclose()


async def said(client: Client, request: wire.SendMessageRequest) -> list[wire.StreamResponse]:
    return [event async for event in client.send_message(request)]


@both
async def test_a_message_is_a_turn_and_its_answer_an_artifact(site: Site, agents: Agents) -> None:
    client = await agents.of(site, streaming=False)
    (event,) = await said(client, message("부산 3 100"))
    task = event.task
    assert task.status.state == wire.TaskState.TASK_STATE_COMPLETED
    session = await site.runtime.sessions.get(task.context_id)
    assert session.title == "부산 3 100"
    answer = (await site.runtime.messages.list(task.context_id)).items[-1].content
    assert task.artifacts[0].parts[0].text == answer
    again = (await said(client, message("부산 3 100", context_id=task.context_id)))[0].task
    assert again.id == task.id
    more = (await said(client, message("서울 2 100", context_id=task.context_id)))[0].task
    assert (more.context_id, more.id != task.id) == (task.context_id, True)
    found = await client.get_task(wire.GetTaskRequest(id=task.id))
    assert found.artifacts[0].parts[0].text == answer


@both
async def test_a_stream_tells_a_turn_as_it_goes(site: Site, agents: Agents) -> None:
    client = await agents.of(site, streaming=True)
    events = await said(client, message("부산 3 100"))
    kinds = [event.WhichOneof("payload") for event in events]
    assert kinds[0] == "task"
    assert kinds[-1] == "status_update"
    assert events[-1].status_update.status.state == wire.TaskState.TASK_STATE_COMPLETED
    whole = [event.artifact_update for event in events if event.WhichOneof("payload") == "artifact_update"][-1]
    assert whole.last_chunk
    stored = (await site.runtime.messages.list(events[0].task.context_id)).items[-1].content
    assert whole.artifact.parts[0].text == stored


@both
async def test_a_question_back_waits_for_its_answer(server_db: str, agents: Agents) -> None:
    async with serving(server_db, services=Services(asks={"itinerary"})) as site:
        client = await agents.of(site, streaming=False)
        task = (await said(client, message("부산 3 100")))[0].task
        assert task.status.state == wire.TaskState.TASK_STATE_INPUT_REQUIRED
        assert task.status.message.parts[0].text
        answered = (await said(client, message("네", task_id=task.id, context_id=task.context_id)))[0].task
        assert (answered.id, answered.status.state) == (task.id, wire.TaskState.TASK_STATE_COMPLETED)
        with pytest.raises(A2AError):
            await said(client, message("또", task_id=task.id, context_id=task.context_id))
        other = (await said(client, message("제주 3 100")))[0].task
        cancelled = await client.cancel_task(wire.CancelTaskRequest(id=other.id))
        assert cancelled.status.state == wire.TaskState.TASK_STATE_CANCELED
        with pytest.raises(A2AError):
            await client.cancel_task(wire.CancelTaskRequest(id=other.id))


async def test_the_earlier_protocol_is_spoken_too(site: Site) -> None:
    parts = [{"kind": "text", "text": "부산 3 100"}]
    given = {"message": {"messageId": "m1", "role": "user", "kind": "message", "parts": parts}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": given}
    result = (await site.http.post("/a2a/trip", json=body)).json()["result"]
    assert (result["kind"], result["status"]["state"]) == ("task", "completed")
    given["message"]["messageId"] = "m2"
    streamed = await site.http.post("/a2a/trip", json={**body, "method": "message/stream"})
    assert streamed.headers["content-type"].startswith("text/event-stream")
    assert '"completed"' in streamed.text


async def test_files_are_read_and_what_isn_t_read_is_refused(site: Site, agents: Agents) -> None:
    client = await agents.of(site, streaming=False)
    file = wire.Part(raw="제1조 비밀".encode(), filename="계약.txt")
    task = (await said(client, message("m", parts=[wire.Part(text="부산 3 100"), file])))[0].task
    assert task.status.state == wire.TaskState.TASK_STATE_COMPLETED
    query = (await site.http.get(f"/api/v1/sessions/{task.context_id}/state")).json()["state"]["query"]
    assert "[첨부: 계약.txt]" in query
    for part in (wire.Part(url="https://example.com/x"), wire.Part(raw=b"MZ", filename="a.exe")):
        with pytest.raises(ContentTypeNotSupportedError):
            await said(client, message("x", parts=[part]))


async def test_another_s_task_and_context_are_not_there(guarded: Site, agents: Agents) -> None:
    alice, bob = await guarded.user("alice"), await guarded.user("bob")
    hers, his = (
        await agents.of(guarded, streaming=False, headers=alice),
        await agents.of(guarded, streaming=False, headers=bob),
    )
    task = (await said(hers, message("부산 3 100")))[0].task
    with pytest.raises(TaskNotFoundError):
        await his.get_task(wire.GetTaskRequest(id=task.id))
    with pytest.raises(A2AError):
        await said(his, message("서울 2 100", context_id=task.context_id))
    assert (await guarded.http.post("/a2a/trip", json={})).status_code == 401


async def test_the_card_says_where_and_how(guarded: Site) -> None:
    card = (await guarded.http.get("/.well-known/agent-card.json")).json()
    assert card == (await guarded.http.get("/a2a/trip/.well-known/agent-card.json")).json()
    assert card["supportedInterfaces"][0]["url"] == f"{guarded.address}/a2a/trip"
    assert "bearer" in card["securitySchemes"]
    assert (await guarded.http.get("/a2a/none/.well-known/agent-card.json")).status_code == 404
    parsed = await A2ACardResolver(guarded.http, f"{guarded.address}/a2a/trip").get_agent_card()
    assert MessageToDict(parsed)["skills"][0]["id"] == "trip"
