"""A conversation in one request, whatever its length; what its reader thinks of it."""

from typing import Any

import pytest

from madang.state.encryption import Keyring, generate_key
from tests.support.conversation import SESSIONS, conversation, questions
from tests.support.runtimes import Gate
from tests.support.serving import Site, both, receive, receive_until, serving
from tests.support.trip_assistant import Services


@both
async def test_a_turn_is_shown_with_all_that_belongs_to_it(site: Site) -> None:
    session = await site.session()
    outcome = await site.ask(session, "부산 3 100")
    found = await conversation(site, session)
    assert found["session"]["session_id"] == session
    (turn,) = found["turns"]
    assert (turn["status"], turn["question"]["content"]) == ("completed", "부산 3 100")
    assert turn["request_id"] == outcome["request_id"]
    assert turn["response"]["answer"] == outcome["response"]["answer"]
    assert turn["response"]["structured_data"] == outcome["response"]["structured_data"]
    assert [step["status"] for step in turn["plan"]["execution_steps"]] == ["completed"] * len(
        turn["plan"]["execution_steps"]
    )
    assert turn["plan"]["strategy"] in ("sequential", "parallel", "pipeline")
    assert [(one["role"], one["content"]) for one in turn["messages"]] == [
        ("user", "부산 3 100"),
        ("assistant", outcome["response"]["answer"]),
    ]
    assert (turn["branches"], turn["feedback"], turn["error"], turn["text"]) == ([], None, None, "")
    assert (found["pending"], found["running"], found["has_more"]) == ([], None, False)
    assert found["last_seq"] == outcome["events"][-1]["seq"]


@both
async def test_windows_follow_each_other_to_the_beginning(site: Site) -> None:
    session = await site.session()
    asked = [f"부산 {number} 100" for number in range(1, 6)]
    for text in asked:
        await site.ask(session, text)
    seen: list[str | None] = []
    found = await conversation(site, session, limit=2)
    while True:
        seen = questions(found) + seen
        if not found["has_more"]:
            break
        found = await conversation(site, session, limit=2, before=found["turns"][0]["run_id"])
    assert seen == asked


@both
async def test_the_number_of_statements_does_not_grow(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    session = await site.session()
    counts = []
    for turns in (1, 4):
        for number in range(turns):
            await site.ask(session, f"부산 {number + 1} 100")
        reader = type(site.runtime.db).reader
        fetched = 0

        def counted(self: Any, _reader: Any = reader) -> Any:
            opened = _reader(self)

            class Counting:
                async def __aenter__(self) -> Any:
                    inner = await opened.__aenter__()

                    class Inner:
                        async def fetch(self, *args: Any) -> Any:
                            nonlocal fetched
                            fetched += 1
                            return await inner.fetch(*args)

                    return Inner()

                async def __aexit__(self, *error: Any) -> Any:
                    return await opened.__aexit__(*error)

            return Counting()

        with monkeypatch.context() as patched:
            patched.setattr(type(site.runtime.db), "reader", counted)
            await conversation(site, session)
        counts.append(fetched)
    assert counts[0] == counts[1] <= 8


@both
async def test_a_turn_that_runs_is_shown_as_far_as_it_is_and_the_socket_goes_on(server_db: str) -> None:
    gate = Gate()
    async with serving(server_db, agents=gate.agent()) as site:
        session = await site.session()
        run = (await site.http.post(f"{SESSIONS}/{session}/messages", json={"query": "부산 3 100"})).json()
        await gate.entered.wait()
        found = await conversation(site, session)
        (turn,) = found["turns"]
        assert (turn["run_id"], turn["status"], turn["response"]) == (run["run_id"], "running", None)
        assert found["running"]["run_id"] == run["run_id"]
        async with site.socket(session, f"?after={found['last_seq']}") as socket:
            assert (await receive(socket))["type"] == "connected"
            gate.open.set()
            frames = await receive_until(socket, "response")
        assert [frame["seq"] for frame in frames] == list(
            range(found["last_seq"] + 1, found["last_seq"] + 1 + len(frames))
        )


@both
async def test_what_a_turn_waits_for_is_pending(server_db: str) -> None:
    async with serving(server_db, services=Services(asks={"itinerary"})) as site:
        session = await site.session()
        outcome = await site.ask(session, "부산 3 100")
        found = await conversation(site, session)
        assert outcome["status"] == found["turns"][0]["status"] == "interrupted"
        assert found["pending"] == outcome["events"][-1]["interrupts"]
        await site.ask(session, "네")
        answered = await conversation(site, session)
        assert answered["pending"] == []


@both
async def test_a_failed_and_a_cancelled_turn_say_so(server_db: str) -> None:
    gate = Gate()
    async with serving(server_db, agents=gate.agent()) as site:
        session = await site.session()
        run = (await site.http.post(f"{SESSIONS}/{session}/messages", json={"query": "부산 3 100"})).json()
        await gate.entered.wait()
        await site.http.post(f"/api/v1/runs/{run['run_id']}/cancel")
        (turn,) = (await conversation(site, session))["turns"]
        assert (turn["status"], turn["response"], turn["error"]) == ("cancelled", None, None)
        assert turn["note"]


@both
async def test_a_forked_conversation_shows_what_came_with_it(site: Site) -> None:
    session = await site.session()
    for text in ("부산 3 100", "서울 2 100"):
        await site.ask(session, text)
    fork = (await site.http.post(f"{SESSIONS}/{session}/fork", json={})).json()["session_id"]
    await site.ask(fork, "제주 2 100")
    whole = await conversation(site, fork)
    assert questions(whole) == ["부산 3 100", "서울 2 100", "제주 2 100"]
    assert whole["turns"][0]["response"]["answer"]
    part = await conversation(site, fork, limit=2)
    assert (questions(part), part["has_more"]) == (["서울 2 100", "제주 2 100"], True)
    before = part["turns"][0]["question"]["message_id"]
    assert questions(await conversation(site, fork, before=before)) == ["부산 3 100"]


async def test_an_encrypted_conversation_is_shown_to_its_owner(sqlite_url: str) -> None:
    async with serving(sqlite_url, keyring=Keyring.parse(f"k:{generate_key()}")) as site:
        session = await site.session()
        await site.ask(session, "부산 3 100")
        (turn,) = (await conversation(site, session))["turns"]
        answer = f"{SESSIONS}/{session}/messages/{turn['response']['message_id']}/feedback"
        await site.http.put(answer, json={"rating": "down", "reason": "비밀 이유"})
        async with site.runtime.db.reader() as reader:
            assert "비밀" not in str(await reader.fetch("SELECT * FROM feedback"))
        assert (await conversation(site, session))["turns"][0]["feedback"]["reason"] == "비밀 이유"


@both
async def test_feedback_is_kept_changed_and_taken_back(site: Site) -> None:
    session, other = await site.session(), await site.session()
    await site.ask(session, "부산 3 100")
    message = (await conversation(site, session))["turns"][0]["response"]["message_id"]
    where = f"{SESSIONS}/{session}/messages/{message}/feedback"
    for given in ({"rating": "down", "reason": "틀렸어요"}, {"rating": "up"}):
        assert (await site.http.put(where, json=given)).status_code == 200
        kept = (await conversation(site, session))["turns"][0]["feedback"]
        assert (kept["rating"], kept["reason"], kept["message_id"]) == (given["rating"], given.get("reason"), message)
    await site.http.put(where, json={"rating": None})
    assert (await conversation(site, session))["turns"][0]["feedback"] is None
    refused = await site.http.put(f"{SESSIONS}/{other}/messages/{message}/feedback", json={"rating": "up"})
    assert refused.status_code == 404
    assert (await site.http.put(where, json={"rating": "sideways"})).status_code == 422


async def test_large_answers_are_compressed_and_streams_are_not(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100")
    answer = await site.http.get(f"{SESSIONS}/{session}/conversation", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.json()["turns"]) == 1
    plain = await site.http.get(f"{SESSIONS}/{session}/conversation", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    events = await site.http.get(f"{SESSIONS}/{session}/events?follow=false", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in events.headers


async def test_what_else_a_run_counted_is_no_usage_of_models(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "오사카 3 100")
    async with site.runtime.db.transaction() as tx:
        await tx.execute(
            "UPDATE runs SET usage = '{\"db_queries\": 1}' WHERE session_id = :session_id", {"session_id": session}
        )
    assert (await conversation(site, session))["turns"][0]["usage"] is None
