"""Encryption of what people said: nothing readable is stored, and a row can't be put in another's place."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from madang.errors import DecryptionFailed
from madang.events import Token
from madang.store.blobs import Blobs
from madang.store.database import Database
from madang.store.documents import Documents
from madang.store.events import Events
from madang.store.export import export_session
from madang.store.importing import import_session
from madang.store.memories import Memories
from madang.store.messages import Messages
from madang.store.run_options import RunOptions
from madang.store.runs import Runs
from madang.store.saver import SessionSaver
from madang.store.sealing import seal, unseal
from madang.store.sessions import Sessions
from madang.store.turns import Turns
from tests.support.conversations import build, talk, thread
from tests.support.keys import TestKeyring
from tests.support.runs import begun

SECRET = "비밀 010-9876-5432"


@pytest.fixture
async def sealed(db_url: str) -> AsyncIterator[Database]:
    opened = await Database.open(db_url, keyring=TestKeyring())
    yield opened
    await opened.close()


async def fill(db: Database) -> str:
    await Sessions(db).create("s")
    await talk(SessionSaver(db), "s", turns=1)
    await Messages(db).append("s", "user", SECRET, structured_data={"x": SECRET})
    run = await begun(db, "s", input={"query": SECRET}, options=RunOptions(context=SECRET))
    await Events(db).append("s", run.run_id, run.fence, [("k", Token(text=SECRET))])
    await Turns(db).end(run, "completed", result={"answer": SECRET})
    await Documents(db).save("s", document_id="d", content={"본문": SECRET}, files={"md": SECRET.encode()})
    await Blobs(db).put("s", SECRET.encode())
    await Memories(db).aput(("users", "1"), "k", {"phone": SECRET})
    return run.run_id


async def test_everything_reads_as_it_was_written(sealed: Database) -> None:
    run_id = await fill(sealed)
    (message,) = (await Messages(sealed).list("s")).items
    assert (message.content, message.structured_data) == (SECRET, {"x": SECRET})
    assert (await Sessions(sealed).get("s")).last_message == SECRET
    run = await Runs(sealed).get(run_id)
    assert (run.input, run.options.context, run.result) == ({"query": SECRET}, SECRET, {"answer": SECRET})
    assert [frame["text"] for frame in await Events(sealed).read("s")] == [SECRET]
    assert [frame["text"] for frame in await Events(sealed).of_run("s", run_id)] == [SECRET]
    assert (await Documents(sealed).get("d")).content == {"본문": SECRET}
    assert (await Documents(sealed).list(session_id="s")).items[0].content == {"본문": SECRET}
    assert await Documents(sealed).file("d", "md") == SECRET.encode()
    (found,) = await Memories(sealed).asearch(("users",), filter={"phone": SECRET})
    assert found.value == {"phone": SECRET}


async def test_a_file_tells_nothing(sqlite_url: str) -> None:
    db = await Database.open(sqlite_url, keyring=TestKeyring())
    await fill(db)
    await db.close()
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    stored = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    for form in (SECRET, json.dumps(SECRET)[1:-1], "9876-5432"):
        assert form.encode() not in stored


async def test_without_the_key_nothing_is_given(db_url: str, sealed: Database) -> None:
    run_id = await fill(sealed)
    for keyring in (None, TestKeyring("another")):
        other = await Database.open(db_url, keyring=keyring)
        for call in (
            Messages(other).list("s"),
            Events(other).read("s"),
            Runs(other).get(run_id),
            Documents(other).get("d"),
            Documents(other).file("d", "md"),
            Memories(other).aget(("users", "1"), "k"),
        ):
            with pytest.raises(DecryptionFailed):
                await call
        await other.close()


async def test_a_row_cannot_stand_in_for_another(sealed: Database) -> None:
    await fill(sealed)
    await Messages(sealed).append("s", "assistant", "다른 말")
    async with sealed.transaction() as tx:
        await tx.execute("UPDATE chat_messages SET content = (SELECT min(content) FROM chat_messages)")
    with pytest.raises(DecryptionFailed):
        await Messages(sealed).list("s")


async def test_rows_from_before_the_key_stay_readable(db_url: str) -> None:
    plain = await Database.open(db_url)
    await fill(plain)
    await plain.close()
    db = await Database.open(db_url, keyring=TestKeyring())
    await Messages(db).append("s", "user", "새 말")
    assert [message.content for message in (await Messages(db).list("s")).items] == [SECRET, "새 말"]
    assert await Documents(db).file("d", "md") == SECRET.encode()
    await db.close()


async def test_an_export_is_readable_and_can_go_under_another_key(sealed: Database, tmp_path: Path) -> None:
    await fill(sealed)
    exported = await export_session(sealed, SessionSaver(sealed), "s")
    assert exported["messages"][0]["content"] == SECRET
    other = await Database.open(f"sqlite:///{tmp_path}/other.db", keyring=TestKeyring("another"))
    await import_session(other, SessionSaver(other), exported)
    again = await export_session(other, SessionSaver(other), "s")
    assert {**again, "exported_at": 0, "checksum": 0} == {**exported, "exported_at": 0, "checksum": 0}
    assert (await build(SessionSaver(other)).aget_state(thread("s"))).values["turn"] == 1
    await other.close()
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        assert SECRET not in repr(connection.execute("SELECT content FROM chat_messages").fetchall())


MARKS = st.sampled_from(["", "sealed:", "plain:", "sealed:aGVsbG8=", "plain:aGVsbG8="])


@given(mark=MARKS, rest=st.text(max_size=8), with_key=st.booleans())
def test_text_that_looks_sealed_is_kept(mark: str, rest: str, with_key: bool) -> None:
    if any("\ud800" <= character <= "\udfff" for character in rest):
        return
    keyring = TestKeyring() if with_key else None
    text = mark + rest
    row = {"session_id": "s", "created_at": "t", "content": text, "structured_data": json.dumps(text)}
    assert unseal(keyring, "chat_messages", seal(keyring, "chat_messages", row)) == row
    file = {"document_id": "d", "version": 1, "format": "md", "data": text.encode()}
    assert unseal(keyring, "document_files", seal(keyring, "document_files", file)) == file
