"""`madang db`, `madang sessions`, `madang users`, as a person or a script runs them."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
import typer
from langgraph.checkpoint.sqlite import SqliteSaver
from typer.testing import CliRunner

from madang.cli import db as db_commands
from madang.cli import sessions as session_commands
from madang.cli import state as state_commands
from madang.cli import users as user_commands
from madang.errors import (
    ConfigurationError,
    Conflict,
    DecryptionFailed,
    ForeignTables,
    InvalidInput,
    MadangError,
    NotFound,
    SchemaOutdated,
    UnreadableData,
)
from madang.state.encryption import generate_key
from madang.state.nesting import NestedTooDeeply
from madang.store.database import Database
from madang.store.messages import Messages
from madang.store.saver import SessionSaver
from madang.store.sessions import Sessions
from madang.store.users import Users
from tests.support.conversations import build, talk, thread
from tests.support.old_databases import at_revision, row

app = typer.Typer()
app.add_typer(db_commands.app, name="db")
app.add_typer(session_commands.app, name="sessions")
app.add_typer(state_commands.app, name="state")
app.add_typer(user_commands.app, name="users")


def run(*arguments: str, text: str | None = None) -> str:
    """What a command prints; its error is raised, as `madang.cli.main` would meet it."""
    result = CliRunner().invoke(app, arguments, input=text)
    if isinstance(result.exception, MadangError):
        raise result.exception
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def run_json(*arguments: str, text: str | None = None) -> Any:
    return json.loads(run(*arguments, "--json", text=text))


def within(url: str, work: Callable[[Database], Awaitable[Any]]) -> Any:
    async def opened() -> Any:
        db = await Database.open(url)
        try:
            return await work(db)
        finally:
            await db.close()

    return asyncio.run(opened())


@pytest.fixture
def filled(db_url: str) -> str:
    async def fill(db: Database) -> None:
        await Sessions(db).create("s1", assistant="homes", title="강남 전세")
        await Messages(db).append("s1", "user", "제 번호는 010-9876-5432")
        await talk(SessionSaver(db), "s1", turns=2)
        await Sessions(db).create("s2", assistant="travel", title="제주")

    within(db_url, fill)
    return db_url


def test_listing_and_showing(filled: str) -> None:
    page = run_json("sessions", "list", "--db", filled)
    assert [one["session_id"] for one in page["sessions"]] == ["s2", "s1"]
    first = run_json("sessions", "list", "--db", filled, "--limit", "1")
    rest = run_json("sessions", "list", "--db", filled, "--limit", "1", "--cursor", first["next_cursor"])
    assert [one["session_id"] for one in rest["sessions"]] == ["s1"]
    assert [s["title"] for s in run_json("sessions", "list", "--db", filled, "--search", "전세")["sessions"]] == [
        "강남 전세"
    ]
    shown = run_json("sessions", "show", "s1", "--db", filled)
    assert (shown["message_count"], shown["messages"][0]["role"]) == (1, "user")
    assert "강남 전세" in run("sessions", "list", "--db", filled)
    assert "010-9876-5432" in run("sessions", "show", "s1", "--db", filled)


def test_renaming_and_deleting(filled: str) -> None:
    assert run_json("sessions", "rename", "s1", "서초 전세", "--db", filled)["title"] == "서초 전세"
    refused = CliRunner().invoke(app, ["sessions", "delete", "s1", "--db", filled], input="n\n")
    assert refused.exit_code == 1
    assert run_json("sessions", "show", "s1", "--db", filled)["title"] == "서초 전세"
    run("sessions", "delete", "s1", "--db", filled, "--yes")
    for command in (["show", "s1"], ["rename", "s1", "x"], ["delete", "s1", "--yes"], ["export", "s1"]):
        with pytest.raises(NotFound, match="s1"):
            run("sessions", *command, "--db", filled)


def test_export_and_import(filled: str, tmp_path: Path) -> None:
    file = str(tmp_path / "s1.json")
    run("sessions", "export", "s1", file, "--db", filled)
    other = f"sqlite:///{tmp_path}/other.db"
    assert run_json("sessions", "import", file, "--db", other)["session_id"] == "s1"
    with pytest.raises(Conflict):
        run("sessions", "import", file, "--db", other)
    assert run_json("sessions", "import", file, "--as", "복사", "--db", other)["session_id"] == "복사"
    exported = json.loads(run("sessions", "export", "s1", "--db", filled))
    piped = run_json("sessions", "import", "-", "--as", "piped", "--db", other, text=json.dumps(exported))
    assert piped["message_count"] == 1

    async def turn(db: Database) -> int:
        return int((await build(SessionSaver(db)).aget_state(thread("복사"))).values["turn"])

    assert within(other, turn) == 2


class Meal(Enum):
    DINNER = "dinner"


def test_types_of_ones_own_are_named_on_the_way_out_and_in(filled: str, tmp_path: Path) -> None:
    async def hold(db: Database) -> None:
        graph = build(SessionSaver(db, allow=[Meal]))
        await graph.aupdate_state(thread("s1"), {"found": {"meal": Meal.DINNER}}, as_node="begin")

    within(filled, hold)
    name = f"{Meal.__module__}:Meal"
    with pytest.raises(UnreadableData, match="Meal"):
        run("sessions", "export", "s1", "--db", filled)
    text = run("sessions", "export", "s1", "--allow", name, "--db", filled)
    with pytest.raises(UnreadableData, match=r"'found'.*Meal"):
        run("sessions", "import", "-", "--as", "in", "--db", filled, text=text)
    assert run_json("sessions", "import", "-", "--as", "in", "--allow", name, "--db", filled, text=text)
    with pytest.raises(InvalidInput, match="module:Name"):
        run("sessions", "import", "-", "--as", "again", "--allow", "Meal", "--db", filled, text=text)


def test_a_redacted_export(filled: str, tmp_path: Path) -> None:
    text = run("sessions", "export", "s1", "--redacted", "--db", filled)
    assert json.loads(text)["redacted"] is True
    assert "9876-5432" not in text


def test_files_that_cannot_be_used(filled: str, tmp_path: Path) -> None:
    half = tmp_path / "half.json"
    half.write_text(run("sessions", "export", "s1", "--db", filled)[:500])
    with pytest.raises(UnreadableData, match=r"half\.json"):
        run("sessions", "import", str(half), "--db", filled, "--as", "x")
    with pytest.raises(InvalidInput):
        run("sessions", "import", str(tmp_path / "none.json"), "--db", filled)
    with pytest.raises(InvalidInput):
        run("sessions", "export", "s1", str(tmp_path / "no" / "such" / "folder.json"), "--db", filled)
    assert not list(tmp_path.glob("*.part"))


def test_a_first_key_and_a_wrong_one(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="MADANG_ENCRYPTION_KEYS"):
        run("db", "seal", "--db", filled)
    before = run("sessions", "list", "--db", filled)
    monkeypatch.setenv("MADANG_ENCRYPTION_KEYS", f"a:{generate_key()}")
    with pytest.raises(ConfigurationError, match="madang db seal"):
        run("sessions", "list", "--db", filled)
    assert run_json("db", "seal", "--db", filled)["chat_sessions"] > 0
    assert run("sessions", "list", "--db", filled) == before
    assert run_json("db", "seal", "--db", filled) == {}
    monkeypatch.setenv("MADANG_ENCRYPTION_KEYS", f"b:{generate_key()}")
    with pytest.raises(DecryptionFailed, match=r"'a'.*MADANG_ENCRYPTION_KEYS"):
        run("sessions", "list", "--db", filled)


def test_users(db_url: str) -> None:
    made = run_json("users", "add", "김하나", "--role", "lead", "--db", db_url)

    async def who(db: Database) -> Any:
        return await Users(db).authenticate(made["api_key"])

    assert within(db_url, who).name == "김하나"
    again = run_json("users", "add", "김하나", "--db", db_url)
    assert again["id"] == made["id"]
    run("users", "revoke", again["key_id"], "--db", db_url)
    (user,) = run_json("users", "list", "--db", db_url)["users"]
    assert [key["revoked_at"] is not None for key in user["keys"]] in ([False, True], [True, False])
    assert made["api_key"] not in run("users", "list", "--db", db_url)
    run("users", "revoke", "김하나", "--db", db_url)
    assert within(db_url, who) is None
    with pytest.raises(NotFound, match="nobody"):
        run("users", "revoke", "nobody", "--db", db_url)


def test_stats_prune_and_check(filled: str) -> None:
    before = run_json("db", "stats", "--db", filled)
    assert before["sessions"][0]["session_id"] == "s1"
    assert before["sessions"][0]["bytes_per_turn"] > 0
    assert "s1" in run("db", "stats", "--db", filled)
    would = run_json("db", "prune", "--keep-last", "1", "--dry-run", "--db", filled)
    assert (would["checkpoints"] > 0, would["dry_run"]) == (True, True)
    assert run_json("db", "prune", "--keep-last", "1", "--db", filled)["checkpoints"] == would["checkpoints"]
    assert run_json("db", "prune", "--keep-last", "1", "--max-age", "30", "--db", filled)["checkpoints"] == 0
    assert run_json("db", "check", "--db", filled)["problems"] == []


def test_check_says_1_until_it_is_mended(filled: str) -> None:
    async def damage(db: Database) -> None:
        async with db.transaction() as tx:
            await tx.execute("UPDATE chat_sessions SET message_count = 5 WHERE session_id = 's1'")

    within(filled, damage)
    looked = CliRunner().invoke(app, ["db", "check", "--db", filled])
    assert looked.exit_code == 1
    assert "s1" in looked.stdout
    run("db", "check", "--repair", "--db", filled)
    run("db", "check", "--db", filled)


def test_upgrade(empty_db_url: str) -> None:
    first = run_json("db", "upgrade", "--db", empty_db_url)
    assert run_json("db", "upgrade", "--db", empty_db_url) == first


def test_an_outdated_postgres_is_upgraded_on_request(empty_postgres_url: str) -> None:
    at_revision(empty_postgres_url, "0001", row("chat_sessions", session_id="old", title="옛 대화"))
    with pytest.raises(SchemaOutdated, match="madang db upgrade"):
        run("sessions", "list", "--db", empty_postgres_url)
    run("db", "upgrade", "--db", empty_postgres_url)
    assert run_json("sessions", "show", "old", "--db", empty_postgres_url)["title"] == "옛 대화"


def test_adopt(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/app.db"
    with closing(sqlite3.connect(tmp_path / "app.db", check_same_thread=False)) as connection:
        build(SqliteSaver(connection)).invoke({"messages": [("user", "안녕")]}, thread("t1"))
    with pytest.raises(ForeignTables, match="adopt"):
        run("sessions", "list", "--db", url)
    assert run_json("db", "adopt", "--db", url)["threads"] == 1
    assert [s["session_id"] for s in run_json("sessions", "list", "--db", url)["sessions"]] == ["t1"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["sessions", "list", "--limit", "0"],
        ["sessions", "rename", "only-one"],
        ["db", "prune", "--keep-last", "0"],
        ["db", "prune", "--max-age", "-1"],
        ["users", "add"],
        ["db", "nothing"],
    ],
)
def test_wrong_usage_is_2(arguments: list[str], sqlite_url: str) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2


@pytest.mark.parametrize("depth", [101, 1_400, 100_000])
def test_json_that_is_nested_too_deeply_is_refused_by_name(filled: str, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    with pytest.raises(NestedTooDeeply, match="100 levels"):
        run("sessions", "import", "-", "--db", filled, text=nested)
    with pytest.raises(NestedTooDeeply, match="100 levels"):
        run("state", "edit", "s1", f"budget={nested}", "--db", filled)
