"""A back-up by `pg_dump` while turns run, restored elsewhere; and processes of this version on a newer schema."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from madang.errors import UnknownSchemaVersion
from madang.runtime import TurnRequest
from madang.state.encryption import Keyring, generate_key
from madang.store import schema
from madang.store.repair import check
from tests.support.postgres import create_database, drop_database, find_binaries
from tests.support.runtimes import Gate, new_session, open_trip, say
from tests.support.together import open_server, open_worker

PATIENT = 30
# Seconds: what ran is begun again when the lease that was backed up has run out.
LEASE = 2.0
# What a next version may do: add.
NEXT = f"""
ALTER TABLE runs ADD COLUMN of_tomorrow integer NOT NULL DEFAULT 0;
ALTER TABLE chat_sessions ADD COLUMN of_tomorrow text;
CREATE INDEX by_tomorrow ON run_events (session_id, created_at);
CREATE TABLE of_tomorrow (session_id text REFERENCES chat_sessions ON DELETE CASCADE);
UPDATE {schema.VERSION_TABLE} SET version_num = '9999';
"""


@pytest.fixture
def other_url(postgres_server_url: str) -> Iterator[str]:
    """An empty database to restore into."""
    url = create_database(postgres_server_url)
    yield url
    drop_database(url)


def run(program: str, *arguments: str) -> None:
    said = subprocess.run(
        [str(find_binaries() / program), *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert (said.returncode, said.stderr) == (0, "")


async def test_turns_that_ran_during_the_back_up_end_where_it_is_restored(
    postgres_url: str, other_url: str, tmp_path: Path
) -> None:
    keys = Keyring.parse(f"k:{generate_key()}")
    gate, dump = Gate(), str(tmp_path / "dump")
    async with (
        open_server(postgres_url, keyring=keys, lease=LEASE) as server,
        open_worker(postgres_url, keyring=keys, lease=LEASE, agents=gate.agent()),
    ):
        gate.open.set()
        before, session = await new_session(server), await new_session(server)
        assert (await say(server, before, "오사카 3"))["status"] == "completed"
        gate.open.clear()
        gate.entered.clear()
        running = await server.start(session, TurnRequest(text="도쿄 4"))
        behind = await server.start(session, TurnRequest(text="도쿄 5"))
        await asyncio.wait_for(gate.entered.wait(), PATIENT)
        await asyncio.to_thread(run, "pg_dump", "-Fc", "-d", postgres_url, "-f", dump)
        gate.open.set()
        for one in (running, behind):
            assert (await asyncio.wait_for(server.wait(one.run_id), PATIENT)).status == "completed"
    await asyncio.to_thread(run, "pg_restore", "--no-owner", "-d", other_url, dump)
    async with (
        open_server(other_url, keyring=keys, lease=LEASE) as server,
        open_worker(other_url, keyring=keys, lease=LEASE) as worker,
    ):
        assert (await server.runs.get(running.run_id)).status == "running"
        worker.recovery.watch()
        for one in (running, behind):
            assert (await asyncio.wait_for(server.outcome(one.run_id), PATIENT))["status"] == "completed"
        assert (await say(server, before, "오사카 2"))["state"]["flights"] == ["오사카"]
        assert (await check(server.db)).problems == []


async def test_processes_go_on_beside_a_newer_schema_and_none_is_started_on_it(postgres_url: str) -> None:
    async with open_server(postgres_url) as server, open_worker(postgres_url):
        session = await new_session(server)
        assert (await say(server, session, "오사카 3"))["status"] == "completed"
        with psycopg.connect(postgres_url) as upgrade:
            upgrade.execute(NEXT)
        for known in (session, await new_session(server)):
            assert (await asyncio.wait_for(say(server, known, "도쿄 4"), PATIENT))["status"] == "completed"
        await server.sessions.delete(session)
    with pytest.raises(UnknownSchemaVersion):
        await open_trip(postgres_url).__aenter__()


@pytest.mark.parametrize("revision", sorted(path.name for path in schema._FOLDER.glob("versions/[0-9]*_*.py")))
def test_what_comes_after_revision_11_only_adds(revision: str) -> None:
    """Processes of the version before go on beside it: docs/operations.md promises that."""
    upgrade = (schema._FOLDER / "versions" / revision).read_text(encoding="utf-8").partition("def downgrade")[0]
    takes_away = [
        word for word in ("drop_", "alter_column", "rename_", "DROP ", "RENAME ", "SET NOT NULL") if word in upgrade
    ]
    assert not takes_away or revision <= "0012"
