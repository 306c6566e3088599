"""Assistants: the served graphs, each under its name and an id that never changes, and what clients make of them."""

import asyncio
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Query
from langgraph_sdk.schema import GraphSchema
from pydantic import PydanticUserError, TypeAdapter

from madang.errors import Conflict, InvalidInput, NotFound
from madang.runtime import Runtime, conversations
from madang.runtime.served_graph import ServedGraph
from madang.server.identity import Identity, TheRuntime, Who, owned_by
from madang.server.sdk.bodies import (
    AssistantCountRequest,
    AssistantCreate,
    AssistantPatch,
    AssistantSearchRequest,
    AssistantVersionChange,
    AssistantVersionsSearchRequest,
    RunCreateStateful,
)
from madang.server.sdk.encoding import Assistant, Json
from madang.server.sdk.shapes import assistant_shape, id_of, named_shape, selected
from madang.store.named_assistants import AssistantVersion, NamedAssistant, NamedAssistants
from madang.store.session_search import SessionSearch, Wanted, contains

router = APIRouter(prefix="/assistants")
# What is raised for types that JSON has no word for; clients know null.
UNDESCRIBABLE = (PydanticUserError, TypeError, ValueError, NameError, AttributeError, NotImplementedError)


def find_assistant(runtime: Runtime, given: str) -> ServedGraph:
    """The served graph of that name or id. Raises `NotFound`."""
    for served in runtime.served.values():
        if given in (served.name, id_of(served.name)):
            return served
    known = ", ".join(sorted(runtime.served)) or "none"
    raise NotFound(f"no assistant {given!r}; there are {known}", assistant_id=given)


async def named_assistant(runtime: Runtime, who: Identity, given: str) -> NamedAssistant | None:
    """The assistant that the caller has made under this id; None for a served graph. Raises `NotFound`."""
    if any(given in (served.name, id_of(served.name)) for served in runtime.served.values()):
        return None
    try:
        return await NamedAssistants(runtime.db).get(who.owner, given)
    except NotFound:
        find_assistant(runtime, given)
        raise


async def graph_of(runtime: Runtime, who: Identity, given: str) -> ServedGraph:
    """The served graph of an assistant. Raises `NotFound`."""
    named = await named_assistant(runtime, who, given)
    return find_assistant(runtime, given if named is None else named.graph_id)


async def with_assistant(
    runtime: Runtime, who: Identity, given: RunCreateStateful
) -> tuple[ServedGraph, RunCreateStateful, str | None]:
    """The graph of a run, the run with what its assistant says beforehand, and that assistant's id if it was made.

    What the run says itself wins. Raises `NotFound`.
    """
    named = await named_assistant(runtime, who, given.assistant_id)
    if named is None:
        return find_assistant(runtime, given.assistant_id), given, None
    served = find_assistant(runtime, named.graph_id)
    own = given.config.model_dump(exclude_none=True) if given.config is not None else {}
    config = {**named.config, **own}
    configured = {**(named.config.get("configurable") or {}), **(own.get("configurable") or {})}
    if configured:
        config["configurable"] = configured
    context = {**named.context, **(given.context or {})}
    changes = {
        "config": config or None,
        # Whoever configures a run needs no context beside it.
        "context": context if context and not configured else given.context,
        "metadata": {**named.metadata, **(given.metadata or {})} or None,
    }
    return (
        served,
        RunCreateStateful.model_validate({**given.model_dump(exclude_none=True), **changes}),
        named.assistant_id,
    )


async def matching(runtime: Runtime, who: Identity, wanted: AssistantCountRequest) -> list[dict[str, Any]]:
    """The assistants that a search means: the graphs, and the caller's own."""
    made = await NamedAssistants(runtime.db).of_owner(who.owner)
    shapes = [*map(assistant_shape, runtime.served.values()), *map(named_shape, made)]
    return [
        shape
        for shape in shapes
        if wanted.graph_id in (None, shape["graph_id"])
        and (wanted.name is None or wanted.name.lower() in shape["name"].lower())
        and contains(shape["metadata"], wanted.metadata or {})
    ]


@router.post("/search", response_model=list[Assistant])
async def search(given: AssistantSearchRequest, runtime: TheRuntime, who: Who) -> Json:
    found = sorted(await matching(runtime, who, given), key=lambda s: (s[given.sort_by], s["name"]))
    if given.sort_order == "desc":
        found.reverse()
    page = found[given.offset : given.offset + given.limit]
    more = given.offset + given.limit < len(found)
    headers = {"X-Pagination-Total": str(len(found))}
    if more:
        headers["X-Pagination-Next"] = str(given.offset + given.limit)
    return Json([selected(shape, given.select) for shape in page], headers=headers)


@router.post("/count", response_model=int)
async def count(given: AssistantCountRequest, runtime: TheRuntime, who: Who) -> Json:
    return Json(len(await matching(runtime, who, given)))


@router.get("/{assistant_id}", response_model=Assistant)
async def get(assistant_id: str, runtime: TheRuntime, who: Who) -> Json:
    named = await named_assistant(runtime, who, assistant_id)
    return Json(named_shape(named) if named else assistant_shape(find_assistant(runtime, assistant_id)))


@router.get("/{assistant_id}/graph", response_model=dict[str, list[dict[str, Any]]])
async def graph(assistant_id: str, runtime: TheRuntime, who: Who, xray: Annotated[str, Query()] = "false") -> Json:
    """The nodes and edges; with `xray`, those of subgraphs too."""
    deep = {"true": True, "false": False, "": False}.get(xray.lower())
    if deep is None and not xray.isdigit():
        raise InvalidInput(f"xray: {xray!r} is neither true, false nor a depth", field="xray")
    served = await graph_of(runtime, who, assistant_id)
    drawn = await served.graph.aget_graph(xray=int(xray) if deep is None else deep)
    return Json(drawn.to_json())


@router.get("/{assistant_id}/schemas", response_model=GraphSchema)
async def schemas(assistant_id: str, runtime: TheRuntime, who: Who) -> Json:
    served = await graph_of(runtime, who, assistant_id)
    return Json({"graph_id": served.name, **await described(served.graph)})


@router.get("/{assistant_id}/subgraphs", response_model=dict[str, Any])
@router.get("/{assistant_id}/subgraphs/{namespace}", response_model=dict[str, Any])
async def subgraphs(
    assistant_id: str, runtime: TheRuntime, who: Who, namespace: str | None = None, recurse: bool = False
) -> Json:
    """The schemas of the graphs inside it, by where they are."""
    whole = (await graph_of(runtime, who, assistant_id)).graph
    parts = [part async for part in whole.aget_subgraphs(namespace=namespace, recurse=recurse)]
    return Json({name: await described(part) for name, part in parts})


_known: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


async def described(graph: Any) -> dict[str, Any]:
    """`schemas_of`, made once: for a large state that takes a second, so not on the event loop."""
    if graph not in _known:
        _known[graph] = await asyncio.to_thread(schemas_of, graph)
    return _known[graph]


def schemas_of(graph: Any) -> dict[str, Any]:
    """JSON schemas of a graph; null for what has none."""
    context = _schema(graph, "get_context_jsonschema")
    return {
        "input_schema": _schema(graph, "get_input_jsonschema"),
        "output_schema": _schema(graph, "get_output_jsonschema"),
        "state_schema": _state_schema(graph),
        "config_schema": context,
        "context_schema": context,
    }


def _schema(graph: Any, method: str) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] | None = getattr(graph, method)()
    except UNDESCRIBABLE:
        return None
    return found


def _state_schema(graph: Any) -> dict[str, Any] | None:
    builder = getattr(graph, "builder", None)
    try:
        return TypeAdapter(builder.state_schema).json_schema() if builder is not None else None
    except UNDESCRIBABLE:
        return _schema(graph, "get_output_jsonschema")


@router.post("/{assistant_id}/versions", response_model=list[Assistant])
async def versions(assistant_id: str, given: AssistantVersionsSearchRequest, runtime: TheRuntime, who: Who) -> Json:
    """Every version, newest first. A served graph has one: the code that runs."""
    if await named_assistant(runtime, who, assistant_id) is None:
        shapes = [assistant_shape(find_assistant(runtime, assistant_id))]
    else:
        shapes = [named_shape(one) for one in await NamedAssistants(runtime.db).versions(who.owner, assistant_id)]
    found = [shape for shape in shapes if contains(shape["metadata"], given.metadata or {})]
    return Json(found[given.offset : given.offset + given.limit])


@router.post("", response_model=Assistant)
async def create(given: AssistantCreate, runtime: TheRuntime, who: Who) -> Json:
    """An assistant of a served graph, with config and context of its own."""
    served = find_assistant(runtime, given.graph_id)
    made = NamedAssistants(runtime.db)
    if given.assistant_id is not None:
        _check_not_served(runtime, given.assistant_id)
        if given.if_exists == "do_nothing":
            try:
                return Json(named_shape(await made.get(who.owner, given.assistant_id)))
            except NotFound:
                pass
    first = AssistantVersion(
        graph_id=served.name,
        name=given.name or served.name,
        description=given.description,
        config=given.config or {},
        context=given.context or {},
        metadata={"created_by": "user", **(given.metadata or {})},
    )
    return Json(named_shape(await made.create(who.owner, first, given.assistant_id)))


@router.patch("/{assistant_id}", response_model=Assistant)
async def update(assistant_id: str, given: AssistantPatch, runtime: TheRuntime, who: Who) -> Json:
    """A new version; metadata is merged, the rest replaced."""
    _check_not_served(runtime, assistant_id)
    made = NamedAssistants(runtime.db)
    before = await made.get(who.owner, assistant_id)
    changed = given.model_dump(exclude_none=True)
    if given.graph_id is not None:
        changed["graph_id"] = find_assistant(runtime, given.graph_id).name
    kept = {name: getattr(before, name) for name in AssistantVersion.__dataclass_fields__}
    metadata = {**before.metadata, **(given.metadata or {})}
    new = AssistantVersion(**{**kept, **changed, "metadata": metadata})
    return Json(named_shape(await made.update(who.owner, assistant_id, new)))


@router.delete("/{assistant_id}", response_model=None)
async def delete(
    assistant_id: str, runtime: TheRuntime, who: Who, delete_threads: Annotated[bool, Query()] = False
) -> Json:
    """Delete an assistant that you made, with its versions; with `delete_threads` those whose metadata names it."""
    _check_not_served(runtime, assistant_id)
    await NamedAssistants(runtime.db).delete(who.owner, assistant_id)
    if delete_threads:
        wanted = Wanted(**owned_by(who), metadata={"assistant_id": assistant_id})
        for found in await SessionSearch(runtime.db).find(wanted, limit=10_000):
            await conversations.delete(runtime, found.session)
    return Json(None)


@router.post("/{assistant_id}/latest", response_model=Assistant)
async def set_latest(assistant_id: str, given: AssistantVersionChange, runtime: TheRuntime, who: Who) -> Json:
    """Go back, or on, to a version."""
    _check_not_served(runtime, assistant_id)
    return Json(named_shape(await NamedAssistants(runtime.db).set_latest(who.owner, assistant_id, given.version)))


def _check_not_served(runtime: Runtime, given: str) -> None:
    """Raises `Conflict` for a graph's own assistant: it is code."""
    for served in runtime.served.values():
        if given in (served.name, id_of(served.name)):
            raise Conflict(f"{served.name!r} is a graph that is served: make an assistant of it", assistant_id=given)
