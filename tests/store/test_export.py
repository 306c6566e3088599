"""Export and import: exact, redacted, refused when damaged, never half."""

import copy
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver

from madang.errors import Conflict, NotFound, UnknownSchemaVersion, UnreadableData
from madang.events import Token
from madang.store.blobs import Blobs
from madang.store.database import Database
from madang.store.documents import Documents
from madang.store.events import Events
from madang.store.export import checksum, export_session
from madang.store.importing import import_session
from madang.store.messages import Messages
from madang.store.runs import Runs
from madang.store.saver import SessionSaver
from madang.store.sessions import Sessions
from madang.store.turns import Turns
from madang.store.users import Users
from tests.support.conversations import build, talk, thread
from tests.support.runs import begun

Saver = BaseCheckpointSaver[Any]


@pytest.fixture
def saver(db: Database) -> Saver:
    return SessionSaver(db)


@pytest.fixture
async def elsewhere(tmp_path: Any) -> AsyncIterator[Database]:
    opened = await Database.open(f"sqlite:///{tmp_path}/elsewhere.db")
    yield opened
    await opened.close()


async def fill(db: Database, saver: Saver, session_id: str = "s", *, ask: bool = False) -> None:
    kim = await Users(db).find("김") or await Users(db).add("김")
    await Sessions(db).create(
        session_id, assistant="homes", user_id=kim.id, title="전세 010-1111-2222", metadata={"a": 1}
    )
    await talk(saver, session_id, ask=ask)
    run = await begun(db, session_id, input={"query": "주민번호 900101-1234567"}, request_id="q1")
    await Runs(db).control(run.run_id, "todo_skip", {"step_id": "step_0"})
    await Messages(db).append(session_id, "user", "제 번호는 010-9876-5432", request_id="q1", run_id=run.run_id)
    await Messages(db).append(session_id, "assistant", "네", structured_data={"sources": ["제7조"]}, run_id=run.run_id)
    await Events(db).append(
        session_id, run.run_id, run.fence, [("k", Token(text="010-9876-5432")), (None, Token(text="b"))]
    )
    await Documents(db).save(session_id, title="계약서", content={"전화": "010-9876-5432"}, files={"md": b"\x00\xff"})
    await Blobs(db).put(session_id, b"[1,2,3]", summary={"kind": "list"})
    await Turns(db).end(run, "completed", result={"ok": True})


def without_time(exported: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in exported.items() if key not in ("exported_at", "checksum")}


@pytest.mark.parametrize("ask", [False, True])
async def test_the_round_trip_is_exact(db: Database, saver: Saver, elsewhere: Database, ask: bool) -> None:
    await fill(db, saver, ask=ask)
    await Users(elsewhere).add("someone with id 1")
    await Users(elsewhere).add("김")
    other = SessionSaver(elsewhere)
    exported = await export_session(db, saver, "s")
    imported = await import_session(elsewhere, other, json.loads(json.dumps(exported)))
    again = await export_session(elsewhere, other, "s")
    assert imported.user_id == 2
    again["session"]["user_id"] = exported["session"]["user_id"]
    assert without_time(again) == without_time(exported)
    before, after = [await build(s, ask=ask).aget_state(thread("s")) for s in (saver, other)]
    assert after == before
    history = [[state async for state in build(s, ask=ask).aget_state_history(thread("s"))] for s in (saver, other)]
    assert history[0] == history[1]


async def test_an_imported_session_goes_on(db: Database, saver: Saver, elsewhere: Database) -> None:
    await fill(db, saver)
    other = SessionSaver(elsewhere)
    await import_session(elsewhere, other, await export_session(db, saver, "s"))
    await talk(other, "s", turns=1)
    state = await build(other).aget_state(thread("s"))
    assert state.values["turn"] == 3
    frames = await Events(elsewhere).append("s", None, None, [(None, Token(text="c"))])
    assert frames[0]["seq"] == 3
    assert (await Messages(elsewhere).append("s", "user", "또")).id > 0
    assert (await Sessions(elsewhere).get("s")).message_count == 3


async def test_importing_beside_the_original(db: Database, saver: Saver) -> None:
    await fill(db, saver)
    exported = await export_session(db, saver, "s")
    with pytest.raises(Conflict):
        await import_session(db, saver, exported)
    await import_session(db, saver, exported, as_id="copy")
    states = [await build(saver).aget_state(thread(name)) for name in ("s", "copy")]
    assert states[0].values == states[1].values
    copied = await export_session(db, saver, "copy")
    assert [m["content"] for m in copied["messages"]] == [m["content"] for m in exported["messages"]]
    assert {e["frame"]["session_id"] for e in copied["events"]} == {"copy"}
    assert copied["runs"][0]["run_id"] == copied["events"][0]["run_id"] == copied["messages"][0]["run_id"]
    await Sessions(db).delete("copy")
    assert without_time(await export_session(db, saver, "s")) == without_time(exported)


async def test_a_redacted_export_tells_no_number_and_can_be_imported(
    db: Database, saver: Saver, elsewhere: Database
) -> None:
    await fill(db, saver)
    exported = await export_session(db, saver, "s", redacted=True)
    text = json.dumps(exported, ensure_ascii=False)
    for secret in ("9876-5432", "1111-2222", "1234-5678", "1234567", "김"):
        assert secret not in text
    decoded = repr((await export_session(db, saver, "s"))["checkpoints"])
    assert decoded
    other = SessionSaver(elsewhere)
    imported = await import_session(elsewhere, other, exported)
    assert imported.user_id is None
    values = (await build(other).aget_state(thread("s"))).values
    assert values["turn"] == 2
    assert "9876-5432" not in repr(values)


def _future(data: dict[str, Any]) -> None:
    data["version"] = 2


def _flip(data: dict[str, Any]) -> None:
    data["messages"][0]["content"] = "다른 말"


def _lose_values(data: dict[str, Any]) -> None:
    data["values"] = data["values"][:1]
    data["checksum"] = checksum(data)


def _lose_field(data: dict[str, Any]) -> None:
    del data["checkpoints"][-1]["values"]
    data["checksum"] = checksum(data)


def _lose_column(data: dict[str, Any]) -> None:
    del data["runs"][0]["fence"]
    data["checksum"] = checksum(data)


def _bad_bytes(data: dict[str, Any]) -> None:
    data["blobs"][0]["data"] = "%%%"
    data["checksum"] = checksum(data)


def _lose_table(data: dict[str, Any]) -> None:
    del data["events"]
    data["checksum"] = checksum(data)


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (_future, UnknownSchemaVersion),
        (_flip, UnreadableData),
        (_lose_values, UnreadableData),
        (_lose_field, UnreadableData),
        (_lose_column, Exception),
        (_bad_bytes, UnreadableData),
        (_lose_table, UnreadableData),
    ],
)
async def test_a_damaged_file_leaves_nothing(
    db: Database,
    saver: Saver,
    elsewhere: Database,
    damage: Callable[[dict[str, Any]], None],
    error: type[Exception],
) -> None:
    await fill(db, saver)
    exported = copy.deepcopy(await export_session(db, saver, "s"))
    whole = copy.deepcopy(exported)
    damage(exported)
    other = SessionSaver(elsewhere)
    with pytest.raises(error):
        await import_session(elsewhere, other, exported)
    assert await Sessions(elsewhere).find("s") is None
    async with elsewhere.reader() as reader:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes", "chunks", "runs", "chat_messages"):
            assert await reader.fetch(f"SELECT 1 FROM {table}") == []
    await import_session(elsewhere, other, whole)


@pytest.mark.parametrize("foreign", [None, [], {}, {"format": "madang.session"}, {"format": "x", "version": 1}, "text"])
async def test_a_foreign_file_is_refused(db: Database, saver: Saver, foreign: Any) -> None:
    with pytest.raises(UnreadableData):
        await import_session(db, saver, foreign)


async def test_what_a_crash_left_is_replaced(db: Database, saver: Saver, elsewhere: Database) -> None:
    await fill(db, saver)
    exported = await export_session(db, saver, "s")
    async with elsewhere.transaction() as tx:
        await tx.execute("INSERT INTO chat_sessions (session_id, status) VALUES ('s', 'importing')")
    assert (await Sessions(elsewhere).list()).items == []
    await import_session(elsewhere, SessionSaver(elsewhere), exported)
    assert [s.session_id for s in (await Sessions(elsewhere).list()).items] == ["s"]


async def test_a_turn_that_was_running_is_not_run_again(db: Database, saver: Saver, elsewhere: Database) -> None:
    await Sessions(db).create("s")
    run = await begun(db, "s")
    await import_session(elsewhere, SessionSaver(elsewhere), await export_session(db, saver, "s"))
    assert (await Runs(elsewhere).get(run.run_id)).status == "cancelled"


async def test_unknown_sessions(db: Database, saver: Saver) -> None:
    with pytest.raises(NotFound):
        await export_session(db, saver, "none")
