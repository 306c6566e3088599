"""A user can't see, infer, join, cancel, fork or delete another's anything, on any route or frame."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from madang.server.app import create_app
from madang.server.client_frames import TYPES
from madang.server.sdk.protocol.commands import COMMANDS as PROTOCOL
from madang.store.documents import Documents
from tests.support.isolation import COMMANDS, FRAMES, SOCKETS, Entry, routes_of, tables
from tests.support.runtimes import questions
from tests.support.serving import GUARDED, Site, both, receive, receive_until, send, serving
from tests.support.trip_assistant import Services

SECRET = "비밀도시"


@dataclass(frozen=True)
class Belongings:
    """What one user has."""

    session_id: str
    thread_id: str
    run_id: str
    document_id: str
    checkpoint_id: str
    interrupt_id: str
    assistant_id: str = "trip"
    assistant: str = "trip"
    message_id: str = "1"
    share_id: str = "none"
    key_id: str = "none"
    cron_id: str = "none"
    path: str = "city"
    name: str = "docs.js"
    namespace: str = "none"


NOTHING = Belongings(*["00000000-0000-4000-8000-000000000000"] * 6)


def test_every_route_and_frame_is_in_the_table() -> None:
    http, sockets = routes_of(create_app(lambda: None))  # type: ignore[arg-type,return-value]
    assert http == set(tables())
    assert sockets == SOCKETS
    assert set(FRAMES) == set(TYPES)


@pytest.fixture
async def shared(server_db: str) -> AsyncIterator[Site]:
    async with serving(server_db, GUARDED, services=Services(asks={"itinerary"})) as site:
        yield site


async def furnish(site: Site, headers: dict[str, str], city: str) -> Belongings:
    """A session with a turn that waits for an approval, a document, a memory."""
    session = await site.session(**headers)
    await site.ask(session, f"{city} 3 100", **headers)
    run = (await site.runtime.runs.list(session)).items[0]
    pending = await questions(site.runtime, session)
    document = await Documents(site.runtime.db).save(session, title=city, files={"md": city.encode()})
    state = (await site.http.get(f"/api/v1/sessions/{session}/state", headers=headers)).json()
    await site.http.put("/api/v1/memory/preferences", json={"style": city}, headers=headers)
    return Belongings(
        session,
        session,
        run.run_id,
        document.document_id,
        state["checkpoint_id"],
        pending[0]["interrupt_id"],
        key_id=headers["Authorization"].split("_")[1],
    )


async def portrait(site: Site, headers: dict[str, str], own: Belongings) -> list[Any]:
    """Everything a user sees of what they have."""
    session = f"/api/v1/sessions/{own.session_id}"
    paths = [session, f"{session}/messages", f"{session}/events?follow=false", f"{session}/state", f"{session}/history"]
    paths += [
        f"/api/v1/runs/{own.run_id}",
        f"/api/v1/documents/{own.document_id}",
        "/api/v1/memory",
        "/api/v1/sessions",
    ]
    answers = [await site.http.get(path, headers=headers) for path in paths]
    assert all(answer.status_code == 200 for answer in answers)
    return [answer.text for answer in answers]


def filled(template: str, own: Belongings) -> str:
    for name, value in asdict(own).items():
        template = template.replace("{" + name + "}", value)
    return template


async def attempt(site: Site, method: str, path: str, entry: Entry, of: Belongings, headers: Any) -> httpx.Response:
    query = f"?{filled(entry.query, of)}" if entry.query else ""
    body = json.loads(filled(json.dumps(entry.body), of)) if entry.body is not None else None
    return await site.http.request(method, filled(path, of) + query, json=body, files=entry.files, headers=headers)


@both
async def test_another_user_gets_nothing_from_any_route(shared: Site) -> None:
    alice, bob = await shared.user("alice"), await shared.user("bob")
    hers, his = await furnish(shared, alice, SECRET), await furnish(shared, bob, "부산")
    before = await portrait(shared, alice, hers)
    for (method, path), entry in tables().items():
        answer = await attempt(shared, method, path, entry, hers, bob)
        if entry.kind == "foreign":
            unknown = await attempt(shared, method, path, entry, NOTHING, bob)
            assert answer.status_code == unknown.status_code == 404, (method, path, answer.text)
            assert masked(answer.text, hers) == masked(unknown.text, NOTHING), (method, path)
        elif entry.kind == "admin":
            assert answer.status_code == 403, (method, path)
        assert SECRET not in answer.text, (method, path)
        assert hers.key_id not in answer.text or "{key_id}" in path, (method, path)
        if not re.search("{(session|thread)_id}", path + entry.query):
            assert hers.session_id not in answer.text, (method, path)
    assert await portrait(shared, alice, hers) == before
    assert (await shared.http.get(f"/api/v1/sessions/{his.session_id}", headers=bob)).status_code == 200


def masked(text: str, own: Belongings) -> str:
    # Long ones first: a short one may be part of another.
    for value in sorted(asdict(own).values(), key=len, reverse=True):
        text = text.replace(value, "…")
    return text


async def test_every_route_asks_who_it_is(shared: Site) -> None:
    alice = await shared.user("alice")
    hers = await furnish(shared, alice, SECRET)
    for (method, path), entry in tables().items():
        for headers in ({}, {"Authorization": "Bearer mdg_000000000000_wrong"}, {"X-Api-Key": "nonsense"}):
            answer = await attempt(shared, method, path, entry, hers, headers)
            assert (answer.status_code == 401) == (entry.kind != "open"), (method, path, answer.status_code)
            assert SECRET not in answer.text


@both
async def test_another_user_gets_nothing_from_the_socket(shared: Site) -> None:
    alice, bob = await shared.user("alice"), await shared.user("bob")
    hers, his = await furnish(shared, alice, SECRET), await furnish(shared, bob, "부산")
    before = await portrait(shared, alice, hers)
    reasons = set()
    for session in (hers.session_id, NOTHING.session_id):
        async with shared.socket(session, additional_headers=bob) as socket:
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            reasons.add((closed.value.rcvd.code, closed.value.rcvd.reason))
    assert reasons == {(4004, "not_found")}
    async with shared.socket(his.session_id, additional_headers=bob) as socket:
        await receive(socket)
        frames = {kind: json.loads(filled(json.dumps(fields), hers)) for kind, fields in FRAMES.items()}
        await send(socket, type="interrupt_response", **frames["interrupt_response"])
        heard = await receive_until(socket, "error")
        assert heard[-1]["error"] == "not_found"
        await send(socket, type="resume", **frames["resume"])
        heard += await receive_until(socket, "workflow_interrupted")
        await send(socket, type="todo_skip", **frames["todo_skip"])
        await send(socket, type="cancel")
        heard += await receive_until(socket, "cancelled")
        await send(socket, type="query", **frames["query"])
        heard += await receive_until(socket, "workflow_interrupted")
    assert SECRET not in json.dumps(heard, ensure_ascii=False)
    assert {frame["session_id"] for frame in heard} == {his.session_id}
    assert await portrait(shared, alice, hers) == before


@both
async def test_another_user_gets_nothing_from_any_command(shared: Site) -> None:
    assert set(COMMANDS) == set(PROTOCOL)
    alice, bob = await shared.user("alice"), await shared.user("bob")
    hers, his = await furnish(shared, alice, SECRET), await furnish(shared, bob, "부산")
    before = await portrait(shared, alice, hers)
    for method, params in COMMANDS.items():
        given = {"id": 1, "method": method, "params": json.loads(filled(json.dumps(params), hers))}
        there = await shared.http.post(f"/threads/{hers.session_id}/commands", json=given, headers=bob)
        async with shared.thread_socket(hers.session_id, additional_headers=bob) as socket:
            await socket.send(json.dumps(given))
            if method == "run.start":
                # Nobody is told whose the id is.
                assert there.json()["error"] == (await receive(socket))["error"] == "invalid_argument"
            else:
                assert there.status_code == 404, method
                with pytest.raises(ConnectionClosed) as closed:
                    await socket.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4404
        own = await shared.http.post(f"/threads/{his.session_id}/commands", json=given, headers=bob)
        assert SECRET not in there.text + own.text, method
    assert await portrait(shared, alice, hers) == before


async def test_a_thread_socket_without_credentials_closes_with_4401(shared: Site) -> None:
    async with shared.thread_socket(NOTHING.session_id) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4401


async def test_a_socket_without_credentials_closes_with_4401(shared: Site) -> None:
    hers = await furnish(shared, await shared.user("alice"), SECRET)
    for session in (hers.session_id, NOTHING.session_id):
        async with shared.socket(session) as socket:
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4401


async def test_a_user_who_changes_company_leaves_the_old_one_behind(shared: Site) -> None:
    alice = await shared.user("alice", company_id="kim")
    hers = await furnish(shared, alice, SECRET)
    async with shared.runtime.db.transaction() as tx:
        await tx.execute("UPDATE users SET company_id = 'lee' WHERE name = 'alice'", {})
    answer = await shared.http.get(f"/api/v1/sessions/{hers.session_id}", headers=alice)
    assert answer.status_code == 404
    assert (await shared.http.get("/api/v1/sessions", headers=alice)).json()["items"] == []


async def test_the_company_of_a_session_is_the_callers(shared: Site) -> None:
    alice = await shared.user("alice", company_id="kim")
    given = {"assistant": "trip", "metadata": {"company_id": "lee", "a": 1}}
    made = (await shared.http.post("/api/v1/sessions", json=given, headers=alice)).json()
    assert made["metadata"] == {"company_id": "kim", "a": 1}
    where = f"/api/v1/sessions/{made['session_id']}"
    changed = await shared.http.patch(where, json={"metadata": {"company_id": "lee"}}, headers=alice)
    assert changed.status_code == 422


async def test_the_local_user_sees_only_what_is_nobodys(site: Site) -> None:
    alice = await site.user("alice")
    hers, local = await site.session(**alice), await site.session()
    assert (await site.http.get(f"/api/v1/sessions/{hers}")).status_code == 404
    assert (await site.http.get(f"/api/v1/sessions/{local}", headers=alice)).status_code == 404
    listed = (await site.http.get("/api/v1/sessions")).json()["items"]
    assert [session["session_id"] for session in listed] == [local]
