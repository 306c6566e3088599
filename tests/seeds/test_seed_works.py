"""Seed 002: the states of `works`, phases and the merging of agents' results."""

import copy
from typing import Any, cast

import pytest

from madang.assistants.works.state import (
    MAX_REPLANS,
    BaseAgentState,
    DataAnalysisAgentState,
    ExecutionManagerState,
    GlobalSessionState,
    PlanningState,
    QueryAnalyzerState,
    determine_next_phase,
    merge_agent_results,
)
from madang.errors import InvalidState


def analysed(**fields: Any) -> QueryAnalyzerState:
    state = QueryAnalyzerState(
        raw_query="지난달 서울 매출",
        query_timestamp="2025-01-10T09:00:00+09:00",
        user_context={},
        parsed_intents=[{"intent": "analysis", "confidence": 0.9}],
        required_capabilities=["sql_query", "data_visualization"],
        complexity_score=0.3,
        suggested_agents=["DataAnalysisAgent", "DocumentAgent"],
        context_requirements={"need_auth": True, "data_scope": "company"},
        extracted_entities=[
            {"type": "period", "value": "지난달", "normalized": "2024-12"},
            {"type": "location", "value": "서울", "code": "SEL"},
            {"type": "metric", "value": "매출", "column": "sales_amount"},
        ],
        ambiguities=[],
        clarification_needed=False,
        feasibility_check={
            "data_available": True,
            "permission_granted": True,
            "estimated_time": 30,
            "resource_status": "available",
        },
        semantic_query=None,
    )
    return cast(QueryAnalyzerState, {**state, **fields})


def planned() -> PlanningState:
    return {
        "execution_plan": [
            {
                "step_id": "step_1",
                "agents": ["DataAnalysisAgent", "InformationRetrievalAgent"],
                "parallel": True,
                "timeout": 30,
                "retry_count": 3,
                "dependencies": [],
                "checkpoint": True,
            },
            {
                "step_id": "step_2",
                "agents": ["DocumentGenerationAgent"],
                "parallel": False,
                "timeout": 20,
                "dependencies": ["step_1"],
                "checkpoint": True,
            },
        ]
    }


def executing(**fields: Any) -> ExecutionManagerState:
    state = ExecutionManagerState(
        execution_status="running",
        completed_tasks=[],
        pending_tasks=[{"task_id": "task_001", "agent": "DataAnalysisAgent"}],
        failed_tasks=[],
        need_replan=False,
        replan_attempts=0,
    )
    return cast(ExecutionManagerState, {**state, **fields})


def session(phase: str, **fields: Any) -> GlobalSessionState:
    state = GlobalSessionState(
        session_id="s",
        user_id="u1",
        company_id="c1",
        query_analyzer_state=analysed(),
        planning_state=planned(),
        execution_manager_state=executing(),
        agent_states={},
        progress_percentage=0.0,
        iteration_count=0,
    )
    return cast(GlobalSessionState, {**state, "current_phase": phase, **fields})


def agent_state(task_id: str = "task_001", **fields: Any) -> DataAnalysisAgentState:
    state = DataAnalysisAgentState(
        task_id=task_id,
        assigned_task={},
        execution_context={},
        result={"total": 1200},
        confidence_score=0.95,
        execution_time=5.2,
        error_message=None,
        error_type=None,
        recovery_attempted=False,
        start_time="2025-01-10T09:00:00+09:00",
        end_time="2025-01-10T09:00:05+09:00",
        resource_usage={},
        generated_queries=["SELECT 1"],
        cache_hit=False,
    )
    return cast(DataAnalysisAgentState, {**state, **fields})


@pytest.mark.parametrize(
    ("phase", "fields", "expected"),
    [
        ("analyzing", {}, "planning"),
        ("analyzing", {"query_analyzer_state": analysed(clarification_needed=True)}, "clarifying"),
        ("analyzing", {"query_analyzer_state": None}, "analyzing"),
        ("analyzing", {"query_analyzer_state": None, "iteration_count": 3}, "failed"),
        ("clarifying", {"query_analyzer_state": analysed(clarification_needed=True)}, "completed"),
        ("clarifying", {}, "analyzing"),
        ("planning", {}, "executing"),
        ("planning", {"planning_state": {"execution_plan": []}}, "analyzing"),
        ("planning", {"planning_state": None}, "analyzing"),
        ("planning", {"planning_state": None, "iteration_count": 3}, "failed"),
        ("executing", {}, "executing"),
        ("executing", {"execution_manager_state": None}, "executing"),
        ("executing", {"execution_manager_state": executing(need_replan=True)}, "planning"),
        ("executing", {"execution_manager_state": executing(execution_status="completed")}, "completed"),
        ("executing", {"execution_manager_state": executing(execution_status="paused")}, "executing"),
        ("executing", {"execution_manager_state": executing(execution_status="failed")}, "failed"),
        ("completed", {}, "completed"),
        ("failed", {}, "failed"),
    ],
)
def test_next_phase(phase: str, fields: dict[str, Any], expected: str) -> None:
    state = session(phase, **fields)
    untouched = copy.deepcopy(state)
    assert determine_next_phase(state) == expected
    assert state == untouched


def test_re_planning_is_bounded_and_then_answers_with_what_there_is() -> None:
    tried = {"need_replan": True, "replan_attempts": MAX_REPLANS}
    done = [{"task_id": "task_001", "agent": "DataAnalysisAgent"}]
    assert determine_next_phase(session("executing", execution_manager_state=executing(**tried))) == "failed"
    with_results = executing(**tried, completed_tasks=done)
    assert determine_next_phase(session("executing", execution_manager_state=with_results)) == "completed"


def test_no_sequence_of_phases_goes_round_for_ever() -> None:
    state = session("analyzing", planning_state=None)
    phases = []
    while state["current_phase"] not in ("completed", "failed"):
        state = {**state, "current_phase": determine_next_phase(state)}
        if state["current_phase"] == "analyzing":
            state = {**state, "iteration_count": state["iteration_count"] + 1}
        phases.append(state["current_phase"])
        assert len(phases) < 20
    assert phases[-1] == "failed"


def test_an_unknown_phase_is_named() -> None:
    with pytest.raises(InvalidState, match="dreaming"):
        determine_next_phase(session("dreaming"))


def test_a_result_is_merged_under_its_task() -> None:
    state = session("executing")
    given, untouched = agent_state(), copy.deepcopy(state)
    merged = merge_agent_results(state, given, "DataAnalysisAgent")
    assert merged["agent_states"] == {"task_001": {**agent_state(), "agent_name": "DataAnalysisAgent"}}
    manager = merged["execution_manager_state"]
    assert manager is not None
    assert manager["completed_tasks"] == [
        {
            "task_id": "task_001",
            "agent": "DataAnalysisAgent",
            "result": {"total": 1200},
            "execution_time": 5.2,
            "quality_score": 0.95,
        }
    ]
    assert manager["pending_tasks"] == []
    assert manager["quality_scores"] == {"task_001": 0.95}
    assert merged["progress_percentage"] == pytest.approx(100 / 3)
    assert manager["execution_progress"] == pytest.approx(1 / 3)
    assert state == untouched
    assert given == agent_state()


def test_failed_tasks_count_as_ended_and_may_still_succeed() -> None:
    state = merge_agent_results(session("executing"), agent_state(error_message="timeout"), "DataAnalysisAgent")
    manager = state["execution_manager_state"]
    assert manager is not None
    assert manager["failed_tasks"][0]["error"] == "timeout"
    assert state["progress_percentage"] == pytest.approx(100 / 3)
    state = merge_agent_results(state, agent_state(), "DataAnalysisAgent")
    manager = state["execution_manager_state"]
    assert manager is not None
    assert manager["failed_tasks"] == []
    assert len(manager["completed_tasks"]) == 1
    assert state["progress_percentage"] == pytest.approx(100 / 3)


def test_two_tasks_of_one_agent_are_both_kept_and_progress_ends_at_100() -> None:
    state = session("executing")
    for task_id in ("task_001", "task_002", "task_003", "task_004"):
        state = merge_agent_results(state, agent_state(task_id), "DataAnalysisAgent")
    assert list(state["agent_states"]) == ["task_001", "task_002", "task_003", "task_004"]
    assert state["progress_percentage"] == 100


@pytest.mark.parametrize("plan", [None, {}, {"execution_plan": []}])
def test_progress_is_zero_when_nothing_is_planned(plan: PlanningState | None) -> None:
    state = session("executing", planning_state=plan, execution_manager_state=None)
    merged = merge_agent_results(state, agent_state(), "DataAnalysisAgent")
    assert merged["progress_percentage"] == 0
    assert merged["execution_manager_state"] is not None
    assert len(merged["execution_manager_state"]["completed_tasks"]) == 1


def test_a_result_without_a_task_is_refused() -> None:
    with pytest.raises(InvalidState, match="task_id"):
        merge_agent_results(session("executing"), BaseAgentState(result=1), "DataAnalysisAgent")
