"""homes: how parallel writes merge, what is refused, what is sensitive."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph

from madang.assistants.homes.state import MainSupervisorState, StateManager, StateValidator
from madang.assistants.homes.state.planning import merge_planning
from madang.assistants.homes.state.teams import merge_team_state
from madang.assistants.homes.state.updates import TEAM_STATES
from madang.errors import InvalidState
from madang.state.fields import field_specs, sensitive_names, turn_fields
from madang.state.steps import new_step, transition_step
from madang.state.validation import validate_update
from tests.support.strategies import json_values

SHARED = StateManager.create_shared_state("전세금 5% 인상 가능해?", "s")


def search_step(step_id: str) -> Any:
    return new_step(
        step_id, step_type="search", agent_name="search_team", team="search", task="검색", description="법률 검색"
    )


def circular() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"in": value}
    return value


def test_steps_that_end_side_by_side_lose_nothing() -> None:
    steps = [transition_step(search_step(f"step_{i}"), "in_progress") for i in range(2)]

    def planning(state: MainSupervisorState) -> dict[str, Any]:
        return {"planning_state": {"raw_query": "q", "execution_steps": steps}, "team_results": {}}

    def agent(index: int, field: str) -> Any:
        def run(state: MainSupervisorState) -> dict[str, Any]:
            done = transition_step(steps[index], "completed")
            return {
                "planning_state": {"execution_steps": [done]},
                "team_results": {"search": {field: [{"source": field}]}},
                "search_team_state": {"sources_used": [field], "search_progress": {field: "completed"}},
                "error_log": [{"timestamp": "t", "error": field, "where": None}],
            }

        return run

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MainSupervisorState)
    builder.add_node("planning", planning)
    builder.add_edge(START, "planning")
    for index, field in enumerate(("legal_search", "loan_search")):
        builder.add_node(field, agent(index, field))
        builder.add_edge("planning", field)
        builder.add_edge(field, END)
    state = builder.compile().invoke({"query": "q"})
    assert state["planning_state"]["raw_query"] == "q"
    assert [step["status"] for step in state["planning_state"]["execution_steps"]] == ["completed"] * 2
    assert set(state["team_results"]["search"]) == {"legal_search", "loan_search"}
    assert sorted(state["search_team_state"]["sources_used"]) == ["legal_search", "loan_search"]
    assert len(state["search_team_state"]["search_progress"]) == len(state["error_log"]) == 2


part = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "raw_query": st.text(max_size=3),
        "execution_steps": st.lists(
            st.fixed_dictionaries(
                {"step_id": st.sampled_from(["step_0", "step_1"])},
                optional={"status": st.sampled_from(["pending", "in_progress", "completed"]), "error": st.text()},
            ),
            max_size=2,
        ),
        "sources_used": st.lists(st.sampled_from("abc"), max_size=3, unique=True),
        "search_progress": st.dictionaries(st.sampled_from("ab"), st.text(max_size=2)),
        "total_results": st.integers(0, 5),
    },
)


@pytest.mark.parametrize("reducer", [merge_planning, merge_team_state])
@settings(max_examples=60, deadline=None)
@given(a=part, b=part, c=part)
def test_reducers_are_associative_and_pure(reducer: Any, a: Any, b: Any, c: Any) -> None:
    given = copy.deepcopy([a, b, c])
    assert reducer(reducer(a, b), c) == reducer(a, reducer(b, c))
    assert reducer(a, None) == reducer(None, a) == a
    assert [a, b, c] == given


def test_turn_fields_begin_empty_and_slots_stay() -> None:
    resets = turn_fields(MainSupervisorState)
    assert resets["planning_state"] is None
    assert resets["team_results"] == {}
    assert resets["error_log"] == resets["planned_teams"] == resets["active_teams"] == []
    assert resets["status"] == "initialized"
    assert not resets.keys() & {"query", "messages", "region", "deposit", "user_id", "loaded_memories", "session_id"}


def test_personal_data_is_declared_sensitive() -> None:
    names = sensitive_names(MainSupervisorState)
    assert names >= {"user_id", "annual_income", "age", "contract_text", "loaded_memories", "user_preferences"}
    assert "query" not in names


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("nothing_like_this", 1),
        ("query", 7),
        ("deposit", "5천만원"),
        ("deposit", -1),
        ("age", 151),
        ("area_m2", float("nan")),
        ("active_teams", "search"),
        ("team_results", {"weather": {}}),
        ("team_results", {"search": {"legal_search": [{"article": 7}]}}),
        ("planning_state", {"execution_steps": [{"step_id": "step_0", "status": "sleeping"}]}),
        ("query", "가" * 1_000_001),
        ("user_preferences", nested(200)),
        ("loaded_memories", [{"self": circular()}]),
        ("user_preferences", {"callback": print}),
    ],
)
def test_a_bad_field_is_named_and_the_good_ones_pass(field: str, value: Any) -> None:
    good, problems = validate_update(MainSupervisorState, {"region": "송파구", field: value})
    assert good == {"region": "송파구"}
    assert problems
    assert all(problem.field.startswith(field) for problem in problems)


@pytest.mark.parametrize("team", ["weather", "", "Search"])
def test_an_unknown_team_is_named(team: str) -> None:
    with pytest.raises(InvalidState) as error:
        StateManager.create_initial_team_state(team, SHARED)
    assert error.value.problems[0].allowed == "search, analysis, document"


@pytest.mark.parametrize(
    ("team", "data"),
    [
        ("search", {"insights": []}),
        ("search", {"search_scope": ["weather"]}),
        ("analysis", {"metrics": {"ratio": float("inf")}}),
        ("document", {"document_type": "poem"}),
        ("document", {"generation_progress": circular()}),
    ],
)
def test_additional_data_that_does_not_fit_is_refused(team: str, data: dict[str, Any]) -> None:
    shared = copy.deepcopy(SHARED)
    with pytest.raises(InvalidState, match=next(iter(data))):
        StateManager.create_initial_team_state(team, shared, data)
    assert shared == SHARED


def test_a_team_state_shares_nothing_with_the_next_one() -> None:
    data = {"filters": {"region": "송파구"}}
    one = StateManager.create_initial_team_state("search", SHARED, data)
    other = StateManager.create_initial_team_state("search", SHARED, data)
    one["legal_results"].append({})
    one["shared_context"]["status"] = "error"
    one["search_scope"].clear()
    assert other["legal_results"] == []
    assert other["search_scope"] == ["legal", "real_estate", "loan"]
    assert other["shared_context"] == SHARED
    assert data == {"filters": {"region": "송파구"}}


@pytest.mark.parametrize(
    ("check", "state", "error"),
    [
        ("shared", None, "must be a mapping"),
        ("search", [], "must be a mapping"),
        ("shared", {"user_query": 7, "session_id": "s"}, "user_query"),
        ("shared", {"user_query": "q", "session_id": "s", "mood": "good"}, "mood"),
        ("search", {"shared_context": SHARED, "search_scope": [{}]}, "Invalid search scope: {}"),
        ("search", {"shared_context": SHARED, "search_scope": "legal scope"}, "Invalid search scope"),
        ("search", {"shared_context": SHARED, "total_results": "many"}, "total_results"),
        ("analysis", {"shared_context": SHARED, "analysis_type": "palmistry"}, "Invalid analysis type: palmistry"),
        ("analysis", {"shared_context": SHARED, "confidence_score": float("nan")}, "confidence_score"),
        ("document", {"shared_context": SHARED, "document_type": "poem"}, "Invalid document type: poem"),
        ("document", {"shared_context": SHARED, "review_result": {"risk_level": "huge"}}, "review_result.risk_level"),
        ("document", {}, "user_query is required"),
        ("search", {"shared_context": circular()}, "must be a mapping"),
    ],
)
def test_what_the_validator_refuses(check: str, state: Any, error: str) -> None:
    is_valid, errors = getattr(StateValidator, f"validate_{check}_state")(state)
    assert not is_valid
    assert any(error in message for message in errors), errors


@settings(max_examples=50, deadline=None)
@given(json_values())
def test_the_validator_never_crashes_and_changes_nothing(state: Any) -> None:
    before = copy.deepcopy(state)
    for check in ("shared", "search", "analysis", "document"):
        is_valid, errors = getattr(StateValidator, f"validate_{check}_state")(state)
        assert is_valid == (errors == [])
    assert state == before


@pytest.mark.parametrize("team", TEAM_STATES)
def test_an_initial_team_state_has_every_field(team: str) -> None:
    assert StateManager.create_initial_team_state(team, SHARED).keys() == field_specs(TEAM_STATES[team]).keys()
