"""Seeds 000 and 001: the states of `homes`, StateManager, StateValidator."""

import copy
import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from madang.assistants.homes.state import (
    ExecutionStepState,
    MainSupervisorState,
    PlanningState,
    SearchTeamState,
    StateManager,
    StateValidator,
    check_state_consistency,
    prepare_state_for_checkpoint,
)
from madang.errors import IllegalTransition, InvalidState, NotFound
from madang.state.clock import now_iso

Callback = Callable[[str, dict[str, Any]], Awaitable[None]]


def step(step_id: str = "step_0", team: str = "search") -> ExecutionStepState:
    return {
        "step_id": step_id,
        "step_type": team,
        "agent_name": f"{team}_team",
        "team": team,
        "task": "법률 정보 검색",
        "description": "법률 관련 정보 및 판례 검색",
        "status": "pending",
        "progress_percentage": 0,
        "started_at": None,
        "completed_at": None,
        "result": None,
        "error": None,
    }


def plan(*steps: ExecutionStepState) -> PlanningState:
    return PlanningState(
        raw_query="전세금 5% 인상 가능해?",
        analyzed_intent={
            "intent_type": "legal_consult",
            "confidence": 0.9,
            "keywords": ["전세금", "인상", "5%"],
            "entities": {"금액": ["5%"], "계약유형": ["전세"]},
        },
        intent_confidence=0.9,
        available_agents=["search_team", "analysis_team"],
        available_teams=["search", "analysis"],
        execution_steps=list(steps),
        execution_strategy="sequential",
        parallel_groups=None,
        plan_validated=True,
        validation_errors=[],
        estimated_total_time=3.5,
    )


def initial_state(**fields: Any) -> MainSupervisorState:
    """Seed 000, 6.1; `start_time` is ISO text by section 9."""
    state = MainSupervisorState(
        query="전세금 5% 인상 가능해?",
        session_id="ws_abc123",
        chat_session_id="ws_abc123",
        request_id="req_1760938200.0",
        user_id=42,
        planning_state=None,
        execution_plan=None,
        search_team_state=None,
        document_team_state=None,
        analysis_team_state=None,
        current_phase="",
        active_teams=[],
        completed_teams=[],
        failed_teams=[],
        team_results={},
        aggregated_results={},
        final_response=None,
        start_time=now_iso(),
        end_time=None,
        total_execution_time=None,
        error_log=[],
        status="initialized",
        loaded_memories=None,
        user_preferences=None,
        memory_load_time=None,
    )
    return cast(MainSupervisorState, {**state, **fields})


async def test_a_team_is_run_and_its_step_followed_to_the_socket() -> None:
    sent: list[tuple[str, dict[str, Any]]] = []

    async def progress_callback(event: str, data: dict[str, Any]) -> None:
        sent.append((event, copy.deepcopy(data)))

    before = plan(step())
    untouched = copy.deepcopy(before)
    planning_state = StateManager.update_step_status(before, "step_0", "in_progress", progress=0)
    await progress_callback("todo_updated", {"execution_steps": planning_state["execution_steps"]})
    planning_state = StateManager.update_step_status(planning_state, "step_0", "completed", progress=100)
    await progress_callback("todo_updated", {"execution_steps": planning_state["execution_steps"]})

    running, done = (data["execution_steps"][0] for _, data in sent)
    assert (running["status"], running["progress_percentage"]) == ("in_progress", 0)
    assert running["started_at"] is not None
    assert running["completed_at"] is None
    assert (done["status"], done["progress_percentage"]) == ("completed", 100)
    assert done["started_at"] == running["started_at"]
    assert done["completed_at"] >= done["started_at"]
    assert before == untouched


def test_a_failed_step_keeps_its_error_and_progress() -> None:
    planning_state = StateManager.update_step_status(plan(step()), step_id="step_0", new_status="in_progress")
    planning_state = StateManager.update_step_status(
        planning_state, "step_0", "failed", progress=50, error="Database connection timeout"
    )
    failed = planning_state["execution_steps"][0]
    assert failed["error"] == "Database connection timeout"
    assert failed["progress_percentage"] == 50
    assert failed["completed_at"] is not None
    assert failed["result"] is None


def test_a_skipped_step_ends_without_having_started() -> None:
    skipped = StateManager.update_step_status(plan(step()), "step_0", "skipped")["execution_steps"][0]
    assert skipped["started_at"] is None
    assert skipped["completed_at"] is not None


def test_other_steps_stay_and_wrong_changes_are_named() -> None:
    both = plan(step(), step("step_1", "analysis"))
    after = StateManager.update_step_status(both, "step_1", "in_progress")
    assert after["execution_steps"][0] == both["execution_steps"][0]
    with pytest.raises(NotFound, match="step_9"):
        StateManager.update_step_status(both, "step_9", "in_progress")
    with pytest.raises(IllegalTransition, match="step_0"):
        StateManager.update_step_status(both, "step_0", "completed")
    with pytest.raises(InvalidState, match="progress"):
        StateManager.update_step_status(both, "step_0", "in_progress", progress=120)


def test_shared_state_of_the_seed() -> None:
    shared_state = StateManager.create_shared_state(query="전세금 5% 인상 가능한가요?", session_id="abc123", user_id=42)
    assert shared_state.pop("timestamp").endswith("+00:00")
    assert shared_state == {
        "user_query": "전세금 5% 인상 가능한가요?",
        "session_id": "abc123",
        "user_id": 42,
        "language": "ko",
        "status": "pending",
        "error_message": None,
    }
    given = StateManager.create_shared_state("q", "s", language="en", timestamp="2025-10-20T14:30:00+09:00")
    assert (given["language"], given["timestamp"], given["user_id"]) == ("en", "2025-10-20T14:30:00+09:00", None)


def test_teams_are_run_one_after_the_other_and_merged() -> None:
    state = initial_state(active_teams=["search", "analysis"])
    untouched = copy.deepcopy(state)
    search_result = {"status": "completed", "legal_search": [{"law_name": "주택임대차보호법", "article": "제7조"}]}
    merged = StateManager.merge_team_results(state, "search", search_result)
    merged = StateManager.merge_team_results(merged, "analysis", {"status": "failed", "error": "timeout"})
    assert merged["team_results"]["search"] == search_result
    assert merged["completed_teams"] == ["search"]
    assert merged["failed_teams"] == ["analysis"]
    assert merged["active_teams"] == []
    assert state == untouched


@pytest.mark.parametrize("fields", [{}, {"active_teams": ["document"]}])
def test_merging_a_team_that_is_not_active_is_no_error_and_makes_no_duplicates(fields: dict[str, Any]) -> None:
    state = cast(MainSupervisorState, {"query": "q", **fields})
    once = StateManager.merge_team_results(state, "search", {"status": "success"})
    twice = StateManager.merge_team_results(once, "search", {"status": "success"})
    assert twice["completed_teams"] == ["search"]
    assert twice["active_teams"] == fields.get("active_teams", [])
    assert state == {"query": "q", **fields}


def test_a_team_that_succeeds_after_failing_is_in_one_list() -> None:
    failed = StateManager.merge_team_results(initial_state(), "search", {"status": "failed", "error": "timeout"})
    untouched = copy.deepcopy(failed)
    state = StateManager.merge_team_results(failed, "search", {"status": "completed", "total_results": 1})
    assert failed == untouched
    assert (state["completed_teams"], state["failed_teams"]) == (["search"], [])
    assert state["team_results"]["search"] == {"status": "completed", "total_results": 1}
    again = StateManager.merge_team_results(state, "search", {"status": "failed", "error": "timeout"})
    assert (again["completed_teams"], again["failed_teams"]) == ([], ["search"])
    assert again["team_results"]["search"]["total_results"] == 1


def test_initial_search_state_of_the_seed() -> None:
    shared_state = StateManager.create_shared_state("q", "s")
    state = StateManager.create_initial_team_state("search", shared_state)
    assert state == {
        "team_name": "search",
        "status": "initialized",
        "shared_context": shared_state,
        "start_time": None,
        "end_time": None,
        "error": None,
        "keywords": None,
        "search_scope": ["legal", "real_estate", "loan"],
        "filters": {},
        "legal_results": [],
        "real_estate_results": [],
        "loan_results": [],
        "property_search_results": [],
        "aggregated_results": {},
        "total_results": 0,
        "search_time": 0.0,
        "sources_used": [],
        "search_progress": {},
        "current_search": None,
        "execution_strategy": None,
    }


def test_a_team_state_is_made_checked_and_used() -> None:
    shared_state = StateManager.create_shared_state("전세금 5% 인상 가능해?", "ws_abc123")
    for team in ("search", "analysis", "document"):
        state = StateManager.create_initial_team_state(team, shared_state)
        validate = getattr(StateValidator, f"validate_{team}_state")
        assert validate(state) == (True, [])
    analysis = StateManager.create_initial_team_state(
        "analysis",
        shared_state,
        {"analysis_type": "comprehensive", "input_data": {"search": {"legal_search": []}}},
    )
    assert analysis["input_data"] == {"search": {"legal_search": []}}


def test_the_seeds_search_team_state_is_valid() -> None:
    state = SearchTeamState(
        team_name="search",
        status="running",
        shared_context={"user_query": "전세금 5% 인상 가능해?", "session_id": "ws_abc123"},
        keywords={"legal": ["전세금", "인상", "한도"], "real_estate": [], "loan": [], "general": []},
        search_scope=["legal"],
        legal_results=[
            {
                "source": "주택임대차보호법 제7조",
                "content": "차임 증액 청구는 5%를 초과하지 못함",
                "relevance_score": 0.95,
            }
        ],
        total_results=1,
        search_time=1.2,
        sources_used=["legal_search"],
        error=None,
    )
    assert StateValidator.validate_search_state(state) == (True, [])
    every_scope = {**state, "search_scope": ["legal", "real_estate", "property", "loan"]}
    assert StateValidator.validate_search_state(every_scope) == (True, [])


def test_validation_messages_of_the_seed() -> None:
    is_valid, errors = StateValidator.validate_shared_state({"status": "running"})
    assert not is_valid
    assert errors == ["user_query is required", "session_id is required", "Invalid status: running"]
    is_valid, errors = StateValidator.validate_search_state(
        {"shared_context": {"user_query": "q", "session_id": "s"}, "search_scope": ["legal", "weather"]}
    )
    assert (is_valid, errors) == (False, ["Invalid search scope: weather"])


def test_consistency_of_teams_and_plan(caplog: pytest.LogCaptureFixture) -> None:
    steps = plan(step(), step("step_1", "analysis"))
    fields = {"planning_state": steps, "planned_teams": ["search", "analysis"]}
    running = initial_state(**fields, active_teams=["analysis"], completed_teams=["search"])
    assert check_state_consistency(running) == []
    assert check_state_consistency(initial_state()) == []
    assert not caplog.records
    (problem,) = check_state_consistency(initial_state(planning_state=steps, active_teams=["search"]))
    assert "['search']" in problem
    assert "['analysis', 'search']" in problem
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    problems = check_state_consistency(
        initial_state(**fields, active_teams=["document"], completed_teams=["search"], failed_teams=["search"])
    )
    assert len(problems) == 2


def test_memories_are_left_out_of_a_checkpoint() -> None:
    state = initial_state(loaded_memories=[{"query": "전세"}])
    untouched = copy.deepcopy(state)
    prepared = prepare_state_for_checkpoint(state)
    assert "loaded_memories" not in prepared
    assert {**prepared, "loaded_memories": state["loaded_memories"]} == state == untouched


def test_the_seeds_final_state_round_trips_as_json() -> None:
    state = initial_state(
        planning_state=plan(step()),
        final_response={
            "type": "answer",
            "answer": "네, 전세금 5% 인상은 법적으로 가능합니다.",
            "structured_data": {
                "sections": [],
                "metadata": {"confidence": 0.95, "sources": ["주택임대차보호법 제7조"]},
            },
            "teams_used": ["search"],
            "data": {},
        },
        status="completed",
        end_time="2025-10-20T14:30:08+09:00",
        total_execution_time=8.2,
    )
    assert json.loads(json.dumps(state)) == state
