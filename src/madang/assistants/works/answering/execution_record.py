"""How far a plan is, in the seed's form: tasks, quality, and each agent's own state."""

from typing import Any

from madang.assistants.works.answering.plan_record import RETRIED
from madang.assistants.works.answering.tasks import State, agent_of, has_ended, is_done, readable, result_of, task_id
from madang.assistants.works.state import MAX_REPLANS
from madang.assistants.works.state.stages import ExecutionManagerState, ExecutionStatus, Task
from madang.assistants.works.tools.quality import THRESHOLD
from madang.state.size import SIZE_LIMIT, measure
from madang.state.steps import ExecutionStepState, summarise

SHOWN_ROWS = 20
BULKY = ("search_results", "draft_versions")


def progress(steps: list[ExecutionStepState]) -> float:
    """Ended tasks over planned ones; 0 when none is planned."""
    return sum(map(has_ended, steps)) / len(steps) if steps else 0.0


def manager_state(state: State, steps: list[ExecutionStepState], status: ExecutionStatus) -> ExecutionManagerState:
    """How far the plan is, from its steps."""
    weak = weak_results(state)
    done = [s for s in steps if is_done(s)]
    failed = [s for s in steps if has_ended(s) and not is_done(s)]
    pending = [s for s in steps if not has_ended(s)]
    tasks = [_task(s, state) for s in done]
    return {
        "current_plan": {"strategy": (state.get("plan") or {}).get("strategy"), "steps": [s["step_id"] for s in steps]},
        "active_step": next((s["step_id"] for s in steps if s["status"] == "in_progress"), None),
        "execution_status": status,
        "execution_progress": progress(steps),
        "completed_tasks": tasks,
        "pending_tasks": [{"task_id": task_id(s), "agent": s["agent"]} for s in pending],
        "failed_tasks": [{"task_id": task_id(s), "agent": s["agent"], "error": s["error"]} for s in failed],
        "quality_scores": {t["task_id"]: q for t in tasks if (q := t["quality_score"]) is not None},
        "validation_results": {task_id(s): result_of(s["agent"], state).get("quality_checks", {}) for s in done},
        "need_replan": bool(weak) and not pending and (state.get("replans") or 0) < MAX_REPLANS and status == "running",
        "replan_reason": f"품질 {THRESHOLD} 미만: {', '.join(weak)}" if weak else None,
        "replan_attempts": state.get("replans") or 0,
    }


def weak_results(state: State) -> list[str]:
    """The agents whose latest result is below the threshold and could do better on a second try."""
    tried = {s["agent"] for s in state.get("execution_steps") or () if s.get("attempts")}
    scores = {name: result_of(name, state).get("confidence_score") for name in RETRIED if name not in tried}
    return [name for name, quality in scores.items() if quality is not None and quality < THRESHOLD]


def _task(step: ExecutionStepState, state: State) -> Task:
    return {
        "task_id": task_id(step),
        "agent": step["agent"],
        "result": step["result"],
        "execution_time": step.get("execution_time"),
        "quality_score": result_of(step["agent"], state).get("confidence_score"),
    }


def agent_state(step: ExecutionStepState, state: State) -> dict[str, Any]:
    """An agent's own state for its task; bulk stays in the agent's result field, named in `result`."""
    written: dict[str, Any] = {**result_of(step["agent"], state)} if is_done(step) else {}
    kept = {name: value for name, value in written.items() if name not in BULKY}
    if isinstance(rows := kept.get("raw_data"), list):
        kept["raw_data"] = rows[:SHOWN_ROWS]
    if isinstance(charts := kept.get("visualizations"), list):
        kept["visualizations"] = [{**chart, "image_url": None} for chart in charts]
    if document := readable(kept.get("generated_document")):
        kept["generated_document"] = {**document, "content": ""}
    failures = {f["step_id"]: f["error_type"] for f in state.get("failures") or ()}
    field = agent_of(step["agent"]).writes[0]
    large = [name for name, size in measure(kept).items() if size > SIZE_LIMIT]
    kept |= {name: {"field": f"{field}.{name}", "summary": summarise(kept[name])} for name in large}
    return {
        **kept,
        "task_id": task_id(step),
        "agent_name": step["agent"],
        "assigned_task": {"task": step["task"], "description": step["description"]},
        "execution_context": {"request_id": state.get("request_id", ""), "reused": bool(step.get("reused"))},
        "result": {"field": field, "summary": step["result"]} if written else None,
        "execution_time": step.get("execution_time"),
        "error_message": step["error"],
        "error_type": failures.get(step["step_id"]),
        "recovery_attempted": bool(step.get("attempts")),
        "start_time": step["started_at"] or "",
        "end_time": step["completed_at"],
    }
