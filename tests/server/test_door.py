"""The door: JSON that is nested to exhaust a stack, races, and errors whose own words can't be encoded."""

import json
from typing import Any

import pytest

from madang.state.nesting import MAX_NESTING, NestedTooDeeply, check_nesting
from tests.support.isolation import tables
from tests.support.serving import Site, receive, receive_until, serving
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
        where = path.format_map(dict.fromkeys(("session_id", "run_id", "assistant_id", "path"), NOBODY))
        for depth in DEPTHS:
            answer = await site.http.request(
                method, where, content=nested(depth), headers={"Content-Type": "application/json"}
            )
            # What isn't offered is refused before its body is read.
            if answer.status_code == 501:
                continue
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
