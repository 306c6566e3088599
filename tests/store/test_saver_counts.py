"""What a turn costs, counted: what grows with a thread is neither copied nor compared nor handed to another thread."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from bench import storage_workload
from madang.store import SessionSaver
from madang.store.database_postgres import Connection
from madang.store.database_sqlite import HANDED_OVER, SqliteDatabase
from madang.store.saver import history, live, reading, shapes
from madang.store.saver.messages import Frozen, same_all, thaw_all
from tests.support.saver_talk import config, question, talk, talk_graph


@pytest.fixture
def touched(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many messages were copied, and how many were compared with their stored form."""
    counted: Counter[str] = Counter()

    def copied(frozen: Sequence[Frozen]) -> list[BaseMessage]:
        counted["copied"] += len(frozen)
        return thaw_all(frozen)

    def compared(messages: Sequence[Any], frozen: Sequence[Frozen | None]) -> bool:
        counted["compared"] += len(messages)
        return same_all(messages, frozen)

    monkeypatch.setattr(history, "thaw_all", copied)
    monkeypatch.setattr(live, "thaw_all", copied)
    monkeypatch.setattr(reading, "thaw_all", copied)
    monkeypatch.setattr(shapes, "same_all", compared)
    return counted


async def test_a_turn_touches_only_the_messages_that_are_new(db_url: str, touched: Counter[str]) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 40)
        touched.clear()
        for number in (41, 42, 43):
            await graph.ainvoke(question(number), config(), durability="sync")
    assert touched == {"copied": 3 * 2}


async def test_a_turn_of_a_delta_channel_makes_only_the_messages_that_are_new(
    db_url: str, touched: Counter[str]
) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await _teams(saver, "DeltaChannel")
        await graph.ainvoke(storage_workload.question(3), config(), durability="sync")
        touched.clear()
        for number in (4, 5, 6):
            await graph.ainvoke(storage_workload.question(number), config(), durability="sync")
    assert touched == {"copied": 3 * 2}


async def test_a_page_of_history_makes_each_message_once(db_url: str, touched: Counter[str]) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 20)
        touched.clear()
        seen = [len(state.values["messages"]) async for state in graph.aget_state_history(config(), limit=20)]
    assert touched["copied"] == max(seen) == 40


async def test_messages_that_somebody_still_holds_are_copied(db_url: str, touched: Counter[str]) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 10)
        first = await graph.aget_state(config())
        touched.clear()
        second = await graph.aget_state(config())
        assert touched["copied"] == 20
        first.values["messages"][3].content = "spoiled"
        assert second.values["messages"][3].content == "answer 2 " * 30


@pytest.mark.parametrize("part", ["message", "nested"])
async def test_one_message_or_a_part_of_it_held_is_enough(db_url: str, part: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 4)
        message = (await graph.aget_state(config())).values["messages"][2]
        held = message if part == "message" else message.additional_kwargs
        message = None
        later = (await graph.aget_state(config())).values["messages"][2]
        if isinstance(held, BaseMessage):
            held.content = "spoiled"
        else:
            held["spoiled"] = True
        assert later.content == "question 2 " * 30
        assert later.additional_kwargs == {}


async def test_what_a_run_added_comes_back_as_it_was_stored(db_url: str) -> None:
    async with SessionSaver.from_url(db_url) as saver:
        graph = await talk(saver, 3)
        warm = (await graph.aget_state(config())).values["messages"]
        fields = [message.model_fields_set for message in warm]
    async with SessionSaver.from_url(db_url) as saver:
        cold = (await talk_graph(saver).aget_state(config())).values["messages"]
    assert fields == [message.model_fields_set for message in cold]
    assert isinstance(warm[-1], AIMessage)


KINDS = ("add_messages", "DeltaChannel")


@pytest.mark.parametrize("kind", KINDS)
async def test_a_superstep_is_one_transaction_on_the_same_thread(
    sqlite_url: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with SessionSaver.from_url(sqlite_url) as saver:
        database = saver.database
        assert isinstance(database, SqliteDatabase)
        graph = await _teams(saver, kind)
        counted: Counter[str] = Counter()
        monkeypatch.setattr(database._write_thread, "submit", _counting(counted, database._write_thread.submit))
        monkeypatch.setattr(database._read_threads, "submit", _counting(counted, database._read_threads.submit))
        database._since_handed_over = 0
        database._writer.set_trace_callback(lambda sql: counted.update([sql.split()[0]]))
        before = await _checkpoints(saver)
        counted.clear()
        await graph.ainvoke(storage_workload.question(3), config(), durability="sync")
        done = counted.copy()
        supersteps = await _checkpoints(saver) - before
    assert supersteps < HANDED_OVER
    # LangGraph itself waits for a delta channel's write before it puts the checkpoint.
    assert done["BEGIN"] == done["COMMIT"] == supersteps + (kind == "DeltaChannel")
    assert done["hand-over"] == 0


@pytest.mark.parametrize("kind", KINDS)
async def test_a_superstep_is_one_round_trip(postgres_url: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with SessionSaver.from_url(postgres_url) as saver:
        graph = await _teams(saver, kind)
        before = await _checkpoints(saver)
        counted: Counter[str] = Counter()
        execute = Connection.execute

        async def counting(self: Connection, *args: Any, **kwargs: Any) -> Any:
            counted["round trip"] += 1
            return await execute(self, *args, **kwargs)

        with monkeypatch.context() as patched:
            patched.setattr("psycopg.AsyncConnection.execute", counting)
            await graph.ainvoke(storage_workload.question(3), config(), durability="sync")
        supersteps = await _checkpoints(saver) - before
    # A turn begins with one more; LangGraph itself waits for a delta channel's write before it puts the checkpoint.
    assert counted["round trip"] <= supersteps + (1 if kind == "add_messages" else 2)


async def test_memory_is_bounded_by_bytes_and_said(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"MEMORY": 100_000, "HEADS": 8_000, "SHAPES": 30_000}
    for name, limit in limits.items():
        monkeypatch.setattr(f"madang.store.saver.core.{name}", limit)
    async with SessionSaver.from_url(sqlite_url) as saver:
        graph = talk_graph(saver)
        for number in range(30):
            await graph.ainvoke(question(1), config(f"thread {number}"))
        sizes = saver.cache_sizes()
        assert set(sizes) == {"sessions", "heads", "shapes", "histories", "compressors"}
        assert 0 < sizes["sessions"] <= limits["MEMORY"]
        assert 0 < sizes["heads"] <= limits["HEADS"]
        assert 0 < sizes["shapes"] <= limits["SHAPES"]
        # What was forgotten is read again.
        assert len((await graph.aget_state(config("thread 0"))).values["messages"]) == 2


async def _teams(saver: SessionSaver, kind: str) -> Any:
    """Two turns of a graph whose nodes are all done in one moment: three tasks by `Send` among them."""
    graph = storage_workload.build(saver, kind)
    for number in (1, 2):
        await graph.ainvoke(storage_workload.question(number), config(), durability="sync")
    return graph


async def _checkpoints(saver: SessionSaver) -> int:
    async with saver.database.reader() as reader:
        [row] = await reader.fetch("SELECT count(*) AS number FROM checkpoints")
    return int(row["number"])


def _counting(counted: Counter[str], submit: Any) -> Any:
    def inside(*args: Any, **kwargs: Any) -> Any:
        counted["hand-over"] += 1
        return submit(*args, **kwargs)

    return inside
