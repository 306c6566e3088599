"""Assistants: the served graphs, each under its name and under an id that never changes."""

import asyncio
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Query
from pydantic import PydanticUserError, TypeAdapter

from madang.errors import InvalidInput, NotFound
from madang.runtime import Runtime
from madang.runtime.served_graph import ServedGraph
from madang.server.identity import TheRuntime, Who
from madang.server.sdk.bodies import AssistantCount, AssistantSearch, VersionQuery
from madang.server.sdk.encoding import Json
from madang.server.sdk.information import not_offered
from madang.server.sdk.shapes import assistant_shape, id_of, selected
from madang.store.session_search import contains

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


def matching(runtime: Runtime, wanted: AssistantCount) -> list[dict[str, Any]]:
    """The assistants that a search means."""
    shapes = map(assistant_shape, runtime.served.values())
    return [
        shape
        for shape in shapes
        if wanted.graph_id in (None, shape["graph_id"])
        and (wanted.name is None or wanted.name.lower() in shape["name"].lower())
        and contains(shape["metadata"], wanted.metadata or {})
    ]


@router.post("/search")
async def search(given: AssistantSearch, runtime: TheRuntime, _who: Who) -> Json:
    found = sorted(matching(runtime, given), key=lambda s: (s[given.sort_by], s["name"]))
    if given.sort_order == "desc":
        found.reverse()
    page = found[given.offset : given.offset + given.limit]
    more = given.offset + given.limit < len(found)
    headers = {"X-Pagination-Total": str(len(found))}
    if more:
        headers["X-Pagination-Next"] = str(given.offset + given.limit)
    return Json([selected(shape, given.select) for shape in page], headers=headers)


@router.post("/count")
async def count(given: AssistantCount, runtime: TheRuntime, _who: Who) -> Json:
    return Json(len(matching(runtime, given)))


@router.get("/{assistant_id}")
async def get(assistant_id: str, runtime: TheRuntime, _who: Who) -> Json:
    return Json(assistant_shape(find_assistant(runtime, assistant_id)))


@router.get("/{assistant_id}/graph")
async def graph(assistant_id: str, runtime: TheRuntime, _who: Who, xray: Annotated[str, Query()] = "false") -> Json:
    """The nodes and edges; with `xray`, those of subgraphs too."""
    deep = {"true": True, "false": False, "": False}.get(xray.lower())
    if deep is None and not xray.isdigit():
        raise InvalidInput(f"xray: {xray!r} is neither true, false nor a depth", field="xray")
    drawn = await find_assistant(runtime, assistant_id).graph.aget_graph(xray=int(xray) if deep is None else deep)
    return Json(drawn.to_json())


@router.get("/{assistant_id}/schemas")
async def schemas(assistant_id: str, runtime: TheRuntime, _who: Who) -> Json:
    served = find_assistant(runtime, assistant_id)
    return Json({"graph_id": served.name, **await described(served.graph)})


@router.get("/{assistant_id}/subgraphs")
@router.get("/{assistant_id}/subgraphs/{namespace}")
async def subgraphs(
    assistant_id: str, runtime: TheRuntime, _who: Who, namespace: str | None = None, recurse: bool = False
) -> Json:
    """The schemas of the graphs inside it, by where they are."""
    whole = find_assistant(runtime, assistant_id).graph
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


@router.post("/{assistant_id}/versions")
async def versions(assistant_id: str, given: VersionQuery, runtime: TheRuntime, _who: Who) -> Json:
    """There is one version: the code that runs."""
    shapes = [assistant_shape(find_assistant(runtime, assistant_id))]
    found = [shape for shape in shapes if contains(shape["metadata"], given.metadata or {})]
    return Json(found[given.offset : given.offset + given.limit])


@router.post("")
@router.patch("/{assistant_id}")
@router.delete("/{assistant_id}")
@router.post("/{assistant_id}/latest")
async def changes(_who: Who) -> Any:
    """Assistants are code: they are not made, changed or deleted from outside."""
    return not_offered("assistants made, changed or deleted by clients")
