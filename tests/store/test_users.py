"""Users and API keys."""

from datetime import UTC, datetime, timedelta

import pytest

from madang.errors import Conflict, InvalidInput, NotFound
from madang.store.database import Database
from madang.store.sessions import Sessions
from madang.store.users import Users


async def test_a_user_is_read_back(db: Database) -> None:
    users = Users(db)
    kim = await users.add("김하나", role="lead", metadata={"team": "서울1"})
    assert kim.company_id == "sample"
    assert await users.get(kim.id) == kim == await users.find("김하나")
    assert await users.find("없음") is None
    assert (await users.add("b", company_id="acme")).company_id == "acme"
    with pytest.raises(Conflict):
        await users.add("김하나")
    with pytest.raises(InvalidInput):
        await users.add("  ")
    with pytest.raises(NotFound):
        await users.get(999)


async def test_a_key_lets_its_user_in_and_is_not_stored(db: Database) -> None:
    users = Users(db)
    kim = await users.add("kim")
    key, text = await users.issue_key(kim.id, name="laptop", scopes=["read"])
    assert await users.authenticate(text) == kim
    (stored,) = await users.keys(kim.id)
    assert stored.last_used_at is not None
    assert (stored.key_id, stored.name, stored.scopes) == (key.key_id, "laptop", ("read",))
    secret = text.split("_", 2)[2]
    async with db.reader() as reader:
        rows = await reader.fetch("SELECT * FROM api_keys")
    assert secret not in repr(rows)


async def test_wrong_keys_let_nobody_in(db: Database) -> None:
    users = Users(db)
    kim = await users.add("kim")
    _, text = await users.issue_key(kim.id)
    prefix, key_id, secret = text.split("_", 2)
    wrong = ["", "mdg", "mdg_", text[:-1], text + "x", f"{prefix}_{key_id}_", f"other_{key_id}_{secret}"]
    wrong += [f"{prefix}_{'0' * 12}_{secret}", f"{prefix}_' OR 1=1 --_{secret}", "\x00", "mdg_\ud800_x", f" {text}"]
    for key in wrong:
        assert await users.authenticate(key) is None


async def test_revoked_and_expired_keys_let_nobody_in(db: Database) -> None:
    users = Users(db)
    kim = await users.add("kim")
    first, first_text = await users.issue_key(kim.id)
    _, second_text = await users.issue_key(kim.id)
    _, expired = await users.issue_key(kim.id, expires_at=datetime.now(UTC) - timedelta(seconds=1))
    _, later = await users.issue_key(kim.id, expires_at=datetime.now(UTC) + timedelta(hours=1))
    assert await users.authenticate(expired) is None
    assert await users.authenticate(later) == kim
    await users.revoke_key(first.key_id)
    assert await users.authenticate(first_text) is None
    assert await users.authenticate(second_text) == kim
    await users.revoke(kim.id)
    assert await users.authenticate(second_text) is None
    with pytest.raises(Conflict):
        await users.issue_key(kim.id)
    with pytest.raises(NotFound):
        await users.revoke_key("none")
    with pytest.raises(NotFound):
        await users.revoke(999)


async def test_a_user_revokes_only_keys_of_their_own(db: Database) -> None:
    users = Users(db)
    kim, lee = await users.add("kim"), await users.add("lee")
    hers, text = await users.issue_key(kim.id)
    with pytest.raises(NotFound) as refused:
        await users.revoke_key(hers.key_id, user_id=lee.id)
    assert refused.value.message == f"no key {hers.key_id!r}"
    assert await users.authenticate(text) == kim
    await users.revoke_key(hers.key_id, user_id=kim.id)
    assert await users.authenticate(text) is None


async def test_a_revoked_users_sessions_stay(db: Database) -> None:
    kim = await Users(db).add("kim")
    await Sessions(db).create("s", user_id=kim.id)
    await Users(db).revoke(kim.id)
    assert [s.session_id for s in (await Sessions(db).list(user_id=kim.id)).items] == ["s"]


async def test_listing_pages(db: Database) -> None:
    users = Users(db)
    made = [await users.add(f"u{n}") for n in range(5)]
    first = await users.list(limit=3)
    second = await users.list(limit=3, cursor=first.next_cursor)
    assert [*first.items, *second.items] == made
    assert second.next_cursor is None
