"""What a state declares, read from its type; and LangGraph reads the same."""

from operator import add
from typing import Annotated, Any, Literal, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite

from madang.errors import InvalidInput
from madang.state.fields import Range, Turn, field_specs, sensitive_names, turn_fields
from madang.state.reducers import append_unique
from madang.state.steps import new_step
from tests.support.declared import Base, Plan, Sample


def test_specs_of_an_inherited_state_with_string_annotations() -> None:
    specs = field_specs(Sample)
    assert list(specs)[:3] == ["session_id", "schema_version", "user_id"]
    assert specs["tags"].type == list[str]
    assert specs["tags"].reducer is append_unique
    assert specs["phase"].type == Literal["planning", "done"]
    assert [name for name, spec in specs.items() if spec.turn] == ["phase", "tags", "results", "steps"]
    assert [name for name, spec in specs.items() if spec.sensitive] == ["user_id"]
    assert specs["nights"].range == Range(1, 14, "박")
    assert [name for name, spec in specs.items() if spec.required] == ["session_id"]
    assert not field_specs(Plan)["note"].required
    assert field_specs(Plan)["raw_query"].required


def test_defaults_are_fresh() -> None:
    first, second = turn_fields(Sample), turn_fields(Sample)
    assert first == {"phase": "planning", "tags": [], "results": {}, "steps": []}
    first["tags"].append("x")
    assert second["tags"] == []
    shared = Turn({"a": []})
    shared.value()["a"].append(1)
    assert shared.value() == {"a": []}
    assert field_specs(Sample)["plan"].default() is None
    assert field_specs(Base)["session_id"].default() == ""


def test_sensitive_names_at_every_depth() -> None:
    assert sensitive_names(Sample) == {"user_id", "owner_phone"}


def test_ranges_say_what_they_allow() -> None:
    assert [str(limits) for limits in (Range(1, 14, "박"), Range(low=100000), Range(high=2), Range())] == [
        "1박 ~ 14박",
        "≥ 100,000",
        "≤ 2",
        "any number",
    ]


def test_a_reducer_that_langgraph_would_not_see_is_refused() -> None:
    class Wrong(TypedDict):
        tags: Annotated[list[str], add, Turn(list)]

    with pytest.raises(InvalidInput, match="'tags'"):
        field_specs(Wrong)
    with pytest.raises(InvalidInput, match="not a TypedDict"):
        field_specs(dict)


def test_langgraph_compiles_reduces_and_resets_a_marked_state() -> None:
    def initialize(state: Sample) -> dict[str, Any]:
        specs = field_specs(Sample)
        return {name: Overwrite(value) if specs[name].reducer else value for name, value in turn_fields(Sample).items()}

    def left(state: Sample) -> dict[str, Any]:
        step = {**STEP, "status": "completed"}
        return {"tags": ["a", "b"], "results": {"search": {"legal": 1}}, "steps": [step], "user_id": 3}

    def right(state: Sample) -> dict[str, Any]:
        messages = [{"role": "user", "content": "안녕"}]
        return {"tags": ["b", "c"], "results": {"search": {"loan": 2}}, "steps": [STEP], "messages": messages}

    graph = StateGraph(Sample)
    graph.add_node("initialize", initialize)
    graph.add_node("left", left)
    graph.add_node("right", right)
    graph.add_edge(START, "initialize")
    for name in ("left", "right"):
        graph.add_edge("initialize", name)
        graph.add_edge(name, END)
    before: Any = {"session_id": "s", "tags": ["old"], "phase": "done", "steps": [{**STEP, "step_id": "step_9"}]}
    state = graph.compile().invoke(before)
    assert state["tags"] == ["a", "b", "c"]
    assert state["phase"] == "planning"
    assert state["results"] == {"search": {"legal": 1, "loan": 2}}
    assert [(step["step_id"], step["status"]) for step in state["steps"]] == [("step_0", "completed")]
    assert state["messages"][0].content == "안녕"


STEP = new_step("step_0", step_type="search", agent_name="search_team", team="search", task="검색", description="")
