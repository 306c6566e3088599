"""Databases of earlier versions, with what those allowed, brought up to date."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from madang.store import schema
from madang.store.database import Database
from madang.store.runs import Runs
from madang.store.users import Users

AT = "'2026-01-01T00:00:00.000000+00:00'"


def at_revision(url: str, revision: str, *rows: str) -> None:
    """Make the database as that revision had it, with these rows."""
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent))
    config.set_main_option("path_separator", "os")
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"), poolclass=sa.NullPool)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        for row in rows:
            connection.exec_driver_sql(row)
    engine.dispose()


async def upgraded(url: str) -> Database:
    if url.startswith("postgresql"):
        schema.prepare_postgres(url, upgrade=True)
    return await Database.open(url)


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
