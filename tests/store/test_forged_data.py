"""Forged data: session files and stored rows that name types, bombs and other people's rows."""

import base64
import copy
import enum
import json
import tracemalloc
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import ormsgpack
import pytest
import zstandard
from langchain_core.messages import HumanMessage
from langgraph.graph import START, StateGraph
from langgraph.types import Send
from pydantic import BaseModel
from typing_extensions import TypedDict

from madang.errors import InvalidInput, InvalidState, UnreadableData
from madang.state.declared import declared_types
from madang.store import SessionSaver
from madang.store.blobs import Blobs
from madang.store.database import Database
from madang.store.export import checksum, export_session
from madang.store.importing import import_session
from madang.store.messages import Messages
from madang.store.sessions import Sessions
from tests.support.conversations import build, talk, thread


@pytest.fixture
async def elsewhere(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(f"sqlite:///{tmp_path}/elsewhere.db")
    yield opened
    await opened.close()


def forged(mark: Path) -> Any:
    """A value whose serialised form names `os.system`, as LangGraph's serialiser writes an enum's member."""
    made: Any = enum.Enum("system", {"run": f"touch {mark}"})  # type: ignore[misc]
    made.__module__ = "os"
    return made.run


def forged_bytes(mark: Path) -> bytes:
    return ormsgpack.packb(ormsgpack.Ext(0, ormsgpack.packb(["os", "system", f"touch {mark}"])))


def entry(kind: str, data: bytes) -> dict[str, str]:
    return {"type": kind, "bytes": base64.b64encode(data).decode()}


def _constructor(mark: Path) -> dict[str, str]:
    return entry("msgpack", forged_bytes(mark))


def _deep_inside(mark: Path) -> dict[str, str]:
    inner = ormsgpack.Ext(1, ormsgpack.packb(["langgraph.types", "Send", ["team", [ormsgpack.Ext(0, _call(mark))]]]))
    return entry("msgpack", ormsgpack.packb({"a": [{"b": inner}]}))


def _call(mark: Path) -> bytes:
    return ormsgpack.packb(["os", "system", f"touch {mark}"])


def _method(mark: Path) -> dict[str, str]:
    return entry("msgpack", ormsgpack.packb(ormsgpack.Ext(3, ormsgpack.packb(["os", "os", f"touch {mark}", "system"]))))


def _keywords(mark: Path) -> dict[str, str]:
    call = ["subprocess", "Popen", {"args": ["touch", str(mark)]}]
    return entry("msgpack", ormsgpack.packb(ormsgpack.Ext(2, ormsgpack.packb(call))))


def _pickled(mark: Path) -> dict[str, str]:
    return entry("pickle", f"cos\nsystem\n(S'touch {mark}'\ntR.".encode())


def _langchain_json(mark: Path) -> dict[str, str]:
    call = {"lc": 2, "type": "constructor", "id": ["subprocess", "Popen"], "args": [["touch", str(mark)]]}
    return entry("json", json.dumps(call).encode())


def _langchain_prompt(mark: Path) -> dict[str, str]:
    prompt = {"lc": 1, "type": "constructor", "id": ["langchain_core", "prompts", "prompt", "PromptTemplate"]}
    return entry("json", json.dumps({**prompt, "kwargs": {"template": "{x}"}}).encode())


def _unknown_extension(mark: Path) -> dict[str, str]:
    return entry("msgpack", ormsgpack.packb(ormsgpack.Ext(99, str(mark).encode())))


FORGERIES = [
    _constructor,
    _deep_inside,
    _method,
    _keywords,
    _pickled,
    _langchain_json,
    _langchain_prompt,
    _unknown_extension,
]


@pytest.mark.parametrize("place", ["value", "write", "metadata"])
@pytest.mark.parametrize("forge", FORGERIES)
async def test_a_forged_file_runs_nothing_and_leaves_nothing(
    db: Database, elsewhere: Database, tmp_path: Path, forge: Callable[[Path], dict[str, str]], place: str
) -> None:
    await talk(SessionSaver(db), "s", ask=True)
    exported = await export_session(db, SessionSaver(db), "s")
    mark = tmp_path / "ran"
    exported["values"].append(forge(mark))
    number = len(exported["values"]) - 1
    checkpoint = next(c for c in exported["checkpoints"] if c["writes"])
    if place == "value":
        checkpoint["values"]["phone"] = number
    elif place == "write":
        checkpoint["writes"][0]["value"] = number
    else:
        checkpoint["metadata"] = number
    exported["checksum"] = checksum(exported)
    with pytest.raises(UnreadableData) as refused:
        await import_session(elsewhere, SessionSaver(elsewhere), exported)
    assert not mark.exists()
    if place == "value":
        assert "'phone'" in str(refused.value)
    if forge in (_constructor, _deep_inside):
        assert "os.system" in str(refused.value)
    async with elsewhere.reader() as reader:
        for table in ("chat_sessions", "checkpoints", "checkpoint_blobs", "checkpoint_writes", "chunks"):
            assert await reader.fetch(f"SELECT 1 FROM {table}") == []


class Held(TypedDict, total=False):
    thing: Any
    things: list[Any]


def holding(value: Any) -> StateGraph[Held]:
    graph = StateGraph(Held)
    graph.add_node("hold", lambda _: {"thing": value})
    graph.add_edge(START, "hold")
    return graph


@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: [v, "x" * 9000], lambda v: {"a": [v] * 80}])
async def test_a_forged_row_runs_nothing(db: Database, tmp_path: Path, wrap: Callable[[Any], Any]) -> None:
    mark = tmp_path / "ran"
    permissive = SessionSaver(db, allow="langgraph")
    await holding(wrap(forged(mark))).compile(checkpointer=permissive).ainvoke({}, thread("s"))
    for saver in (SessionSaver(db), SessionSaver(db, allow=[])):
        with pytest.raises(UnreadableData, match=r"'thing'.*os\.system"):
            await saver.aget_tuple(thread("s"))
        with pytest.raises(UnreadableData, match=r"os\.system"):
            _ = [found async for found in saver.alist(thread("s"))]
    assert not mark.exists()


async def test_a_forged_send_runs_nothing(db: Database, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    graph = StateGraph(Held)
    graph.add_node("first", lambda _: {})
    graph.add_node("second", lambda _: {})
    graph.add_edge(START, "first")
    graph.add_conditional_edges("first", lambda _: [Send("second", {"thing": forged(mark)})], ["second"])
    permissive = graph.compile(checkpointer=SessionSaver(db, allow="langgraph"), interrupt_before=["second"])
    await permissive.ainvoke({}, thread("s"))
    with pytest.raises(UnreadableData, match=r"os\.system"):
        await graph.compile(checkpointer=SessionSaver(db)).ainvoke(None, thread("s"))
    assert not mark.exists()


@dataclass
class Flight:
    number: str


class Hotel(BaseModel):
    name: str
    flights: list[Flight] = []


class Meal(enum.Enum):
    DINNER = "dinner"


class Room(NamedTuple):
    number: int


class Trip(TypedDict, total=False):
    hotel: Annotated[Hotel | None, "a note"]
    meals: dict[str, list[Meal]]
    rooms: tuple[Room, ...]
    messages: list[HumanMessage]


WHOLE: Trip = {
    "hotel": Hotel(name="h", flights=[Flight("KE1")]),
    "meals": {"1": [Meal.DINNER]},
    "rooms": (Room(7),),
}


def trip() -> StateGraph[Trip]:
    graph = StateGraph(Trip)
    graph.add_node("plan", lambda _: WHOLE)
    graph.add_edge(START, "plan")
    return graph


async def test_a_type_that_could_not_be_read_back_is_refused_when_it_is_written(db: Database) -> None:
    with pytest.raises(InvalidState, match=r"hotel.*Hotel.*allow"):
        await trip().compile(checkpointer=SessionSaver(db)).ainvoke({}, thread("s"))
    found = await SessionSaver(db).aget_tuple(thread("s"))
    assert found is not None
    assert "hotel" not in found.checkpoint["channel_values"]


@pytest.mark.parametrize(
    "allow",
    [[Trip], [Hotel, Flight, Meal, Room], [(__name__, name) for name in ("Hotel", "Flight", "Meal", "Room")]],
)
async def test_types_are_allowed_by_name_or_by_the_state_that_declares_them(db: Database, allow: list[Any]) -> None:
    await trip().compile(checkpointer=SessionSaver(db, allow=allow)).ainvoke({}, thread("s"))
    values = (await trip().compile(checkpointer=SessionSaver(db, allow=allow)).aget_state(thread("s"))).values
    assert values == {**WHOLE, "rooms": [Room(7)]} or values == WHOLE
    with pytest.raises(UnreadableData, match="Hotel"):
        await SessionSaver(db).aget_tuple(thread("s"))


async def test_the_copies_of_a_saver_learn_what_one_of_them_is_told(db: Database) -> None:
    saver = SessionSaver(db)
    graph = trip().compile(checkpointer=saver.with_allowlist(declared_types(Trip)))
    await graph.ainvoke({}, thread("s"))
    found = await saver.aget_tuple(thread("s"))
    assert found is not None
    assert found.checkpoint["channel_values"]["hotel"] == WHOLE["hotel"]


def test_declared_types_are_found_at_every_depth() -> None:
    assert {name for _, name in declared_types(Trip)} >= {"Hotel", "Flight", "Meal", "Room", "HumanMessage"}
    assert declared_types(Any, dict[str, Any], int) == set()


BOMB = 1 << 30


@cache
def packed_zeros(size: int) -> bytes:
    """A gigabyte of zeros in 33 kB, with its size in front or, for -1, without."""
    packer = zstandard.ZstdCompressor(level=3).compressobj(size=size)
    piece = bytes(1 << 20)
    return b"".join([*(packer.compress(piece) for _ in range(BOMB >> 20)), packer.flush()])


@pytest.mark.parametrize("said", [BOMB, -1])
@pytest.mark.parametrize(
    ("table", "column"),
    [("chunks", "data"), ("checkpoint_blobs", "blob"), ("checkpoint_writes", "blob"), ("checkpoints", "packed")],
)
async def test_a_stored_bomb_is_refused_and_never_unpacked(db: Database, table: str, column: str, said: int) -> None:
    await talk(SessionSaver(db), "s", ask=True)
    packed = b"\x01" + packed_zeros(said)
    async with db.transaction() as tx:
        await tx.execute(f"UPDATE {table} SET {column} = :data WHERE session_id = 's'", {"data": packed})
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableData):
            _ = [found async for found in SessionSaver(db).alist(thread("s"))]
        assert tracemalloc.get_traced_memory()[1] < BOMB // 16
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("said", [BOMB, -1])
async def test_a_blob_that_is_a_bomb_is_refused(db: Database, said: int) -> None:
    await Sessions(db).create("s")
    blob_id = await Blobs(db).put("s", b"data")
    async with db.transaction() as tx:
        await tx.execute("UPDATE blobs SET data = :data", {"data": b"z" + packed_zeros(said)})
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableData, match=blob_id):
            await Blobs(db).get("s", blob_id)
        assert tracemalloc.get_traced_memory()[1] < BOMB // 16
    finally:
        tracemalloc.stop()


async def test_what_could_not_be_read_back_for_its_size_is_not_stored(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("madang.store.codec.LARGEST", 100_000)
    await Sessions(db).create("b")
    with pytest.raises(InvalidInput, match="100001 bytes"):
        await Blobs(db).put("b", b"\0" * 100_001)
    with pytest.raises(InvalidInput, match="100000"):
        await holding("x" * 100_001).compile(checkpointer=SessionSaver(db)).ainvoke({}, thread("s"))


def _foreign_message(data: dict[str, Any]) -> None:
    data["messages"].append({**data["messages"][0], "session_id": "victim"})


def _foreign_event(data: dict[str, Any]) -> None:
    data["events"].append(
        {"session_id": "victim", "seq": 1, "run_id": None, "key": None, "type": "token", "frame": {}, "created_at": ""}
    )


def _foreign_control(data: dict[str, Any]) -> None:
    data["controls"].append({"run_id": "other", "idx": 0, "kind": "x", "data": {}, "created_at": data["exported_at"]})


def _foreign_file(data: dict[str, Any]) -> None:
    data["document_files"].append({"document_id": "other", "version": 1, "format": "md", "data": ""})


def _hidden(data: dict[str, Any]) -> None:
    data["session"]["status"] = "passing"


def _no_text(data: dict[str, Any]) -> None:
    data["messages"][0]["content"] = {"sealed": True}


def _number_too_low(data: dict[str, Any]) -> None:
    data["session"]["last_seq"] = -1


def _too_deep(data: dict[str, Any]) -> None:
    deep: Any = 1
    for _ in range(500):
        deep = [deep]
    data["messages"][0]["structured_data"] = {"deep": deep}


def _deep_value(data: dict[str, Any]) -> None:
    data["values"].append(entry("msgpack", b"\x91" * 900 + b"\xc0"))
    data["checkpoints"][0]["values"]["phone"] = len(data["values"]) - 1


def _no_time(data: dict[str, Any]) -> None:
    data["messages"][0]["created_at"] = "now'; DROP TABLE users"


def _much_from_little(data: dict[str, Any]) -> None:
    data["values"].append({"json": "x" * 1_000_000})
    data["values"].append({"list": [len(data["values"]) - 1] * 100_000})
    data["checkpoints"][0]["values"]["phone"] = len(data["values"]) - 1


@pytest.mark.parametrize(
    "forge",
    [
        _foreign_message,
        _foreign_event,
        _foreign_control,
        _foreign_file,
        _hidden,
        _no_text,
        _number_too_low,
        _too_deep,
        _deep_value,
        _no_time,
        _much_from_little,
    ],
)
async def test_a_file_is_validated_whole_before_anything_is_written(
    db: Database, elsewhere: Database, forge: Callable[[dict[str, Any]], None]
) -> None:
    await talk(SessionSaver(db), "s")
    await Messages(db).append("s", "user", "안녕하세요")
    exported = copy.deepcopy(await export_session(db, SessionSaver(db), "s"))
    await Sessions(elsewhere).create("victim")
    forge(exported)
    exported["checksum"] = checksum(exported)
    written: list[str] = []
    saver = SessionSaver(elsewhere)
    saver.on_commit.append(lambda event: written.append(event.session_id))
    with pytest.raises(UnreadableData):
        await import_session(elsewhere, saver, exported)
    assert written == []
    assert await Sessions(elsewhere).find("s") is None
    victim = await Sessions(elsewhere).get("victim")
    assert (victim.message_count, victim.last_seq) == (0, 0)
    assert (await Messages(elsewhere).list("victim")).items == []


async def test_a_document_of_a_file_belongs_to_nobody_else(db: Database, elsewhere: Database) -> None:
    from madang.store.documents import Documents
    from madang.store.users import Users

    await Users(elsewhere).add("victim")
    await Sessions(db).create("s")
    await Documents(db).save("s", title="t", user_id=1, company_id="theirs")
    exported = await export_session(db, SessionSaver(db), "s")
    await import_session(elsewhere, SessionSaver(elsewhere), exported)
    assert (await Documents(elsewhere).list(user_id=1)).items == []
    assert (await Documents(elsewhere).list(company_id="theirs")).items == []


async def test_a_recipe_nested_too_deeply_is_refused(db: Database) -> None:
    await talk(SessionSaver(db), "s")
    async with db.transaction() as tx:
        deep = b"\x00" + b"\x91" * 1000 + b"\xc0"
        await tx.execute("UPDATE checkpoint_blobs SET type = 'msgpack', blob = :data", {"data": deep})
    with pytest.raises(UnreadableData, match="session s"):
        await SessionSaver(db).aget_tuple(thread("s"))


async def test_columns_nested_too_deeply_are_refused(db: Database) -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    with pytest.raises(InvalidInput, match=r"metadata.*200"):
        await Sessions(db).create("s", metadata={"deep": deep})
    await Sessions(db).create("s")
    async with db.transaction() as tx:
        await tx.execute("UPDATE chat_sessions SET metadata = :m", {"m": json.dumps({"deep": deep})})
    with pytest.raises(UnreadableData, match="metadata"):
        await Sessions(db).get("s")


async def test_sound_graphs_need_to_name_nothing(db: Database) -> None:
    saver = SessionSaver(db)
    await talk(saver, "s", ask=True)
    state = await build(SessionSaver(db), ask=True).aget_state(thread("s"))
    assert state.values["turn"] == 2
    assert state.interrupts
