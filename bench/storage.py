"""Checkpoint storage beside LangGraph's own savers: bytes and milliseconds of a long thread, and many at once.

The graph has the shape of a Madang turn: plan, three teams by `Send`, aggregate, respond. Each turn adds two messages
of 1 kB and replaces results of 20 kB. `MADANG_BENCH_TURNS` (500) and
`MADANG_BENCH_POSTGRES` (a server's URL) change it.
"""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import Row, Suite
from bench import storage_workload as workload
from bench.storage_servers import fresh_postgres, postgres_bytes, sqlite_bytes

WINDOW = 20
WARM = 4

Opener = Callable[[], AbstractAsyncContextManager[Any]]
Course = Callable[[Opener, Callable[[], int], str, int], Coroutine[Any, Any, "Measured"]]


@dataclass
class Measured:
    """One thread's figures."""

    milliseconds: list[float] = field(default_factory=list)
    bytes_at: dict[int, int] = field(default_factory=dict)
    get_state: float = 0.0
    history: float = 0.0

    def turn_bytes(self, turn: int) -> float:
        """Mean bytes a turn over the window that ends with `turn`."""
        return (self.bytes_at[turn] - self.bytes_at[turn - WINDOW]) / WINDOW

    def late(self) -> float:
        return statistics.median(self.milliseconds[-WINDOW:])

    def early(self) -> float:
        return statistics.median(self.milliseconds[2:8])


QUICK_SQLITE = {"add_messages": "≤ .125 of stock", "DeltaChannel": "≤ .25 of stock"}
QUICK_POSTGRES = {"add_messages": "≤ .167 of stock", "DeltaChannel": "≤ .35 of stock"}
THREAD: Any = {"configurable": {"thread_id": "6f1c1a56-9f0d-4b0e-8a35-4b1d9d3f7a10"}}


def turns() -> int:
    return max(60, int(os.environ.get("MADANG_BENCH_TURNS", "500")))


async def _thread(open_saver: Opener, size: Callable[[], int], kind: str, count: int) -> Measured:
    """A whole thread, turn by turn."""
    measured = Measured()
    async with open_saver() as saver:
        graph = workload.build(saver, kind)
        await _turns(graph, range(1, count + 1), measured, size, {50 - WINDOW, 50, count - WINDOW, count})
        await _look_back(graph, measured)
    return measured


async def _late(open_saver: Opener, size: Callable[[], int], kind: str, count: int) -> Measured:
    """The first and the last turns of a thread; what lies between is put there at once."""
    measured = Measured()
    async with open_saver() as saver:
        graph = workload.build(saver, kind)
        await _turns(graph, range(1, 9), measured, size, set())
        begin = count - WINDOW - WARM
        await graph.aupdate_state(THREAD, workload.said(range(9, begin)), as_node="respond")
        await _turns(graph, range(begin, count + 1), measured, size, {count - WINDOW, count})
        await _look_back(graph, measured)
    return measured


async def _turns(graph: Any, numbers: range, measured: Measured, size: Callable[[], int], marks: set[int]) -> None:
    for turn in numbers:
        given = workload.question(turn)
        workload.prepare(turn)
        start = time.perf_counter()
        await graph.ainvoke(given, THREAD, durability="sync")
        measured.milliseconds.append((time.perf_counter() - start) * 1000)
        if turn in marks:
            measured.bytes_at[turn] = size()


async def _look_back(graph: Any, measured: Measured) -> None:
    measured.get_state = await _timed(lambda: graph.aget_state(THREAD), 5)
    measured.history = await _timed(lambda: _history(graph, THREAD), 3)


async def _history(graph: Any, config: Any) -> list[Any]:
    return [seen async for seen in graph.aget_state_history(config, limit=20)]


async def _timed(call: Callable[[], Any], times: int) -> float:
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        await call()
        spent.append((time.perf_counter() - start) * 1000)
    return statistics.median(spent)


@asynccontextmanager
async def _stock_sqlite(path: str) -> AsyncIterator[Any]:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async with AsyncSqliteSaver.from_conn_string(path) as saver:
        yield saver


@asynccontextmanager
async def _stock_postgres(url: str) -> AsyncIterator[Any]:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    async with AsyncPostgresSaver.from_conn_string(url) as saver:
        await saver.setup()
        yield saver


def ours(url: str) -> Opener:
    """What opens our saver."""
    from madang.store import SessionSaver

    return lambda: SessionSaver.from_url(url)


def _sqlite_pair(folder: Path, kind: str, count: int, course: Course) -> tuple[Measured, Measured]:
    own, stock = folder / f"ours-{kind}.db", folder / f"stock-{kind}.db"
    mine = asyncio.run(course(ours(f"sqlite:///{own}"), lambda: sqlite_bytes(own), kind, count))
    theirs = asyncio.run(course(lambda: _stock_sqlite(str(stock)), lambda: sqlite_bytes(stock), kind, count))
    own.unlink()
    stock.unlink()
    return mine, theirs


def _postgres_pair(new_database: Callable[[], str], kind: str, count: int, course: Course) -> tuple[Measured, Measured]:
    own, stock = new_database(), new_database()
    mine = asyncio.run(course(ours(own), lambda: postgres_bytes(own), kind, count))
    theirs = asyncio.run(course(lambda: _stock_postgres(stock), lambda: postgres_bytes(stock), kind, count))
    return mine, theirs


def _rows(backend: str, kind: str, pair: tuple[Measured, Measured], count: int) -> list[Row]:
    mine, theirs = pair
    peer = "AsyncSqliteSaver" if backend == "SQLite" else "AsyncPostgresSaver"
    quick = QUICK_SQLITE[kind] if backend == "SQLite" else QUICK_POSTGRES[kind]
    name = f"{backend}, {kind}"
    return [
        Row(
            measure=f"{name}: turn {count}",
            value=mine.late(),
            unit="ms",
            peer=peer,
            peer_value=theirs.late(),
            goal=quick,
        ),
        Row(
            measure=f"{name}: turn {count} over turn 5",
            value=mine.late() / mine.early(),
            unit="×",
            peer=peer,
            peer_value=theirs.late() / theirs.early(),
            goal="≤ 1.5",
        ),
        Row(
            measure=f"{name}: get_state",
            value=mine.get_state,
            unit="ms",
            peer=peer,
            peer_value=theirs.get_state,
            goal="≤ .15 of stock",
        ),
        Row(
            measure=f"{name}: last 20 of history",
            value=mine.history,
            unit="ms",
            peer=peer,
            peer_value=theirs.history,
            goal="≤ .10 of stock",
        ),
    ]


def _whole(backend: str, kind: str, pair: tuple[Measured, Measured], count: int) -> list[Row]:
    mine, theirs = pair
    name = f"{backend}, {kind}"
    small, goal = ("≤ 13", "≤ 7.6") if backend == "SQLite" else ("≤ 17", "≤ 9.8")
    flat = mine.turn_bytes(count) / mine.turn_bytes(50)
    return [
        Row(
            measure=f"{name}: bytes of turn {count}",
            value=mine.turn_bytes(count) / 1000,
            unit="kB",
            peer="stock",
            peer_value=theirs.turn_bytes(count) / 1000,
            goal=small,
        ),
        Row(measure=f"{name}: bytes of turn {count} over turn 50", value=flat, unit="×", goal="≤ 1.1"),
        Row(
            measure=f"{name}: whole thread",
            value=mine.bytes_at[count] / 1e6,
            unit="MB",
            peer="stock",
            peer_value=theirs.bytes_at[count] / 1e6,
            goal=goal,
        ),
    ]


def storage() -> list[Row]:
    """The 500th turn on each backend, with `add_messages` and with `DeltaChannel`; then subgraphs and 5 MB values."""
    return _beside_stock(_late, whole=False)


def growth() -> list[Row]:
    """`storage` over a thread of 500 turns that are all run: what the whole takes, and how it grows."""
    return _beside_stock(_thread, whole=True)


def _beside_stock(course: Course, *, whole: bool) -> list[Row]:
    count = turns()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name, fresh_postgres() as new_database:
        folder = Path(name)
        for kind in ("add_messages", "DeltaChannel"):
            pairs = {"SQLite": _sqlite_pair(folder, kind, count, course)}
            if new_database is not None:
                pairs["Postgres"] = _postgres_pair(new_database, kind, count, course)
            for backend, pair in pairs.items():
                rows += _rows(backend, kind, pair, count)
                rows += _whole(backend, kind, pair, count) if whole else []
        rows += asyncio.run(_nested(folder))
    return rows


async def _nested(folder: Path) -> list[Row]:
    """Ten turns of a graph with a subgraph and a value of 5 MB that doesn't change."""
    sizes, spent = [], []
    for opener, path in (
        (ours(f"sqlite:///{folder / 'nested.db'}"), folder / "nested.db"),
        (lambda: _stock_sqlite(str(folder / "nested-stock.db")), folder / "nested-stock.db"),
    ):
        start = time.perf_counter()
        async with opener() as saver:
            graph = workload.build_nested(saver)
            for turn in range(10):
                await graph.ainvoke(
                    workload.nested_input(turn), {"configurable": {"thread_id": "t"}}, durability="sync"
                )
        spent.append((time.perf_counter() - start) * 100)
        sizes.append(sqlite_bytes(path) / 1e6)
    return [
        Row(
            measure="SQLite, subgraphs and 5 MB: ten turns",
            value=sizes[0],
            unit="MB",
            peer="AsyncSqliteSaver",
            peer_value=sizes[1],
        ),
        Row(
            measure="SQLite, subgraphs and 5 MB: a turn",
            value=spent[0],
            unit="ms",
            peer="AsyncSqliteSaver",
            peer_value=spent[1],
        ),
    ]


def _with_question(state: dict[str, Any], turn: int) -> dict[str, Any]:
    given = workload.question(turn)
    return {**state, "messages": [*state.get("messages", []), *given["messages"]]}


async def _many(saver: Any, threads: int, each: int) -> float:
    """Turns a second of many threads at once."""
    graph = workload.build(saver, "add_messages")
    durability: Any = "sync" if saver is not None else None

    async def one(number: int) -> None:
        config: Any = {"configurable": {"thread_id": f"thread-{number}"}}
        state: dict[str, Any] = {}
        for turn in range(1, each + 1):
            # Without a checkpointer the state is passed in, so that all do the same work.
            given = _with_question(state, turn) if saver is None else workload.question(turn)
            state = await graph.ainvoke(given, config, durability=durability)

    start = time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(threads)))
    return threads * each / (time.perf_counter() - start)


def concurrency() -> list[Row]:
    """200 threads of 5 turns on one Postgres pool of 20, beside the stock saver and no checkpointer at all."""
    threads = int(os.environ.get("MADANG_BENCH_THREADS", "200"))
    with fresh_postgres() as new_database:
        if new_database is None:
            return []
        return asyncio.run(_concurrency(new_database, threads, 5))


async def _concurrency(new_database: Callable[[], str], threads: int, each: int) -> list[Row]:
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    for turn in range(1, each + 1):
        workload.prepare(turn)
    bare = await _many(None, threads, each)
    memory = await _many(InMemorySaver(), threads, each)
    async with ours(new_database())() as saver:
        mine = await _many(saver, threads, each)
    kwargs = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    async with AsyncConnectionPool(new_database(), min_size=20, max_size=20, kwargs=kwargs, open=False) as pool:
        stock = AsyncPostgresSaver(pool)  # type: ignore[arg-type]
        await stock.setup()
        theirs = await _many(stock, threads, each)
    measure = f"Postgres, {threads} threads × {each} turns at once"
    return [
        Row(measure=measure, value=mine, unit="turns/s", peer="AsyncPostgresSaver", peer_value=theirs),
        Row(measure=measure, value=mine, unit="turns/s", peer="no checkpointer", peer_value=bare, goal="≥ .60"),
        Row(measure=measure, value=mine, unit="turns/s", peer="InMemorySaver", peer_value=memory),
    ]


SUITES: dict[str, Suite] = {"storage": storage, "growth": growth, "concurrency": concurrency}
