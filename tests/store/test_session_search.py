"""Finding sessions in the database, one body over both backends."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from madang.errors import InvalidInput
from madang.store.columns import now
from madang.store.database import Database
from madang.store.session_search import SessionSearch, Wanted, contains
from madang.store.sessions import Sessions
from madang.store.turns import NewRun, Turns
from tests.support.runs import ended

TEXT = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=3)
LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 1.0, -2.25]) | TEXT
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6
)
OBJECTS = st.dictionaries(TEXT | st.sampled_from(["a", "b", 'q"uote', "$.a", "a.b"]), VALUES, max_size=3)


async def found(db: Database, limit: int = 100, offset: int = 0, **wanted: Any) -> list[str]:
    page = await SessionSearch(db).find(Wanted(**wanted), limit=limit, offset=offset)
    return [one.session.session_id for one in page]


@settings(max_examples=30)
@given(held=OBJECTS, data=st.data())
async def test_metadata_is_found_by_what_it_holds(db: Database, held: dict[str, Any], data: st.DataObject) -> None:
    """Both databases and the pure function agree, whatever is asked."""
    wanted = data.draw(OBJECTS | st.just(held) | part_of(held))
    session = await Sessions(db).create(metadata=held)
    there = session.session_id in await found(db, ids=[session.session_id], metadata=wanted)
    assert there == contains(held, wanted)
    assert await SessionSearch(db).count(Wanted(ids=[session.session_id], metadata=wanted)) == there


def part_of(held: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    keys = st.lists(st.sampled_from(sorted(held)), unique=True) if held else st.just([])
    return keys.map(lambda chosen: {key: held[key] for key in chosen})


def test_containment_is_that_of_postgres() -> None:
    assert contains({"a": [1, {"b": 2, "c": 3}]}, {"a": [{"b": 2}]})
    assert contains({"a": [1, 2]}, {"a": [2, 2]})
    assert contains({"a": {"b": 1}}, {"a": {}})
    assert not contains({"a": [1]}, {"a": 1})
    assert not contains({"a": 1}, {"a": True})
    assert not contains({}, {"a": None})


async def test_owners_companies_titles_and_assistants(db: Database) -> None:
    sessions = Sessions(db)
    one = await sessions.create("one", assistant="homes", title="전세", metadata={"company_id": "kim"})
    two = await sessions.create("two", assistant="travel", metadata={"title": "전세"})
    await sessions.create("three", passing=True)
    assert await found(db, sort_by="session_id", descending=False) == ["one", "two"]
    assert await found(db, company="kim") == [one.session_id]
    assert await found(db, company="sample") == [two.session_id]
    assert set(await found(db, title="전세")) == {"one", "two"}
    assert await found(db, title="전세", assistant="travel") == ["two"]
    assert await found(db, user_id=1) == []
    assert set(await found(db, anonymous=True)) == {"one", "two"}
    assert await found(db, ids=["two", "three", "\x00"]) == ["two"]
    assert await found(db, ids=[]) == []


async def test_how_runs_stand(db: Database) -> None:
    sessions = Sessions(db)
    for name in ("new", "queued", "failed", "done"):
        await sessions.create(name)
    await Turns(db).queue("queued", NewRun())
    await ended(db, "failed", "failed")
    await ended(db, "done")
    assert await found(db, standing="busy") == ["queued"]
    assert await found(db, standing="error") == ["failed"]
    assert set(await found(db, standing="still")) == {"new", "done"}
    assert await SessionSearch(db).count(Wanted(standing="still")) == 2


async def test_pages_are_sorted_and_complete(db: Database) -> None:
    sessions = Sessions(db)
    for number in range(5):
        await sessions.create(f"s{number}")
    await sessions.rename("s1", "touched")
    assert await found(db, limit=2) == ["s1", "s4"]
    assert await found(db, limit=2, offset=4) == ["s0"]
    assert await found(db, sort_by="created_at", descending=False) == [f"s{n}" for n in range(5)]
    assert await found(db, sort_by="session_id") == [f"s{n}" for n in (4, 3, 2, 1, 0)]
    assert await found(db, sort_by="state_updated_at", limit=1) == ["s1"]


async def test_sessions_of_one_run_are_found_when_it_is_over(db: Database) -> None:
    sessions = Sessions(db)
    for name in ("empty", "queued", "over"):
        await sessions.create(name, passing=True)
    await sessions.create("lasting")
    await Turns(db).queue("queued", NewRun())
    await ended(db, "over")
    search = SessionSearch(db)
    assert await search.passing_over("2026-01-01T00:00:00.000000+00:00") == []
    assert await search.passing_over(now()) == ["empty", "over"]
    assert (await sessions.list()).items == [await sessions.get("lasting")]
    assert await sessions.count() == 1


@pytest.mark.parametrize("metadata", [{"a": "\x00"}, {"a": float("nan")}])
async def test_what_cannot_be_looked_for_is_refused(db: Database, metadata: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="metadata"):
        await found(db, metadata=metadata)


async def test_too_many_conditions_are_refused_or_answered(sqlite_url: str) -> None:
    db = await Database.open(sqlite_url)
    try:
        with pytest.raises(InvalidInput, match="conditions"):
            await found(db, metadata={str(n): n for n in range(1000)})
        with pytest.raises(InvalidInput, match="too large"):
            await found(db, metadata={"n": 10**400})
        assert await found(db, metadata={"n": 2**70}) == []
    finally:
        await db.close()
