"""Store items: the caller's own part of the long-term store, the same that graphs see when they run for the caller."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from langgraph.store.base import NOT_PROVIDED, Item, SearchItem
from langgraph_sdk import schema

from madang.errors import InvalidInput
from madang.runtime import Runtime
from madang.runtime.user_store import UserStore
from madang.server.identity import Identity, TheRuntime, Who
from madang.server.sdk.bodies import (
    Name,
    StoreDeleteRequest,
    StoreListNamespacesRequest,
    StorePutRequest,
    StoreSearchRequest,
)
from madang.server.sdk.encoding import Json
from madang.store.columns import check_text
from madang.store.memories import Memories

router = APIRouter(prefix="/store")


def store_of(runtime: Runtime, who: Identity) -> UserStore:
    """The caller's store."""
    shared = next((s.graph.store for s in runtime.served.values() if getattr(s.graph, "store", None)), None)
    return UserStore(shared or Memories(runtime.db), who.owner)


def checked(namespace: list[str]) -> tuple[str, ...]:
    """A namespace that can be one. Raises `InvalidInput`."""
    for label in namespace:
        check_text(label, "namespace")
        if not label or "." in label:
            raise InvalidInput(f"namespace: {label!r} is empty or holds a period", field="namespace")
    return tuple(namespace)


def own(namespace: list[str]) -> tuple[str, ...]:
    """The namespace of an item, which has at least one label. Raises `InvalidInput`."""
    if not namespace or namespace[0] == "langgraph":
        raise InvalidInput("namespace: is empty or begins with 'langgraph'", field="namespace")
    return checked(namespace)


def shape(item: Item) -> dict[str, Any]:
    """An item as clients see it."""
    shown = {
        "namespace": list(item.namespace),
        "key": item.key,
        "value": item.value,
        "created_at": item.created_at,
        "updated_at": item.updated_at,
    }
    return {**shown, "score": item.score} if isinstance(item, SearchItem) else shown


@router.put("/items", status_code=204)
async def put(given: StorePutRequest, runtime: TheRuntime, who: Who) -> Response:
    space, key = own(given.namespace), check_text(given.key, "key")
    await store_of(runtime, who).aput(space, key, given.value, index=given.index, ttl=given.ttl or NOT_PROVIDED)
    return Response(status_code=204)


@router.get("/items", response_model=schema.Item | None)
async def get(
    namespace: Annotated[str, Query(max_length=2000)],
    key: Annotated[Name, Query()],
    runtime: TheRuntime,
    who: Who,
    refresh_ttl: bool | None = None,
) -> Json:
    space = own(namespace.split(".") if namespace else [])
    item = await store_of(runtime, who).aget(space, check_text(key, "key"), refresh_ttl=refresh_ttl)
    return Json(None if item is None else shape(item))


@router.delete("/items", status_code=204)
async def delete(given: StoreDeleteRequest, runtime: TheRuntime, who: Who) -> Response:
    await store_of(runtime, who).adelete(own(given.namespace), check_text(given.key, "key"))
    return Response(status_code=204)


@router.post("/items/search", response_model=schema.SearchItemsResponse)
async def search(given: StoreSearchRequest, runtime: TheRuntime, who: Who) -> Json:
    found = await store_of(runtime, who).asearch(
        checked(given.namespace_prefix),
        query=given.query,
        filter=given.filter,
        limit=given.limit,
        offset=given.offset,
        refresh_ttl=given.refresh_ttl,
    )
    return Json({"items": [shape(item) for item in found]})


@router.post("/namespaces", response_model=schema.ListNamespaceResponse)
async def namespaces(given: StoreListNamespacesRequest, runtime: TheRuntime, who: Who) -> Json:
    found = await store_of(runtime, who).alist_namespaces(
        prefix=checked(given.prefix) if given.prefix else None,
        suffix=checked(given.suffix) if given.suffix else None,
        max_depth=given.max_depth,
        limit=given.limit,
        offset=given.offset,
    )
    return Json({"namespaces": [list(space) for space in found]})
