"""Links to a conversation: what they show, to whom, and until when."""

from typing import Any

from tests.support.conversation import SESSIONS
from tests.support.serving import Site, both

SHARES = "/api/v1/shares"


async def share(site: Site, session: str, headers: Any = None, **given: Any) -> dict[str, Any]:
    answer = await site.http.post(f"{SESSIONS}/{session}/share", json=given, headers=headers or {})
    assert answer.status_code == 201, answer.text
    body: dict[str, Any] = answer.json()
    return body


@both
async def test_a_link_shows_what_had_been_said_and_can_be_revoked(guarded: Site) -> None:
    alice, bob = await guarded.user("alice"), await guarded.user("bob")
    session = await guarded.session(**alice)
    await guarded.ask(session, "부산 3 100", **alice)
    made = await share(guarded, session, alice)
    assert made["url"] == f"/#/shared/{made['share_id']}"
    assert len(made["share_id"]) >= 43
    await guarded.ask(session, "서울 2 100", **alice)
    shown = await guarded.http.get(f"{SHARES}/{made['share_id']}")
    assert shown.status_code == 200
    (turn,) = shown.json()["turns"]
    assert (turn["question"]["content"], bool(turn["response"]["answer"])) == ("부산 3 100", True)
    assert shown.json()["session"]["assistant"] == "trip"
    assert session not in shown.text
    for headers in (bob, {}):
        assert (await guarded.http.delete(f"{SHARES}/{made['share_id']}", headers=headers)).status_code in (401, 404)
    listed = (await guarded.http.get(f"{SESSIONS}/{session}/shares", headers=alice)).json()
    assert [one["share_id"] for one in listed] == [made["share_id"]]
    assert (await guarded.http.delete(f"{SHARES}/{made['share_id']}", headers=alice)).status_code == 204
    assert (await guarded.http.get(f"{SHARES}/{made['share_id']}")).status_code == 404


@both
async def test_a_redacted_link_masks_personal_numbers(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100 010-1234-5678")
    plain = (await site.http.get(f"{SHARES}/{(await share(site, session))['share_id']}")).text
    masked = (await site.http.get(f"{SHARES}/{(await share(site, session, redacted=True))['share_id']}")).text
    assert "010-1234-5678" in plain
    assert "1234-5678" not in masked


@both
async def test_a_link_goes_with_its_conversation_and_its_branch(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100")
    made = await share(site, session)
    await site.http.post(f"{SESSIONS}/{session}/regenerate?wait=true", json={})
    found = (await site.http.get(f"{SHARES}/{made['share_id']}")).json()
    assert [turn["question"]["content"] for turn in found["turns"]] == ["부산 3 100"]
    await site.http.delete(f"{SESSIONS}/{session}")
    assert (await site.http.get(f"{SHARES}/{made['share_id']}")).status_code == 404


@both
async def test_who_one_is_and_which_model_answers(guarded: Site) -> None:
    alice = await guarded.user("alice", company_id="kim")
    me = (await guarded.http.get("/api/v1/me", headers=alice)).json()
    assert (me["name"], me["company_id"], me["local"], me["method"]) == ("alice", "kim", False, "api_key")
    model = (await guarded.http.get("/api/v1/model", headers=alice)).json()
    assert (model["model"], model["reachable"]) == (None, False)
    assert "MADANG_LLM" in model["reason"]


async def test_the_local_user_is_told_so(site: Site) -> None:
    me = (await site.http.get("/api/v1/me")).json()
    assert (me["user_id"], me["local"], me["method"], me["credentials_required"]) == (None, True, "local", False)


async def test_an_assistant_is_a_map_of_agents_and_fields(site: Site) -> None:
    found = (await site.http.get("/api/v1/assistants/trip/map")).json()
    fields = {one["field"]: one for one in found["fields"]}
    assert "flight" in fields["flights"]["written_by"]
    assert "flight" in fields["city"]["read_by"]
    assert found["sensitive"] == []
    assert (await site.http.get("/api/v1/assistants/none/map")).status_code == 404


@both
async def test_what_a_change_would_run_is_told_before_it_is_made(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100")
    before = (await site.http.get(f"{SESSIONS}/{session}/state")).json()
    where = f"{SESSIONS}/{session}/state?preview=true"
    edit = (await site.http.post(where, json={"changes": {"budget": 7}})).json()
    form = (await site.http.patch(f"{SESSIONS}/{session}/inputs?preview=true", json={"nights": 5})).json()
    assert (await site.http.get(f"{SESSIONS}/{session}/state")).json() == before
    kept = {step["agent"] for step in edit["kept"]}
    assert {"flight", "hotel"} <= kept
    assert all(step["reason"] and "estimated_time" in step for step in [*edit["steps"], *edit["kept"], *form["steps"]])
    assert "hotel" in {step["agent"] for step in form["steps"]}
    assert "flight" in {step["agent"] for step in form["kept"]}
    ran = (await site.http.post(f"{SESSIONS}/{session}/state", json={"changes": {"budget": 7}})).json()["run"]
    outcome = await site.runtime.outcome(ran["run_id"])
    steps = outcome["state"]["execution_steps"]
    assert {step["agent"] for step in steps if step["status"] == "completed"} == {s["agent"] for s in edit["steps"]}
    assert (await site.http.post(where, json={"changes": {"budget": "many"}})).status_code == 422
