"""The OpenAPI document: every route is in it, and what it promises holds for whatever is sent."""

import asyncio
import os
import re
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    negative_data_rejection,
    positive_data_acceptance,
)

from madang.server import rest
from madang.server.app import create_app
from madang.server.problems import allowed_methods
from tests.support.isolation import routes_of
from tests.support.serving import Site, serving

pytestmark = [
    pytest.mark.timeout(240),
    # schemathesis' own strategies.
    pytest.mark.filterwarnings("ignore:Do not use the .random. module"),
]
# More of them by a setting: `MADANG_FUZZ=200 pytest tests/server/test_openapi.py`.
EXAMPLES = int(os.environ.get("MADANG_FUZZ", "4"))
app = create_app(lambda: None)  # type: ignore[arg-type,return-value]
# The browser's own pages, and the document itself.
PAGES = {"/", "/docs", "/openapi.json", "/static/{name}"}
# What goes on as long as somebody listens.
ENDLESS = {("GET", "/threads/{thread_id}/stream"), ("POST", "/threads/{thread_id}/stream/events")}
# Their errors are their own, inside answers that HTTP calls good.
OTHERS = ("/mcp", "/a2a/")
# A part of what there is, of whoever asks for it: not what the document says of the whole.
PARTS = ("select", "extract")
# Who waits for a run that begins in a year waits for a year.
WAITS = ("after_seconds",)


def test_every_route_is_in_the_document() -> None:
    document = app.openapi()["paths"]
    listed = {(method.upper(), path) for path, methods in document.items() for method in methods}
    http, _ = routes_of(app)
    assert listed == {(method, re.sub(r":\w+}", "}", path)) for method, path in http if path not in PAGES}


def test_operations_are_named_tagged_and_described_apart() -> None:
    operations = [(path, one) for path, methods in app.openapi()["paths"].items() for one in methods.values()]
    named = [one["operationId"] for _, one in operations]
    assert len(set(named)) == len(named)
    assert [path for path, one in operations if not one.get("tags")] == []


@pytest.mark.parametrize(
    ("path", "method", "parameters", "body"),
    [
        ("/threads/{thread_id}/runs", "post", {"thread_id"}, "RunCreateStateful"),
        ("/runs/wait", "post", set(), "RunCreateStateless"),
        ("/threads/{thread_id}/commands", "post", {"thread_id"}, "ProtocolCommand"),
        ("/threads/{thread_id}/stream/events", "post", {"thread_id"}, "ProtocolEventStreamRequest"),
        ("/assistants/{assistant_id}/latest", "post", {"assistant_id"}, "AssistantVersionChange"),
        ("/runs/crons/{cron_id}", "patch", {"cron_id"}, "CronPatch"),
        ("/store/items", "put", set(), "StorePutRequest"),
    ],
)
def test_names_are_those_of_langgraphs_document(path: str, method: str, parameters: set[str], body: str) -> None:
    operation = app.openapi()["paths"][path][method]
    assert {one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"} == parameters
    assert operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith(f"/{body}")


@pytest.fixture(scope="module")
def address(sqlite_template: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server in a thread of its own: schemathesis calls from a plain function."""
    copy = tmp_path_factory.mktemp("openapi") / "madang.db"
    copy.write_bytes(sqlite_template.read_bytes())
    started: list[tuple[Site, asyncio.AbstractEventLoop]] = []
    ready, leave = threading.Event(), asyncio.Event()

    async def serve() -> None:
        async with serving(f"sqlite:///{copy}") as site:
            session = await site.runtime.sessions.create("there", assistant="trip")
            await site.ask(session.session_id, "오사카 3 100")
            started.append((site, asyncio.get_running_loop()))
            ready.set()
            await leave.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(100)
    [(site, loop)] = started
    yield site.address
    loop.call_soon_threadsafe(leave.set)
    thread.join(100)


schema = schemathesis.openapi.from_dict(app.openapi())


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_sent(case: Any, address: str) -> None:
    mended = meant(case)
    if (case.method, case.path) in ENDLESS:
        begun(case, address)
        return
    if case.path.startswith(OTHERS):
        case.call_and_validate(base_url=address, timeout=100, checks=[not_a_server_error])
        return
    # What a schema can't say (a text without NUL, an assistant there is) is refused with a 422: that is right.
    excluded: list[Any] = [positive_data_acceptance]
    if len(allowed_methods(app, case.path)) > len(app.openapi()["paths"][case.path]):
        excluded.append(allow_header_conformance)
    if mended:
        excluded.append(negative_data_rejection)
    case.call_and_validate(base_url=address, timeout=100, excluded_checks=excluded)


def meant(case: Any) -> bool:
    """Half of the time what is named is there; what is asked for comes to an end, and is all of it.

    True if something was taken out or put in that might have been the one thing wrong.
    """
    mended = False
    for name, there in (
        ("session_id", "there"),
        ("thread_id", "there"),
        ("assistant_id", "trip"),
        ("assistant", "trip"),
    ):
        for given in (case.path_parameters, case.body):
            if isinstance(given, dict) and name in given and len(str(given[name])) % 2:
                given[name], mended = there, True
    if case.path.endswith("/events") and case.method == "GET":
        case.query = {**(case.query or {}), "follow": "false"}
    for given in (case.query, case.body):
        for name in (*PARTS, *WAITS) if isinstance(given, dict) else ():
            mended |= given.pop(name, None) is not None
    return mended


def begun(case: Any, address: str) -> None:
    """Only the head of an answer that has no end: its status and its kind are documented."""
    asked = case.as_transport_kwargs(base_url=address)
    known = case.operation.definition.raw["responses"]
    with httpx.Client(timeout=100) as client:
        request = client.build_request(
            asked["method"],
            asked["url"],
            params=asked.get("params"),
            headers=asked.get("headers"),
            json=case.body if isinstance(case.body, dict) else None,
        )
        answer = client.send(request, stream=True)
        answer.close()
    assert str(answer.status_code) in known, (answer.status_code, case.body)
    kind = answer.headers["content-type"].partition(";")[0]
    assert kind in known[str(answer.status_code)]["content"]


def test_no_router_is_inside_another() -> None:
    """Every route of a router inside a router is looked at twice for each request."""
    assert {type(route) for module in rest.MODULES for route in module.router.routes} == {APIRoute}
