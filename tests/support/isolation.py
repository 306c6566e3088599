"""Which routes there are, and what another user's identity gets from each: the table of `test_isolation`.

Every route of the application has an entry. `foreign` routes name something by id: another's must be answered exactly
like one that doesn't exist. `own` routes show or change only what is the caller's. `open` routes know nothing of users.
`admin` routes are for whoever runs the server. A surface elsewhere adds a table of the same form (see `tables`).
"""

import re
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

Kind = Literal["foreign", "own", "open", "admin"]


@dataclass(frozen=True)
class Entry:
    """One route. The path's parameters are filled from a user's `Belongings`; so are `{…}` texts in the body."""

    kind: Kind
    body: Any = None
    query: str = ""
    files: Any = None


S = "/api/v1/sessions/{session_id}"
REST: dict[tuple[str, str], Entry] = {
    ("GET", "/api/v1/assistants"): Entry("own"),
    ("GET", "/api/v1/assistants/{name}"): Entry("own"),
    ("POST", "/api/v1/sessions"): Entry("own", {"assistant": "trip"}),
    ("GET", "/api/v1/sessions"): Entry("own"),
    ("GET", S): Entry("foreign"),
    ("PATCH", S): Entry("foreign", {"title": "남의 것"}),
    ("DELETE", S): Entry("foreign"),
    ("POST", f"{S}/restore"): Entry("foreign"),
    ("GET", f"{S}/conversation"): Entry("foreign"),
    ("PUT", f"{S}/messages/{{message_id}}/feedback"): Entry("foreign", {"rating": "down"}),
    ("GET", f"{S}/messages"): Entry("foreign"),
    ("POST", f"{S}/messages"): Entry("foreign", {"query": "도쿄 3"}),
    ("POST", f"{S}/regenerate"): Entry("foreign", {}),
    ("POST", f"{S}/files"): Entry("foreign", files={"file": ("a.txt", b"text")}),
    ("POST", f"{S}/share"): Entry("foreign", {}),
    ("GET", f"{S}/shares"): Entry("foreign"),
    ("GET", "/api/v1/shares/{share_id}"): Entry("open"),
    ("DELETE", "/api/v1/shares/{share_id}"): Entry("foreign"),
    ("GET", "/api/v1/me"): Entry("own"),
    ("GET", "/api/v1/me/keys"): Entry("own"),
    ("POST", "/api/v1/me/keys"): Entry("own", {"name": "또 하나"}),
    ("DELETE", "/api/v1/me/keys/{key_id}"): Entry("foreign"),
    ("GET", "/api/v1/model"): Entry("own"),
    ("GET", "/api/v1/assistants/{name}/map"): Entry("own"),
    ("GET", f"{S}/events"): Entry("foreign"),
    ("GET", f"{S}/state"): Entry("foreign"),
    ("GET", f"{S}/history"): Entry("foreign"),
    ("GET", f"{S}/diff"): Entry("foreign", query="from={checkpoint_id}"),
    ("GET", f"{S}/fields/{{path}}"): Entry("foreign"),
    ("POST", f"{S}/state"): Entry("foreign", {"changes": {"budget": 1}}),
    ("POST", f"{S}/fork"): Entry("foreign", {}),
    ("GET", f"{S}/inputs"): Entry("foreign"),
    ("PATCH", f"{S}/inputs"): Entry("foreign", {"city": "남의 것"}),
    ("GET", "/api/v1/runs/{run_id}"): Entry("foreign"),
    ("POST", "/api/v1/runs/{run_id}/cancel"): Entry("foreign"),
    ("GET", "/api/v1/memory"): Entry("own"),
    ("DELETE", "/api/v1/memory"): Entry("own", query="session_id={session_id}"),
    ("PUT", "/api/v1/memory/preferences"): Entry("own", {"style": "남의 것"}),
    ("GET", "/api/v1/documents/{document_id}"): Entry("foreign"),
    ("GET", "/api/v1/stats"): Entry("own"),
    ("GET", "/"): Entry("open"),
    ("GET", "/docs"): Entry("open"),
    ("GET", "/openapi.json"): Entry("open"),
    ("GET", "/static/{name}"): Entry("open"),
    ("GET", "/healthz"): Entry("open"),
    ("GET", "/readyz"): Entry("open"),
    ("GET", "/metrics"): Entry("admin"),
}
SOCKETS = {"/ws/{session_id}", "/threads/{thread_id}/stream/events"}
COMMANDS: dict[str, dict[str, Any]] = {
    "run.start": {"assistant_id": "trip", "input": {"query": "도쿄 3"}},
    "input.respond": {"interrupt_id": "{interrupt_id}", "response": "ok"},
    "input.inject": {"message": {"role": "user", "content": "도쿄"}},
    "agent.getTree": {"run_id": "{run_id}"},
    "state.get": {"namespace": []},
    "state.listCheckpoints": {"before": "{checkpoint_id}"},
    "state.fork": {"checkpoint_id": "{checkpoint_id}"},
    "subscription.subscribe": {"channels": ["values", "lifecycle", "messages", "input"]},
    "subscription.unsubscribe": {"subscription_id": "{run_id}"},
    "subscription.reconnect": {"run_id": "{run_id}"},
}
FRAMES: dict[str, dict[str, Any]] = {
    "query": {"query": "도쿄 3"},
    "interrupt_response": {"interrupt_id": "{interrupt_id}", "value": "ok"},
    "todo_skip": {"step_id": "step_3"},
    "cancel": {},
    "resume": {"after": 0},
}
OTHERS = ("tests.support.isolation_sdk",)


def tables() -> dict[tuple[str, str], Entry]:
    """The entries of every surface: ours, and `ROUTES` of the modules in `OTHERS` that exist."""
    found = dict(REST)
    for name in OTHERS:
        parent = name.rpartition(".")[0]
        if find_spec(parent) is not None and find_spec(name) is not None:
            found |= import_module(name).ROUTES
    return found


def routes_of(app: FastAPI) -> tuple[set[tuple[str, str]], set[str]]:
    """Every route: methods with paths, and sockets."""
    http: set[tuple[str, str]] = set()
    sockets: set[str] = set()
    for route in iter_route_contexts(app.routes):
        path = re.sub(r":\w+}", "}", str(route.path))
        methods = getattr(route, "methods", None)
        if methods:
            http |= {(method, path) for method in methods if method not in ("HEAD", "OPTIONS")}
        else:
            sockets.add(path)
    return http, sockets
