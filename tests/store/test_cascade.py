"""Deleting a session takes everything that hangs on it, in one transaction, and nothing else."""

import asyncio

import pytest

from madang.errors import MadangError, NotFound
from madang.events import Token
from madang.store.blobs import Blobs
from madang.store.checkpointer import StateCheckpointer
from madang.store.database import Database
from madang.store.documents import Documents
from madang.store.events import Events
from madang.store.memories import Memories
from madang.store.messages import Messages
from madang.store.runs import Run, Runs
from madang.store.saver import SessionSaver
from madang.store.sessions import Sessions
from madang.store.turns import Turns
from madang.store.users import Users
from tests.support.conversations import build, talk, thread
from tests.support.runs import begun

HANGING = (
    "chat_messages",
    "checkpoints",
    "checkpoint_blobs",
    "checkpoint_writes",
    "chunks",
    "runs",
    "run_controls",
    "run_events",
    "documents",
    "document_versions",
    "document_files",
    "blobs",
)


async def fill(db: Database, session_id: str, user_id: int) -> Run:
    await Sessions(db).create(session_id, user_id=user_id)
    await Messages(db).append(session_id, "user", "질문")
    saver = SessionSaver(db)
    await talk(saver, session_id, turns=1)
    await StateCheckpointer(saver).save_checkpoint({"session_id": session_id, "x": [1] * 100}, "mine")
    run = await begun(db, session_id)
    await Runs(db).control(run.run_id, "todo_skip", {"step_id": "step_0"})
    await Events(db).append(session_id, run.run_id, run.fence, [("k", Token(text="a"))])
    await Documents(db).save(session_id, files={"md": b"x"})
    await Blobs(db).put(session_id, b"y" * 1000)
    return run


async def counts(db: Database) -> dict[str, int]:
    async with db.reader() as reader:
        return {table: (await reader.fetch(f"SELECT count(*) AS n FROM {table}"))[0]["n"] for table in HANGING}


async def test_everything_goes_and_others_stay(db: Database) -> None:
    kim = await Users(db).add("kim")
    await fill(db, "a", kim.id)
    alone = await counts(db)
    assert all(alone.values()), alone
    await fill(db, "b", kim.id)
    await Memories(db).aput(("users", str(kim.id)), "k", {"기억": "남는다"})
    assert await Sessions(db).delete("b") is True
    assert await counts(db) == alone
    assert await Sessions(db).delete("a") is True
    assert set((await counts(db)).values()) == {0}
    assert await Memories(db).aget(("users", str(kim.id)), "k") is not None
    assert await Users(db).get(kim.id) == kim


async def test_a_late_write_does_not_bring_a_deleted_session_back(db: Database) -> None:
    kim = await Users(db).add("kim")
    run = await fill(db, "a", kim.id)
    await Sessions(db).delete("a")
    with pytest.raises(NotFound):
        await Events(db).append("a", run.run_id, run.fence, [(None, Token(text="late"))])
    with pytest.raises(NotFound):
        await Messages(db).append("a", "assistant", "late", run_id=run.run_id)
    assert await Turns(db).heartbeat([run], 30) == (set(), set())
    with pytest.raises(NotFound):
        await Documents(db).save("a")
    assert await Sessions(db).find("a") is None


async def test_deleting_while_many_write(db: Database) -> None:
    """Whoever is first, no row is left of a session that is gone, and no one waits for ever."""
    kim = await Users(db).add("kim")
    run = await fill(db, "a", kim.id)
    writers = [
        work
        for n in range(10)
        for work in (
            Events(db).append("a", run.run_id, run.fence, [(f"k{n}", Token(text="x"))]),
            Messages(db).append("a", "user", str(n)),
            Turns(db).heartbeat([run], 30),
            Blobs(db).put("a", bytes([n])),
        )
    ]
    results = await asyncio.gather(*writers[:20], Sessions(db).delete("a"), *writers[20:], return_exceptions=True)
    assert all(not isinstance(r, BaseException) or isinstance(r, MadangError) for r in results)
    assert set((await counts(db)).values()) == {0}


async def test_deleting_by_another_connection_is_seen(db_url: str, db: Database) -> None:
    kim = await Users(db).add("kim")
    await fill(db, "a", kim.id)
    other = await Database.open(db_url)
    await Sessions(other).delete("a")
    await other.close()
    assert await Sessions(db).find("a") is None
    assert not (await build(SessionSaver(db)).aget_state(thread("a"))).values
