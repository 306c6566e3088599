"""Asking again and asking otherwise: branches of one conversation, each kept, each to be gone on with."""

from typing import Any

import pytest

from tests.support.conversation import SESSIONS, conversation, questions
from tests.support.runtimes import Gate
from tests.support.serving import Site, both, serving
from tests.support.trip_assistant import Services


async def post(site: Site, session: str, path: str = "messages", status: int = 200, **given: Any) -> dict[str, Any]:
    answer = await site.http.post(f"{SESSIONS}/{session}/{path}?wait=true", json=given)
    assert answer.status_code == status, answer.text
    body: dict[str, Any] = answer.json()
    return body


def said(outcome: dict[str, Any]) -> list[str]:
    return [one["content"] for one in outcome["state"]["messages"] if one["role"] == "user"]


@both
@pytest.mark.parametrize("place", [0, 1, 2])
async def test_an_edited_question_is_asked_from_the_state_before_it(site: Site, place: int) -> None:
    session = await site.session()
    asked = ["부산 3 100", "서울 2 100", "제주 2 100"]
    for text in asked:
        await site.ask(session, text)
    before = await conversation(site, session)
    question = before["turns"][place]["question"]["message_id"]
    outcome = await post(site, session, query="도쿄 3 500", edit_of=question)
    assert outcome["status"] == "completed"
    assert said(outcome) == [*asked[:place], "도쿄 3 500"]
    found = await conversation(site, session)
    assert questions(found) == [*asked[:place], "도쿄 3 500"]
    old = before["turns"][place]["run_id"]
    assert found["turns"][place]["branches"] == [old, found["turns"][place]["run_id"]]
    assert all(not turn["branches"] for turn in found["turns"][:place])
    kept = await conversation(site, session, branch=old)
    assert questions(kept) == asked
    assert [turn["response"] for turn in kept["turns"]] == [turn["response"] for turn in before["turns"]]
    assert said(await post(site, session, query="파리 2 900")) == [*asked[:place], "도쿄 3 500", "파리 2 900"]


@both
async def test_a_question_is_asked_again_beside_its_answer(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100")
    await site.ask(session, "서울 2 100")
    first = await conversation(site, session)
    await post(site, session, "regenerate")
    second = await conversation(site, session)
    assert questions(second) == ["부산 3 100", "서울 2 100"]
    (one, other) = second["turns"][1]["branches"]
    assert (one, other) == (first["turns"][1]["run_id"], second["turns"][1]["run_id"])
    assert second["turns"][1]["response"]["message_id"] != first["turns"][1]["response"]["message_id"]
    await post(site, session, "regenerate", message_id=first["turns"][0]["response"]["message_id"])
    third = await conversation(site, session)
    assert questions(third) == ["부산 3 100"]
    assert len(third["turns"][0]["branches"]) == 2
    answers = [one["id"] for one in (await state(site, session))["messages"] if one["role"] == "assistant"]
    assert len(answers) == 1


async def state(site: Site, session: str) -> dict[str, Any]:
    found: dict[str, Any] = (await site.http.get(f"{SESSIONS}/{session}/state")).json()["state"]
    return found


@both
async def test_an_earlier_branch_can_be_gone_on_with(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100")
    await site.ask(session, "서울 2 100")
    old = (await conversation(site, session))["turns"]
    await post(site, session, query="도쿄 3 500", edit_of=old[0]["question"]["message_id"])
    outcome = await post(site, session, query="제주 2 100", branch=old[1]["run_id"])
    assert said(outcome) == ["부산 3 100", "서울 2 100", "제주 2 100"]
    found = await conversation(site, session)
    assert questions(found) == ["부산 3 100", "서울 2 100", "제주 2 100"]
    assert len(found["turns"][0]["branches"]) == 2
    assert (found["turns"][2]["branches"], found["turns"][1]["branches"]) == ([], [])


@both
async def test_a_branch_leaves_what_was_pending(server_db: str) -> None:
    async with serving(server_db, services=Services(asks={"itinerary"})) as site:
        session = await site.session()
        assert (await site.ask(session, "부산 3 100"))["status"] == "interrupted"
        outcome = await post(site, session, "regenerate")
        assert outcome["status"] == "interrupted"
        found = await conversation(site, session)
        assert len(found["turns"]) == 1
        assert len(found["turns"][0]["branches"]) == 2
        answer = {"interrupt_id": found["pending"][0]["interrupt_id"], "value": {"decision": "approve"}}
        assert (await post(site, session, **answer))["status"] == "completed"
        assert (await conversation(site, session))["turns"][0]["status"] == "completed"


@both
async def test_the_same_request_is_one_branch(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100")
    question = (await conversation(site, session))["turns"][0]["question"]["message_id"]
    for _ in range(2):
        await post(site, session, query="도쿄 3 500", edit_of=question, request_id="r1")
        await post(site, session, "regenerate", request_id="r2")
    assert len((await conversation(site, session))["turns"][0]["branches"]) == 3


async def test_what_can_t_be_branched_says_why(server_db: str) -> None:
    gate = Gate()
    async with serving(server_db, agents=gate.agent()) as site:
        session, empty = await site.session(), await site.session()
        await post(site, empty, "regenerate", status=409)
        await post(site, empty, query="부산 3", edit_of=99, status=404)
        await post(site, empty, query="부산 3", branch="none", status=404)
        await post(site, empty, status=422)
        await post(site, empty, interrupt_id="none", value=1, status=404)
        running = await site.http.post(f"{SESSIONS}/{session}/messages", json={"query": "부산 3 100"})
        await gate.entered.wait()
        assert (await post(site, session, "regenerate", status=409))["code"] == "session_busy"
        gate.open.set()
        await site.runtime.wait(running.json()["run_id"])
        answer = (await conversation(site, session))["turns"][0]["response"]["message_id"]
        await post(site, session, query="부산 2", edit_of=answer, status=422)
        fork = (await site.http.post(f"{SESSIONS}/{session}/fork", json={})).json()["session_id"]
        copied = (await conversation(site, fork))["turns"][0]["question"]["message_id"]
        assert "made of" in (await post(site, fork, query="부산 2", edit_of=copied, status=409))["detail"]
