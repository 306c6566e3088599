"""What `--app` may name: objects in modules and files, and the graphs of a `langgraph.json`."""

import json
import os
import sys
from pathlib import Path

import pytest

from madang.bootstrap import load_apps, open_runtime
from madang.errors import ConfigurationError, InvalidAssistant
from madang.runtime import TurnRequest
from madang.runtime.langgraph_json import load_project
from madang.runtime.loading import load_object
from madang.settings import Settings

GRAPH = """
from contextlib import asynccontextmanager
from typing import TypedDict
from langgraph.graph import END, START, StateGraph

class State(TypedDict, total=False):
    word: str
    query: str

def say(state):
    return {"word": "WORD " + state.get("query", "")}

builder = StateGraph(State).add_node("say", say).add_edge(START, "say").add_edge("say", END)
graph = builder.compile()

async def later():
    return builder

@asynccontextmanager
async def opened(config):
    yield builder

def nothing():
    return 7
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two graphs in files of the same name, and a `langgraph.json`."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("MADANG_TEST_WORD", raising=False)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "agent_file.py").write_text(GRAPH.replace("WORD", name))
    graphs = {
        "first": "./one/agent_file.py:graph",
        "second": {"path": "./two/agent_file.py:builder"},
        "third": "./two/agent_file.py:later",
        "fourth": "./two/agent_file.py:opened",
    }
    given = {"graphs": graphs, "dependencies": ["."], "env": {"MADANG_TEST_WORD": "set"}}
    (tmp_path / "langgraph.json").write_text(json.dumps(given))
    return tmp_path


async def test_the_graphs_of_a_langgraph_json_are_served(project: Path, sqlite_url: str) -> None:
    apps = load_apps([str(project / "langgraph.json")])
    assert list(apps) == ["first", "second", "third", "fourth"]
    assert os.environ.pop("MADANG_TEST_WORD") == "set"
    async with open_runtime(Settings(db=sqlite_url, data_dir=project), apps=apps, installed=False) as runtime:
        for name, word in (("first", "one"), ("second", "two"), ("third", "two"), ("fourth", "two")):
            session = await runtime.sessions.create(assistant=name)
            run = await runtime.start(session.session_id, TurnRequest(text="hello"))
            assert (await runtime.outcome(run.run_id))["state"]["word"] == f"{word} hello"


async def test_a_factory_of_something_else_is_refused(project: Path, sqlite_url: str) -> None:
    apps = {"odd": load_object(f"{project}/one/agent_file.py:nothing")}
    with pytest.raises(InvalidAssistant, match="'odd' is a int"):
        async with open_runtime(Settings(db=sqlite_url, data_dir=project), apps=apps, installed=False):
            pass


def test_a_compiled_graph_without_a_name_has_its_variables(project: Path) -> None:
    assert list(load_apps([f"{project}/one/agent_file.py:graph"])) == ["graph"]


@pytest.mark.parametrize("where", ["nowhere", "no_such_module:graph", "json:nothing", "./missing.py:graph", ":x"])
def test_what_cannot_be_loaded_is_named(where: str) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere|no_such_module|json|missing|:x"):
        load_object(where)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"graphs": {"a": 1}}', '{"graphs": {"a": "b.py"}}'])
def test_a_wrong_langgraph_json_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "langgraph.json").write_text(text)
    with pytest.raises(ConfigurationError):
        load_project(tmp_path / "langgraph.json")


TYPED = """
from dataclasses import dataclass
from typing import TypedDict
from langgraph.graph import START, StateGraph

@dataclass
class Flight:
    number: str

class State(TypedDict, total=False):
    flight: Flight
    word: str

class Other(TypedDict, total=False):
    flight: Flight
    word: str

inner = StateGraph(Other).add_node("word", lambda state: {"word": state["flight"].number}).add_edge(START, "word")
outer = StateGraph(State).add_node("book", lambda state: {"flight": Flight("KE1")}).add_node("inner", inner.compile())
builder = outer.add_edge(START, "book").add_edge("book", "inner")
"""


async def test_the_declared_types_of_a_served_graph_may_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "typed_trip.py").write_text(TYPED)
    monkeypatch.syspath_prepend(tmp_path)
    settings = Settings(db=f"sqlite:///{tmp_path}/t.db", data_dir=tmp_path)
    app = load_object("typed_trip:builder")
    for _ in range(2):
        async with open_runtime(settings, apps={"trip": app}, installed=False) as runtime:
            graph = runtime.served["trip"].graph
            state = await graph.ainvoke({}, {"configurable": {"thread_id": "s"}})
            found = await runtime.saver.aget_tuple({"configurable": {"thread_id": "s"}})
        assert found is not None
        assert (state["word"], found.checkpoint["channel_values"]["flight"].number) == ("KE1", "KE1")


async def test_a_factory_that_fails_is_left_out_by_name(
    project: Path, sqlite_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise RuntimeError("no key for the model")

    settings = Settings(db=sqlite_url, data_dir=project)
    apps = {**load_project(project / "langgraph.json").graphs, "broken": broken}
    async with open_runtime(settings, apps=apps, installed=False) as runtime:
        assert "first" in runtime.served
        assert "broken" not in runtime.served
    assert "'broken' can't be made" in caplog.text
    assert "no key for the model" in caplog.text
    with pytest.raises(RuntimeError, match="no key"):
        async with open_runtime(settings, apps={"broken": broken}, installed=False):
            pass
