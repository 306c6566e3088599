"""The test server itself: it must stop, start and keep what was committed."""

import psycopg
import pytest

from tests.support.postgres import PostgresServer, create_database, drop_database


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
