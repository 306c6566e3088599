"""Other servers of LangGraph graphs, from PyPI: each in a virtual environment of its own, made at its first use."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

from bench import CHECKOUT

ENVIRONMENTS = CHECKOUT / ".bench-peers"
PACKAGES = {"LangGraph's development server": ["langgraph-cli[inmem]"], "Aegra": ["aegra-api", "greenlet"]}
STARTING = 90.0
GRAPH = dedent("""\
    from typing import TypedDict

    from langgraph.graph import END, START, StateGraph


    class Echo(TypedDict, total=False):
        query: str
        answer: str


    async def echo(state: Echo) -> Echo:
        return {"answer": state["query"]}


    builder = StateGraph(Echo)
    builder.add_node("echo", echo)
    builder.add_edge(START, "echo")
    builder.add_edge("echo", END)
    graph = builder.compile()
    """)


class NotHere(Exception):
    """A peer that can't be installed or started on this machine, with the reason."""


def environment(peer: str) -> Path:
    """The programs of a peer's environment."""
    programs = ENVIRONMENTS / PACKAGES[peer][0].split("[")[0] / "bin"
    done = programs.parent / "installed"
    if not done.exists():
        made = subprocess.run(
            [sys.executable, "-m", "venv", programs.parent], capture_output=True, text=True, check=False
        )
        install = [str(programs / "pip"), "install", "--quiet", *PACKAGES[peer]]
        if (
            made.returncode
            or (tried := subprocess.run(install, capture_output=True, text=True, check=False)).returncode
        ):
            words = made.stderr or tried.stderr
            raise NotHere(f"not installed: {words.strip().splitlines()[-1] if words.strip() else 'pip failed'}")
        done.touch()
    return programs


@contextmanager
def peer_server(peer: str, database: str) -> Iterator[int]:
    """A peer that serves the echo graph: its port. Raises `NotHere`."""
    programs = environment(peer)
    if peer == "Aegra":
        _offer_uuids(database)
    with tempfile.TemporaryDirectory() as given, socket.socket() as probe:
        folder = Path(given)
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        (folder / "echo_graph.py").write_text(GRAPH)
        for name in ("langgraph.json", "aegra.json"):
            (folder / name).write_text(json.dumps({"dependencies": ["."], "graphs": {"echo": "./echo_graph.py:graph"}}))
        server = subprocess.Popen(
            _command(peer, programs, port),
            cwd=folder,
            env={**os.environ, **_settings(peer, database, port)},
            stdout=subprocess.DEVNULL,
            stderr=(folder / "log").open("wb"),
        )
        try:
            _wait(server, port, folder / "log")
            yield port
        finally:
            server.kill()
            server.wait()


def _offer_uuids(database: str) -> None:
    """Aegra asks for an extension that our bundled Postgres lacks: what it takes from it, under that name."""
    import psycopg

    with psycopg.connect(database, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'uuid-ossp'").fetchone():
            return
        connection.execute("CREATE FUNCTION uuid_generate_v4() RETURNS uuid LANGUAGE sql AS 'SELECT gen_random_uuid()'")
        connection.execute(
            "INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)"
            " SELECT 90001, 'uuid-ossp', 10, oid, false, '1.1' FROM pg_namespace WHERE nspname = 'public'"
        )


def _command(peer: str, programs: Path, port: int) -> list[str]:
    if peer == "Aegra":
        return [str(programs / "uvicorn"), "aegra_api.main:app", "--port", str(port), "--log-level", "warning"]
    jobs = ["--n-jobs-per-worker", "20"]
    return [str(programs / "langgraph"), "dev", "--no-browser", "--no-reload", "--port", str(port), *jobs]


def _settings(peer: str, database: str, port: int) -> dict[str, str]:
    if peer != "Aegra":
        return {"LOG_LEVEL": "ERROR", "LANGSMITH_TRACING": "false", "NO_COLOR": "1"}
    pools = {"SQLALCHEMY_POOL_SIZE": "10", "LANGGRAPH_MIN_POOL_SIZE": "10", "LANGGRAPH_MAX_POOL_SIZE": "10"}
    return {"DATABASE_URL": database, "AEGRA_CONFIG": "aegra.json", "LOG_LEVEL": "ERROR", "PORT": str(port), **pools}


def _wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + STARTING
    while time.monotonic() < deadline and server.poll() is None:
        for path in ("/ok", "/health"):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=2):
                    return
            except urllib.error.HTTPError:
                continue
            except OSError:
                break
        time.sleep(0.2)
    said = log.read_text(errors="replace").strip().splitlines()
    raise NotHere(f"did not start: {said[-1] if said else 'no word'}")
