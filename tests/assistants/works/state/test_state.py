"""works: how tasks merge, what a semantic query may be, what is sensitive."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph

from madang.assistants.works.state import GlobalSessionState, merge_execution, task_update
from madang.errors import InvalidState
from madang.state.fields import sensitive_names, turn_fields
from madang.state.validation import validate_update

SEMANTIC_QUERY: dict[str, Any] = {
    "kind": "query",
    "metrics": ["sales_amount", "growth_rate"],
    "dimensions": ["branch"],
    "filters": [
        {"field": "region", "op": "in", "value": ["서울", "경기"]},
        {"field": "achievement_rate", "op": "<", "value": 0.8},
    ],
    "period": {"from": "2024-12-01", "to": "2024-12-31"},
    "compare": {"type": "yoy", "period": None},
    "sort": {"by": "sales_amount", "order": "desc"},
    "limit": 5,
}


def analyser(**changes: Any) -> dict[str, Any]:
    return {"query_analyzer_state": {"semantic_query": {**SEMANTIC_QUERY, **changes}}}


def test_a_semantic_query_of_the_contract_is_accepted() -> None:
    assert validate_update(GlobalSessionState, analyser()) == (analyser(), [])
    empty = analyser(kind="clarify", metrics=[], period=None, compare=None, sort=None, limit=None)
    assert validate_update(GlobalSessionState, empty) == (empty, [])


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"kind": "guess"}, "kind"),
        ({"metrics": ["happiness"]}, "metrics"),
        ({"dimensions": ["planet"]}, "dimensions"),
        ({"period": {"from": "2024-12-01"}}, "period"),
        ({"compare": {"type": "decade", "period": None}}, "compare"),
        ({"limit": "5"}, "limit"),
        ({"filters": [{"field": "region", "op": "=", "value": float("nan")}]}, "filters"),
        ({"sql": "DROP TABLE sales"}, "sql"),
    ],
)
def test_a_semantic_query_that_is_none_is_refused_by_name(changes: dict[str, Any], path: str) -> None:
    good, problems = validate_update(GlobalSessionState, {**analyser(**changes), "company_id": "c1"})
    assert good == {"company_id": "c1"}
    assert any(f"semantic_query.{path}" in problem.field for problem in problems), problems


def test_agents_that_end_side_by_side_lose_nothing() -> None:
    plan = [{"step_id": "step_1", "agents": ["DataAnalysisAgent", "InformationRetrievalAgent"]}]
    waiting = [{"task_id": f"task_00{i}"} for i in (1, 2)]

    def agent(task_id: str, name: str) -> Any:
        def run(state: GlobalSessionState) -> dict[str, Any]:
            update = task_update(state, {"task_id": task_id, "result": name, "confidence_score": 0.9}, name)
            manager = update["execution_manager_state"]
            return {
                "agent_states": {task_id: update["agent_states"][task_id]},
                "execution_manager_state": {"completed_tasks": manager["completed_tasks"]},
                "errors": [{"id": task_id, "error": "none"}],
            }

        return run

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(GlobalSessionState)
    for task_id, name in (("task_001", "DataAnalysisAgent"), ("task_002", "InformationRetrievalAgent")):
        builder.add_node(name, agent(task_id, name))
        builder.add_edge(START, name)
        builder.add_edge(name, END)
    state = builder.compile().invoke(
        {
            "planning_state": {"execution_plan": plan},
            "execution_manager_state": {"execution_status": "running", "pending_tasks": waiting},
        }
    )
    manager = state["execution_manager_state"]
    assert sorted(task["task_id"] for task in manager["completed_tasks"]) == ["task_001", "task_002"]
    assert manager["pending_tasks"] == []
    assert manager["execution_status"] == "running"
    assert {key: value["agent_name"] for key, value in state["agent_states"].items()} == {
        "task_001": "DataAnalysisAgent",
        "task_002": "InformationRetrievalAgent",
    }
    assert len(state["errors"]) == 2


@st.composite
def managers(draw: st.DrawFn) -> dict[str, Any] | None:
    """A part of an execution manager's state, with each task in one list only."""
    if draw(st.booleans()) and draw(st.booleans()):
        return None
    lists = ["completed_tasks", "pending_tasks", "failed_tasks"]
    places = draw(st.dictionaries(st.sampled_from(["task_001", "task_002", "task_003"]), st.sampled_from(lists)))
    state: dict[str, Any] = {name: [] for name in draw(st.lists(st.sampled_from(lists), unique=True))}
    for task_id, name in places.items():
        state.setdefault(name, []).append({"task_id": task_id, "result": draw(st.integers(0, 9))})
    return state | draw(
        st.fixed_dictionaries(
            {},
            optional={
                "need_replan": st.booleans(),
                "quality_scores": st.dictionaries(st.sampled_from("ab"), st.floats(0, 1)),
            },
        )
    )


@settings(max_examples=100, deadline=None)
@given(managers(), managers(), managers())
def test_merging_execution_is_associative_pure_and_keeps_a_task_in_one_list(a: Any, b: Any, c: Any) -> None:
    given_values = copy.deepcopy([a, b, c])
    merged = merge_execution(merge_execution(a, b), c)
    assert merged == merge_execution(a, merge_execution(b, c))
    assert merge_execution(a, None) == merge_execution(None, a) == a
    assert [a, b, c] == given_values
    places = [t["task_id"] for name, tasks in (merged or {}).items() if name.endswith("_tasks") for t in tasks]
    assert len(places) == len(set(places))


def test_a_task_without_an_id_is_refused() -> None:
    with pytest.raises(InvalidState, match="task_id"):
        merge_execution({}, {"completed_tasks": [{"agent": "DataAnalysisAgent"}]})


def test_turn_fields_begin_empty_and_the_audit_trail_stays() -> None:
    resets = turn_fields(GlobalSessionState)
    assert resets["current_phase"] == "analyzing"
    assert resets["agent_states"] == resets["api_calls_made"] == {}
    assert resets["query_analyzer_state"] is resets["final_response"] is None
    assert not resets.keys() & {"audit_trail", "conversation_history", "messages", "user_id", "company_id"}


def test_who_asks_is_sensitive() -> None:
    assert "user_id" in sensitive_names(GlobalSessionState)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("current_phase", "dreaming"),
        ("progress_percentage", float("inf")),
        ("user_id", 7),
        ("final_response", {"answer": "네"}),
        ("agent_states", {"task_001": {"risk_level": "extreme"}}),
        ("api_calls_made", {"naver": "ten"}),
        ("execution_steps", [{"step_id": 1}]),
    ],
)
def test_a_bad_field_is_named(field: str, value: Any) -> None:
    good, problems = validate_update(GlobalSessionState, {field: value, "company_id": "c1"})
    assert good == {"company_id": "c1"}
    assert all(problem.field.startswith(field) for problem in problems)
