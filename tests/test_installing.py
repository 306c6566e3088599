"""`pip install madang` in an empty environment: small, and the saver, the kit and the runtime work in it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
UNREACHABLE = ("NewConnectionError", "No matching distribution found for setuptools")
SAVER = """
import asyncio, operator, sys
from typing import Annotated, TypedDict
from langgraph.graph import START, StateGraph
from madang.store import SessionSaver

class State(TypedDict):
    said: Annotated[list[str], operator.add]

async def main():
    thread = {"configurable": {"thread_id": "t"}}
    graph = StateGraph(State).add_node("echo", lambda state: {"said": ["echo"]}).add_edge(START, "echo")
    for _ in range(2):
        async with SessionSaver.from_url("sqlite:///state.db") as saver:
            await graph.compile(checkpointer=saver).ainvoke({"said": ["hi"]}, thread)
    async with SessionSaver.from_url("sqlite:///state.db") as saver:
        print((await graph.compile(checkpointer=saver).aget_state(thread)).values["said"])

asyncio.run(main())
heavy = ("madang.assistants", "madang.server", "madang.cli", "kiwipiepy", "duckdb", "numpy", "fastapi")
print([name for name in sys.modules if name.startswith(heavy)])
"""
EXTRAS = """
import asyncio
from madang.bootstrap import load_installed
from madang.errors import MissingExtra
from madang.store import SessionSaver

def said(act):
    try:
        act()
    except MissingExtra as missing:
        print(missing)

async def open_postgres():
    async with SessionSaver.from_url("postgresql://localhost/x"):
        pass

for name in ("homes", "works", "travel"):
    said(lambda: load_installed(name))
said(lambda: asyncio.run(open_postgres()))
print(load_installed())
"""
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with nothing but the package, from a wheel."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    source = folder / "source"
    # A build leaves its work beside the sources: not in the checkout, which other processes read.
    files = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in [*files.splitlines(), "pyproject.toml", "README.md", "LICENSE", "constraints.txt"]:
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    programs = folder / "venv" / "bin"
    install: list[str | Path] = [programs / "pip", "install", "--quiet", "-c", source / "constraints.txt", source]
    done = subprocess.run(install, capture_output=True, text=True, check=False, env=environment())
    if done.returncode and any(sign in done.stderr for sign in UNREACHABLE):
        pytest.skip("no package registry to install from")
    assert done.returncode == 0, done.stderr
    return programs


def environment() -> dict[str, str]:
    """This one, without what leads to the checkout."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def run(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env=environment())


def test_it_is_small_and_carries_the_product_only(bare: Path, tmp_path: Path) -> None:
    listed = run(tmp_path, bare / "pip", "list", "--format=freeze").stdout.split()
    assert len(listed) <= 50, listed
    files = run(tmp_path, bare / "pip", "show", "--files", "madang").stdout
    assert "madang/store/__init__.py" in files
    assert "madang/graph/answer_words.toml" in files
    assert "bench" not in files.replace("madang/cli/bench.py", "").replace("bench.cpython", "")


def test_the_saver_works_and_loads_nothing_of_the_rest(bare: Path, tmp_path: Path) -> None:
    done = run(tmp_path, bare / "python", "-c", SAVER)
    assert done.stdout.splitlines() == ["['hi', 'echo', 'hi', 'echo']", "[]"], done.stderr


def test_the_example_runs_in_process(bare: Path, tmp_path: Path) -> None:
    done = run(tmp_path, bare / "python", ROOT / "examples" / "packing.py", "제주")
    assert done.stdout.strip().endswith("제주: 신분증, 셔츠"), done.stderr


def test_what_is_missing_is_named_in_one_line(bare: Path, tmp_path: Path) -> None:
    command = run(tmp_path, bare / "madang", "ask", "homes", "안녕")
    assert (command.returncode, command.stdout) == (1, "")
    assert command.stderr == "madang: the madang command needs: pip install 'madang[cli]'\n"
    done = run(tmp_path, bare / "python", "-c", EXTRAS)
    names = ("homes", "works", "travel")
    lines = [f"{name} needs: pip install 'madang[{name}]'" for name in names]
    assert done.stdout.splitlines() == [*lines, "a Postgres database needs: pip install 'madang[postgres]'", "{}"]
    assert all(line in done.stderr for line in lines), done.stderr
