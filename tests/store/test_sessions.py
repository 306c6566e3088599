"""Sessions and messages, one body over both backends."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.errors import Conflict, InvalidInput, InvalidName, NotFound, UnreadableData
from madang.store.database import Database
from madang.store.messages import Message, Messages
from madang.store.paging import decode_cursor, encode_cursor
from madang.store.session_search import SessionSearch, Wanted
from madang.store.sessions import Session, Sessions
from madang.store.stats import stats
from madang.store.users import HOME_COMPANY


async def all_pages(sessions: Sessions, limit: int, **filters: str) -> list[Session]:
    found: list[Session] = []
    cursor = None
    while True:
        page = await sessions.list(limit=limit, cursor=cursor, search=filters.get("search"))
        assert len(page.items) <= limit
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found


async def test_a_session_is_read_back_as_it_was_made(db: Database) -> None:
    sessions = Sessions(db)
    made = await sessions.create(assistant="homes", title="전세 계약", metadata={"기기": "phone", "n": [1, 2.5, None]})
    assert await sessions.get(made.session_id) == made


@pytest.mark.parametrize("session_id", ["a", "가" * 255, "한글 아이디/…", "' OR 1=1; --", "%s :name", "{}"])
async def test_a_client_may_choose_the_id(db: Database, session_id: str) -> None:
    sessions = Sessions(db)
    await sessions.create(session_id)
    assert (await sessions.get(session_id)).session_id == session_id
    with pytest.raises(Conflict):
        await sessions.create(session_id)


@pytest.mark.parametrize("session_id", ["", "   ", "x" * 256, "a\x00b", "a\nb", "\ud800"])
async def test_an_id_that_cannot_be_one_is_refused(db: Database, session_id: str) -> None:
    with pytest.raises(InvalidName):
        await Sessions(db).create(session_id)


async def test_an_unknown_user_is_refused(db: Database) -> None:
    with pytest.raises(Conflict):
        await Sessions(db).create("s", user_id=12345)
    assert await Sessions(db).count() == 0


async def test_unknown_sessions(db: Database) -> None:
    sessions = Sessions(db)
    assert await sessions.find("none") is None
    for call in (sessions.get("none"), sessions.rename("none", "x"), sessions.update_metadata("none", {})):
        with pytest.raises(NotFound):
            await call
    assert await sessions.delete("none") is False


async def test_listing_by_assistant_parent_and_title(db: Database) -> None:
    sessions = Sessions(db)
    await sessions.create("h1", assistant="homes", title="강남 전세 100% 대출")
    await sessions.create("h2", assistant="homes", title="강남 월세", parent_session_id="h1")
    await sessions.create("t1", assistant="travel", title="Trip to JEJU")

    async def ids(**filters: str) -> list[str]:
        return [s.session_id for s in (await sessions.list(**filters)).items]  # type: ignore[arg-type]

    assert await ids() == ["t1", "h2", "h1"]
    assert await ids(assistant="homes") == ["h2", "h1"]
    assert await ids(parent="h1") == ["h2"]
    assert await ids(search="강남") == ["h2", "h1"]
    assert await ids(search="jeju") == ["t1"]
    assert await ids(search="0%") == ["h1"]
    assert await ids(search="_") == []
    assert await sessions.count(assistant="homes") == 2


@pytest.mark.parametrize("damage", ["[1, 2]", '"text"', "{half"])
async def test_a_damaged_row_is_shown_as_one_and_hides_no_other(db: Database, damage: str) -> None:
    if damage == "{half" and db.dialect == "postgres":
        return  # Postgres parses what it stores.
    for name in ("a", "b", "c"):
        await Sessions(db).create(name, title=name, metadata={"n": 1})
    async with db.transaction() as tx:
        await tx.execute("UPDATE chat_sessions SET metadata = :damage WHERE session_id = 'b'", {"damage": damage})
    page = await Sessions(db).list()
    assert {one.session_id: bool(one.damaged) for one in page.items} == {"a": False, "b": True, "c": False}
    assert (
        await Sessions(db).count(company=HOME_COMPANY)
        == len((await Sessions(db).list(company=HOME_COMPANY)).items)
        == 3
    )
    search = SessionSearch(db)
    for wanted in (Wanted(), Wanted(company=HOME_COMPANY), Wanted(sort_by="state_updated_at")):
        found = await search.find(wanted, limit=10)
        assert {one.session.session_id: bool(one.session.damaged) for one in found} == {
            "a": False,
            "b": True,
            "c": False,
        }
        assert await search.count(wanted) == 3
    assert len(await search.find(Wanted(metadata={"n": 1}), limit=10)) == 2
    assert await search.limited() == []
    assert (await stats(db)).session_count == 3
    with pytest.raises(UnreadableData):
        await Sessions(db).get("b")


async def test_rename_and_metadata_keep_the_rest(db: Database) -> None:
    sessions = Sessions(db)
    await sessions.create("s", assistant="homes", metadata={"a": 1, "b": 2})
    renamed = await sessions.rename("s", "새 이름")
    changed = await sessions.update_metadata("s", {"b": None, "c": {"d": "e"}})
    assert (renamed.title, renamed.assistant) == ("새 이름", "homes")
    assert changed.metadata == {"a": 1, "c": {"d": "e"}}
    assert await sessions.get("s") == changed
    with pytest.raises(InvalidInput, match="title"):
        await sessions.rename("s", "nul\x00")


async def test_metadata_merges_of_many_writers_are_all_kept(db: Database) -> None:
    sessions = Sessions(db)
    await sessions.create("s")
    await asyncio.gather(*(sessions.update_metadata("s", {f"k{n}": n}) for n in range(12)))
    assert (await sessions.get("s")).metadata == {f"k{n}": n for n in range(12)}


@pytest.mark.parametrize("cursor", ["x", "!!!", encode_cursor("only"), encode_cursor(1, 2), "W10", "한글"])
async def test_a_foreign_cursor_is_refused(db: Database, cursor: str) -> None:
    with pytest.raises(InvalidInput, match="cursor"):
        await Sessions(db).list(cursor=cursor)


@pytest.mark.parametrize("limit", [0, -1, 1001, True])
async def test_a_limit_out_of_range_is_refused(db: Database, limit: int) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        await Sessions(db).list(limit=limit)


async def test_pages_cover_everything_once(db: Database) -> None:
    sessions, messages = Sessions(db), Messages(db)
    for n in range(13):
        await sessions.create(f"s{n}", title="even" if n % 2 == 0 else "odd")
    await messages.append("s3", "user", "이제 가장 최근")
    expected = ["s3", *(f"s{n}" for n in range(12, -1, -1) if n != 3)]
    for limit in (1, 2, 5, 12, 13, 14):
        assert [s.session_id for s in await all_pages(sessions, limit)] == expected
        assert len(await all_pages(sessions, limit, search="even")) == 7


@given(st.lists(st.one_of(st.text(), st.integers()), min_size=1, max_size=3))
def test_cursors_round_trip(position: list[str | int]) -> None:
    assert decode_cursor(encode_cursor(*position), *map(type, position)) == tuple(position)


@given(st.text(max_size=40))
def test_any_text_as_cursor_is_decoded_or_refused(text: str) -> None:
    try:
        decode_cursor(text, str, str)
    except InvalidInput:
        return
    assert text


async def test_messages_are_kept_in_order_with_their_structure(db: Database) -> None:
    sessions, messages = Sessions(db), Messages(db)
    await sessions.create("s")
    sources = {"metadata": {"sources": ["주택임대차보호법 제7조"]}, "score": 0.5, "none": None}
    first = await messages.append("s", "user", "보증금 올릴 수 있나요?", request_id="r1")
    second = await messages.append("s", "assistant", "5% 까지요.", structured_data=sources, run_id="run")
    assert (await messages.list("s")).items == [first, second]
    session = await sessions.get("s")
    assert (session.message_count, session.last_message) == (2, "5% 까지요.")
    assert session.updated_at == second.created_at


async def test_what_cannot_be_a_message_changes_nothing(db: Database) -> None:
    sessions, messages = Sessions(db), Messages(db)
    before = await sessions.create("s")
    with pytest.raises(InvalidInput, match="role"):
        await messages.append("s", "robot", "x")
    with pytest.raises(InvalidInput, match="content"):
        await messages.append("s", "user", "a\x00b")
    with pytest.raises(InvalidInput, match="structured_data"):
        await messages.append("s", "user", "x", structured_data={"f": object()})
    with pytest.raises(InvalidInput, match="structured_data"):
        await messages.append("s", "user", "x", structured_data={"f": ["nul\x00"]})
    with pytest.raises(InvalidInput, match="structured_data"):
        await messages.append("s", "user", "x", structured_data={"f": float("nan")})
    with pytest.raises(NotFound):
        await messages.append("none", "user", "x")
    assert await sessions.get("s") == before
    assert (await messages.list("s")).items == []


async def test_text_that_looks_like_an_escaped_nul_is_kept(db: Database) -> None:
    await Sessions(db).create("s")
    data = {"path": "C:\\u0000"}
    await Messages(db).append("s", "user", "x", structured_data=data)
    assert (await Messages(db).list("s")).items[0].structured_data == data


async def test_counts_stay_true_under_concurrent_writers(db: Database) -> None:
    sessions, messages = Sessions(db), Messages(db)
    await sessions.create("s")
    await asyncio.gather(*(messages.append("s", "user", f"m{n}") for n in range(40)))
    kept = (await messages.list("s")).items
    assert (await sessions.get("s")).message_count == len(kept) == 40
    assert {m.content for m in kept} == {f"m{n}" for n in range(40)}
    assert [m.id for m in kept] == sorted(m.id for m in kept)


@settings(max_examples=8)
@given(count=st.integers(0, 9), limit=st.integers(1, 10))
async def test_message_pages_both_ways(db: Database, count: int, limit: int) -> None:
    session = await Sessions(db).create()
    messages = Messages(db)
    made = [await messages.append(session.session_id, "user", str(n)) for n in range(count)]
    forward: list[Message] = []
    backward: list[Message] = []
    cursor = None
    while True:
        page = await messages.list(session.session_id, limit=limit, cursor=cursor)
        forward += page.items
        if (cursor := page.next_cursor) is None:
            break
    while True:
        page = await messages.latest(session.session_id, limit=limit, cursor=cursor)
        backward = page.items + backward
        if (cursor := page.next_cursor) is None:
            break
    assert forward == backward == made


async def test_a_transaction_that_fails_leaves_nothing(db: Database) -> None:
    sessions, messages = Sessions(db), Messages(db)

    async def create_and_fail() -> None:
        async with db.transaction() as tx:
            await sessions.create("s", tx=tx)
            await messages.append("s", "user", "hi", tx=tx)
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        await create_and_fail()
    assert await sessions.find("s") is None
