"""The socket: frames in order, bad frames, reconnecting, slow and absent clients."""

import asyncio
import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from madang.events import Token
from madang.runtime.hub import Subscription
from madang.server.options import ServerOptions
from tests.support.runtimes import Gate
from tests.support.serving import Site, both, receive, receive_until, send, serving
from tests.support.trip_assistant import Services

ENVELOPE = {"type", "seq", "session_id", "request_id", "timestamp"}


@both
async def test_a_turn(site: Site) -> None:
    session = await site.session()
    async with site.socket(session) as socket:
        hello = await receive(socket)
        assert hello.keys() >= ENVELOPE
        assert (hello["type"], hello["seq"], hello["last_seq"]) == ("connected", None, 0)
        assert (hello["assistant"], hello["running"]) == ("trip", None)
        await send(socket, type="query", query="오사카 3 100", request_id="r-1")
        frames = await receive_until(socket, "response")
    assert [frame["seq"] for frame in frames] == list(range(1, len(frames) + 1))
    assert {frame["request_id"] for frame in frames} == {"r-1"}
    assert all(frame.keys() >= ENVELOPE and frame["session_id"] == session for frame in frames)
    kinds = list(dict.fromkeys(frame["type"] for frame in frames))
    assert kinds == ["planning_start", "plan_ready", "execution_start", "todo_updated", "token", "response"]
    assert frames[-1]["answer"] == "합계 2100"


BAD: list[tuple[str | bytes, str]] = [
    ("{", "bad_frame"),
    ("[]", "bad_frame"),
    ("null", "bad_frame"),
    ('"query"', "bad_frame"),
    ("{}", "bad_frame"),
    ('{"type": "shout"}', "bad_frame"),
    ('{"type": ["query"]}', "bad_frame"),
    ('{"type": "query"}', "invalid_input"),
    ('{"type": "query", "query": ""}', "invalid_input"),
    ('{"type": "query", "query": "   "}', "invalid_input"),
    ('{"type": "query", "query": 7}', "invalid_input"),
    ('{"type": "query", "query": "x", "multitask_strategy": "later"}', "invalid_input"),
    ('{"type": "query", "query": "\\u0000"}', "invalid_input"),
    ('{"type": "resume", "after": -1}', "invalid_input"),
    ('{"type": "resume", "after": 99}', "invalid_input"),
    ('{"type": "resume"}', "invalid_input"),
    ('{"type": "interrupt_response", "interrupt_id": "x", "value": 1}', "not_found"),
    ('{"type": "todo_skip", "step_id": "step_0"}', "conflict"),
    ('{"type": "cancel"}', "conflict"),
    (b"\x00\x01", "bad_frame"),
    (b'{"type": "cancel"}', "bad_frame"),
    ("[" * 100_000, "nested_too_deeply"),
    (json.dumps({"type": "query", "query": "가" * 100_001}), "invalid_input"),
    (" " * ((1 << 20) + 1), "bad_frame"),
    ('{"type": "query", "query": "\\ud800"}', "bad_frame"),
]


async def test_bad_frames_get_an_error_and_the_socket_stays_open(site: Site) -> None:
    session = await site.session()
    async with site.socket(session) as socket:
        await receive(socket)
        for frame, code in BAD:
            await socket.send(frame)
            answer = await receive(socket)
            assert (answer["type"], answer["seq"], answer["error"]) == ("error", None, code), frame[:60]
            assert answer["message"]
        await send(socket, type="query", query="오사카 3")
        assert (await receive_until(socket, "response"))[-1]["answer"]
    [run] = (await site.runtime.runs.list(session)).items
    await site.runtime.wait(run.run_id)
    assert len((await site.runtime.messages.list(session)).items) == 2


async def test_an_error_names_the_request(site: Site) -> None:
    async with site.socket(await site.session()) as socket:
        await receive(socket)
        await send(socket, type="query", query="", request_id="mine")
        assert (await receive(socket))["request_id"] == "mine"


@both
async def test_reconnecting_in_mid_turn_misses_nothing(server_db: str) -> None:
    gate = Gate()
    async with serving(server_db, agents=gate.agent()) as site:
        session = await site.session()
        async with site.socket(session) as socket:
            await receive(socket)
            await send(socket, type="query", query="오사카 3")
            seen = await receive_until(socket, "execution_start")
        await gate.entered.wait()
        async with site.socket(session) as socket:
            hello = await receive(socket)
            assert hello["running"]["status"] == "running"
            assert hello["running"]["request_id"] == seen[0]["request_id"]
            gate.open.set()
            await send(socket, type="resume", after=seen[-1]["seq"])
            seen += await receive_until(socket, "response")
    assert [frame["seq"] for frame in seen] == list(range(1, len(seen) + 1))


@both
async def test_a_number_in_the_address_resumes_too(site: Site) -> None:
    session = await site.session()
    outcome = await site.ask(session, "오사카 3")
    async with site.socket(session, "?after=2") as socket:
        await receive(socket)
        assert await receive_until(socket, "response") == outcome["events"][2:]
    async with site.socket(session, "?after=999") as socket:
        await receive(socket)
        assert (await receive(socket))["error"] == "invalid_input"
        await send(socket, type="query", query="안녕")
        assert (await receive_until(socket, "response"))[0]["seq"] == len(outcome["events"]) + 1


async def test_a_client_that_only_listens_hears_what_comes(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "안녕")
    async with site.socket(session) as socket:
        hello = await receive(socket)
        outcome = await site.ask(session, "오사카 3")
        frames = await receive_until(socket, "response")
    assert frames == outcome["events"]
    assert frames[0]["seq"] == hello["last_seq"] + 1


async def test_everyone_on_a_session_hears_the_same(site: Site) -> None:
    session = await site.session()
    sockets = [await site.socket(session).__aenter__() for _ in range(5)]
    for socket in sockets:
        await receive(socket)
    await send(sockets[0], type="query", query="오사카 3")
    heard = [await receive_until(socket, "response") for socket in sockets]
    assert all(frames == heard[0] for frames in heard)
    for socket in sockets:
        await socket.close()


@both
async def test_questions_are_answered_by_id(server_db: str) -> None:
    async with serving(server_db, services=Services(asks={"itinerary"})) as site:
        session = await site.session()
        async with site.socket(session) as socket:
            await receive(socket)
            await send(socket, type="query", query="오사카 3")
            asked = (await receive_until(socket, "workflow_interrupted"))[-1]["interrupts"]
            assert (asked[0]["kind"], asked[0]["draft"]) == ("approval", {"days": 3})
            await send(socket, type="interrupt_response", interrupt_id="wrong", value="ok")
            assert (await receive(socket))["error"] == "not_found"
            approval = {"decision": "approve"}
            await send(socket, type="interrupt_response", interrupt_id=asked[0]["interrupt_id"], value=approval)
            assert (await receive_until(socket, "response"))[-1]["answer"] == "합계 2000"


@both
async def test_cancel_and_skip(server_db: str) -> None:
    gate = Gate()
    async with serving(server_db, agents=gate.agent()) as site, site.socket(await site.session()) as socket:
        await receive(socket)
        await send(socket, type="query", query="오사카 3")
        await gate.entered.wait()
        await receive_until(socket, "execution_start")
        await send(socket, type="todo_skip", step_id="step_9")
        assert "not_found" in [f.get("error") for f in await receive_until(socket, "error")]
        await send(socket, type="cancel")
        cancelled = (await receive_until(socket, "cancelled"))[-1]
        assert cancelled["seq"] is not None
        assert "steps" in cancelled["kept"]


async def test_unknown_sessions_close_with_4004(site: Site) -> None:
    for name in ("nowhere", "%00", "a" * 300):
        async with site.socket(name) as socket:
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4004


@both
async def test_a_deleted_session_closes_its_sockets(site: Site) -> None:
    session = await site.session()
    async with site.socket(session) as socket:
        await receive(socket)
        await site.http.delete(f"/api/v1/sessions/{session}")
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4004
    assert len(site.app.state.sockets) == 0


@pytest.mark.parametrize(("origin", "allowed"), [("http://evil.example", False), ("https://ours.example", True)])
async def test_sockets_are_opened_from_allowed_origins_only(server_db: str, origin: Any, allowed: bool) -> None:
    async with serving(server_db, ServerOptions(origins=("https://ours.example",))) as site:
        session = await site.session()
        if allowed:
            async with site.socket(session, origin=origin) as socket:
                assert (await receive(socket))["type"] == "connected"
            return
        with pytest.raises(InvalidStatus) as refused:
            await site.socket(session, origin=origin).__aenter__()
        assert refused.value.response.status_code == 403


async def test_a_client_that_stops_reading_hurts_nobody(site: Site) -> None:
    """It is held up alone, its queue stays bounded, and when it reads again it has missed nothing."""
    session = await site.session()
    slow_options: dict[str, Any] = {"max_queue": 1, "compression": None}
    async with site.socket(session, **slow_options) as slow, site.socket(session) as quick:
        await receive(slow)
        await receive(quick)
        await send(slow, type="resume", after=0)
        await send(quick, type="resume", after=0)
        total, large = 600, "가" * 20_000
        for first in range(0, total, 50):
            tokens = [(None, Token(text=large)) for _ in range(50)]
            site.runtime.hub.publish(await site.runtime.events.append(session, None, None, tokens))
            for number in range(first, first + 50):
                assert (await receive(quick))["seq"] == number + 1
        waiting = [len(s._frames) for s in site.runtime.hub._open[session]]
        assert max(waiting) <= 256
        for number in range(total):
            assert (await receive(slow))["seq"] == number + 1


async def test_leaving_ends_the_subscription(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await site.session()
    left, leave = asyncio.Event(), site.runtime.hub.unsubscribe

    def noted(listener: Subscription) -> None:
        leave(listener)
        left.set()

    monkeypatch.setattr(site.runtime.hub, "unsubscribe", noted)
    async with site.socket(session, "?after=0") as socket:
        await receive(socket)
        await send(socket, type="resume", after=0)
        await send(socket, type="cancel")
        await receive(socket)
        assert session in site.runtime.hub._open
        left.clear()
    await left.wait()
    assert session not in site.runtime.hub._open
    assert len(site.app.state.sockets) == 0
