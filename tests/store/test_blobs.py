"""Blobs: addressed by content, within one session, sealed when there is a key."""

import asyncio

import pytest

from madang.errors import DecryptionFailed, NotFound, UnreadableData
from madang.state.size import offload, restore
from madang.store.blobs import Blobs
from madang.store.database import Database
from madang.store.sessions import Sessions
from tests.support.keys import TestKeyring


async def test_the_same_bytes_are_kept_once(db: Database) -> None:
    await Sessions(db).create("s")
    blobs = Blobs(db)
    data = b"\x00\xff" * 5000
    first = await blobs.put("s", data, media_type="image/png", summary={"kind": "그림"})
    assert await blobs.put("s", data) == first
    assert await blobs.get("s", first) == data
    (kept,) = await blobs.list("s")
    assert (kept.size, kept.media_type, kept.summary) == (10_000, "image/png", {"kind": "그림"})
    assert await blobs.get("s", await blobs.put("s", b"")) == b""


async def test_a_blob_belongs_to_its_session(db: Database) -> None:
    await Sessions(db).create("s")
    await Sessions(db).create("other")
    blobs = Blobs(db)
    blob_id = await blobs.put("s", b"x")
    with pytest.raises(NotFound):
        await blobs.get("other", blob_id)
    with pytest.raises(NotFound):
        await blobs.put("nowhere", b"x")
    await Sessions(db).delete("s")
    assert await blobs.list("s") == []
    assert await blobs.delete("s", blob_id) is False


async def test_a_large_state_moves_out_and_back(db: Database) -> None:
    await Sessions(db).create("s")
    state = {"small": 1, "team_results": {"search": ["제7조 " * 200] * 50}}
    blobs = Blobs(db).of("s")
    small, moved = await asyncio.to_thread(lambda: offload(state, limit=2000, blobs=blobs))
    assert moved
    assert small != state
    assert await asyncio.to_thread(restore, small, blobs) == state


async def test_a_damaged_blob_is_named(db: Database) -> None:
    await Sessions(db).create("s")
    blobs = Blobs(db)
    blob_id = await blobs.put("s", b"x" * 100)
    for damaged in (b"z\x00", b"", b"?abc"):
        async with db.transaction() as tx:
            await tx.execute("UPDATE blobs SET data = :data", {"data": damaged})
        with pytest.raises(UnreadableData, match=blob_id):
            await blobs.get("s", blob_id)


async def test_with_a_key_nothing_readable_is_stored(db_url: str) -> None:
    keyring = TestKeyring()
    sealed = await Database.open(db_url, keyring=keyring)
    await Sessions(sealed).create("s")
    blob_id = await Blobs(sealed).put("s", b"secret text")
    assert await Blobs(sealed).get("s", blob_id) == b"secret text"
    async with sealed.reader() as reader:
        stored = bytes((await reader.fetch("SELECT data FROM blobs"))[0]["data"])
    assert b"secret" not in stored
    async with sealed.transaction() as tx:
        await tx.execute("UPDATE blobs SET data = :data", {"data": stored[:-1] + bytes([stored[-1] ^ 1])})
    with pytest.raises(DecryptionFailed):
        await Blobs(sealed).get("s", blob_id)
    await sealed.close()
    plain = await Database.connect(db_url)
    with pytest.raises(DecryptionFailed, match="no key"):
        await Blobs(plain).get("s", blob_id)
    await plain.close()
