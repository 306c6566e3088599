"""Long-term memory against LangGraph's own in-memory store."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.base import IndexConfig, InvalidNamespaceError, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from madang.errors import InvalidInput
from madang.store.database import Database
from madang.store.memories import Memories
from madang.store.memory_filters import matches

LABELS = st.sampled_from(["a", "b", "A", "a/", "가", "a-b", "%", "_"])
NAMESPACES = st.lists(LABELS, min_size=1, max_size=3).map(tuple)
VALUES = st.dictionaries(st.sampled_from(["n", "t"]), st.one_of(st.integers(0, 3), st.sampled_from(["x", "y"])))
PUTS = st.lists(st.tuples(NAMESPACES, st.sampled_from(["k", "K", "l"]), st.one_of(st.none(), VALUES)), max_size=10)


async def test_put_get_replace_delete(db: Database) -> None:
    store = Memories(db)
    await store.aput(("users", "7"), "pref", {"지역": "강남", "nested": {"list": [1, None]}})
    item = await store.aget(("users", "7"), "pref")
    assert item is not None
    assert (item.value, item.namespace, item.key) == (
        {"지역": "강남", "nested": {"list": [1, None]}},
        ("users", "7"),
        "pref",
    )
    await store.aput(("users", "7"), "pref", {"지역": "서초"})
    replaced = await store.aget(("users", "7"), "pref")
    assert replaced is not None
    assert replaced.value == {"지역": "서초"}
    assert replaced.created_at == item.created_at
    assert replaced.updated_at > item.updated_at
    await store.adelete(("users", "7"), "pref")
    assert await store.aget(("users", "7"), "pref") is None


@settings(max_examples=15)
@given(puts=PUTS, prefix=st.lists(LABELS, max_size=2).map(tuple), wanted=VALUES, depth=st.integers(1, 3))
async def test_it_finds_what_langgraphs_own_store_finds(
    db: Database, puts: list[Any], prefix: tuple[str, ...], wanted: dict[str, Any], depth: int
) -> None:
    ours, theirs = Memories(db), InMemoryStore()
    async with db.transaction() as tx:
        await tx.execute("DELETE FROM memories")
    for namespace, key, value in puts:
        for store in (ours, theirs):
            await store.abatch([PutOp(namespace, key, value)])

    async def seen(store: Memories | InMemoryStore, **search: Any) -> list[Any]:
        found = await store.asearch(prefix, limit=100, **search)
        return sorted((item.namespace, item.key, sorted(item.value.items(), key=str)) for item in found)

    assert await seen(ours) == await seen(theirs)
    assert await seen(ours, filter=wanted) == await seen(theirs, filter=wanted)
    live = sorted({item.namespace for item in await ours.asearch((), limit=100)})
    assert await ours.alist_namespaces(limit=100) == live
    assert await ours.alist_namespaces(prefix=prefix or None, max_depth=depth, limit=100) == sorted(
        {n[:depth] for n in live if n[: len(prefix)] == prefix}
    )


async def test_namespaces_with_wildcards_and_suffix(db: Database) -> None:
    store = Memories(db)
    for namespace in [("u", "1", "prefs"), ("u", "2", "prefs"), ("u", "2", "facts"), ("t", "1", "prefs")]:
        await store.aput(namespace, "k", {})
    assert await store.alist_namespaces(prefix=("u", "*", "prefs")) == [("u", "1", "prefs"), ("u", "2", "prefs")]
    assert await store.alist_namespaces(suffix=("facts",)) == [("u", "2", "facts")]
    assert await store.alist_namespaces(limit=1, offset=1) == [("u", "1", "prefs")]


async def test_reads_of_a_batch_see_what_was_there_before(db: Database) -> None:
    store = Memories(db)
    results = await store.abatch([PutOp(("a",), "k", {"n": 1}), SearchOp(("a",)), PutOp(("a",), "k", {"n": 2})])
    assert results == [None, [], None]
    item = await store.aget(("a",), "k")
    assert item is not None
    assert item.value == {"n": 2}


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        (3, {"$gt": 2, "$lte": 3}, True),
        (3, {"$lt": 3}, False),
        ("2026-02-01", {"$gte": "2026-01-31"}, True),
        (None, {"$gt": 1}, False),
        ("3", {"$gt": 1}, False),
        ("x", {"$in": ["x", "y"]}, True),
        ("x", {"$nin": ["x"]}, False),
        (None, {"$ne": "x"}, True),
        ({"a": {"b": 1}, "c": 2}, {"a": {"b": 1}}, True),
        ([1, 2], [1, 2], True),
        ([1, 2], [1], False),
    ],
)
def test_filters(value: Any, wanted: Any, expected: bool) -> None:
    assert matches(value, wanted) is expected


async def test_what_cannot_be_kept_is_refused(db: Database) -> None:
    store = Memories(db)
    await store.aput(("a",), "k", {"n": 1})
    with pytest.raises(InvalidInput):
        await store.asearch(("a",), filter={"n": {"$regex": "x"}})
    with pytest.raises(InvalidInput):
        await store.aput(("a",), "k", {"n": object()})
    with pytest.raises(InvalidInput):
        await store.aput(("a",), "k", {"n": "\x00"})
    with pytest.raises(InvalidNamespaceError):
        await store.abatch([PutOp(("a.b",), "k", {})])
    item = await store.aget(("a",), "k")
    assert item is not None
    assert item.value == {"n": 1}


async def test_items_expire_and_reading_keeps_them_alive(db: Database) -> None:
    store = Memories(db)
    await store.aput(("a",), "short", {}, ttl=-1)
    await store.aput(("a",), "long", {}, ttl=5)
    assert await store.aget(("a",), "short") is None
    assert [item.key for item in await store.asearch(("a",))] == ["long"]

    async def ends() -> str:
        async with db.reader() as reader:
            return str((await reader.fetch("SELECT expires_at FROM memories WHERE key = 'long'"))[0]["expires_at"])

    before = await ends()
    await store.aget(("a",), "long", refresh_ttl=False)
    assert await ends() == before
    await store.aget(("a",), "long")
    assert await ends() > before
    assert await store.sweep() == 1


async def test_synchronous_calls_work_from_another_thread_only(db: Database) -> None:
    store = Memories(db)
    await asyncio.to_thread(store.put, ("a",), "k", {"n": 1})
    assert [item.value for item in await asyncio.to_thread(store.search, ("a",))] == [{"n": 1}]
    with pytest.raises(asyncio.InvalidStateError):
        store.get(("a",), "k")


def letters(texts: Sequence[str]) -> list[list[float]]:
    return [[float(text.count(letter)) for letter in "abc"] for text in texts]


async def test_search_by_meaning(db: Database) -> None:
    index: IndexConfig = {"dims": 3, "embed": letters, "fields": ["text", "tags[*]"]}
    store = Memories(db, index=index)
    await store.aput(("m",), "a", {"text": "aaaa"})
    await store.aput(("m",), "b", {"text": "bbb", "tags": ["ccc"]})
    await store.aput(("m",), "plain", {"text": "aaaa"}, index=False)
    await store.aput(("m",), "zero", {"text": "zzz"})
    found = await store.asearch(("m",), query="aab")
    assert [item.key for item in found[:2]] == ["a", "b"]
    assert [item.key for item in found[2:]] == ["zero", "plain"]
    assert found[0].score is not None
    assert found[0].score > 0.8
    assert found[-1].score is None
    assert (await store.asearch(("m",), query="c", limit=1))[0].key == "b"
