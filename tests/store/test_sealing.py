"""Encryption of what people said: nothing readable is stored, and a row can't be put in another's place."""

import json
import sqlite3
import struct
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings
from langchain_core.messages import HumanMessage
from langgraph.store.base import IndexConfig

from madang.errors import ConfigurationError, DecryptionFailed, UnreadableData
from madang.events import Token
from madang.state.encryption import Keyring, generate_key
from madang.store.blobs import Blobs
from madang.store.database import Database
from madang.store.documents import Documents
from madang.store.events import Events
from madang.store.export import export_session
from madang.store.importing import import_session
from madang.store.memories import Memories
from madang.store.messages import Messages
from madang.store.repair import check
from madang.store.run_options import RunOptions
from madang.store.runs import Runs
from madang.store.saver import SessionSaver
from madang.store.schema import TABLES
from madang.store.seal_database import seal_database
from madang.store.sealing import seal, unseal
from madang.store.session_search import SessionSearch, Wanted
from madang.store.sessions import Sessions
from madang.store.turns import NewRun, Turns
from tests.support.conversations import build, talk, thread
from tests.support.keys import TestKeyring
from tests.support.runs import begun

SECRET = "비밀 010-9876-5432"


@pytest.fixture
async def sealed(db_url: str) -> AsyncIterator[Database]:
    opened = await Database.open(db_url, keyring=TestKeyring())
    yield opened
    await opened.close()


class _Letters(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[0.123456789, 0.5] for _ in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


VECTOR = struct.pack("<f", 0.123456789)
INDEX: IndexConfig = {"dims": 2, "embed": _Letters()}


async def fill(db: Database) -> str:
    metadata = {"note": SECRET, "company_id": "madang", "madang_ttl": {"ttl": 1e2, "note": SECRET}}
    await Sessions(db).create("s", title=SECRET, metadata=metadata)
    config = thread("s")
    config["configurable"]["address"] = SECRET
    await build(SessionSaver(db)).ainvoke({"messages": [HumanMessage(SECRET, id="m")]}, config)
    await Messages(db).append("s", "user", SECRET, structured_data={"x": SECRET})
    options = RunOptions(context=SECRET)
    run = await begun(db, "s", input={"query": SECRET}, options=options, metadata={"note": SECRET})
    await Events(db).append("s", run.run_id, run.fence, [("k", Token(text=SECRET))])
    await Turns(db).end(run, "completed", result={"answer": SECRET})
    await Documents(db).save(
        "s",
        document_id="d",
        title=SECRET,
        content={"본문": SECRET},
        metadata={"note": SECRET},
        files={"md": SECRET.encode()},
    )
    await Blobs(db).put("s", SECRET.encode(), summary={"first": SECRET})
    await Memories(db, index=INDEX).aput(("users", "1"), "k", {"phone": SECRET})
    return run.run_id


async def read_all(db: Database, session_id: str) -> None:
    """Reads everything there is through the public surfaces."""
    await Messages(db).list(session_id)
    for run in (await Runs(db).list(session_id)).items:
        await Runs(db).get(run.run_id)
    await Events(db).read(session_id)
    await Sessions(db).get(session_id)
    for document in (await Documents(db).list(session_id=session_id)).items:
        await Documents(db).versions(document.document_id)
        for formats in (await Documents(db).formats(document.document_id)).values():
            for name in formats:
                await Documents(db).file(document.document_id, name)
    for blob in await Blobs(db).list(session_id):
        await Blobs(db).get(session_id, blob.blob_id)
    await Memories(db, index=INDEX).asearch(("users",), query="x")
    _ = [found async for found in SessionSaver(db).alist(thread(session_id))]


DOWNGRADES = [
    ("chat_sessions", "title", "plain"),
    ("chat_sessions", "last_message", "plain"),
    ("chat_sessions", "metadata", '{"company_id": "madang"}'),
    ("chat_messages", "content", "plain"),
    ("chat_messages", "structured_data", '{"x": 1}'),
    ("runs", "input", '{"query": "plain"}'),
    ("runs", "kwargs", "{}"),
    ("runs", "metadata", "{}"),
    ("runs", "result", '{"answer": "plain"}'),
    ("run_events", "frame", '{"type": "token"}'),
    ("documents", "content", "{}"),
    ("documents", "title", "plain"),
    ("document_versions", "content", "{}"),
    ("document_versions", "metadata", "{}"),
    ("document_files", "data", b"plain"),
    ("blobs", "summary", '{"first": "plain"}'),
    ("blobs", "data", b"z" + zstandard.ZstdCompressor().compress(b"plain")),
    ("memories", "value", '{"phone": "plain"}'),
    ("memories", "embedding", b"\x01\x00\x00\x00" + VECTOR * 2),
    ("checkpoints", "packed", b"\x00\x94\x04\x80\x80\x93\x90\x00\x90"),
    ("checkpoint_blobs", "blob", b"\x00\xa5plain"),
    ("checkpoint_blobs", "type", "null"),
    ("checkpoint_writes", "blob", b"\x00\xa5plain"),
    ("checkpoint_writes", "type", "null"),
    ("checkpoint_writes", "channel", "phone"),
    ("chunks", "data", b"\x00\xa5plain"),
]


@pytest.mark.parametrize(("table", "column", "value"), DOWNGRADES)
async def test_a_plain_value_is_not_taken_for_a_sealed_one(
    sealed: Database, table: str, column: str, value: str | bytes
) -> None:
    await fill(sealed)
    await read_all(sealed, "s")
    async with sealed.transaction() as tx:
        changed = await tx.execute(f"UPDATE {table} SET {column} = :value", {"value": value})
    assert changed
    with pytest.raises((DecryptionFailed, UnreadableData)):
        await read_all(sealed, "s")


async def test_a_session_that_was_changed_past_us_hides_no_other(sealed: Database) -> None:
    await fill(sealed)
    await Sessions(sealed).create("other", title="제목")
    async with sealed.transaction() as tx:
        await tx.execute("UPDATE chat_sessions SET title = 'plain' WHERE session_id = 's'")
    listed = {one.session_id: (one.title, bool(one.damaged)) for one in (await Sessions(sealed).list()).items}
    assert listed == {"s": (None, True), "other": ("제목", False)}


async def test_values_shown_beside_a_sealed_checkpoint_count_for_nothing(sealed: Database) -> None:
    await fill(sealed)
    before = await SessionSaver(sealed).aget_tuple(thread("s"))
    forged = json.dumps({"ts": "2000-01-01T00:00:00+00:00", "channel_values": {"phone": "forged", "turn": 99}})
    async with sealed.transaction() as tx:
        await tx.execute("UPDATE checkpoints SET checkpoint = :forged, metadata = '{}'", {"forged": forged})
    assert await SessionSaver(sealed).aget_tuple(thread("s")) == before


async def test_a_company_that_was_changed_beside_the_seal_is_noticed(sealed: Database) -> None:
    await fill(sealed)
    async with sealed.reader() as reader:
        (row,) = await reader.fetch("SELECT metadata FROM chat_sessions")
    forged = json.loads(row["metadata"]) | {"company_id": "theirs"}
    async with sealed.transaction() as tx:
        await tx.execute("UPDATE chat_sessions SET metadata = :forged", {"forged": json.dumps(forged)})
    with pytest.raises(DecryptionFailed):
        await Sessions(sealed).get("s")


async def test_a_copied_thread_is_sealed_to_its_own_place(sealed: Database) -> None:
    await fill(sealed)
    await SessionSaver(sealed).acopy_thread("s", "copy")
    assert (await Sessions(sealed).get("copy")).title == SECRET
    _ = [found async for found in SessionSaver(sealed).alist(thread("copy"))]
    found = [one async for one in SessionSaver(sealed).alist(thread("copy"), filter={"address": SECRET})]
    assert found


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


async def readable(db: Database) -> list[str]:
    """The columns in which the secret can be read, or a number of its embedding."""
    found = []
    async with db.reader() as reader:
        for table in sorted(TABLES | {"run_controls", "document_versions", "document_files"}):
            for row in await reader.fetch(f"SELECT * FROM {table}"):
                for name, value in row.items():
                    raw = bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
                    forms = (SECRET.encode(), json.dumps(SECRET)[1:-1].encode(), b"9876-5432", VECTOR)
                    found += [f"{table}.{name}" for form in forms if form in raw]
    return found


async def test_a_database_tells_nothing(sealed: Database) -> None:
    await fill(sealed)
    assert await readable(sealed) == []


async def test_a_message_queued_behind_one_of_a_fast_clock_can_be_read(sealed: Database) -> None:
    await Sessions(sealed).create("s")
    turns = Turns(sealed)
    await turns.queue("s", NewRun(message="첫째"))
    async with sealed.transaction() as tx:
        await tx.execute("UPDATE runs SET created_at = '2999-01-01T00:00:00.000000+00:00'")
    await turns.queue("s", NewRun(message="둘째"))
    assert [one.content for one in (await Messages(sealed).list("s")).items] == ["첫째", "둘째"]


async def test_what_is_sealed_is_found_by_its_words(sealed: Database) -> None:
    await fill(sealed)
    await Sessions(sealed).create("other", title="다른 것", metadata={"note": "x"})
    sessions, search = Sessions(sealed), SessionSearch(sealed)
    assert [one.session_id for one in (await sessions.list(search="비밀")).items] == ["s"]
    for wanted in (Wanted(title=SECRET), Wanted(metadata={"note": SECRET}), Wanted(company="madang")):
        assert [one.session.session_id for one in await search.find(wanted, limit=10)] == ["s"]
        assert await search.count(wanted) == 1
        assert await search.find(wanted, limit=10, offset=1) == []
    assert len(await search.find(Wanted(), limit=10)) == 2
    assert [one.session_id for one in await search.limited()] == ["s"]
    for number in range(30):
        await sessions.create(f"x{number:02}", title=f"비밀 {number}")
    page = await sessions.list(search="비밀", limit=20)
    rest = await sessions.list(search="비밀", limit=20, cursor=page.next_cursor)
    assert len({one.session_id for one in [*page.items, *rest.items]}) == 31
    assert rest.next_cursor is None


@pytest.mark.parametrize("keyring", [None, TestKeyring("another")])
async def test_without_the_key_it_does_not_open(db_url: str, sealed: Database, keyring: TestKeyring | None) -> None:
    await fill(sealed)
    with pytest.raises(DecryptionFailed, match="MADANG_ENCRYPTION_KEYS") as refused:
        await Database.open(db_url, keyring=keyring)
    assert "\n" not in str(refused.value)


async def test_also_an_empty_database_remembers_its_key(db_url: str) -> None:
    await (await Database.open(db_url, keyring=TestKeyring())).close()
    with pytest.raises(DecryptionFailed):
        await Database.open(db_url, keyring=TestKeyring("another"))
    await (await Database.open(db_url, keyring=TestKeyring())).close()


async def test_keys_are_followed_by_others_and_none_may_go_missing(db_url: str) -> None:
    old, new = generate_key(), generate_key()
    for number, keys in enumerate((f"old:{old}", f"new:{new},old:{old}", f"new:{new},old:{old}"), 1):
        db = await Database.open(db_url, keyring=Keyring.parse(keys))
        if number == 1:
            await fill(db)
        else:
            await Messages(db).append("s", "user", str(number))
            assert (await Messages(db).list("s")).items[0].content == SECRET
        await db.close()
    for keys in (f"new:{new}", f"old:{old}", f"new:{new},old:{generate_key()}"):
        with pytest.raises(DecryptionFailed, match=r"'(old|new)'"):
            await Database.open(db_url, keyring=Keyring.parse(keys))


async def test_a_row_cannot_stand_in_for_another(sealed: Database) -> None:
    await fill(sealed)
    await Messages(sealed).append("s", "assistant", "다른 말")
    async with sealed.transaction() as tx:
        await tx.execute("UPDATE chat_messages SET content = (SELECT min(content) FROM chat_messages)")
    with pytest.raises(DecryptionFailed):
        await Messages(sealed).list("s")


async def test_a_key_that_comes_later_seals_what_is_there(db_url: str) -> None:
    plain = await Database.open(db_url)
    await fill(plain)
    before = await export_session(plain, SessionSaver(plain), "s")
    await plain.close()
    with pytest.raises(ConfigurationError, match="madang db seal"):
        await Database.open(db_url, keyring=TestKeyring())
    sealed_rows = await seal_database(db_url, TestKeyring())
    assert sealed_rows["chat_messages"] == 1
    assert sealed_rows["chunks"] > 0
    db = await Database.open(db_url, keyring=TestKeyring())
    after = await export_session(db, SessionSaver(db), "s")
    assert {**after, "exported_at": 0, "checksum": 0} == {**before, "exported_at": 0, "checksum": 0}
    await read_all(db, "s")
    await talk(SessionSaver(db), "s", turns=1)
    assert (await build(SessionSaver(db)).aget_state(thread("s"))).values["turn"] == 2
    assert (await check(db)).problems == []
    assert not await readable(db)
    await db.close()
    assert sum((await seal_database(db_url, TestKeyring())).values()) == 0


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
