"""The test server itself: it must stop, start and keep what was committed, wherever its binaries lie."""

import shutil
import tempfile
from pathlib import Path

import psycopg
import pytest

from tests.support import postgres
from tests.support.postgres import PostgresServer, create_database, drop_database


def test_a_server_runs_from_a_checkout_that_only_its_owner_may_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    binaries = postgres.find_binaries()
    package = binaries.parents[1]
    with tempfile.TemporaryDirectory(prefix="private-") as private, tempfile.TemporaryDirectory() as home:
        Path(private).chmod(0o700)
        Path(home).chmod(0o755)
        place = Path(private) / "site-packages"
        shutil.copytree(binaries.parent, place / package.name / binaries.parent.name, symlinks=True)
        shutil.copytree(f"{package}.libs", place / f"{package.name}.libs", symlinks=True)
        monkeypatch.setattr(postgres, "find_binaries", lambda: place / package.name / binaries.parent.name / "bin")
        server = PostgresServer.create(Path(home) / "pg")
        try:
            with psycopg.connect(server.url) as connection:
                assert connection.execute("SELECT 1").fetchone() == (1,)
        finally:
            server.stop()


def test_a_database_is_fresh_and_can_be_dropped(postgres_server_url: str) -> None:
    url = create_database(postgres_server_url)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
    drop_database(url)
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(url)


def test_what_was_committed_survives_a_stop(postgres_server: PostgresServer) -> None:
    with psycopg.connect(postgres_server.url) as connection:
        connection.execute("CREATE TABLE kept (n integer)")
    postgres_server.stop()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(postgres_server.url)
    postgres_server.start()
    with psycopg.connect(postgres_server.url) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
