"""REST, route by route."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from madang.server import http_protocol
from madang.server.options import ServerOptions
from madang.store.documents import Documents
from tests.support.runtimes import Gate
from tests.support.serving import Site, both, events_of, serving

API = "/api/v1"


def assert_problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["code"] == code
    assert body["status"] == status
    assert body["type"] == f"urn:madang:problem:{code}"
    return body


async def test_assistants(site: Site) -> None:
    assert (await site.http.get(f"{API}/assistants")).json()[0]["name"] == "trip"


@both
async def test_a_session_from_beginning_to_end(site: Site) -> None:
    given = {"assistant": "trip", "session_id": "내 여행", "title": "오사카", "metadata": {"a": 1, "b": 2}}
    made = await site.http.post(f"{API}/sessions", json=given)
    assert made.status_code == 201
    where = f"{API}/sessions/내 여행"
    assert (await site.http.get(where)).json() == made.json()
    changed = await site.http.patch(where, json={"title": "도쿄", "metadata": {"b": None}})
    assert (changed.json()["title"], changed.json()["metadata"]) == ("도쿄", {"a": 1})
    assert [s["session_id"] for s in (await site.http.get(f"{API}/sessions?search=도쿄")).json()["items"]] == [
        "내 여행"
    ]
    assert (await site.http.delete(where)).status_code == 204
    assert_problem(await site.http.get(where), 404, "not_found")


@both
async def test_sessions_by_page(site: Site) -> None:
    made = [await site.session() for _ in range(5)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = (await site.http.get(f"{API}/sessions?limit=2{cursor}")).json()
        seen += [session["session_id"] for session in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == made[::-1]


@both
async def test_a_turn_that_is_waited_for_is_the_object_of_ask(site: Site) -> None:
    outcome = await site.ask(await site.session(), "오사카 3 100")
    assert set(outcome) == {"session_id", "request_id", "assistant", "status", "response", "state", "events"}
    assert outcome["status"] == "completed"
    assert outcome["state"]["city"] == "오사카"
    assert outcome["events"][-1]["type"] == "response"


@both
async def test_a_turn_that_is_not_waited_for_is_a_run(site: Site) -> None:
    session = await site.session()
    answer = await site.http.post(
        f"{API}/sessions/{session}/messages", json={"content": "오사카 3", "request_id": "r1"}
    )
    assert answer.status_code == 202
    run = answer.json()
    assert (run["session_id"], run["request_id"]) == (session, "r1")
    await site.runtime.wait(run["run_id"])
    shown = (await site.http.get(f"{API}/runs/{run['run_id']}")).json()
    assert shown["status"] == "completed"
    assert not {"fence", "owner_pid", "owner_host", "lease_until"} & set(shown)
    messages = (await site.http.get(f"{API}/sessions/{session}/messages")).json()["items"]
    assert [m["role"] for m in messages] == ["user", "assistant"]
    latest = (await site.http.get(f"{API}/sessions/{session}/messages?latest=true&limit=1")).json()
    assert latest["items"] == messages[1:]
    before = (
        await site.http.get(f"{API}/sessions/{session}/messages?latest=true&cursor={latest['next_cursor']}")
    ).json()
    assert before["items"] == messages[:1]


@both
async def test_state_history_diff_and_fields(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "오사카 3 100")
    where = f"{API}/sessions/{session}"
    shown = (await site.http.get(f"{where}/state")).json()
    assert shown["state"]["nights"] == 3
    whole = (await site.http.get(f"{where}/history?limit=1000")).json()["items"]
    assert whole[0]["checkpoint_id"] == shown["checkpoint_id"]
    paged: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = (await site.http.get(f"{where}/history?limit=4{cursor}")).json()
        paged += page["items"]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert paged == whole
    first = whole[-1]["checkpoint_id"]
    assert (await site.http.get(f"{where}/diff?from={first}")).json()["added"]["city"] == "오사카"
    earlier = (await site.http.get(f"{where}/state?checkpoint_id={first}")).json()
    assert "city" not in earlier["state"]
    found = (await site.http.get(f"{where}/fields/results.search.hotels[0]")).json()
    assert found["value"] == "오사카 호텔 3박"
    assert (await site.http.get(f"{where}/fields/flights")).json()["source"]["tool"] == "fares"
    assert_problem(await site.http.get(f"{where}/fields/nowhere"), 404, "not_found")
    assert_problem(await site.http.get(f"{where}/state?checkpoint_id=none"), 404, "not_found")
    assert_problem(await site.http.get(f"{where}/diff"), 422, "invalid_input")


@both
async def test_an_edit_reruns_what_depends_on_it(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "오사카 3 100")
    services = site.runtime.served["trip"].services
    services.calls.clear()
    edited = await site.http.post(f"{API}/sessions/{session}/state", json={"changes": {"budget": 500}})
    assert edited.status_code == 202
    await site.runtime.wait(edited.json()["run"]["run_id"])
    assert services.calls == {"money": 1}
    quiet = await site.http.post(f"{API}/sessions/{session}/state?run=false", json={"changes": {"budget": 900}})
    assert (quiet.status_code, quiet.json()["run"], quiet.json()["state"]["budget"]) == (200, None, 900)
    refused = await site.http.post(f"{API}/sessions/{session}/state", json={"changes": {"budget": "많이"}})
    assert assert_problem(refused, 422, "invalid_state")["problems"][0]["field"] == "budget"
    for nowhere in ("", "[0]", "budget."):
        refused = await site.http.post(f"{API}/sessions/{session}/state", json={"changes": {nowhere: []}})
        assert_problem(refused, 422, "invalid_input")


@both
async def test_a_fork_is_a_session_of_its_own(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "오사카 3 100")
    fork = await site.http.post(f"{API}/sessions/{session}/fork", json={"title": "다른 길"})
    assert fork.status_code == 201
    assert fork.json()["parent_session_id"] == session
    await site.ask(fork.json()["session_id"], "도쿄 2 100")
    assert (await site.http.get(f"{API}/sessions/{session}/state")).json()["state"]["city"] == "오사카"
    assert len((await site.http.get(f"{API}/sessions/{fork.json()['session_id']}/messages")).json()["items"]) == 4


@both
async def test_busy_while_a_turn_runs(server_db: str) -> None:
    gate = Gate()
    async with serving(server_db, agents=gate.agent()) as site:
        session = await site.session()
        where = f"{API}/sessions/{session}"
        run = (await site.http.post(f"{where}/messages", json={"query": "오사카 3"})).json()
        await gate.entered.wait()
        assert_problem(await site.http.post(f"{where}/state", json={"changes": {"budget": 1}}), 409, "session_busy")
        assert_problem(await site.http.post(f"{where}/fork", json={}), 409, "session_busy")
        rejected = {"query": "도쿄 3", "multitask_strategy": "reject"}
        assert_problem(await site.http.post(f"{where}/messages", json=rejected), 409, "session_busy")
        assert (await site.http.get(f"{API}/stats")).json()["running"] == 1
        cancelled = await site.http.post(f"{API}/runs/{run['run_id']}/cancel")
        assert cancelled.json()["status"] == "cancelled"
        assert (await site.http.post(f"{API}/runs/{run['run_id']}/cancel")).json()["status"] == "cancelled"


@both
async def test_deleting_a_session_stops_its_turn(server_db: str) -> None:
    gate = Gate()
    async with serving(server_db, agents=gate.agent()) as site:
        session = await site.session()
        run = (await site.http.post(f"{API}/sessions/{session}/messages", json={"query": "오사카 3"})).json()
        await gate.entered.wait()
        assert (await site.http.delete(f"{API}/sessions/{session}")).status_code == 204
        assert len(site.runtime.runner) == 0
        assert_problem(await site.http.get(f"{API}/runs/{run['run_id']}"), 404, "not_found")


@both
async def test_events_are_streamed_from_any_number_on(site: Site) -> None:
    session = await site.session()
    outcome = await site.ask(session, "오사카 3 100")
    where = f"{API}/sessions/{session}/events"
    whole = await site.http.get(f"{where}?follow=false")
    assert whole.headers["content-type"].startswith("text/event-stream")
    assert events_of(whole.text) == outcome["events"]
    assert events_of((await site.http.get(f"{where}?follow=false&after=5")).text) == outcome["events"][5:]
    later = await site.http.get(f"{where}?follow=false&after=5", headers={"Last-Event-ID": "7"})
    assert events_of(later.text) == outcome["events"][7:]
    assert f"id: {outcome['events'][7]['seq']}\nevent: {outcome['events'][7]['type']}\n" in later.text
    assert_problem(await site.http.get(where, headers={"Last-Event-ID": "x"}), 422, "invalid_input")
    assert_problem(await site.http.get(f"{where}?after=999"), 422, "invalid_input")


async def test_a_broken_stream_is_taken_up_where_it_ended(site: Site) -> None:
    session = await site.session()
    seen: list[dict[str, Any]] = []
    for question in ("오사카 3 100", "도쿄 2 100", "안녕"):
        headers = {"Last-Event-ID": str(seen[-1]["seq"])} if seen else {}
        async with site.http.stream("GET", f"{API}/sessions/{session}/events", headers=headers) as stream:
            await site.runtime.start(session, _turn(question))
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    seen += events_of(line)
                    if seen[-1]["type"] in ("todo_updated", "response") and len(seen) % 4 == 0:
                        break
        # What follows is missed here, and comes with the next stream.
    last = await site.runtime.events.last_seq(session)
    while len(site.runtime.runner):
        last = await site.runtime.events.last_seq(session)
        runs = (await site.runtime.runs.list(session)).items
        for run in runs:
            await site.runtime.wait(run.run_id)
    rest = await site.http.get(f"{API}/sessions/{session}/events?follow=false&after={seen[-1]['seq']}")
    numbers = [frame["seq"] for frame in [*seen, *events_of(rest.text)]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert last <= numbers[-1]


def _turn(text: str) -> Any:
    from madang.runtime import TurnRequest

    return TurnRequest(text=text)


async def test_a_silent_stream_has_heartbeats(sqlite_url: str) -> None:
    async with serving(sqlite_url, ServerOptions(heartbeat=0.01)) as site:
        session = await site.session()
        async with site.http.stream("GET", f"{API}/sessions/{session}/events") as stream:
            async for line in stream.aiter_lines():
                assert line == ": heartbeat"
                break


@both
async def test_memory_of_the_local_user(site: Site) -> None:
    assert (await site.http.get(f"{API}/memory")).json() == {"sessions": [], "preferences": {}}
    put = await site.http.put(f"{API}/memory/preferences", json={"style": ["미식"], "old": 1})
    assert put.json() == {"style": ["미식"], "old": 1}
    assert (await site.http.put(f"{API}/memory/preferences", json={"old": None})).json() == {"style": ["미식"]}
    assert (await site.http.get(f"{API}/memory")).json()["preferences"] == {"style": ["미식"]}
    assert (await site.http.delete(f"{API}/memory")).json() == {"forgotten": 0}
    assert (await site.http.get(f"{API}/memory")).json()["preferences"] == {}


@both
async def test_documents_in_the_format_that_is_asked_for(site: Site) -> None:
    session = await site.session()
    files = {"md": "# 계약서".encode(), "html": "<h1>계약서</h1>".encode()}
    saved = await Documents(site.runtime.db).save(session, title="임대차 계약서", content={"a": 1}, files=files)
    where = f"{API}/documents/{saved.document_id}"
    described = (await site.http.get(where)).json()
    assert (described["formats"], described["versions"], described["content"]) == (["html", "md"], [1], {"a": 1})
    page = await site.http.get(where, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert page.content == files["html"]
    assert "sandbox" in page.headers["content-security-policy"]
    markdown = await site.http.get(f"{where}?format=md")
    assert markdown.content == files["md"]
    assert "filename*=UTF-8''%EC%9E%84" in markdown.headers["content-disposition"]
    missing = await site.http.get(f"{where}?format=pdf")
    assert assert_problem(missing, 404, "not_found")["formats"] == ["html", "md"]
    preferring = {"Accept": "application/pdf, text/markdown;q=0.5, application/json;q=0.1"}
    assert (await site.http.get(where, headers=preferring)).content == files["md"]
    assert_problem(await site.http.get(f"{where}?version=2"), 404, "not_found")
    assert_problem(await site.http.get(f"{where}?format=exe"), 422, "invalid_input")


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status", "code"),
    [
        ("GET", "/api/v1/nowhere", b"", {}, 404, "not_found"),
        ("PUT", "/api/v1/sessions", b"", {}, 405, "method_not_allowed"),
        ("POST", "/api/v1/sessions", b"a=1", {"Content-Type": "text/plain"}, 415, "unsupported_media_type"),
        ("POST", "/api/v1/sessions", b"a=1", {}, 415, "unsupported_media_type"),
        ("POST", "/api/v1/sessions", b"{", {"Content-Type": "application/json"}, 422, "invalid_input"),
        ("POST", "/api/v1/sessions", b"[]", {"Content-Type": "application/json"}, 422, "invalid_input"),
        ("POST", "/api/v1/sessions", b'{"assistant":"x"}', {"Content-Type": "application/json"}, 422, "invalid_input"),
        ("POST", "/api/v1/sessions", b"{}" + b" " * (1 << 20), {"Content-Type": "application/json"}, 413,
         "request_too_large"),
        ("GET", "/api/v1/sessions?limit=0", b"", {}, 422, "invalid_input"),
        ("GET", "/api/v1/sessions?cursor=x", b"", {}, 422, "invalid_input"),
        ("GET", "/api/v1/sessions/%00", b"", {}, 404, "not_found"),
        ("GET", "/api/v1/sessions", b"", {"Host": "evil.example"}, 421, "host_not_allowed"),
        ("POST", "/api/v1/sessions", b"{}", {"Content-Type": "application/json", "Origin": "http://evil.example"}, 403,
         "origin_not_allowed"),
        ("GET", "/static/..%2fapp.py", b"", {}, 404, "not_found"),
    ],
)  # fmt: skip
async def test_what_is_refused(
    site: Site, method: str, path: str, content: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    assert_problem(await site.http.request(method, path, content=content or None, headers=headers), status, code)


async def test_a_body_without_a_length_is_bounded_too(site: Site) -> None:
    async def endless() -> Any:
        for _ in range(300):
            yield b" " * 10_000

    answer = await site.http.post(f"{API}/sessions", content=endless(), headers={"Content-Type": "application/json"})
    assert_problem(answer, 413, "request_too_large")


async def test_health_and_readiness(site: Site) -> None:
    assert (await site.http.get("/healthz")).json() == {"status": "ok"}
    assert (await site.http.get("/readyz")).json() == {"status": "ready"}


async def test_an_unforeseen_error_says_nothing_of_the_inside(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_args: Any, **_options: Any) -> Any:
        raise RuntimeError("secret inside")

    monkeypatch.setattr(site.runtime.sessions, "list", broken)
    answer = await site.http.get(f"{API}/sessions")
    assert "secret" not in str(assert_problem(answer, 500, "internal"))


@both
async def test_a_request_that_is_sent_twice_is_one_turn(site: Site) -> None:
    session = await site.session()
    where, given = f"{API}/sessions/{session}/messages", {"query": "오사카 3", "request_id": "once"}
    first = (await site.http.post(where, json=given)).json()
    again = (await site.http.post(f"{where}?wait=true", json=given)).json()
    assert again["request_id"] == first["request_id"]
    assert len((await site.runtime.messages.list(session)).items) == 2
    assert_problem(await site.http.post(where, json=given | {"query": "도쿄 3"}), 409, "conflict")


@pytest.mark.parametrize("head", [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", b"", b"GET / HTTP/1.1\r\nX: "])
async def test_headers_that_never_end(site: Site, monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
    monkeypatch.setattr(http_protocol, "HEADERS_WITHIN", 0.1)
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(head)
    assert (await reader.read()).startswith(b"HTTP/1.1 408")
    writer.close()


async def test_headers_that_are_too_large(site: Site) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(b"GET / HTTP/1.1\r\nX-Large: " + b"x" * 100_000)
    assert (await reader.read()).startswith(b"HTTP/1.1 408")
    writer.close()


async def test_a_body_that_never_ends(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from madang.server import edge

    monkeypatch.setattr(edge, "BODY_TIMEOUT", 0.1)
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = b"POST /api/v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    writer.write(head + b"Content-Length: 100\r\n\r\n{")
    answer = await reader.readuntil(b"}")
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"request_timeout" in answer
    writer.close()


async def test_streams_end_at_once_when_the_server_stops(sqlite_url: str) -> None:
    async with AsyncExitStack() as stack:
        async with serving(sqlite_url, ServerOptions(heartbeat=3600)) as site:
            session = await site.session()
            http = await stack.enter_async_context(httpx.AsyncClient(base_url=site.address, timeout=None))
            paths = [f"/api/v1/sessions/{session}/events", f"/threads/{session}/stream"]
            answers = [await stack.enter_async_context(http.stream("GET", path)) for path in paths]
        # With a heartbeat an hour, only an end that doesn't wait for one comes before the test is given up.
        assert await answers[0].aread() == b""
        # Its clients take an orderly end for that of what they follow.
        with pytest.raises(httpx.RemoteProtocolError):
            await answers[1].aread()
