"""Databases of earlier versions, with what those allowed, brought up to date; races that the schema decides."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import psycopg
import pytest

from madang.errors import Conflict, InvalidInput, MadangError
from madang.store import schema
from madang.store.database import Database
from madang.store.database_sqlite import path_of
from madang.store.documents import Documents
from madang.store.export import export_session
from madang.store.importing import import_session
from madang.store.messages import Messages
from madang.store.runs import Runs
from madang.store.saver import SessionSaver
from madang.store.sessions import Sessions
from madang.store.users import Users
from tests.support.conversations import talk
from tests.support.old_databases import at_revision, row

AT = "'2026-01-01T00:00:00.000000+00:00'"
MOMENT = "2026-01-02T03:04:05.000000+00:00"
LATER = "2026-01-02T03:04:06.000000+00:00"
SESSION = row("chat_sessions", session_id="s", title="옛 대화")


async def upgraded(url: str) -> Database:
    if url.startswith("postgresql"):
        await asyncio.to_thread(schema.prepare_postgres, url, upgrade=True)
    return await Database.open(url)


def run(run_id: str, status: str, created_at: str = MOMENT) -> str:
    return row("runs", run_id=run_id, session_id="s", status=status, created_at=created_at)


async def test_runs_that_ran_at_once_are_kept(empty_db_url: str) -> None:
    runs_then = (run("a", "running"), run("b", "running", LATER), run("c", "completed"))
    at_revision(empty_db_url, "0001", SESSION, *runs_then)
    db = await upgraded(empty_db_url)
    runs = Runs(db)
    assert {one: (await runs.get(one)).status for one in "abc"} == {"a": "queued", "b": "running", "c": "completed"}
    await db.close()


async def test_documents_keep_their_first_version(empty_db_url: str) -> None:
    document = row("documents", document_id="d", session_id="s", title="계약서", content='{"본문": "갑"}')
    at_revision(empty_db_url, "0001", SESSION, document)
    db = await upgraded(empty_db_url)
    documents = Documents(db)
    assert (await documents.get("d")).content == {"본문": "갑"}
    assert (await documents.save("s", document_id="d", content={"본문": "을"})).version == 2
    assert [one.content for one in await documents.versions("d")] == [{"본문": "갑"}, {"본문": "을"}]
    await db.close()


async def test_users_of_an_identity_provider_get_their_issuer(empty_db_url: str) -> None:
    at_revision(
        empty_db_url,
        "0003",
        "INSERT INTO users (name, role) VALUES ('carol', 'admin')",
        """INSERT INTO users (name, metadata) VALUES ('dave', '{"issuer": "https://id.example"}')""",
        "INSERT INTO chat_sessions (session_id, user_id) VALUES ('hers', 1), ('his', 2)",
    )
    db = await upgraded(empty_db_url)
    users = Users(db)
    assert [(user.name, user.issuer, user.subject) for user in (await users.list()).items] == [
        ("carol", "", "carol"),
        ("https://id.example#dave", "https://id.example", "dave"),
    ]
    assert (await users.meet("https://id.example", "dave")).id == 2
    assert (await users.meet("https://id.example", "carol")).id == 3
    await db.close()


async def test_requests_and_questions_that_were_doubled(empty_db_url: str) -> None:
    """A request that became two turns, and two open questions, as two requests at one moment once made them."""
    runs = ", ".join(
        f"('{name}', 's', '{status}', 'request', '{{}}', '{{}}', 'null', {AT}, {AT})"
        for name, status in (("a", "interrupted"), ("b", "interrupted"), ("c", "completed"))
    )
    columns = "run_id, session_id, status, request_id, kwargs, metadata, input, created_at, updated_at"
    at_revision(
        empty_db_url,
        "0002",
        "INSERT INTO chat_sessions (session_id) VALUES ('s')",
        f"INSERT INTO runs ({columns}) VALUES {runs}",
    )
    db = await upgraded(empty_db_url)
    found = {run.run_id: run for run in (await Runs(db).list("s")).items}
    assert [found[name].status for name in "abc"] == ["cancelled", "interrupted", "completed"]
    assert len({found[name].request_id for name in "abc"}) == 3
    assert found["a"].request_id == "request"
    await db.close()


async def test_an_upgrade_that_can_not_be_done_leaves_the_database_as_it_was(empty_db_url: str) -> None:
    at_revision(empty_db_url, "0001", SESSION, run("a", "running"))
    # A table of somebody else's under a name that a later version needs.
    _execute(empty_db_url, "CREATE TABLE run_controls (x integer)")
    for _ in range(2):
        with pytest.raises(MadangError, match="run_controls"):
            await upgraded(empty_db_url)
    _execute(empty_db_url, "DROP TABLE run_controls")
    db = await upgraded(empty_db_url)
    assert (await Sessions(db).get("s")).title == "옛 대화"
    await db.close()


def _execute(url: str, statement: str) -> None:
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(path_of(url), isolation_level=None)) as connection:
            connection.execute(statement)
        return
    with psycopg.connect(url, autocommit=True) as on_server:
        on_server.execute(statement.encode())


def refused(outcomes: Sequence[Any]) -> list[type]:
    return [type(one) for one in outcomes if isinstance(one, BaseException)]


async def test_of_many_who_make_one_thing_all_but_one_meet_a_conflict(db: Database, db_url: str) -> None:
    other = await Database.open(db_url)
    both = (db, other)
    made = await asyncio.gather(*(Sessions(one).create("s") for one in both * 4), return_exceptions=True)
    assert refused(made) == [Conflict] * 7
    added = await asyncio.gather(*(Users(one).add("김") for one in both * 4), return_exceptions=True)
    assert refused(added) == [Conflict] * 7
    await talk(SessionSaver(db), "s", turns=1)
    exported = await export_session(db, SessionSaver(db), "s")
    copies = [import_session(one, SessionSaver(one), exported, as_id="copy") for one in both]
    assert set(refused(await asyncio.gather(*copies, return_exceptions=True))) <= {Conflict}
    saved = [Documents(one).save("s", document_id="d", content={"n": 1}) for one in both * 4]
    assert refused(await asyncio.gather(*saved, return_exceptions=True)) == []
    assert [one.version for one in await Documents(db).versions("d")] == list(range(1, 9))
    await other.close()


async def test_a_session_that_goes_meanwhile_is_no_fault_of_the_server(db: Database) -> None:
    for _ in range(5):
        await Sessions(db).create("s")
        outcomes = await asyncio.gather(
            talk(SessionSaver(db), "s", turns=1),
            Messages(db).append("s", "user", "x"),
            Documents(db).save("s", content={"a": 1}),
            Sessions(db).update_metadata("s", {"a": 1}),
            Sessions(db).delete("s"),
            return_exceptions=True,
        )
        assert all(issubclass(kind, MadangError) for kind in refused(outcomes)), outcomes
        await Sessions(db).delete("s")


async def test_transactions_that_wait_for_each_other_end_in_a_conflict(postgres_url: str) -> None:
    db = await Database.open(postgres_url)
    for name in ("a", "b"):
        await Sessions(db).create(name)
    held = {"a": asyncio.Event(), "b": asyncio.Event()}

    async def lock(first: str, second: str) -> None:
        query = db.queries("sessions")["lock_session"]
        async with db.transaction() as tx:
            await tx.fetch(query, {"session_id": first})
            held[first].set()
            await held[second].wait()
            await tx.fetch(query, {"session_id": second})

    outcomes = await asyncio.gather(lock("a", "b"), lock("b", "a"), return_exceptions=True)
    assert refused(outcomes) == [Conflict]
    await db.close()


@pytest.mark.parametrize("session_id", ["a\x00b", "\ud800", "x" * 3000])
async def test_ids_that_no_database_can_hold_are_not_found(db: Database, session_id: str) -> None:
    with pytest.raises((InvalidInput, LookupError)):
        await Sessions(db).get(session_id)


async def test_numbers_that_no_database_can_hold_are_the_callers_fault(db: Database) -> None:
    with pytest.raises(InvalidInput):
        await Sessions(db).list(user_id=2**80)
