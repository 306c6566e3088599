"""What the inspector is told of a plain graph: its nodes and edges, and which node wrote a field."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.sdk import open_graphs
from tests.support.serving import Site, both, serving

API = "/api/v1"


@pytest.fixture
async def graphs(server_db: str, tmp_path: Path) -> AsyncIterator[Site]:
    async with serving(server_db, opened=open_graphs(server_db, tmp_path)) as site:
        yield site


async def begun(site: Site, assistant: str, text: str) -> str:
    made = await site.http.post(f"{API}/sessions", json={"assistant": assistant})
    session = str(made.json()["session_id"])
    await site.ask(session, text)
    return f"{API}/sessions/{session}"


@both
async def test_a_field_says_which_node_wrote_it(graphs: Site) -> None:
    where = await begun(graphs, "adding", "1 + 2")
    found = (await graphs.http.get(f"{where}/fields/messages")).json()
    assert [(one["kind"], one["by"]) for one in found["history"]] == [
        ("added", []),
        ("changed", []),
        ("changed", ["call"]),
        ("changed", ["tools"]),
        ("changed", ["call"]),
    ]
    await graphs.http.post(f"{where}/state", json={"changes": {"count": 7}, "run": False})
    edited: list[dict[str, Any]] = (await graphs.http.get(f"{where}/fields/count")).json()["history"]
    assert [(one["value"], one["by"]) for one in edited] == [(7, [])]


@both
async def test_a_plain_graph_tells_its_edges_and_an_assistant_of_ours_none(graphs: Site) -> None:
    edges = (await graphs.http.get(f"{API}/assistants/adding/map")).json()["edges"]
    assert {(one["from"], one["to"], one["conditional"]) for one in edges} == {
        ("__start__", "call", False),
        ("call", "tools", True),
        ("call", "__end__", True),
        ("tools", "call", False),
    }
    assert (await graphs.http.get(f"{API}/assistants/made/map")).json()["edges"]
    assert (await graphs.http.get(f"{API}/assistants/trip/map")).json()["edges"] == []


@both
async def test_what_was_asked_and_answered_stays_in_the_conversation(graphs: Site) -> None:
    where = await begun(graphs, "talk", "approve this")
    shown = (await graphs.http.get(f"{where}/conversation")).json()
    (pending,) = shown["pending"]
    given = {"interrupt_id": pending["interrupt_id"], "value": "go"}
    assert (await graphs.http.post(f"{where}/messages?wait=true", json=given)).status_code == 200
    (turn,) = (await graphs.http.get(f"{where}/conversation")).json()["turns"]
    assert [one["content"] for one in turn["messages"] if one["role"] == "user"] == ["approve this", "go"]
    assert [(one["question"], one["interrupt_id"]) for one in turn["asked"]] == [("go on?", pending["interrupt_id"])]
    first, second = (one["created_at"] for one in turn["messages"][:2])
    assert first < turn["asked"][0]["created_at"] < second
