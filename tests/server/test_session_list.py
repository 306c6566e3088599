"""Finding conversations by what was said in them, archiving, deleting and undoing it, names that the server gives."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from madang.server.options import ServerOptions
from madang.server.sdk.sweeping import Sweeper
from madang.state.encryption import Keyring, generate_key
from madang.store import sessions as stored_sessions
from tests.support.serving import Site, both, serving

LIST = "/api/v1/sessions"


async def found(site: Site, **query: Any) -> list[dict[str, Any]]:
    answer = await site.http.get(LIST, params=query)
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


@both
async def test_a_session_is_named_after_its_first_question(site: Site) -> None:
    session = await site.session()
    assert (await site.http.get(f"{LIST}/{session}")).json()["title"] is None
    await site.ask(session, "안녕!  부산 3 100")
    await site.ask(session, "서울 3 100")
    assert (await site.http.get(f"{LIST}/{session}")).json()["title"] == "안녕! 부산 3 100"
    await site.http.patch(f"{LIST}/{session}", json={"title": "여행"})
    await site.ask(session, "제주 3 100")
    assert (await site.http.get(f"{LIST}/{session}")).json()["title"] == "여행"


@both
@pytest.mark.parametrize("wanted", ["전세금", "세금", "집", "5% 인상", "MAPO 84", "100원_"])
async def test_what_was_said_is_found_by_any_part_of_it(site: Site, wanted: str) -> None:
    one, other = await site.session(), await site.session()
    messages = site.runtime.messages
    await messages.append(one, "user", "우리 집주인이 전세금 5% 인상을 말해요. mapo 84㎡, 100원_입니다")
    await messages.append(other, "user", "내일 날씨 5만 인상 100원")
    (row,) = await found(site, q=wanted)
    assert row["session_id"] == one
    assert wanted.lower() in row["snippet"].lower()
    assert row["status"] == "idle"


@both
async def test_titles_and_answers_are_found_and_others_are_not(site: Site) -> None:
    session = await site.session()
    answer = (await site.ask(session, "부산 3 100"))["response"]["answer"]
    (row,) = await found(site, q=answer[:12])
    assert (row["session_id"], row["status"], row["archived"]) == (session, "completed", False)
    await site.http.patch(f"{LIST}/{session}", json={"title": "겨울 바다"})
    assert [one["session_id"] for one in await found(site, q="울 바")] == [session]
    assert await found(site, q="없는 말") == []
    assert "snippet" not in (await found(site))[0]


@both
async def test_a_forgotten_or_deleted_text_is_not_found(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100")
    await site.runtime.sessions.delete(session)
    assert await found(site, q="부산") == await found(site, q="부산 3") == []


@both
async def test_pages_of_a_search_follow_each_other(site: Site) -> None:
    ids = [await site.session() for _ in range(5)]
    for session in ids:
        await site.runtime.messages.append(session, "user", "전세금 이야기")
    pages, cursor = [], None
    while True:
        query: dict[str, Any] = {"q": "전세금", "limit": 2, **({"cursor": cursor} if cursor else {})}
        page = (await site.http.get(LIST, params=query)).json()
        pages += [one["session_id"] for one in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert pages == ids[::-1]


@pytest.mark.parametrize("most", [2, 20_000])
@both
async def test_encrypted_texts_are_searched_in_bounded_steps(
    server_db: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_sessions, "MOST_OPENED", most)
    keyring = Keyring.parse(f"k:{generate_key()}")
    async with serving(server_db, keyring=keyring) as site:
        ids = [await site.session() for _ in range(3)]
        for number, session in enumerate(ids):
            await site.ask(session, f"부산{number} 3 100")
        async with site.runtime.db.reader() as reader:
            indexed = "SELECT count(*) AS n FROM chat_messages WHERE content LIKE '%부산%'"
            assert (await reader.fetch(indexed))[0]["n"] == 0
        seen, cursor, requests = [], None, 0
        while requests == 0 or cursor is not None:
            query = {"q": "부산1", **({"cursor": cursor} if cursor else {})}
            page = (await site.http.get(LIST, params=query)).json()
            seen += [one["session_id"] for one in page["items"]]
            cursor, requests = page["next_cursor"], requests + 1
        assert seen == [ids[1]]
        assert requests > 1 if most == 2 else requests == 1


@both
async def test_archived_sessions_are_out_of_the_way(site: Site) -> None:
    kept, away = await site.session(), await site.session()
    before = (await site.http.get(f"{LIST}/{away}")).json()["updated_at"]
    changed = (await site.http.patch(f"{LIST}/{away}", json={"archived": True})).json()
    assert (changed["archived"], changed["updated_at"]) == (True, before)
    assert [one["session_id"] for one in await found(site, archived=False)] == [kept]
    assert [one["session_id"] for one in await found(site, archived=True)] == [away]
    assert len(await found(site)) == 2
    await site.http.patch(f"{LIST}/{away}", json={"archived": False})
    assert len(await found(site, archived=False)) == 2


@both
async def test_a_deletion_can_be_undone_for_a_while(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100")
    before = (await site.http.get(f"{LIST}/{session}/messages")).json()
    assert (await site.http.post(f"{LIST}/{session}/restore")).status_code == 404
    assert (await site.http.delete(f"{LIST}/{session}")).status_code == 204
    for path in ("", "/messages", "/state"):
        assert (await site.http.get(f"{LIST}/{session}{path}")).status_code == 404
    assert (await site.http.post(f"{LIST}/{session}/messages", json={"query": "서울 3"})).status_code == 404
    assert await found(site) == await found(site, q="부산") == []
    assert (await site.http.post("/threads/search", json={})).json() == []
    restored = await site.http.post(f"{LIST}/{session}/restore")
    assert (restored.status_code, restored.json()["session_id"]) == (200, session)
    assert (await site.http.get(f"{LIST}/{session}/messages")).json() == before
    assert (await site.ask(session, "서울 3 100"))["status"] == "completed"


@both
async def test_a_deletion_is_final_after_its_time(site: Site) -> None:
    session = await site.session()
    await site.ask(session, "부산 3 100")
    await site.http.delete(f"{LIST}/{session}")
    sweeper = Sweeper(site.runtime, site.app.state.sockets, undo_seconds=30)
    assert await sweeper.sweep(at=datetime.now(UTC) + timedelta(seconds=29)) == 0
    assert await sweeper.sweep(at=datetime.now(UTC) + timedelta(seconds=31)) == 1
    assert (await site.http.post(f"{LIST}/{session}/restore")).status_code == 404
    async with site.runtime.db.reader() as reader:
        for table in ("chat_sessions", "chat_messages", "runs", "run_events", "checkpoints"):
            assert (await reader.fetch(f"SELECT count(*) AS n FROM {table}"))[0]["n"] == 0, table


@both
async def test_without_time_to_undo_a_deletion_is_final_at_once(server_db: str) -> None:
    async with serving(server_db, ServerOptions(undo_seconds=0)) as site:
        session = await site.session()
        await site.http.delete(f"{LIST}/{session}")
        assert (await site.http.post(f"{LIST}/{session}/restore")).status_code == 404


@both
async def test_a_new_session_may_take_the_id_of_a_deleted_one(site: Site) -> None:
    given = {"assistant": "trip", "session_id": "mine"}
    await site.http.post(LIST, json=given)
    await site.ask("mine", "부산 3 100")
    await site.http.delete(f"{LIST}/mine")
    assert (await site.http.post(LIST, json=given)).status_code == 201
    assert (await site.http.get(f"{LIST}/mine/messages")).json()["items"] == []
    assert (await site.http.post(f"{LIST}/mine/restore")).status_code == 404
