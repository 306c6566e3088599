"""The seed's bookkeeping, derived from the state after each phase: plan, progress, quality, phases, audit trail."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from madang.assistants.works.answering.audit_trail import audit_asked, audit_steps
from madang.assistants.works.state.phases import determine_next_phase
from madang.assistants.works.state.session import GlobalSessionState
from madang.assistants.works.state.stages import ExecutionManagerState, PlanningState, Task
from madang.assistants.works.tools.quality import THRESHOLD
from madang.graph import Revision, StepRequest, TurnContext
from madang.llm.accounting import totals
from madang.state.clock import now_iso
from madang.state.steps import TERMINAL_STEPS

State = Mapping[str, Any]
RESULTS = {
    "DataAnalysisAgent": "data_analysis",
    "InformationRetrievalAgent": "information_retrieval",
    "DocumentGenerationAgent": "document_generation",
    "ComplianceValidationAgent": "compliance_validation",
    "StorageDecisionAgent": "storage_decision",
}
TIMEOUTS = {"DataAnalysisAgent": 60.0, "DocumentGenerationAgent": 60.0, "StorageDecisionAgent": 60.0}
MAX_REPLANS = 3
SHOWN_ROWS = 20


def track(phase: str, state: State) -> dict[str, Any]:
    """The fields that follow from the state after `phase`. Pure."""
    phases: dict[str, Callable[[State], dict[str, Any]]] = {
        "initialize": _initialized,
        "planning": _planned,
        "dispatch": _running,
        "collect": _collected,
        "aggregate": _aggregated,
        "respond": _responded,
    }
    return phases[phase](state)


def task_id(step: Mapping[str, Any]) -> str:
    """The task of a step: step_0 is task_001."""
    return f"task_{int(str(step['step_id']).rsplit('_', 1)[-1]) + 1:03d}"


def _initialized(_state: State) -> dict[str, Any]:
    return {
        "current_phase": "analyzing",
        "workflow_status": {
            "status": "running",
            "started_at": now_iso(),
            "updated_at": now_iso(),
            "interrupted_by": None,
        },
    }


def _planned(state: State) -> dict[str, Any]:
    update: dict[str, Any] = {"iteration_count": 1, "audit_trail": audit_asked(state)}
    steps = state.get("execution_steps") or []
    if not steps:
        clarify = bool((state.get("query_analyzer_state") or {}).get("clarification_needed"))
        return {**update, "current_phase": "clarifying" if clarify else "completed"}
    planning = planning_state(state, steps)
    after = cast(GlobalSessionState, {**state, **update, "planning_state": planning, "current_phase": "planning"})
    return {**update, "planning_state": planning, "current_phase": determine_next_phase(after)}


def planning_state(state: State, steps: list[Mapping[str, Any]]) -> PlanningState:
    """The plan in the seed's form: steps that run together are one step with several agents."""
    tasks = {step["step_id"]: task_id(step) for step in steps}
    levels = _levels(steps)
    analyzer = state.get("query_analyzer_state") or {}
    return PlanningState(
        analyzed_query={"raw_query": analyzer.get("raw_query"), "semantic_query": analyzer.get("semantic_query")},
        execution_plan=[
            {
                "step_id": f"step_{i + 1}",
                "agents": [step["agent"] for step in level],
                "parallel": len(level) > 1,
                "timeout": max(TIMEOUTS.get(step["agent"], 30.0) for step in level),
                "retry_count": 1,
                "dependencies": [f"step_{i}"] if i else [],
                "checkpoint": True,
            }
            for i, level in enumerate(levels)
        ],
        task_dependencies={tasks[s["step_id"]]: [tasks[d] for d in s["depends_on"]] for s in steps},
        dependency_graph={
            "nodes": list(tasks.values()),
            "edges": [[tasks[d], tasks[s["step_id"]]] for s in steps for d in s["depends_on"]],
        },
        resource_requirements={
            "cpu_cores": None,
            "memory_gb": None,
            "api_calls": {},
            "db_connections": max(len(level) for level in levels),
        },
        estimated_steps=len(steps),
        priority_order=[tasks[s["step_id"]] for s in steps],
        parallel_opportunities=[[tasks[s["step_id"]] for s in level] for level in levels if len(level) > 1],
        fallback_plans=[
            {
                "trigger": f"{name}.quality < {THRESHOLD}",
                "agents": [name],
                "description": "가까운 이름이나 넓은 검색으로 다시 실행",
            }
            for name in dict.fromkeys(s["agent"] for s in steps)
            if name in {"DataAnalysisAgent", "InformationRetrievalAgent"}
        ],
        contingency_triggers={"quality_below": THRESHOLD, "max_replans": MAX_REPLANS},
    )


def _levels(steps: list[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    done: set[str] = set()
    levels: list[list[Mapping[str, Any]]] = []
    rest = list(steps)
    while rest:
        ready = [s for s in rest if done.issuperset(s["depends_on"])] or rest
        levels.append(ready)
        done |= {s["step_id"] for s in ready}
        rest = [s for s in rest if s["step_id"] not in done]
    return levels


def _running(state: State) -> dict[str, Any]:
    steps = state.get("execution_steps") or []
    active = next((s for s in steps if s["status"] == "in_progress"), None)
    return {
        "current_agent": active["agent"] if active else None,
        "execution_manager_state": manager(state, steps, "running"),
        "workflow_status": {"status": "running", "updated_at": now_iso()},
    }


def _collected(state: State) -> dict[str, Any]:
    steps = state.get("execution_steps") or []
    waiting = [q for q in state.get("questions") or () if not q["answered"]]
    status = "paused" if waiting else "running"
    return {
        "execution_manager_state": manager(state, steps, status),
        "agent_states": {task_id(s): agent_state(s, state) for s in steps if s["status"] in TERMINAL_STEPS},
        "progress_percentage": round(100 * progress(steps), 2),
        "workflow_status": {
            "status": status, "updated_at": now_iso(), "interrupted_by": waiting[0]["step_id"] if waiting else None,
        },
        "audit_trail": audit_steps(state, steps, task_id, RESULTS),
        "errors": [
            {"id": f["step_id"], "timestamp": now_iso(), "error": f["error"], "where": f["agent"], "task_id": None}
            for f in state.get("failures") or ()
        ],
    }  # fmt: skip


def _aggregated(state: State) -> dict[str, Any]:
    steps = state.get("execution_steps") or []
    done = [s for s in steps if s["status"] == "completed" or s.get("reused")]
    status = "completed" if done else "failed"
    results = manager(state, steps, status)
    results["final_results"] = {task_id(s): s.get("result") for s in done}
    results["aggregation_method"] = "sections_in_plan_order"
    after = cast(GlobalSessionState, {**state, "execution_manager_state": results, "current_phase": "executing"})
    return {
        "execution_manager_state": results,
        "current_phase": determine_next_phase(after),
        "current_agent": None,
        **counted(state),
    }


def counted(state: State) -> dict[str, Any]:
    """Tokens, calls and queries of the turn, from its measured usage."""
    usage = state.get("usage") or {}
    models = totals(usage.get("llm") or {})
    return {
        "total_tokens_used": models["total_tokens_used"],
        "api_calls_made": {**models["api_calls_made"], **(usage.get("api_calls") or {})},
        "db_queries_executed": int(usage.get("db_queries") or 0),
    }


def _responded(state: State) -> dict[str, Any]:
    response = state.get("response") or {}
    answer, request = response.get("answer"), state.get("request_id", "")
    said = [
        {"role": "user", "content": str(state.get("query") or ""), "timestamp": now_iso(), "request_id": request},
        {"role": "assistant", "content": str(answer or ""), "timestamp": now_iso(), "request_id": request},
    ]
    return {
        **counted(state),
        "final_response": answer,
        "conversation_history": said,
        "workflow_status": {"status": "completed", "updated_at": now_iso()},
        "response_metadata": {
            "type": response.get("type"),
            "sources": (response.get("structured_data") or {}).get("metadata", {}).get("sources", []),
        },
    }


def progress(steps: list[Mapping[str, Any]]) -> float:
    """Terminal tasks over planned ones; 0 when none is planned."""
    return sum(s["status"] in TERMINAL_STEPS for s in steps) / len(steps) if steps else 0.0


def manager(state: State, steps: list[Mapping[str, Any]], status: str) -> ExecutionManagerState:
    """How far the plan is, from its steps."""
    active = next((s["step_id"] for s in steps if s["status"] == "in_progress"), None)
    low = weak_results(state)
    done = [s for s in steps if s["status"] == "completed" or s.get("reused")]
    failed = [s for s in steps if s["status"] in TERMINAL_STEPS and s not in done]
    pending = [s for s in steps if s["status"] not in TERMINAL_STEPS]
    return ExecutionManagerState(
        current_plan={"strategy": (state.get("plan") or {}).get("strategy"), "steps": [s["step_id"] for s in steps]},
        active_step=active,
        execution_status=status,  # type: ignore[typeddict-item]
        execution_progress=progress(steps),
        completed_tasks=[_task(s, state) for s in done],
        pending_tasks=[Task(task_id=task_id(s), agent=s["agent"]) for s in pending],
        failed_tasks=[Task(task_id=task_id(s), agent=s["agent"], error=s.get("error")) for s in failed],
        quality_scores={task_id(s): q for s in done if (q := _quality(s, state)) is not None},
        validation_results={task_id(s): _result(s, state).get("quality_checks") or {} for s in done},
        need_replan=bool(low) and not pending and (state.get("replans") or 0) < MAX_REPLANS and status == "running",
        replan_reason=f"품질 {THRESHOLD} 미만: {', '.join(low)}" if low else None,
        replan_attempts=state.get("replans") or 0,
    )


def weak_results(state: State) -> list[str]:
    """The agents whose latest result is below the threshold and could do better on a second try."""
    tried = {s["agent"] for s in state.get("execution_steps") or () if s.get("attempts")}
    weak = []
    for name in ("DataAnalysisAgent", "InformationRetrievalAgent"):
        result = state.get(RESULTS[name]) or {}
        quality = result.get("confidence_score")
        if quality is not None and quality < THRESHOLD and name not in tried:
            weak.append(name)
    return weak


async def replan(state: State, _ctx: TurnContext) -> Revision | None:
    """Another try for results that were too weak."""
    ran = {s["agent"] for s in state.get("execution_steps") or () if s["status"] == "completed"}
    again = [StepRequest(name, description="다시 시도") for name in weak_results(state) if name in ran]
    return Revision(steps=again) if again else None


def _result(step: Mapping[str, Any], state: State) -> Mapping[str, Any]:
    return state.get(RESULTS[step["agent"]]) or {}


def _quality(step: Mapping[str, Any], state: State) -> float | None:
    found: float | None = _result(step, state).get("confidence_score")
    return found


def _task(step: Mapping[str, Any], state: State) -> Task:
    return Task(
        task_id=task_id(step),
        agent=step["agent"],
        result=step.get("result"),
        execution_time=step.get("execution_time"),
        quality_score=_quality(step, state),
    )


def agent_state(step: Mapping[str, Any], state: State) -> dict[str, Any]:
    """An agent's own state for its task; bulk stays in the agent's result field, named in `result`."""
    name = step["agent"]
    result = dict(_result(step, state)) if step["status"] == "completed" or step.get("reused") else {}
    if "raw_data" in result:
        result["raw_data"] = result["raw_data"][:SHOWN_ROWS]
    result["visualizations"] = [{**v, "image_url": None} for v in result.get("visualizations") or ()]
    if not result["visualizations"]:
        del result["visualizations"]
    for bulky in ("search_results", "draft_versions"):
        result.pop(bulky, None)
    if result.get("generated_document"):
        result["generated_document"] = {**result["generated_document"], "content": ""}
    return {
        **result,
        "task_id": task_id(step),
        "agent_name": name,
        "assigned_task": {"task": step["task"], "description": step["description"]},
        "execution_context": {"request_id": state.get("request_id"), "reused": bool(step.get("reused"))},
        "result": {"field": RESULTS[name], "summary": step.get("result")} if result else None,
        "execution_time": step.get("execution_time"),
        "error_message": step.get("error"),
        "error_type": next(
            (f["error_type"] for f in state.get("failures") or () if f["step_id"] == step["step_id"]), None
        ),
        "recovery_attempted": bool(step.get("attempts")),
        "start_time": step.get("started_at") or "",
        "end_time": step.get("completed_at"),
    }
