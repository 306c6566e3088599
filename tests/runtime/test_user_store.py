"""A user's own part of the store."""

import pytest
from langgraph.store.memory import InMemoryStore

from madang.runtime.user_store import UserStore


async def test_users_share_nothing() -> None:
    shared = InMemoryStore()
    one, two, elsewhere = UserStore(shared, "1"), UserStore(shared, "2"), UserStore(shared, "1@kim")
    for store, value in ((one, 1), (two, 2), (elsewhere, 3)):
        await store.aput(("a", "b"), "key", {"v": value})
    for store, value in ((one, 1), (two, 2), (elsewhere, 3)):
        [item] = await store.asearch(())
        assert (item.namespace, item.value) == (("a", "b"), {"v": value})
        found = await store.aget(("a", "b"), "key")
        assert found is not None
        assert found.value == {"v": value}
        assert await store.alist_namespaces() == [("a", "b")]
    await one.adelete(("a", "b"), "key")
    assert await one.asearch(()) == []
    assert len(await two.asearch(())) == 1


async def test_the_prefix_is_not_seen_from_inside() -> None:
    store = UserStore(InMemoryStore(), "7")
    await store.aput(("a",), "key", {"v": 1})
    assert await store.alist_namespaces(suffix=("7", "a")) == []
    assert await store.alist_namespaces(prefix=("store",)) == []
    assert await store.alist_namespaces(prefix=("a",), max_depth=1) == [("a",)]
    assert store.search(("a",))[0].key == "key"
    assert await store.aget(("store", "7", "a"), "key") is None
    with pytest.raises(ValueError, match="langgraph"):
        await store.aput(("langgraph",), "key", {})
