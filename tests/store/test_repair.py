"""`check`: whatever row is damaged is found, and what can be read stays."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from madang.events import Token
from madang.store.blobs import Blobs
from madang.store.database import Database
from madang.store.events import Events
from madang.store.messages import Messages
from madang.store.repair import check
from madang.store.saver import SessionSaver
from madang.store.sessions import Sessions
from tests.support.conversations import build, talk, thread
from tests.support.keys import TestKeyring
from tests.support.runs import begun


def path_of(url: str) -> str:
    return url.removeprefix("sqlite:///")


async def values(db: Database, session_id: str = "s") -> dict[str, Any]:
    return dict((await build(SessionSaver(db)).aget_state(thread(session_id))).values)


async def long_talk(db: Database) -> None:
    saver = SessionSaver(db)
    many: list[Any] = [HumanMessage(f"지난 질문 {n} " * 20, id=f"old{n}") for n in range(140)]
    await build(saver).aupdate_state(thread("s"), {"messages": many}, as_node="respond")
    await talk(saver, "s", turns=2)


async def test_a_whole_database_has_no_problems(db: Database) -> None:
    await long_talk(db)
    await Sessions(db).create("chat")
    await Messages(db).append("chat", "user", "x")
    await Events(db).append("chat", None, None, [(None, Token(text="x"))])
    await Blobs(db).put("chat", b"blob")
    told: list[tuple[int, int]] = []
    report = await check(db, repair=True, progress=lambda done, total: told.append((done, total)))
    assert report.problems == []
    assert (report.sessions, told[-1]) == (2, (2, 2))
    assert report.checkpoints > 5


async def test_one_damaged_message_costs_one_message(db: Database) -> None:
    await long_talk(db)
    before = await values(db)
    target = await address_of_message(db, "지난 질문 77 ")
    async with db.transaction() as tx:
        await tx.execute(
            "UPDATE chunks SET data = :data WHERE address = :address", {"data": b"\xff", "address": target}
        )
    looked = await check(db)
    assert looked.problems
    assert not any(problem.mended for problem in looked.problems)
    assert all(problem.where == "s" for problem in looked.problems)
    mended = await check(db, repair=True)
    assert all(problem.mended for problem in mended.problems)
    assert (await check(db)).problems == []
    after = await values(db)
    lost = [m for m in before["messages"] if m not in after["messages"]]
    assert [m.id for m in lost] == ["old77"]
    assert {**after, "messages": None} == {**before, "messages": None}
    await talk(SessionSaver(db), "s", turns=1)
    assert (await values(db))["turn"] == 3


async def address_of_message(db: Database, text: str) -> bytes:
    """Where a message is stored: the chunk without which it can't be read."""
    saver = SessionSaver(db)
    state = await saver._core.state("s")
    async with db.reader() as reader:
        rows = await reader.fetch("SELECT address FROM chunks")
    await saver._core.read_chunks(
        state, saver.serde, "s", [bytes(row["address"]) for row in rows if len(row["address"]) == 16]
    )
    for address, entry in state.chunks.items():
        content = entry if isinstance(entry, bytes) else repr(entry.thaw()).encode()
        if text.encode() in content:
            return bytes(address)
    raise AssertionError("not found")


TABLES = {
    "checkpoints": ("packed", "session_id, checkpoint_ns, checkpoint_id"),
    "checkpoint_blobs": ("blob", "session_id, checkpoint_ns, channel, version"),
    "checkpoint_writes": ("blob", "session_id, checkpoint_ns, checkpoint_id, task_id, idx"),
    "chunks": ("data", "session_id, address"),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("how", ["damaged", "missing"])
async def test_whatever_row_is_lost_the_session_stays_readable(
    sqlite_template: Path, tmp_path: Path, table: str, how: str
) -> None:
    """Each row of a table in turn: after the repair every checkpoint can be read and the conversation goes on."""
    origin = tmp_path / "origin.db"
    origin.write_bytes(sqlite_template.read_bytes())
    db = await Database.open(f"sqlite:///{origin}")
    await talk(SessionSaver(db), "s", turns=2)
    await db.close()
    column, key = TABLES[table]
    with closing(sqlite3.connect(origin)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        keys = connection.execute(f"SELECT {key} FROM {table} ORDER BY {key}").fetchall()
    assert keys
    for number, row in enumerate(keys[:: max(1, len(keys) // 12)]):
        copy = tmp_path / f"{number}.db"
        copy.write_bytes(origin.read_bytes())
        with closing(sqlite3.connect(copy)) as connection:
            where = " AND ".join(f"{name} = ?" for name in key.split(", "))
            change = f"UPDATE {table} SET {column} = x'ff01'" if how == "damaged" else f"DELETE FROM {table}"
            connection.execute(f"{change} WHERE {where}", row)
            connection.commit()
        damaged = await Database.open(f"sqlite:///{copy}")
        await check(damaged, repair=True)
        again = await check(damaged, repair=True)
        assert again.problems == [], row
        saver = SessionSaver(damaged)
        states = [state async for state in build(saver).aget_state_history(thread("s"))]
        assert len(states) >= 10
        await talk(SessionSaver(damaged), "s", turns=1)
        assert "messages" in await values(damaged)
        await damaged.close()


async def test_rows_without_a_session_are_given_one(sqlite_url: str) -> None:
    db = await Database.open(sqlite_url)
    await talk(SessionSaver(db), "s", turns=1)
    expected = await values(db)
    await db.close()
    with closing(sqlite3.connect(path_of(sqlite_url))) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM chat_sessions")
        connection.commit()
    db = await Database.open(sqlite_url)
    (found,) = (await check(db)).problems
    assert (found.kind, found.where, found.mended) == ("orphan", "s", False)
    await check(db, repair=True)
    assert (await Sessions(db).get("s")).metadata == {"recovered": True}
    assert await values(db) == expected
    assert (await check(db)).problems == []
    await db.close()


async def test_counts_and_unfinished_imports(db: Database) -> None:
    await Sessions(db).create("s")
    await Messages(db).append("s", "user", "x")
    await Events(db).append("s", None, None, [(None, Token(text="x"))] * 3)
    async with db.transaction() as tx:
        await tx.execute("UPDATE chat_sessions SET message_count = 9, last_seq = 1")
        old = {"old": "2020-01-01T00:00:00.000000+00:00"}
        await tx.execute(
            "INSERT INTO chat_sessions (session_id, status, updated_at) VALUES ('half', 'importing', :old)", old
        )
        await tx.execute("INSERT INTO chat_sessions (session_id, status) VALUES ('now', 'importing')")
    report = await check(db, repair=True)
    assert sorted((p.kind, p.where) for p in report.problems) == [("unfinished_import", "half"), ("wrong_count", "s")]
    session = await Sessions(db).get("s")
    assert (session.message_count, session.last_seq) == (1, 3)
    assert await Sessions(db).find("half") is None
    assert await Sessions(db).find("now") is not None
    assert (await check(db)).problems == []


async def test_a_session_in_which_a_turn_runs_is_not_mended(db: Database) -> None:
    await Sessions(db).create("s")
    await talk(SessionSaver(db), "s", turns=1)
    await begun(db, "s")
    async with db.transaction() as tx:
        await tx.execute("UPDATE chunks SET data = :data", {"data": b"\xff"})
    report = await check(db, repair=True)
    assert report.problems
    assert not any(problem.mended for problem in report.problems)


async def test_a_wrong_key_is_no_damage(db_url: str) -> None:
    right, wrong = TestKeyring("right"), TestKeyring("wrong")
    sealed = await Database.open(db_url, keyring=right)
    await talk(SessionSaver(sealed), "s", turns=1)
    await Blobs(sealed).put("s", b"x")
    expected = await values(sealed)
    await sealed.close()
    for keyring in (wrong, None):
        other = await Database.connect(db_url, keyring=keyring)
        report = await check(other, repair=True)
        assert {problem.kind for problem in report.problems} == {"not_decrypted"}
        await other.close()
    sealed = await Database.open(db_url, keyring=right)
    assert await values(sealed) == expected
    assert (await check(sealed)).problems == []
    await sealed.close()


async def test_a_damaged_blob_is_named_and_kept(db: Database) -> None:
    await Sessions(db).create("s")
    await Blobs(db).put("s", b"x")
    async with db.transaction() as tx:
        await tx.execute("UPDATE blobs SET data = :data", {"data": b"z\x00"})
    (problem,) = (await check(db, repair=True)).problems
    assert (problem.kind, problem.mended) == ("unreadable", False)
    assert len(await Blobs(db).list("s")) == 1


async def test_only_the_sessions_named(db: Database) -> None:
    for name in ("a", "b"):
        await talk(SessionSaver(db), name, turns=1)
    assert (await check(db, session_ids=["a"])).sessions == 1
