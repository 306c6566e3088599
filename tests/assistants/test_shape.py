"""Who has read one assistant can read all: the same folders, and agents that are nothing but agents."""

import ast
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import madang.assistants
from madang.graph import Agent, Assistant

ROOT = Path(madang.assistants.__file__).parent
NAMES = sorted(path.name for path in ROOT.iterdir() if (path / "graph.py").exists())
FOLDERS = ("state", "understanding", "agents", "answering", "tools", "data", "prompts")
SHAPE = {"__init__.py", "graph.py", "services.py", *FOLDERS}


def assistant_of(name: str) -> Assistant:
    found: Assistant = importlib.import_module(f"madang.assistants.{name}.graph").assistant
    return found


def test_the_three_are_there() -> None:
    assert NAMES == ["homes", "travel", "works"]


@pytest.mark.parametrize("name", NAMES)
def test_the_folders_are_the_same(name: str) -> None:
    assert {path.name for path in (ROOT / name).iterdir() if path.name != "__pycache__"} == SHAPE


@pytest.mark.parametrize("name", NAMES)
def test_every_module_of_agents_declares_one_and_every_agent_is_declared_there(name: str) -> None:
    folder = f"madang.assistants.{name}.agents"
    modules = [one.name for one in pkgutil.iter_modules([str(ROOT / name / "agents")])]
    declaring = {
        module: [v for v in vars(importlib.import_module(f"{folder}.{module}")).values() if isinstance(v, Agent)]
        for module in modules
    }
    assert not [module for module, agents in declaring.items() if not agents]
    declared = {agent.name for agents in declaring.values() for agent in agents}
    assert {agent.name for agent in assistant_of(name).agents} == declared


@pytest.mark.parametrize("name", NAMES)
def test_the_wiring_is_short(name: str) -> None:
    assert len((ROOT / name / "graph.py").read_text(encoding="utf-8").splitlines()) <= 80


@pytest.mark.parametrize("name", NAMES)
def test_tools_and_data_know_no_layer_above_them(name: str) -> None:
    """Of the state they know its types; they are handed values, never the state itself, and ask no model."""
    upper = ("understanding", "agents", "answering", "graph", "services")
    forbidden = (*(f"madang.assistants.{name}.{one}" for one in upper), "madang.graph", "madang.llm")
    breaches = []
    for path in [*(ROOT / name / "tools").rglob("*.py"), *(ROOT / name / "data").rglob("*.py")]:
        if path.name == "sources.py":  # what `madang data load` finds by its entry point: an edge of its own
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(forbidden):
                breaches.append(f"{path.relative_to(ROOT)}: {node.module}")
    assert breaches == []


@pytest.mark.parametrize("name", NAMES)
def test_importing_an_assistant_reads_no_data(name: str) -> None:
    """Nothing is built at import: no file of the package is opened but its modules."""
    script = f"""
import json, os, sys
opened = []
def hook(event, args):
    if event == "open" and isinstance(args[0], str):
        opened.append(args[0])
sys.addaudithook(hook)
import madang.assistants.{name}.graph
package = os.path.dirname(sys.modules["madang.assistants"].__file__)
data = [p for p in opened if p.startswith(package) and not p.endswith((".py", ".pyc"))]
print(json.dumps([p for p in data if os.path.isfile(p)]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
