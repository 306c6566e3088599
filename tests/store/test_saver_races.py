"""Deleting checkpoints beside others who write: what they wrote stays, and can be read."""

import asyncio
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig

from madang.errors import SessionBusy
from madang.store.database import Database
from madang.store.saver import SessionSaver, upkeep
from madang.store.saver.retention import make_plan
from tests.support.conversations import build, talk, thread
from tests.support.runs import begun
from tests.support.waiting import then

BLOCKED = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


async def readable(saver: SessionSaver) -> int:
    """How many messages the thread has, after every checkpoint was read and has its parent."""
    states = [state async for state in build(saver).aget_state_history(thread("t"))]
    known = {state.config["configurable"]["checkpoint_id"] for state in states}
    parents = [state.parent_config["configurable"]["checkpoint_id"] for state in states if state.parent_config]
    assert set(parents) <= known
    return len(states[0].values["messages"])


async def test_what_is_written_while_a_run_is_forgotten_stays(db_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        await talk(saver, "t", 2)
        graph = build(saver)
        rolled: RunnableConfig = {"configurable": {"thread_id": "t", "run_id": "gone"}}
        await graph.ainvoke({"messages": [HumanMessage("forget this", id="x")]}, rolled)
        plan, planned = make_plan, 0

        async def beside(*given: Any) -> Any:
            nonlocal planned
            planned += 1
            made = await plan(*given)
            if planned == 1:
                await talk(saver, "t", 1, ask=False)
                await graph.ainvoke({"messages": [HumanMessage("stays", id="y")]}, thread("t"))
            return made

        monkeypatch.setattr(upkeep, "make_plan", beside)
        await saver.adelete_for_runs(["gone"])
        assert planned == 2
        assert "stays" in [m.content for m in (await graph.aget_state(thread("t"))).values["messages"]]
        await readable(saver)
    async with SessionSaver.from_url(db_url) as saver:
        await readable(saver)


async def test_nothing_is_deleted_from_under_a_run(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        await talk(saver, "t", 2)
        rolled: RunnableConfig = {"configurable": {"thread_id": "t", "run_id": "gone"}}
        await build(saver).ainvoke({"messages": [HumanMessage("x", id="x")]}, rolled)
        before = await readable(saver)
        db = await Database.open(db_url)
        await begun(db, "t", lease=30)
        with pytest.raises(SessionBusy):
            await saver.adelete_for_runs(["gone"])
        with pytest.raises(SessionBusy):
            await saver.aprune(["t"])
        assert await readable(saver) == before
        await db.close()


async def test_a_write_that_waited_while_its_parent_was_deleted_stands_alone(postgres_url: str) -> None:
    """One statement's snapshot is older than the lock it waits for: the parent seems to be there."""
    async with SessionSaver.from_url(postgres_url) as saver:
        await talk(saver, "t", 2)
        db = await Database.open(postgres_url)
        sql = db.queries("saver_upkeep")
        async with db.transaction() as tx:
            await tx.fetch(sql["lock_session"], {"session_id": "t"})
            writing = asyncio.create_task(build(saver).aupdate_state(thread("t"), {"turn": 9}, as_node="begin"))
            await asyncio.gather(then(lambda: None))
            while not (await tx.fetch(BLOCKED))[0]["n"]:
                await asyncio.gather(then(lambda: None))
            for table in ("checkpoints", "blobs", "writes", "chunks"):
                await tx.execute(sql[f"drop_all_{table}"], {"session_id": "t"})
        await writing
        await db.close()
    async with SessionSaver.from_url(postgres_url) as saver:
        assert (await build(saver).aget_state(thread("t"))).values["turn"] == 9
        assert await readable(saver) == 4
