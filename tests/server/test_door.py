"""The door: JSON that is nested to exhaust a stack, races, and errors whose own words can't be encoded."""

import asyncio
import json
from collections import defaultdict
from typing import Any

import pytest

from madang.server.edge import Edge
from madang.server.options import ServerOptions
from madang.server.problems import problem
from madang.state.nesting import MAX_NESTING, NestedTooDeeply, check_nesting
from tests.support.isolation import tables
from tests.support.runtimes import Gate
from tests.support.serving import Site, both, receive, receive_until, serving
from tests.support.trip_assistant import Services

DEPTHS = (MAX_NESTING + 1, 900, 1_400, 100_000)
NOBODY = "00000000-0000-4000-8000-000000000000"
BODIES = [(method, path) for (method, path), entry in sorted(tables().items()) if entry.body is not None]


def nested(depth: int) -> str:
    return '{"a":' * (depth // 2) + "[" * (depth - depth // 2) + "]" * (depth - depth // 2) + "}" * (depth // 2)


def deep(depth: int) -> Any:
    return json.loads(nested(depth))


# Nesting


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_brackets_in_texts_are_not_nesting(encoding: str) -> None:
    check_nesting(json.dumps(["[" * 1000, '\\"[{' * 1000, {"∀": "{" * 1000}], ensure_ascii=False).encode(encoding))
    check_nesting(nested(MAX_NESTING).encode(encoding))
    with pytest.raises(NestedTooDeeply, match=str(MAX_NESTING)):
        check_nesting(('["∀",' + nested(MAX_NESTING)).encode(encoding))


async def test_every_body_is_bounded_in_depth(site: Site) -> None:
    for method, path in BODIES:
        where = path.format_map(defaultdict(lambda: NOBODY, assistant="trip", assistant_id="trip"))
        for depth in DEPTHS:
            answer = await site.http.request(
                method, where, content=nested(depth), headers={"Content-Type": "application/json"}
            )
            assert answer.status_code == 422, (method, path, depth, answer.text)
            assert answer.json()["code"] == "nested_too_deeply", (method, path, depth, answer.text)
            assert str(MAX_NESTING) in answer.json()["detail"]


@pytest.mark.parametrize("depth", [60, 90])
async def test_what_passes_the_door_is_stored_or_refused(site: Site, depth: int) -> None:
    session, thread = await site.session(), await site.session()
    value = deep(depth)
    sent: list[tuple[str, str, Any]] = [
        ("PATCH", f"/api/v1/sessions/{session}", {"metadata": {"x": value}}),
        ("POST", f"/api/v1/sessions/{session}/state", {"changes": {"results": {"x": value}}, "run": False}),
        ("POST", "/api/v1/sessions", {"assistant": "trip", "metadata": {"x": value}}),
        ("PUT", "/api/v1/memory/preferences", {"x": value}),
        ("POST", "/threads", {"metadata": {"x": value}}),
        ("PATCH", f"/threads/{thread}", {"metadata": {"x": value}}),
        ("POST", f"/threads/{thread}/state", {"values": {"results": {"x": value}}}),
        ("POST", f"/threads/{thread}/runs/wait", {"assistant_id": "trip", "input": {"query": "도쿄 3 9", "x": value}}),
        ("POST", f"/threads/{thread}/runs/wait", {"assistant_id": "trip", "command": {"resume": value}}),
        (
            "POST",
            f"/threads/{thread}/runs/wait",
            {"assistant_id": "trip", "input": {"query": "도쿄 3 9"}, "config": {"configurable": {"x": value}}},
        ),
        ("POST", "/threads/search", {"metadata": {"x": value}}),
        ("POST", "/threads/search", {"values": {"x": value}}),
        ("PUT", "/store/items", {"namespace": ["a"], "key": "k", "value": {"v": value}}),
        ("POST", "/store/items/search", {"filter": {"x": value}}),
    ]
    for method, path, body in sent:
        answer = await site.http.request(method, path, json=body)
        assert answer.status_code < 500, (method, path, answer.text)
    for path in (f"/api/v1/sessions/{session}/state", "/api/v1/sessions", "/api/v1/memory", f"/threads/{thread}/state"):
        assert (await site.http.get(path)).status_code == 200, path


async def test_frames_are_bounded_in_depth(server_db: str) -> None:
    async with serving(server_db, services=Services(asks={"itinerary"})) as site:
        session = await site.session()
        asked = (await site.ask(session, "오사카 3 100"))["events"][-1]["interrupts"][0]["interrupt_id"]
        async with site.socket(session) as socket:
            await receive(socket)
            for depth in DEPTHS:
                await socket.send(
                    f'{{"type": "interrupt_response", "interrupt_id": "{asked}", "value": {nested(depth)}}}'
                )
                (refused, *_) = reversed(await receive_until(socket, "error"))
                assert refused["error"] == "nested_too_deeply", refused
                assert str(MAX_NESTING) in refused["message"]
            await socket.send(f'{{"type": "interrupt_response", "interrupt_id": "{asked}", "value": {nested(90)}}}')
            await receive_until(socket, "error", "response", "workflow_interrupted")
        assert (await site.http.get(f"/api/v1/sessions/{session}/state")).status_code == 200


async def test_stream_modes_in_a_query_are_bounded_in_depth(site: Site) -> None:
    thread = await site.session()
    answer = await site.http.get(f"/threads/{thread}/runs/{NOBODY}/stream", params={"stream_mode": "[" * 20_000})
    assert answer.status_code in (404, 422), answer.text


# Races


ENDED = {200, 201, 202, 204, 404, 409}


@both
async def test_what_a_running_turn_forbids_is_a_conflict(server_db: str) -> None:
    gate = Gate()
    async with serving(server_db, agents=gate.agent()) as site:
        session = await site.session()
        at, thread = f"/api/v1/sessions/{session}", f"/threads/{session}"
        await site.http.post(f"{at}/messages", json={"query": "오사카 3 100"})
        await gate.entered.wait()
        for path, body in [
            (f"{at}/state", {"changes": {"budget": 7}}),
            (f"{at}/fork", {}),
            (f"{at}/messages", {"query": "x", "multitask_strategy": "reject"}),
            (f"{thread}/state", {"values": {"budget": 7}}),
            (f"{thread}/copy", None),
            (f"{thread}/runs", {"assistant_id": "trip", "input": {"query": "x"}, "multitask_strategy": "reject"}),
        ]:
            answer = await site.http.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (409, "session_busy"), (path, answer.text)
        assert (await site.http.delete(at)).status_code == 204
        gate.open.set()
        for method, path, body in [
            ("PATCH", at, {"title": "late"}),
            ("DELETE", at, None),
            ("POST", f"{at}/messages", {"query": "x"}),
            ("POST", f"{at}/state", {"changes": {"budget": 7}}),
            ("POST", f"{at}/fork", {}),
            ("POST", f"{thread}/copy", None),
        ]:
            answer = await site.http.request(method, path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), (path, answer.text)


@both
async def test_whatever_happens_at_once_is_done_gone_or_a_conflict(server_db: str) -> None:
    async with serving(server_db, services=Services(asks={"itinerary"})) as site:
        for ending in (False, True, True):
            session = await site.session()
            at, thread = f"/api/v1/sessions/{session}", f"/threads/{session}"
            asked = (await site.ask(session, "오사카 3 100"))["events"][-1]["interrupts"][0]["interrupt_id"]
            run = (await site.runtime.runs.list(session)).items[0].run_id
            answer = {"assistant_id": "trip", "command": {"resume": {asked: {"decision": "approve"}}}}
            sent: list[tuple[str, str, Any]] = [
                ("POST", f"{at}/state", {"changes": {"budget": 1}}),
                ("POST", f"{at}/state", {"changes": {"budget": 2}}),
                ("POST", f"{thread}/runs", answer),
                ("POST", f"{thread}/runs", answer),
                ("POST", f"{at}/messages", {"query": "네"}),
                ("POST", f"{at}/messages", {"query": "도쿄 2 9", "multitask_strategy": "rollback"}),
                ("POST", f"{at}/messages", {"query": "부산 2 9", "multitask_strategy": "interrupt"}),
                ("POST", f"{at}/messages", {"query": "부산 2 9", "multitask_strategy": "reject"}),
                ("POST", f"/api/v1/runs/{run}/cancel", None),
                ("POST", f"{thread}/runs/{run}/cancel?action=rollback", None),
                ("POST", f"{at}/fork", {}),
                ("POST", f"{thread}/copy", None),
                ("PATCH", at, {"title": "t", "metadata": {"a": 1}}),
                *([("DELETE", at, None), ("DELETE", thread, None)] if ending else []),
            ]
            answers = await asyncio.gather(*(site.http.request(m, p, json=body) for m, p, body in sent))
            for (method, path, _), answer_ in zip(sent, answers, strict=True):
                assert answer_.status_code in ENDED, (method, path, answer_.status_code, answer_.text)


async def test_cancelled_by_many_at_once_a_turn_ends_once(site: Site) -> None:
    """Before it has begun to work, too: whoever cancels is answered, and the session takes the next turn."""
    for _ in range(5):
        session = await site.session()
        run = (await site.http.post(f"/api/v1/sessions/{session}/messages", json={"query": "오사카 3 100"})).json()
        at = f"/api/v1/runs/{run['run_id']}/cancel"
        answers = await asyncio.gather(*(site.http.post(at) for _ in range(8)))
        assert {answer.status_code for answer in answers} == {200}, [answer.text for answer in answers]
        events = await site.runtime.events.of_run(session, run["run_id"])
        assert [e["type"] for e in events if e["type"] in ("cancelled", "response", "error")] == [events[-1]["type"]]
        assert (await site.ask(session, "도쿄 2 9"))["status"] == "completed"


# Errors that can't be told


def test_a_problem_can_always_be_made() -> None:
    circle: list[Any] = []
    circle.append(circle)
    for value in ("\ud800", object(), float("nan"), {1, 2}, {("a",): 1}, {"\udfff": 1}, circle, 10**400, b"\xff"):
        made = problem(409, "conflict", f"half a pair: \ud800 {value!r:.40}", given=value)
        told = json.loads(bytes(made.body).decode())
        assert (told["status"], told["code"]) == (409, "conflict")
        assert told["detail"].startswith("half a pair")


@pytest.mark.parametrize("text", ["\\ud800", "\\udc00x", "\\u0000"])
async def test_half_a_surrogate_pair_is_refused_or_stored_but_no_failure(site: Site, text: str) -> None:
    session = await site.session()
    names = defaultdict(
        lambda: "x", {"session_id": session, "thread_id": session, "assistant_id": "trip", "assistant": "trip"}
    )
    for (method, path), entry in sorted(tables().items()):
        if entry.body is None:
            continue
        body = json.dumps(_filled(entry.body, "%TEXT%")).replace("%TEXT%", text)
        kind = {"Content-Type": "application/json"}
        # Some answers are streams that go on.
        async with site.http.stream(method, path.format_map(names), content=body, headers=kind) as answer:
            assert answer.status_code < 500, (method, path)
    for path in ("/api/v1/sessions/%ED%A0%80", "/api/v1/sessions?search=%ED%A0%80", "/threads/%ED%A0%80", "/%ED%A0%80"):
        assert (await site.http.get(path)).status_code < 500, path
    async with site.socket(session) as socket:
        await receive(socket)
        for frame in ('{"type": "query", "query": "%"}', '{"type": "%"}', '{"type": "todo_skip", "step_id": "%"}'):
            await socket.send(frame.replace("%", text))
            await receive_until(socket, "error")


def _filled(body: Any, text: str) -> Any:
    """The body with a text wherever one can be: its keys and values."""
    if isinstance(body, dict):
        return {**{key: _filled(value, text) for key, value in body.items()}, text: {text: text}}
    if isinstance(body, list):
        return [_filled(value, text) for value in body]
    return text if isinstance(body, str) else body


async def test_what_a_server_that_stops_cannot_answer_any_more_is_unavailable() -> None:
    entered, sent = asyncio.Event(), list[Any]()

    async def slow(_scope: Any, _receive: Any, _send: Any) -> None:
        entered.set()
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive_nothing() -> Any:
        return {"type": "http.request"}

    scope = {"type": "http", "method": "GET", "path": "/api/v1/sessions", "headers": [(b"host", b"localhost")]}
    answering = asyncio.create_task(Edge(slow, options=ServerOptions())(scope, receive_nothing, send))
    await entered.wait()
    answering.cancel()
    await asyncio.wait([answering])
    assert sent[0]["status"] == 503
    assert json.loads(sent[1]["body"])["code"] == "service_unavailable"
