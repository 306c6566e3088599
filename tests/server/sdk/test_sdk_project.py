"""A `langgraph.json` is honoured, or stops the start: nothing in it is ignored in silence."""

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from madang.bootstrap import open_runtime
from madang.errors import ConfigurationError
from madang.runtime.langgraph_json import load_project
from madang.server.options import ServerOptions
from madang.server.sdk.sweeping import Sweeper
from madang.settings import Settings
from tests.support.serving import Site, serving

CODE = """
import warnings
from contextlib import asynccontextmanager
from typing import TypedDict
from fastapi import FastAPI
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph_sdk import Auth, Priority

class State(TypedDict, total=False):
    word: str
    user: str

def say(state):
    user = get_config()["configurable"].get("langgraph_auth_user")
    return {"word": "said " + state.get("word", ""), "user": user.identity if user else "nobody"}

graph = StateGraph(State).add_node("say", say).add_edge(START, "say").add_edge("say", END).compile()
auth, ruled, empty = Auth(), Auth(), Auth()

@auth.authenticate
async def who(headers, authorization: str | None) -> Auth.types.MinimalUserDict:
    name = (authorization or "").removeprefix("Bearer ")
    if name not in ("ann", "ben"):
        raise Auth.exceptions.HTTPException(status_code=401, detail="nobody knows you")
    return {"identity": name}

@ruled.authenticate
async def anyone() -> str:
    return "anyone"

@ruled.on
async def rule(ctx, value):
    return False

began = []

@asynccontextmanager
async def lifespan(app):
    began.append("open")
    yield
    began.append("closed")

app = FastAPI(lifespan=lifespan)

@app.get("/mine")
def mine():
    return {"began": began}

@app.get("/ok")
def ok():
    return {"ok": "not ours"}

with warnings.catch_warnings(action="ignore"):
    priority, aimless = Priority(), Priority()

asked = []

@priority.assign
async def assign(ctx):
    tier = ctx.thread_metadata.get("tier")
    asked.append((ctx.graph_id, tier, ctx.run_metadata.get("why"), ctx.cron_id))
    return {"priority": {"premium": -3, "odd": 9}[tier]} if tier else None

async def embed(texts):
    return [[float(len(text)), 1.0] for text in texts]
"""
Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    """Writes a project whose `langgraph.json` says this, too."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "project_code.py").write_text(CODE)

    def write(**more: Any) -> Path:
        given = {"graphs": {"say": "./project_code.py:graph"}, **more}
        (tmp_path / "langgraph.json").write_text(json.dumps(given))
        return tmp_path / "langgraph.json"

    return write


@asynccontextmanager
async def served(path: Path, url: str) -> AsyncIterator[Site]:
    """What `madang serve --app langgraph.json --only-app` serves."""
    project = load_project(path)
    settings = Settings(db=url, data_dir=path.parent)
    opened = open_runtime(settings, apps=project.graphs, installed=False, project=project)
    options = ServerOptions(auth=project.auth, http_app=project.http_app)
    async with serving(url, options, opened=opened) as site:
        yield site


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"webhooks": {}}, "'webhooks'"),
        ({"http": {"disable_mcp": True}}, "'http.disable_mcp'"),
        ({"store": {"path": "./x.py:y"}}, "'store.path'"),
        ({"store": {"ttl": {"often": 1}}}, "'store.ttl.often'"),
        ({"checkpointer": {"path": "./x.py:y"}}, "'checkpointer.path'"),
        ({"checkpointer": {"ttl": {"default_ttl": -1}}}, "default_ttl"),
        ({"checkpointer": {"serde": {"allowed_msgpack_modules": [["nowhere", "Nothing"]]}}}, "nowhere"),
        ({"graphs": {"say": {"path": "./project_code.py:graph", "speed": 1}}}, "'graphs.say.speed'"),
        ({"auth": {"path": "./project_code.py:empty"}}, "authenticate"),
        ({"auth": {"path": "./project_code.py:ruled"}}, "auth.on"),
        ({"auth": "./project_code.py:auth"}, "should be an object"),
        ({"priority": {"path": "./project_code.py:aimless"}}, "priority.assign"),
        ({"store": {"index": {"embed": "./project_code.py:embed"}}}, "dims"),
    ],
)
def test_what_is_not_offered_stops_the_start_by_name(written: Written, more: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        load_project(written(**more))


def test_what_is_said_of_images_is_no_matter(written: Written) -> None:
    assert load_project(written(python_version="3.12", dockerfile_lines=["RUN true"])).graphs


async def test_the_users_own_handlers_say_who_asks(written: Written, sqlite_url: str) -> None:
    async with served(written(auth={"path": "./project_code.py:auth"}), sqlite_url) as site:
        ann, ben = {"Authorization": "Bearer ann"}, {"Authorization": "Bearer ben"}
        refused = await site.http.post("/threads", json={})
        assert refused.status_code == httpx.codes.UNAUTHORIZED
        assert "nobody knows you" in refused.text
        hers = (await site.http.post("/threads", json={}, headers=ann)).json()["thread_id"]
        run = {"assistant_id": "say", "input": {"word": "a"}}
        answer = await site.http.post(f"/threads/{hers}/runs/wait", json=run, headers=ann)
        assert answer.json()["word"] == "said a"
        assert answer.json()["user"] not in ("", "nobody")
        assert (await site.http.get(f"/threads/{hers}", headers=ben)).status_code == 404
        assert (await site.http.post("/threads/search", json={}, headers=ben)).json() == []
        assert (await site.http.get(f"/api/v1/sessions/{hers}", headers=ben)).status_code == 404


async def test_the_users_own_routes_come_after_ours(written: Written, sqlite_url: str) -> None:
    async with served(written(http={"app": "./project_code.py:app"}), sqlite_url) as site:
        assert (await site.http.get("/mine")).json() == {"began": ["open"]}
        assert (await site.http.get("/ok")).json() == {"ok": True}
        assert (await site.http.get("/nowhere")).status_code == 404


async def test_graphs_are_described(written: Written, sqlite_url: str) -> None:
    described = {"say": {"path": "./project_code.py:graph", "description": "says it again"}}
    async with served(written(graphs=described), sqlite_url) as site:
        assert (await site.http.get("/assistants/say")).json()["description"] == "says it again"


async def test_threads_have_a_time_to_live(written: Written, sqlite_url: str) -> None:
    async with served(written(checkpointer={"ttl": {"default_ttl": 5}}), sqlite_url) as site:
        thread = (await site.http.post("/threads", json={})).json()["thread_id"]
        own = (await site.http.post("/threads", json={"ttl": 60})).json()["thread_id"]
        assert (await site.http.get(f"/threads/{thread}?include=ttl")).json()["ttl"]["ttl_minutes"] == 5
        sweeper = Sweeper(site.runtime, site.app.state.sockets)
        assert await sweeper.sweep(at=datetime.now(UTC) + timedelta(minutes=6)) == 1
        assert (await site.http.get(f"/threads/{thread}")).status_code == 404
        assert (await site.http.get(f"/threads/{own}")).status_code == 200


async def test_the_store_is_indexed_and_its_items_expire(written: Written, sqlite_url: str) -> None:
    index = {"embed": "./project_code.py:embed", "dims": 2}
    store = {"index": index, "ttl": {"default_ttl": 10, "refresh_on_read": True}}
    async with served(written(store=store), sqlite_url) as site:
        for key, text in (("short", "a"), ("long", "a" * 50)):
            item = {"namespace": ["n"], "key": key, "value": {"text": text}}
            assert (await site.http.put("/store/items", json=item)).status_code == 204
        found = await site.http.post("/store/items/search", json={"namespace_prefix": ["n"], "query": "b"})
        items = found.json()["items"]
        assert [one["key"] for one in items] == ["short", "long"]
        assert all(one["score"] is not None for one in items)
        async with site.runtime.db.reader() as reader:
            rows = await reader.fetch("SELECT ttl_minutes FROM memories", {})
        assert [row["ttl_minutes"] for row in rows] == [10, 10]


async def test_named_types_may_be_stored(written: Written, sqlite_url: str) -> None:
    allowed = {"serde": {"allowed_msgpack_modules": [["fractions", "Fraction"]]}}
    assert load_project(written(checkpointer=allowed)).allowed == (("fractions", "Fraction"),)


async def test_a_thread_is_given_its_priority_at_its_first_run(written: Written, sqlite_url: str) -> None:
    async with served(written(priority={"path": "./project_code.py:priority"}), sqlite_url) as site:

        async def priority(thread: str, **body: Any) -> int | None:
            given = {"assistant_id": "say", "input": {"word": "a"}, "metadata": {"why": "so"}, **body}
            answer = await site.http.post(f"/threads/{thread}/runs", json=given)
            if answer.status_code != 200:
                return None
            return (await site.runtime.runs.get(answer.json()["run_id"])).options.priority

        async def thread(**metadata: str) -> str:
            return str((await site.http.post("/threads", json={"metadata": metadata})).json()["thread_id"])

        premium = await thread(tier="premium")
        assert [await priority(premium), await priority(premium), await priority(premium, priority=2)] == [-3, -3, 2]
        assert await priority(await thread()) == 0
        assert await priority(await thread(tier="odd")) is None
        asked = getattr(site.runtime.assign_priority, "__globals__", {})["asked"]
        assert asked == [("say", "premium", "so", None), ("say", None, "so", None), ("say", "odd", "so", None)]
        assert "madang_priority" not in (await site.http.get(f"/threads/{premium}")).json()["metadata"]
