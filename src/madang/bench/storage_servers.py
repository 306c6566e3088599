"""Databases for the storage benchmark, and how large they are."""

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

_TABLES = "'checkpoints', 'checkpoint_blobs', 'checkpoint_writes', 'chunks'"


def sqlite_bytes(path: Path) -> int:
    """The file as it will be once its write-ahead log is folded in."""
    with closing(sqlite3.connect(path)) as connection:
        [pages] = connection.execute("PRAGMA page_count").fetchone()
        [size] = connection.execute("PRAGMA page_size").fetchone()
    return int(pages * size)


def postgres_bytes(url: str) -> int:
    """The checkpoint tables with their indexes."""
    import psycopg

    query = f"SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname IN ({_TABLES}) AND relkind = 'r'"  # noqa: S608
    with psycopg.connect(url) as connection:
        row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0


@contextmanager
def fresh_postgres() -> Iterator[Callable[[], str] | None]:
    """Makes databases on the server of `MADANG_BENCH_POSTGRES`; `None` if there is no server."""
    server = os.environ.get("MADANG_BENCH_POSTGRES")
    if not server:
        yield None
        return
    import psycopg
    from psycopg import sql

    made: list[str] = []

    def new_database() -> str:
        name = f"bench_{secrets.token_hex(6)}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        made.append(name)
        return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))

    try:
        yield new_database
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            for name in made:
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
