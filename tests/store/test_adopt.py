"""Adopting the tables of LangGraph's own savers."""

import sqlite3
from contextlib import closing
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command, Send

from madang.errors import ForeignTables, NotFound, UnreadableData
from madang.store.adopt import adopt
from madang.store.database import Database
from madang.store.langgraph_tables import stock_tables
from madang.store.saver import SessionSaver
from tests.support.conversations import build, talk, thread

Saver = BaseCheckpointSaver[Any]


async def history(saver: Saver, name: str) -> list[Any]:
    return [state async for state in build(saver, ask=True).aget_state_history(thread(name))]


async def stock_filled(url: str) -> dict[str, list[Any]]:
    """Two threads in LangGraph's own tables, one waiting at a question; their histories."""

    async def fill(saver: Saver) -> dict[str, list[Any]]:
        await talk(saver, "one", turns=2)
        await talk(saver, "두 번째", turns=2, ask=True)
        return {name: await history(saver, name) for name in ("one", "두 번째")}

    if url.startswith("sqlite"):
        async with AsyncSqliteSaver.from_conn_string(url.removeprefix("sqlite:///")) as in_file:
            return await fill(in_file)
    async with AsyncPostgresSaver.from_conn_string(url) as on_server:
        await on_server.setup()
        return await fill(on_server)


async def test_tables_of_the_same_name_are_moved_aside_and_copied(empty_db_url: str) -> None:
    before = await stock_filled(empty_db_url)
    with pytest.raises(ForeignTables):
        await Database.open(empty_db_url)
    told: list[tuple[int, int]] = []
    result = await adopt(empty_db_url, progress=lambda done, total: told.append((done, total)))
    assert (result.threads, result.present) == (2, [])
    assert result.checkpoints > 10
    assert told == [(1, 2), (2, 2)]
    assert "langgraph_checkpoints" in result.kept_as
    db = await Database.open(empty_db_url)
    saver = SessionSaver(db)
    for name, states in before.items():
        assert await history(saver, name) == states
    await build(saver, ask=True).ainvoke(Command(resume="네"), thread("두 번째"))
    assert (await build(saver).aget_state(thread("두 번째"))).values["phone"] == "네"
    await db.close()
    assert stock_tables(empty_db_url).threads() == sorted(before)


async def test_from_another_database(empty_db_url: str, tmp_path: Path) -> None:
    before = await stock_filled(empty_db_url)
    target = f"sqlite:///{tmp_path}/ours.db"
    result = await adopt(target, source=empty_db_url)
    assert (result.threads, result.kept_as) == (2, [])
    db = await Database.open(target)
    for name, states in before.items():
        assert await history(SessionSaver(db), name) == states
    await db.close()
    with pytest.raises(ForeignTables):
        await Database.open(empty_db_url)


async def test_running_it_again_goes_on(empty_db_url: str, tmp_path: Path) -> None:
    before = await stock_filled(empty_db_url)
    target = f"sqlite:///{tmp_path}/ours.db"
    await adopt(target, source=empty_db_url)
    db = await Database.open(target)
    async with db.transaction() as tx:
        await tx.execute("DELETE FROM chat_sessions WHERE session_id = 'one'")
        newest = "SELECT max(checkpoint_id) FROM checkpoints WHERE checkpoint_ns = ''"
        await tx.execute(f"DELETE FROM checkpoints WHERE checkpoint_id = ({newest})")
    await db.close()
    assert (await adopt(target, source=empty_db_url)).threads == 2
    db = await Database.open(target)
    assert await history(SessionSaver(db), "one") == before["one"]
    await talk(SessionSaver(db), "one", turns=1)
    await db.close()
    again = await adopt(target, source=empty_db_url)
    assert (again.threads, again.present) == (1, ["one"])


async def test_a_copy_that_reads_otherwise_is_noticed(empty_db_url: str, tmp_path: Path) -> None:
    await stock_filled(empty_db_url)
    target = f"sqlite:///{tmp_path}/ours.db"
    await adopt(target, source=empty_db_url)
    db = await Database.open(target)
    async with db.transaction() as tx:
        await tx.execute("UPDATE checkpoints SET metadata = '{}' WHERE session_id = 'one'")
    await db.close()
    with pytest.raises(UnreadableData, match="one"):
        await adopt(target, source=empty_db_url)


async def test_nothing_to_adopt(empty_db_url: str, db_url: str) -> None:
    for url in (empty_db_url, db_url):
        with pytest.raises(NotFound):
            await adopt(url)


async def test_pending_sends_of_old_checkpoints_are_found(tmp_path: Path) -> None:
    """Before version 4 they were only among the parent's writes."""
    serde = JsonPlusSerializer()
    sends = [Send("team", {"team": name, "turn": 1}) for name in ("search", "analysis")]
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        SqliteSaver(connection).setup()
        for id_, parent in (("1", None), ("2", "1")):
            old = {"v": 3, "id": id_, "ts": "2024-01-01T00:00:00+00:00", "channel_values": {"turn": 1}}
            kind, data = serde.dumps_typed(old | {"channel_versions": {"turn": "1"}, "versions_seen": {}})
            row = ("t", "", id_, parent, kind, data, b'{"source": "loop", "step": 1}')
            connection.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        for idx, send in enumerate(sends):
            kind, data = serde.dumps_typed(send)
            connection.execute(
                "INSERT INTO writes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ("t", "", "1", "task", "", idx, "__pregel_tasks", kind, data),
            )
        connection.commit()
    target = f"sqlite:///{tmp_path}/ours.db"
    await adopt(target, source=f"sqlite:///{tmp_path}/old.db")
    db = await Database.open(target)
    found = await SessionSaver(db).aget_tuple(thread("t"))
    assert found is not None
    assert found.checkpoint["channel_values"] == {"turn": 1, "__pregel_tasks": sends}
    await db.close()


async def test_types_are_adopted_only_by_name(tmp_path: Path) -> None:
    class Meal(Enum):
        DINNER = "dinner"

    Meal.__module__, Meal.__qualname__ = __name__, "Meal"
    url = f"sqlite:///{tmp_path}/stock.db"
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "stock.db")) as stock:
        await talk(stock, "t", turns=1)
        await build(stock).aupdate_state(thread("t"), {"found": {"meal": Meal.DINNER}}, as_node="begin")
    with pytest.raises(UnreadableData, match=r"'t'.*Meal"):
        await adopt(url)
    assert (await adopt(url, allow=[(__name__, "Meal")])).threads == 1
