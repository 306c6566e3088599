"""Store items, assistants and what the server says of itself, through the real client."""

from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError, UnprocessableEntityError

from tests.support.sdk import said
from tests.support.serving import Site


async def test_items_are_put_found_and_deleted(client: LangGraphClient) -> None:
    await client.store.put_item(["notes", "집"], key="a", value={"kind": "lease", "n": 1})
    await client.store.put_item(["notes", "집"], key="b", value={"kind": "sale", "n": 2}, ttl=60)
    await client.store.put_item(["notes"], key="c", value={"n": 3})
    item = await client.store.get_item(["notes", "집"], key="a")
    assert (item["namespace"], item["value"]) == (["notes", "집"], {"kind": "lease", "n": 1})
    found = await client.store.search_items(["notes"], filter={"kind": "sale"})
    assert [i["key"] for i in found["items"]] == ["b"]
    assert len((await client.store.search_items(["notes"], limit=2, offset=2))["items"]) == 1
    listed = await client.store.list_namespaces(prefix=["notes"])
    assert listed["namespaces"] == [["notes"], ["notes", "집"]]
    assert (await client.store.list_namespaces(suffix=["집"]))["namespaces"] == [["notes", "집"]]
    assert (await client.store.list_namespaces(max_depth=1))["namespaces"] == [["notes"]]
    assert (await client.store.list_namespaces(suffix=["0", "notes"]))["namespaces"] == []
    await client.store.delete_item(["notes", "집"], key="a")
    assert await client.store.get_item(["notes", "집"], key="a") is None


async def test_a_graph_sees_the_items_of_whom_it_runs_for(client: LangGraphClient, sdk_site: Site) -> None:
    await client.runs.wait(None, "talk", input=said("remember the milk"))
    assert (await client.store.get_item(["facts"], key="last"))["value"] == {"text": "the milk"}
    other = await sdk_site.user("other")
    async with get_client(url=sdk_site.address, api_key=None, headers=other) as theirs:
        assert (await theirs.store.search_items([]))["items"] == []
        assert (await theirs.store.list_namespaces())["namespaces"] == []
        await theirs.runs.wait(None, "talk", input=said("remember bread"))
        assert (await theirs.store.get_item(["facts"], key="last"))["value"] == {"text": "bread"}
    assert (await client.store.get_item(["facts"], key="last"))["value"] == {"text": "the milk"}


async def test_namespaces_that_cannot_be_are_refused(client: LangGraphClient, sdk_site: Site) -> None:
    with pytest.raises(UnprocessableEntityError):
        await client.store.put_item([], key="a", value={})
    body = {"namespace": ["a.b"], "key": "k", "value": {}}
    assert (await sdk_site.http.put("/store/items", json=body)).status_code == 422
    assert (await sdk_site.http.put("/store/items", json={**body, "namespace": ["\x00"]})).status_code == 422


async def test_assistants_are_the_served_graphs(client: LangGraphClient) -> None:
    found = await client.assistants.search()
    assert [a["graph_id"] for a in found] == ["adding", "asking", "later", "made", "talk", "trip"]
    assert await client.assistants.count(graph_id="trip") == 1
    by_name = await client.assistants.get("trip")
    assert await client.assistants.get(by_name["assistant_id"]) == by_name
    page = await client.assistants.search(limit=3, response_format="object")
    assert page["next"] == "3"
    assert [set(a) for a in await client.assistants.search(graph_id="trip", select=["name"])] == [{"name"}]
    with pytest.raises(NotFoundError, match="trip"):
        await client.assistants.get("nobody")
    made = await client.assistants.create("trip", name="calm")
    assert [a["name"] for a in await client.assistants.search(graph_id="trip")] == ["calm", "trip"]
    with pytest.raises(ConflictError, match="make an assistant of it"):
        await client.assistants.delete(by_name["assistant_id"])
    await client.assistants.delete(made["assistant_id"])
    assert len(await client.assistants.get_versions("trip")) == 1


async def test_graphs_and_schemas(client: LangGraphClient) -> None:
    graph = await client.assistants.get_graph("talk")
    assert {"counter", "think", "approve"} <= {node["id"] for node in graph["nodes"]}
    deep = await client.assistants.get_graph("talk", xray=True)
    assert any("count" in str(node["id"]).split(":") for node in deep["nodes"])
    for name in ("talk", "trip"):
        schemas = await client.assistants.get_schemas(name)
        assert schemas["graph_id"] == name
        assert "messages" in (schemas["state_schema"] or {})["properties"]
    assert list(await client.assistants.get_subgraphs("talk")) == ["counter"]
    assert list(await client.assistants.get_subgraphs("talk", "counter")) == ["counter"]


async def test_factories_make_a_graph_for_each_run(client: LangGraphClient) -> None:
    for word in ("one", "two"):
        config: Any = {"configurable": {"word": word, "__pregel_checkpointer": "no", "fence": 1}}
        values: Any = await client.runs.wait(None, "made", input=said("x"), config=config)
        assert values["messages"][-1]["content"] == f"configured with {word}"
    values = await client.runs.wait(None, "later", input=said("hello"))
    assert values["messages"][-1]["content"] == "you said hello"


async def test_the_server_says_what_it_is(sdk_site: Site, client: LangGraphClient) -> None:
    assert (await sdk_site.http.get("/ok")).json() == {"ok": True}
    info = (await sdk_site.http.get("/info")).json()
    assert info["flags"]["crons"] is True
    made: Any = await client.crons.create("trip", schedule="* * * * *", enabled=False)
    assert [cron["cron_id"] for cron in await client.crons.search()] == [made["cron_id"]]
    answer = await sdk_site.http.get("/threads/none")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"] == "no session 'none'"
    assert answer.json()["code"] == "not_found"


async def test_a_foreign_key_in_the_environment_does_no_harm(sdk_site: Site) -> None:
    async with get_client(url=sdk_site.address, api_key="lsv2_pt_something") as client:
        assert await client.threads.count() == 0


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/threads", {"metadata": {"a": "\x00"}}),
        ("POST", "/threads", {"thread_id": "\n"}),
        ("POST", "/threads", {"metadata": []}),
        ("POST", "/threads/search", {"limit": 0}),
        ("POST", "/threads/search", {"sort_by": "color"}),
        ("POST", "/threads/search", {"metadata": {"company_id": "x"}, "extract": {"a": "[["}}),
        ("POST", "/runs/wait", {"assistant_id": "talk", "input": "text"}),
        ("POST", "/runs/wait", {"assistant_id": "talk", "input": {"messages": 7}}),
        ("POST", "/runs/wait", {"assistant_id": "talk", "input": {"messages": [{"role": "alien", "content": 1}]}}),
        ("POST", "/runs/wait", {"assistant_id": "talk", "stream_mode": ["colors"]}),
        ("POST", "/runs/wait", {"assistant_id": "talk", "command": {"goto": "nowhere"}}),
        ("POST", "/runs/wait", {"assistant_id": "talk", "command": {"goto": {"no": "node"}}}),
        ("POST", "/runs/wait", {"assistant_id": "trip", "command": {"resume": 1}}),
        ("POST", "/runs/stream", {"assistant_id": "talk", "interrupt_before": ["nowhere"], "input": {}}),
        ("POST", "/runs/batch", {"assistant_id": "talk"}),
        ("POST", "/runs/cancel", {}),
        ("POST", "/store/items/search", {"filter": {"a": {"$no": 1}}}),
        ("POST", "/assistants/search", {"offset": -1}),
        ("GET", "/assistants/talk/graph?xray=deep", None),
        ("GET", "/assistants/talk/subgraphs/none", None),
        ("GET", "/store/items?namespace=&key=", None),
    ],
)
async def test_bad_requests_are_answered(sdk_site: Site, method: str, path: str, body: Any) -> None:
    answer: httpx.Response = await sdk_site.http.request(method, path, json=body)
    assert answer.status_code < 500, answer.text
