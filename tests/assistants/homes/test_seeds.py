"""The states of seed 000 section 7 and the timeline of seed 001, as the graph goes through them."""

from typing import Any

from madang.assistants.homes.agents import (
    AgentRegistry,
    AnalysisExecutor,
    DocumentExecutor,
    IntentType,
    PlanningAgent,
    SearchExecutor,
)
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state import StateManager, StateValidator, check_state_consistency
from madang.assistants.homes.tools.situations import SituationTool
from tests.support.homes import TODAY, Talk, services

QUESTION = "전세금 5% 인상 가능해?"


async def phases(text: str) -> dict[str, dict[str, Any]]:
    """The state after each node, by the last phase it was in."""
    talk = Talk()
    seen: dict[str, dict[str, Any]] = {}
    given = {"query": text, "session_id": "ws_abc123", "request_id": "r1", "messages": []}
    async for state in talk.graph.astream(given, talk.config, context=talk.context, stream_mode="values"):
        running = any(step["status"] == "in_progress" for step in steps_of(state))
        seen[f"{state.get('current_phase')}{':running' if running else ''}"] = state
    return seen


def steps_of(state: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (state.get("planning_state") or {}).get("execution_steps") or []
    return found


async def test_the_question_of_seed_000_goes_through_its_states() -> None:
    seen = await phases(QUESTION)
    first = seen["initialization"]
    assert first["query"] == QUESTION
    assert (first["status"], first["active_teams"], first["completed_teams"]) == ("initialized", [], [])
    assert (first["failed_teams"], first["team_results"], first["error_log"]) == ([], {}, [])
    assert first["start_time"]

    planned = seen["planning"]
    plan = planned["planning_state"]
    assert plan["raw_query"] == QUESTION
    assert plan["analyzed_intent"]["intent_type"] == "legal_consult"
    assert plan["analyzed_intent"]["entities"] == {"비율": ["5.0"], "계약유형": ["전세"]}
    assert plan["intent_confidence"] == plan["analyzed_intent"]["confidence"] > 0.7
    assert plan["available_teams"] == ["search", "analysis", "document"]
    assert plan["available_agents"] == ["search_team", "analysis_team", "document_team"]
    assert (plan["execution_strategy"], plan["parallel_groups"]) == ("sequential", None)
    assert (plan["plan_validated"], plan["validation_errors"]) == (True, [])
    [step] = plan["execution_steps"]
    assert step["description"]
    form = {name: step[name] for name in ("step_id", "step_type", "agent_name", "team", "task", "status", "agent")}
    assert form == {
        "step_id": "step_0",
        "step_type": "search",
        "agent_name": "search_team",
        "team": "search",
        "task": "법률 정보 검색",
        "status": "pending",
        "agent": "legal_search",
    }
    assert step["progress_percentage"] == 0
    assert [step[name] for name in ("started_at", "completed_at", "result", "error")] == [None] * 4
    assert planned["active_teams"] == planned["planned_teams"] == ["search"]

    running = seen["executing:running"]
    [step] = steps_of(running)
    assert (step["status"], step["progress_percentage"]) == ("in_progress", 0)
    assert step["started_at"]
    assert running["search_team_state"]["status"] == "running"

    done = seen["executing"]
    [step] = steps_of(done)
    assert (step["status"], step["progress_percentage"], step["error"]) == ("completed", 100, None)
    assert step["completed_at"]
    assert step["result"]
    assert (done["completed_teams"], done["active_teams"]) == (["search"], [])
    best = done["team_results"]["search"]["legal_search"][0]
    assert (best["law_name"], best["article"], best["source"]) == (
        "주택임대차보호법",
        "제7조",
        "주택임대차보호법 제7조",
    )
    assert best["content"]
    assert 0 < best["relevance_score"] <= 1
    team = done["search_team_state"]
    assert (team["team_name"], team["status"], team["search_scope"]) == ("search", "completed", ["legal"])
    assert team["shared_context"]["user_query"] == QUESTION
    assert "인상" in team["keywords"]["legal"]
    assert team["keywords"]["real_estate"] == team["keywords"]["loan"] == []
    assert team["sources_used"] == ["legal_search"]
    assert team["total_results"] == len(done["team_results"]["search"]["legal_search"])

    gathered = seen["aggregation"]
    assert gathered["aggregated_results"]["search"]["status"] == "success"
    assert gathered["aggregated_results"]["search"]["data"]["best"] == "주택임대차보호법 제7조"

    ended = seen["response_generation"]
    answer = ended["final_response"]
    assert answer["type"] == "answer"
    assert answer["answer"].startswith("네, 5% 인상은")
    assert "주택임대차보호법 제7조" in answer["answer"]
    assert answer["structured_data"]["metadata"]["sources"][0] == "주택임대차보호법 제7조"
    assert 0 < answer["structured_data"]["metadata"]["confidence"] < 1
    assert answer["structured_data"]["sections"]
    assert answer["teams_used"] == ["search"]
    assert ended["status"] == "completed"
    assert ended["end_time"] >= ended["start_time"]
    assert ended["total_execution_time"] >= 0
    assert check_state_consistency(ended) == []  # type: ignore[arg-type]


async def test_the_timeline_of_seed_001_with_two_teams() -> None:
    seen = await phases("마포구 84㎡ 전세 시세 알려줘")
    assert seen["planning"]["active_teams"] == ["search", "analysis"]
    assert seen["executing:running"]["planned_teams"] == ["search", "analysis"]
    gathered = seen["aggregation"]
    assert gathered["completed_teams"] == ["search", "analysis"]
    assert {team: found["status"] for team, found in gathered["aggregated_results"].items()} == {
        "search": "success",
        "analysis": "success",
    }
    assert gathered["team_results"]["search"]["real_estate_search"]
    assert gathered["team_results"]["analysis"]["report"]["summary"]
    assert gathered["team_results"]["analysis"]["insights"]
    ended = seen["response_generation"]
    assert ended["final_response"]["teams_used"] == ["search", "analysis"]
    for kind, check in (
        ("search", StateValidator.validate_search_state),
        ("analysis", StateValidator.validate_analysis_state),
    ):
        assert check(ended[f"{kind}_team_state"]) == (True, [])


async def test_a_question_back_runs_nothing_and_keeps_the_intent() -> None:
    state = await Talk().say("복비 얼마야?")
    assert state["final_response"]["type"] == "clarification"
    assert state["planning_state"]["analyzed_intent"]["intent_type"] == "legal_consult"
    assert steps_of(state) == []
    assert (state["active_teams"], state["planned_teams"], state["status"]) == ([], [], "completed")


async def test_a_failed_team_is_in_the_failed_list_and_the_answer_says_so() -> None:
    class Broken:
        data_versions: dict[str, str] = {}
        situations = SituationTool()
        faq = HomesServices().faq

        @property
        def legal(self) -> Any:
            raise RuntimeError("색인이 없습니다")

    state = await Talk(services=Broken()).say(QUESTION)
    assert (state["failed_teams"], state["completed_teams"]) == (["search"], [])
    assert state["aggregated_results"]["search"]["status"] == "failed"
    assert state["error_log"][0]["where"] == "legal_search"
    assert "색인이 없습니다" in state["error_log"][0]["error"]
    assert "법률 정보 검색" in state["final_response"]["answer"]
    assert check_state_consistency(state) == []  # type: ignore[arg-type]


async def test_the_planner_reads_and_plans() -> None:
    planner = PlanningAgent(services=services(), today=TODAY)
    assert (await planner.analyze_intent("월세 계약서 만들어줘"))["intent_type"] == IntentType.CONTRACT_CREATION
    plan = await planner.create_execution_plan("마포구 84㎡ 전세 시세와 대출까지")
    assert {step["team"] for step in plan["execution_steps"]} == {"search", "analysis"}
    assert plan["plan_validated"]
    assert (await planner.create_execution_plan("안녕"))["execution_steps"] == []


async def test_the_executors_return_team_states() -> None:
    shared = StateManager.create_shared_state(QUESTION, "s1")
    found = await SearchExecutor(services(), today=TODAY).execute(shared)
    assert found["legal_results"][0]["article"] == "제7조"
    assert StateValidator.validate_search_state(found) == (True, [])
    asked = StateManager.create_shared_state("보증금 3억 시세 4억 근저당 5천 위험해?", "s2")
    judged = await AnalysisExecutor(services(), today=TODAY).execute(asked)
    assert judged["raw_analysis"]["jeonse_risk"]["level"] == "danger"
    assert judged["report"]["summary"]
    wanted = StateManager.create_shared_state("월세 계약서 만들어줘", "s3")
    waiting = await DocumentExecutor(services(), today=TODAY).execute(wanted)
    assert (waiting["status"], waiting["final_document"]) == ("running", None)


def test_the_registry_lists_what_may_be_planned() -> None:
    registry = AgentRegistry(disabled=["property_search"])
    assert "legal_search" in registry.list_agents()
    assert "property_search" not in registry.list_agents(enabled_only=True)
    assert "property_search" in registry.list_agents(enabled_only=False)
