"""Documents: versions, formats, owners."""

import asyncio

import pytest

from madang.errors import Conflict, InvalidName, NotFound
from madang.store.database import Database
from madang.store.documents import Documents
from madang.store.sessions import Sessions


@pytest.fixture
async def documents(db: Database) -> Documents:
    await Sessions(db).create("s")
    return Documents(db)


async def test_every_version_is_kept_in_its_formats(documents: Documents) -> None:
    first = await documents.save(
        "s",
        kind="lease_contract",
        title="임대차계약서",
        content={"조항": [1]},
        files={"docx": b"\x00PK", "md": "# 계약".encode()},
    )
    second = await documents.save(
        "s", document_id=first.document_id, title="수정본", content={"조항": [1, 2]}, files={"md": b"# 2"}
    )
    assert (first.version, second.version, second.kind) == (1, 2, "lease_contract")
    assert await documents.get(first.document_id) == second
    assert await documents.get(first.document_id, 1) == first
    assert await documents.versions(first.document_id) == [first, second]
    assert await documents.formats(first.document_id) == {1: ["docx", "md"], 2: ["md"]}
    assert await documents.file(first.document_id, "docx", 1) == b"\x00PK"
    assert await documents.file(first.document_id, "md") == b"# 2"
    with pytest.raises(NotFound):
        await documents.file(first.document_id, "docx")


async def test_refusals_change_nothing(db: Database, documents: Documents) -> None:
    await Sessions(db).create("other")
    made = await documents.save("s", title="x")
    with pytest.raises(Conflict):
        await documents.save("other", document_id=made.document_id)
    with pytest.raises(NotFound):
        await documents.save("nowhere")
    with pytest.raises(InvalidName):
        await documents.save("s", document_id=made.document_id, files={"../x": b""})
    with pytest.raises(NotFound):
        await documents.get("none")
    assert await documents.versions(made.document_id) == [made]


async def test_versions_of_concurrent_writers_are_numbered(documents: Documents) -> None:
    await asyncio.gather(*(documents.save("s", document_id="d", title=str(n)) for n in range(8)))
    versions = await documents.versions("d")
    assert [v.version for v in versions] == list(range(1, 9))
    assert {v.title for v in versions} == {str(n) for n in range(8)}


async def test_listing_by_owner(documents: Documents) -> None:
    for n in range(4):
        await documents.save("s", document_id=f"d{n}", kind="report" if n else "form", user_id=7, company_id="acme")
    page = await documents.list(company_id="acme", limit=3)
    rest = await documents.list(company_id="acme", limit=3, cursor=page.next_cursor)
    assert [d.document_id for d in [*page.items, *rest.items]] == ["d3", "d2", "d1", "d0"]
    assert [d.document_id for d in (await documents.list(kind="form", user_id=7)).items] == ["d0"]
    assert (await documents.list(session_id="none")).items == []


async def test_deleting(db: Database, documents: Documents) -> None:
    one = await documents.save("s", files={"md": b"1"})
    two = await documents.save("s", files={"md": b"2"})
    assert await documents.delete(one.document_id) is True
    assert await documents.delete(one.document_id) is False
    await Sessions(db).delete("s")
    with pytest.raises(NotFound):
        await documents.file(two.document_id, "md")
