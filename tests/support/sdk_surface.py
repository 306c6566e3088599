"""One check for each public method of the client: it calls the method with every parameter that the method has.

A check that is found here by the method's name gets a `World` and returns if all is as it should be. Methods that the
server doesn't offer are in `NOT_OFFERED`.
"""

import asyncio
import inspect
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph_sdk._async.assistants import AssistantsClient
from langgraph_sdk._async.cron import CronClient
from langgraph_sdk._async.runs import RunsClient
from langgraph_sdk._async.store import StoreClient
from langgraph_sdk._async.threads import ThreadsClient
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import ConflictError, NotFoundError, UnprocessableEntityError

from madang.server.sdk.crons import start_due
from tests.support.plain_graph import Gate, gates
from tests.support.sdk import said
from tests.support.serving import Site

PARTS: dict[str, type] = {
    "assistants": AssistantsClient,
    "threads": ThreadsClient,
    "runs": RunsClient,
    "store": StoreClient,
    "crons": CronClient,
}
EVERYWHERE = {"self", "headers", "params"}


def methods() -> dict[str, set[str]]:
    """Every public method, and its parameters."""
    return {
        f"{part}.{name}": set(inspect.signature(method).parameters) - EVERYWHERE
        for part, kind in PARTS.items()
        for name, method in vars(kind).items()
        if callable(method) and not name.startswith("_")
    }


class Spy:
    """A part of the client that notes which parameters its methods are called with."""

    def __init__(self, part: str, real: Any, used: dict[str, set[str]]) -> None:
        self._part, self._real, self._used = part, real, used

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._real, name)

        def called(*args: Any, **kwargs: Any) -> Any:
            self._used[f"{self._part}.{name}"] |= set(inspect.signature(method).bind(*args, **kwargs).arguments)
            return method(*args, **kwargs)

        return called


class World:
    """What a check works with."""

    def __init__(self, client: LangGraphClient, site: Site) -> None:
        self.client, self.site = client, site
        self.used: dict[str, set[str]] = defaultdict(set)
        self.assistants, self.threads, self.runs, self.store, self.crons = (
            Spy(part, getattr(client, part), self.used) for part in PARTS
        )

    async def thread(self, *texts: str, graph: str = "talk") -> str:
        """A thread on which these things were said."""
        made = (await self.client.threads.create(graph_id=graph))["thread_id"]
        for text in texts:
            await self.client.runs.wait(made, graph, input=said(text))
        return made

    async def held(self, **options: Any) -> tuple[str, str, Gate]:
        """A thread with a run that is held at a gate."""
        thread = (await self.client.threads.create())["thread_id"]
        gate = gates[thread] = Gate()
        run = await self.client.runs.create(thread, "talk", input=said("hello"), **options)
        await gate.reached.wait()
        return thread, run["run_id"], gate


Check = Callable[[World], Awaitable[None]]
CHECKS: dict[str, Check] = {}


def check(method: str) -> Callable[[Check], Check]:
    def noted(function: Check) -> Check:
        CHECKS[method] = function
        return function

    return noted


async def names(parts: AsyncIterator[Any]) -> list[str]:
    return [part.event async for part in parts]


# Assistants: the served graphs, read only.


@check("assistants.get")
async def _(w: World) -> None:
    assert (await w.assistants.get(assistant_id="talk"))["graph_id"] == "talk"


@check("assistants.get_graph")
async def _(w: World) -> None:
    for depth, inside in ((False, "counter"), (1, "counter:count"), (True, "counter:count")):
        drawn = await w.assistants.get_graph("talk", xray=depth)
        assert inside in {node["id"] for node in drawn["nodes"]}


@check("assistants.get_schemas")
async def _(w: World) -> None:
    found = await w.assistants.get_schemas("asking")
    assert "tone" in found["context_schema"]["properties"]
    assert "messages" in found["input_schema"]["properties"]


@check("assistants.get_subgraphs")
async def _(w: World) -> None:
    assert list(await w.assistants.get_subgraphs("asking", namespace="inner", recurse=True)) == ["inner"]


@check("assistants.search")
async def _(w: World) -> None:
    page = await w.assistants.search(
        limit=2, offset=1, sort_by="name", sort_order="desc", select=["name"], response_format="object"
    )
    assert page == {"assistants": [{"name": "talk"}, {"name": "made"}], "next": "3"}
    assert len(await w.assistants.search(metadata={"created_by": "system"}, graph_id="talk", name="AL")) == 1


@check("assistants.count")
async def _(w: World) -> None:
    assert await w.assistants.count(metadata={"created_by": "system"}, graph_id="talk", name="talk") == 1
    assert await w.assistants.count(metadata={"created_by": "user"}) == 0


@check("assistants.get_versions")
async def _(w: World) -> None:
    [one] = await w.assistants.get_versions("talk", metadata={"created_by": "system"}, limit=1, offset=0)
    assert one["version"] == 1
    assert await w.assistants.get_versions("talk", offset=1) == []
    assert await w.assistants.get_versions("talk", metadata={"created_by": "me"}) == []


@check("assistants.create")
async def _(w: World) -> None:
    made = await w.assistants.create(
        "talk",
        {"tags": ["mine"], "configurable": {"tone": "soft"}},
        context=None,
        metadata={"team": "a"},
        assistant_id="mine",
        if_exists="raise",
        name="My talk",
        description="softly",
    )
    assert (made["assistant_id"], made["graph_id"], made["version"]) == ("mine", "talk", 1)
    assert made["config"]["configurable"] == {"tone": "soft"}
    assert (await w.assistants.create("talk", assistant_id="mine", if_exists="do_nothing"))["name"] == "My talk"
    with pytest.raises(ConflictError):
        await w.assistants.create("talk", assistant_id="mine")
    thread = await w.thread()
    await w.client.runs.wait(thread, "mine", input=said("hi"))
    run: Any = (await w.client.runs.list(thread))[0]
    assert run["assistant_id"] == "mine"
    assert run["kwargs"]["config"]["configurable"]["tone"] == "soft"
    assert (run["metadata"]["team"], run["metadata"]["graph_id"]) == ("a", "talk")


@check("assistants.update")
async def _(w: World) -> None:
    await w.client.assistants.create("talk", assistant_id="mine", metadata={"team": "a"}, context={"x": 1})
    changed = await w.assistants.update(
        "mine",
        graph_id="asking",
        config={"configurable": {"tone": "loud"}},
        context={"y": 2},
        metadata={"more": True},
        name="Louder",
        description="loudly",
    )
    assert (changed["version"], changed["graph_id"], changed["name"]) == (2, "asking", "Louder")
    assert (changed["context"], changed["description"]) == ({"y": 2}, "loudly")
    assert changed["metadata"] == {"created_by": "user", "team": "a", "more": True}
    assert [one["version"] for one in await w.client.assistants.get_versions("mine")] == [2, 1]
    with pytest.raises(NotFoundError):
        await w.client.assistants.update("other", name="x")
    with pytest.raises(ConflictError):
        await w.client.assistants.update("talk", name="x")


@check("assistants.set_latest")
async def _(w: World) -> None:
    await w.client.assistants.create("talk", assistant_id="mine", name="one")
    await w.client.assistants.update("mine", name="two")
    assert (await w.assistants.set_latest("mine", version=1))["name"] == "one"
    assert (await w.client.assistants.get("mine"))["version"] == 1
    assert (await w.client.assistants.update("mine", name="three"))["version"] == 3
    with pytest.raises(NotFoundError):
        await w.client.assistants.set_latest("mine", 9)


@check("assistants.delete")
async def _(w: World) -> None:
    await w.client.assistants.create("talk", assistant_id="mine")
    thread = (await w.client.threads.create(metadata={"note": "kept"}))["thread_id"]
    await w.assistants.delete("mine", delete_threads=True)
    assert await w.client.assistants.search(metadata={"created_by": "user"}) == []
    assert (await w.client.threads.get(thread))["thread_id"] == thread
    with pytest.raises(NotFoundError):
        await w.client.assistants.delete("mine")
    with pytest.raises(NotFoundError):
        await w.client.runs.create(None, "mine", input=said("hi"))


# Crons


CRON: dict[str, Any] = {
    "schedule": "*/5 * * * *",
    "input": said("every day"),
    "metadata": {"name": "daily"},
    "config": {"tags": ["cron"]},
    "context": None,
    "checkpoint_during": None,
    "interrupt_before": [],
    "interrupt_after": [],
    "webhook": None,
    "end_time": datetime(2999, 1, 1, tzinfo=UTC),
    "enabled": True,
    "timezone": "Asia/Seoul",
    "stream_mode": "values",
    "stream_subgraphs": False,
    "stream_resumable": False,
    "durability": "sync",
}


@check("crons.create")
async def _(w: World) -> None:
    made: Any = await w.crons.create("talk", **CRON, on_run_completed="keep", multitask_strategy="enqueue")
    assert (made["schedule"], made["enabled"], made["timezone"]) == ("*/5 * * * *", True, "Asia/Seoul")
    assert made["next_run_date"] is not None
    later = datetime.now(UTC) + timedelta(minutes=6)
    assert await start_due(w.site.runtime, at=later) == 1
    assert await start_due(w.site.runtime, at=later) == 0
    [thread] = await until(lambda: w.client.threads.search(status="idle"))
    assert thread["values"]["messages"][-1]["content"] == "you said every day"
    run: Any = (await w.client.runs.list(thread["thread_id"]))[0]
    assert run["metadata"]["cron_id"] == made["cron_id"]
    for wrong in ({"schedule": "every day"}, {"schedule": "* * * * * *"}, {"timezone": "Mars/Base"}):
        with pytest.raises(UnprocessableEntityError):
            await w.client.crons.create("talk", **{**CRON, **wrong})
    with pytest.raises(NotFoundError):
        await w.client.crons.create("nobody", schedule="* * * * *")


@check("crons.create_for_thread")
async def _(w: World) -> None:
    thread = await w.thread("first")
    made: Any = await w.crons.create_for_thread(thread, "talk", **CRON, multitask_strategy="enqueue")
    assert made["thread_id"] == thread
    assert await start_due(w.site.runtime, at=datetime.now(UTC) + timedelta(minutes=6)) == 1
    runs = await until(lambda: finished(w, thread, 2))
    assert len(runs) == 2
    await w.client.threads.delete(thread)
    assert await w.client.crons.count() == 0
    with pytest.raises(NotFoundError):
        await w.client.crons.create_for_thread("nowhere", "talk", schedule="* * * * *")


@check("crons.update")
async def _(w: World) -> None:
    made: Any = await w.client.crons.create("talk", **CRON)
    changes = {**CRON, "schedule": "0 10 * * *", "enabled": False, "end_time": None, "metadata": {"name": "other"}}
    del changes["checkpoint_during"]
    changed = await w.crons.update(made["cron_id"], **changes, on_run_completed="delete")
    assert (changed["schedule"], changed["enabled"], changed["end_time"]) == ("0 10 * * *", False, None)
    assert changed["metadata"] == {"name": "other"}
    assert await start_due(w.site.runtime, at=datetime.now(UTC) + timedelta(days=2)) == 0
    with pytest.raises(NotFoundError):
        await w.client.crons.update("none", enabled=True)


@check("crons.delete")
async def _(w: World) -> None:
    made: Any = await w.client.crons.create("talk", schedule="* * * * *")
    await w.crons.delete(made["cron_id"])
    assert await start_due(w.site.runtime, at=datetime.now(UTC) + timedelta(days=2)) == 0
    with pytest.raises(NotFoundError):
        await w.client.crons.delete(made["cron_id"])


@check("crons.search")
async def _(w: World) -> None:
    thread = await w.thread()
    one: Any = await w.client.crons.create("talk", schedule="0 1 * * *", metadata={"n": 1})
    two: Any = await w.client.crons.create_for_thread(thread, "talk", schedule="0 2 * * *")
    asked = {"limit": 1, "offset": 0, "sort_by": "created_at", "sort_order": "asc", "select": ["cron_id"]}
    assert await w.crons.search(assistant_id="talk", thread_id=None, enabled=True, metadata={"n": 1}, **asked) == [
        {"cron_id": one["cron_id"]}
    ]
    assert [c["cron_id"] for c in await w.crons.search(thread_id=thread)] == [two["cron_id"]]


@check("crons.count")
async def _(w: World) -> None:
    await w.client.crons.create("talk", schedule="0 1 * * *", metadata={"n": 1})
    assert await w.crons.count(assistant_id="talk", thread_id=None, metadata={"n": 1}) == 1
    assert await w.crons.count(metadata={"n": 2}) == 0


async def until(look: Callable[[], Awaitable[Any]]) -> Any:
    """What is found, once there is something."""
    while not (found := await look()):
        await asyncio.sleep(0.02)
    return found


async def finished(w: World, thread: str, count: int) -> Any:
    runs = await w.client.runs.list(thread)
    return runs if len(runs) == count and all(run["status"] == "success" for run in runs) else None


# Threads


@check("threads.get")
async def _(w: World) -> None:
    thread = await w.thread("hello")
    found = await w.threads.get(thread, include=["ttl"])
    assert (found["thread_id"], found["status"], found["ttl"]) == (thread, "idle", None)


@check("threads.create")
async def _(w: World) -> None:
    steps = [{"updates": [{"values": said("x"), "as_node": "__input__"}]}]
    made = await w.threads.create(
        metadata={"a": 1}, thread_id="mine", if_exists="raise", supersteps=steps, graph_id="talk", ttl=60
    )
    assert made["metadata"] | {"a": 1, "graph_id": "talk"} == made["metadata"]
    with pytest.raises(ConflictError):
        await w.threads.create(thread_id="mine")


@check("threads.update")
async def _(w: World) -> None:
    thread = await w.thread()
    assert await w.threads.update(thread, metadata={"b": 2}, ttl=5, return_minimal=True) is None
    found: Any = await w.client.threads.get(thread, include=["ttl"])
    assert (found["metadata"]["b"], found["ttl"]["ttl_minutes"]) == (2, 5)


@check("threads.delete")
async def _(w: World) -> None:
    thread, _, _ = await w.held()
    await w.threads.delete(thread)
    with pytest.raises(NotFoundError):
        await w.client.threads.get(thread)


@check("threads.search")
async def _(w: World) -> None:
    one, two = await w.thread("hello"), await w.thread("please approve")
    asked = {"metadata": {"graph_id": "talk"}, "ids": [one, two], "limit": 5, "offset": 0}
    found = await w.threads.search(**asked, sort_by="created_at", sort_order="asc", select=["thread_id"])
    assert found == [{"thread_id": one}, {"thread_id": two}]
    [only] = await w.threads.search(values={"count": 1}, status="interrupted", extract={"n": "values.count"})
    assert (only["thread_id"], only["extracted"]) == (two, {"n": 1})


@check("threads.count")
async def _(w: World) -> None:
    await w.thread("hello")
    assert await w.threads.count(metadata={"graph_id": "talk"}, values={"count": 1}, status="idle") == 1
    assert await w.threads.count(values={"count": 2}) == 0


@check("threads.copy")
async def _(w: World) -> None:
    copied = await w.threads.copy(await w.thread("hello"))
    assert copied["values"]["count"] == 1


@check("threads.prune")
async def _(w: World) -> None:
    thread = await w.thread("hello")
    assert await w.threads.prune([thread], strategy="keep_latest") == {"pruned_count": 1}
    assert len(await w.client.threads.get_history(thread)) == 1


@check("threads.get_state")
async def _(w: World) -> None:
    thread = await w.thread("hello", graph="asking")
    whole = await w.threads.get_state(thread, subgraphs=True)
    inside = whole["tasks"][0]["state"]
    assert inside["next"] == ["ask"]
    assert whole["interrupts"][0]["value"] == {"question": "inside?", "tone": "plain"}
    within = await w.threads.get_state(thread, checkpoint=inside["checkpoint"])
    assert (within["next"], within["values"]) == (inside["next"], inside["values"])
    by_id = await w.threads.get_state(thread, checkpoint_id=whole["checkpoint"]["checkpoint_id"], select=["next"])
    assert by_id == {"next": ["inner"]}


@check("threads.update_state")
async def _(w: World) -> None:
    thread = await w.thread("hello", graph="asking")
    inside: Any = (await w.client.threads.get_state(thread, subgraphs=True))["tasks"][0]["state"]
    await w.threads.update_state(thread, values={"approved": "edited"}, as_node="ask", checkpoint=inside["checkpoint"])
    values: Any = await w.client.runs.wait(thread, "asking", input=None)
    assert (values["approved"], values["count"]) == ("edited", 1)
    first = (await w.client.threads.get_history(thread, limit=100))[-1]["checkpoint"]
    written = await w.threads.update_state(thread, {"count": 7}, as_node="count", checkpoint_id=first["checkpoint_id"])
    state: Any = await w.client.threads.get_state(thread, checkpoint=written["checkpoint"])
    assert state["values"]["count"] == 7
    assert state["parent_checkpoint"]["checkpoint_id"] == first["checkpoint_id"]


@check("threads.get_history")
async def _(w: World) -> None:
    thread = await w.thread("hello", graph="asking")
    newest = await w.threads.get_history(thread, limit=1, select=["checkpoint", "next"])
    assert set(newest[0]) == {"checkpoint", "next"}
    older = await w.threads.get_history(thread, before=newest[0]["checkpoint"], metadata={"source": "input"})
    assert [state["metadata"]["source"] for state in older] == ["input"]
    whole: Any = await w.client.threads.get_state(thread, subgraphs=True)
    inside = whole["tasks"][0]["state"]["checkpoint"]
    assert (await w.threads.get_history(thread, checkpoint=inside))[0]["next"] == ["ask"]


@check("threads.join_stream")
async def _(w: World) -> None:
    thread = await w.thread("hello")
    stream = await w.threads.join_stream(thread, last_event_id="-1", stream_mode="run_modes")
    heard = [(await anext(stream)).event for _ in range(3)]
    assert heard == ["metadata", "values", "values"]


# Runs


async def how_a_run_goes(w: World, start: Callable[..., Awaitable[Any]]) -> None:
    """What `create`, `wait` and `stream` have in common; `start` gives the run's final values, or raises."""
    thread = await w.thread("one", "two")
    history: Any = await w.client.threads.get_history(thread, limit=100)
    after_one = next(s for s in history if len(s["values"].get("messages", ())) == 2 and not s["next"])["checkpoint"]
    values = await start(
        thread, "talk", input=said("other"), checkpoint=after_one, metadata={"why": "fork"}, durability="exit"
    )
    assert [m["content"] for m in values["messages"] if m["type"] == "human"] == ["one", "other"]
    [run] = await w.client.runs.list(thread, limit=1)
    assert run["metadata"]["why"] == "fork"  # type: ignore[index]
    by_id = after_one["checkpoint_id"]
    with pytest.warns(DeprecationWarning, match="checkpoint_during"):
        values = await start(thread, "talk", input=said("third"), checkpoint_id=by_id, checkpoint_during=False)
    assert [m["content"] for m in values["messages"] if m["type"] == "human"] == ["one", "third"]
    created: list[Any] = []
    options = {"on_run_created": created.append, "if_not_exists": "create", "multitask_strategy": "reject"}
    tracing = {"project_name": "none"}
    await start("made-here", "talk", input=said("x"), interrupt_before=["think"], langsmith_tracing=tracing, **options)
    assert created[0]["thread_id"] == "made-here"
    assert (await w.client.threads.get_state("made-here"))["next"] == ["think"]
    await start("made-here", "talk", interrupt_after=["think"], config={"recursion_limit": 30})
    assert (await w.client.threads.get_state("made-here"))["next"] == ["approve"]
    asking = await w.thread(graph="asking")
    values = await start(asking, "asking", input=said("x"), context={"tone": "warm"})
    state = await w.client.threads.get_state(asking)
    assert state["interrupts"][0]["value"]["tone"] == "warm"
    values = await start(asking, "asking", command={"resume": "yes"}, strict_resume=True)
    assert values["approved"] == "yes"
    with pytest.raises(Exception, match=r"422|is not offered"):
        await start(thread, "talk", input=said("x"), webhook="https://example.com")
    values = await start(None, "talk", input=said("kept"), on_completion="keep", after_seconds=0)
    assert values["count"] == 1


@check("runs.create")
async def _(w: World) -> None:
    async def start(thread: str | None, graph: str, **options: Any) -> Any:
        run = await w.runs.create(thread, graph, **options)
        return await w.client.runs.join(run["thread_id"], run["run_id"])

    await how_a_run_goes(w, start)
    thread = await w.thread()
    options = {"stream_mode": ["updates"], "stream_subgraphs": True, "stream_resumable": True}
    run = await w.runs.create(thread, "talk", input=said("x"), **options)
    heard = await names(w.client.runs.join_stream(thread, run["run_id"], last_event_id="-1"))
    assert {name.partition(":")[0] for name in heard} == {"metadata", "updates", "updates|counter", "end"}


@check("runs.wait")
async def _(w: World) -> None:
    await how_a_run_goes(w, w.runs.wait)
    thread = await w.thread()
    failed = await w.runs.wait(thread, "talk", input=said("fail"), raise_error=False, on_disconnect="cancel")
    assert failed["__error__"]["error"] == "RuntimeError"
    with pytest.raises(Exception, match="told to fail"):
        await w.runs.wait(thread, "talk", input=said("fail"), raise_error=True)


@check("runs.stream")
async def _(w: World) -> None:
    async def start(thread: str | None, graph: str, **options: Any) -> Any:
        parts = [part async for part in w.runs.stream(thread, graph, **options)]
        assert parts[-1].event == "end"
        return parts[-2].data

    await how_a_run_goes(w, start)
    options = {"stream_mode": ["custom"], "stream_subgraphs": True, "stream_resumable": True, "version": "v1"}
    more = {"feedback_keys": ["liked"], "on_disconnect": "continue"}
    parts = [part async for part in w.runs.stream(None, "talk", input=said("x"), **options, **more)]
    assert [part.event.partition(":")[0] for part in parts] == ["metadata", "custom|counter", "end"]
    assert parts[0].id


@check("runs.create_batch")
async def _(w: World) -> None:
    runs = await w.runs.create_batch([{"assistant_id": "talk", "input": said(t), "metadata": {"n": t}} for t in "ab"])
    assert [run["metadata"]["n"] for run in runs] == ["a", "b"]


@check("runs.list")
async def _(w: World) -> None:
    thread = await w.thread("one", "two", "three")
    assert len(await w.runs.list(thread, limit=5, offset=1, status="success", select=["run_id"])) == 2
    assert await w.runs.list(thread, status="error") == []


@check("runs.get")
async def _(w: World) -> None:
    thread, run, _ = await w.held()
    assert (await w.runs.get(thread, run_id=run))["status"] == "running"


@check("runs.cancel")
async def _(w: World) -> None:
    thread, run, _ = await w.held()
    await w.runs.cancel(thread, run, wait=True, action="rollback")
    with pytest.raises(NotFoundError):
        await w.client.runs.get(thread, run)


@check("runs.cancel_many")
async def _(w: World) -> None:
    thread, run, _ = await w.held()
    await w.runs.cancel_many(thread_id=thread, run_ids=[run], action="interrupt")
    assert (await w.client.runs.get(thread, run))["status"] == "interrupted"
    thread, run, _ = await w.held()
    await w.runs.cancel_many(status="running")
    assert (await w.client.runs.get(thread, run))["status"] == "interrupted"


@check("runs.join")
async def _(w: World) -> None:
    thread, run, gate = await w.held()
    gate.open.set()
    assert (await w.runs.join(thread, run_id=run))["count"] == 1


@check("runs.join_stream")
async def _(w: World) -> None:
    thread, run, gate = await w.held(stream_resumable=True)
    options = {"stream_mode": ["updates"], "last_event_id": "-1", "cancel_on_disconnect": True}
    heard = w.runs.join_stream(thread, run, **options)
    assert [(await anext(heard)).event for _ in range(2)] == ["metadata", "updates"]
    await heard.aclose()
    await w.site.runtime.wait(run)
    assert (await w.client.runs.get(thread, run))["status"] == "interrupted"
    gate.open.set()


@check("runs.delete")
async def _(w: World) -> None:
    thread = await w.thread("one")
    [run] = await w.client.runs.list(thread)
    await w.runs.delete(thread, run["run_id"])
    assert await w.client.runs.list(thread) == []


# Store


@check("store.put_item")
async def _(w: World) -> None:
    await w.store.put_item(["a"], key="k", value={"x": 1}, index=False, ttl=5)
    assert (await w.client.store.get_item(["a"], "k"))["value"] == {"x": 1}
    with pytest.raises(UnprocessableEntityError):
        await w.store.put_item(["a"], key="k", value={"x": 1}, ttl=-1)


@check("store.get_item")
async def _(w: World) -> None:
    await w.client.store.put_item(["a", "b"], "k", {"x": 1})
    assert (await w.store.get_item(["a", "b"], "k", refresh_ttl=True))["namespace"] == ["a", "b"]


@check("store.delete_item")
async def _(w: World) -> None:
    await w.client.store.put_item(["a"], "k", {"x": 1})
    await w.store.delete_item(["a"], key="k")
    assert await w.client.store.get_item(["a"], "k") is None


@check("store.search_items")
async def _(w: World) -> None:
    for n in range(4):
        await w.client.store.put_item(["a", str(n)], "k", {"n": n, "text": "전세 보증금"})
    found = await w.store.search_items(
        ["a"], filter={"n": {"$gte": 1}}, limit=2, offset=1, query="보증금", refresh_ttl=False
    )
    assert len(found["items"]) == 2
    assert {item["value"]["n"] for item in found["items"]} <= {1, 2, 3}


@check("store.list_namespaces")
async def _(w: World) -> None:
    for first in "xyz":
        await w.client.store.put_item([first, "b", "c"], "k", {"x": 1})
    listed = await w.store.list_namespaces(prefix=["*", "b"], suffix=["c"], max_depth=2, limit=1, offset=1)
    assert listed["namespaces"] == [["y", "b"]]


@check("threads.stream")
async def _(w: World) -> None:
    thread_id = await w.thread("hello")
    for transport in ("sse", "websocket"):
        made = w.threads.stream(thread_id, assistant_id="talk", run_start_timeout=5, transport=transport)
        async with made as stream:
            await stream.run.start(input=said(transport))
            assert (await stream.output)["messages"][-1]["content"] == f"you said {transport}"


NOT_OFFERED: dict[str, Check] = {}
WAITING = 100.0


async def run_check(w: World, method: str) -> None:
    await asyncio.wait_for(CHECKS[method](w), WAITING)
