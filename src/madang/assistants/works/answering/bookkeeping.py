"""The seed's bookkeeping, derived from the state after each phase: plan, progress, quality, phases, audit trail."""

from collections.abc import Callable, Iterator
from typing import Any, cast

from madang.assistants.works.answering.audit_trail import audit_asked, audit_steps
from madang.assistants.works.answering.execution_record import agent_state, manager_state, progress, weak_results
from madang.assistants.works.answering.plan_record import planning_state
from madang.assistants.works.answering.tasks import State, has_ended, is_done, task_id
from madang.assistants.works.services import WorksServices
from madang.assistants.works.state import GlobalSessionState, determine_next_phase
from madang.assistants.works.state.stages import ExecutionStatus
from madang.graph import Revision, StepRequest, TurnContext
from madang.llm.accounting import totals
from madang.state.clock import now_iso


def track(phase: str, state: State) -> dict[str, Any]:
    """The fields that follow from the state after `phase`. Pure."""
    phases: dict[str, Callable[[GlobalSessionState], GlobalSessionState]] = {
        "initialize": _initialized,
        "planning": _planned,
        "dispatch": _running,
        "collect": _collected,
        "aggregate": _aggregated,
        "respond": _responded,
    }
    return {**phases[phase](cast(GlobalSessionState, state))}


def _initialized(_state: GlobalSessionState) -> GlobalSessionState:
    now = now_iso()
    return {
        "current_phase": "analyzing",
        "workflow_status": {"status": "running", "started_at": now, "updated_at": now, "interrupted_by": None},
    }


def _planned(state: GlobalSessionState) -> GlobalSessionState:
    update: GlobalSessionState = {
        "iteration_count": state.get("iteration_count", 0) + 1,
        "audit_trail": audit_asked(state),
    }
    steps = state.get("execution_steps") or []
    if not steps:
        clarify = (state.get("query_analyzer_state") or {}).get("clarification_needed")
        return {**update, "current_phase": "clarifying" if clarify else "completed"}
    update["planning_state"] = planning_state(state, steps)
    return {**update, "current_phase": determine_next_phase({**state, **update, "current_phase": "planning"})}


def _running(state: GlobalSessionState) -> GlobalSessionState:
    steps = state.get("execution_steps") or []
    active = next((s for s in steps if s["status"] == "in_progress"), None)
    return {
        "current_agent": active["agent"] if active else None,
        "execution_manager_state": manager_state(state, steps, "running"),
        "workflow_status": {"status": "running", "updated_at": now_iso()},
    }


def _collected(state: GlobalSessionState) -> GlobalSessionState:
    steps = state.get("execution_steps") or []
    waiting = [q["step_id"] for q in state.get("questions") or () if not q["answered"]]
    status: ExecutionStatus = "paused" if waiting else "running"
    tasks = {s["step_id"]: task_id(s) for s in steps}
    return {
        "execution_manager_state": manager_state(state, steps, status),
        "agent_states": {task_id(s): cast(Any, agent_state(s, state)) for s in steps if has_ended(s)},
        "progress_percentage": round(100 * progress(steps), 2),
        "workflow_status": {
            "status": status,
            "updated_at": now_iso(),
            "interrupted_by": waiting[0] if waiting else None,
        },
        "audit_trail": audit_steps(state, steps),
        "errors": [
            {
                "id": one["step_id"],
                "timestamp": now_iso(),
                "error": one["error"],
                "where": one["agent"],
                "task_id": tasks.get(one["step_id"]),
            }
            for one in state.get("failures") or ()
        ],
    }


def _aggregated(state: GlobalSessionState) -> GlobalSessionState:
    steps = state.get("execution_steps") or []
    done = [s for s in steps if is_done(s)]
    manager = manager_state(state, steps, "completed" if done else "failed")
    manager["final_results"] = {task_id(s): s["result"] for s in done}
    manager["aggregation_method"] = "sections_in_plan_order"
    after: GlobalSessionState = {**state, "execution_manager_state": manager, "current_phase": "executing"}
    return {
        "execution_manager_state": manager,
        "current_phase": determine_next_phase(after),
        "current_agent": None,
        "warnings": [{"timestamp": now_iso(), "message": text, "where": where} for where, text in _to_be_known(state)],
        **_counted(state),
    }


def _to_be_known(state: GlobalSessionState) -> Iterator[tuple[str, str]]:
    """What limits a result without making it wrong: notes on figures, names that are not there, rules not checked."""
    figures = (state.get("data_analysis") or {}).get("processed_data") or {}
    yield from (("data_analysis", note) for note in figures.get("notes") or ())
    yield from (("data_analysis", f"자료에 없는 이름: {one['value']}") for one in figures.get("unknown") or ())
    for rule in (state.get("compliance_validation") or {}).get("validation_results") or ():
        if rule.get("status") == "unverified":
            yield "compliance_validation", f"확인하지 못한 규정: {rule.get('title') or rule.get('rule')}"


def _counted(state: GlobalSessionState) -> GlobalSessionState:
    """Tokens, calls and queries of the turn, from its measured usage."""
    usage = state.get("usage") or {}
    models = totals(usage.get("llm") or {})
    return {
        "total_tokens_used": models["total_tokens_used"],
        "api_calls_made": {**models["api_calls_made"], **(usage.get("api_calls") or {})},
        "db_queries_executed": int(usage.get("db_queries") or 0),
    }


def _responded(state: GlobalSessionState) -> GlobalSessionState:
    response = state.get("response") or {}
    answer, request = response.get("answer"), state.get("request_id", "")
    return {
        **_counted(state),
        "final_response": answer,
        "conversation_history": [
            {"role": role, "content": content or "", "timestamp": now_iso(), "request_id": request}
            for role, content in (("user", state.get("query")), ("assistant", answer))
        ],
        "workflow_status": {"status": "completed", "updated_at": now_iso()},
        "response_metadata": {
            "type": response.get("type"),
            "sources": response.get("structured_data", {}).get("metadata", {}).get("sources", []),
        },
    }


async def replan(state: GlobalSessionState, _ctx: TurnContext[WorksServices]) -> Revision | None:
    """Another try for results that were too weak."""
    ran = {s["agent"] for s in state.get("execution_steps") or () if s["status"] == "completed"}
    again = [StepRequest(name, description="다시 시도") for name in weak_results(state) if name in ran]
    return Revision(steps=again) if again else None
