"""Which phase of a turn follows which, and what a finished task changes."""

from collections.abc import Mapping
from typing import Any, cast, get_args

from madang.assistants.works.state.agents import BaseAgentState
from madang.assistants.works.state.session import GlobalSessionState, Phase
from madang.assistants.works.state.stages import ExecutionManagerState, Task, merge_execution
from madang.errors import FieldProblem, InvalidState

MAX_ANALYSES = 3
MAX_REPLANS = 3


def determine_next_phase(state: GlobalSessionState) -> Phase:
    """The phase that follows. Raises `InvalidState` for a phase that doesn't exist.

    Never loops for ever: after `MAX_ANALYSES` analyses (`iteration_count`) without a plan the turn has failed; after
    `MAX_REPLANS` re-plans it completes with what there is, or has failed if there is nothing.
    """
    phase = state.get("current_phase", "analyzing")
    if phase == "analyzing":
        return _after_analysis(state)
    if phase == "clarifying":
        return "completed" if _clarification_needed(state) else "analyzing"
    if phase == "planning":
        plan = (state.get("planning_state") or {}).get("execution_plan")
        return "executing" if plan else _analyse_again(state)
    if phase == "executing":
        return _after_execution(state.get("execution_manager_state") or {})
    if phase not in get_args(Phase):
        raise InvalidState([FieldProblem("current_phase", f"no phase {phase!r}", ", ".join(get_args(Phase)))])
    return phase


def merge_agent_results(
    global_state: GlobalSessionState, agent_state: BaseAgentState, agent_name: str
) -> GlobalSessionState:
    """The state after an agent has ended its task: a new value, the given ones stay as they are.

    Its state is kept under its task's id, the task is in one list only, progress follows. Raises `InvalidState` for an
    agent state without a task id.
    """
    return cast(GlobalSessionState, {**global_state, **task_update(global_state, agent_state, agent_name)})


def task_update(state: Mapping[str, Any], agent_state: BaseAgentState, agent_name: str) -> dict[str, Any]:
    """The fields that change when an agent has ended its task."""
    task_id = agent_state.get("task_id")
    if not task_id:
        raise InvalidState([FieldProblem("task_id", "missing")])
    ended = _ended(agent_state, task_id, agent_name)
    manager = merge_execution(state.get("execution_manager_state") or _idle(), ended) or {}
    fraction = progress_of(state, manager)
    return {
        "agent_states": {**(state.get("agent_states") or {}), task_id: {**agent_state, "agent_name": agent_name}},
        "execution_manager_state": {**manager, "execution_progress": fraction},
        "progress_percentage": 100.0 * fraction,
    }


def progress_of(state: Mapping[str, Any], manager: Mapping[str, Any]) -> float:
    """Terminal tasks in proportion to planned tasks, from 0 to 1; 0 when none is planned."""
    plan = (state.get("planning_state") or {}).get("execution_plan") or []
    planned = sum(len(step.get("agents") or [""]) for step in plan)
    terminal = len(manager.get("completed_tasks") or []) + len(manager.get("failed_tasks") or [])
    return min(1.0, terminal / planned) if planned else 0.0


def _after_analysis(state: GlobalSessionState) -> Phase:
    if state.get("query_analyzer_state") is None:
        return _analyse_again(state)
    return "clarifying" if _clarification_needed(state) else "planning"


def _analyse_again(state: GlobalSessionState) -> Phase:
    return "analyzing" if state.get("iteration_count", 0) < MAX_ANALYSES else "failed"


def _clarification_needed(state: GlobalSessionState) -> bool:
    return bool((state.get("query_analyzer_state") or {}).get("clarification_needed"))


def _after_execution(manager: ExecutionManagerState) -> Phase:
    if manager.get("need_replan"):
        if manager.get("replan_attempts", 0) < MAX_REPLANS:
            return "planning"
        return "completed" if manager.get("completed_tasks") else "failed"
    status = manager.get("execution_status")
    return "completed" if status == "completed" else "failed" if status == "failed" else "executing"


def _ended(agent_state: BaseAgentState, task_id: str, agent_name: str) -> ExecutionManagerState:
    task = Task(task_id=task_id, agent=agent_name, execution_time=agent_state.get("execution_time"))
    if error := agent_state.get("error_message"):
        return {"failed_tasks": [{**task, "error": error}]}
    quality = agent_state.get("confidence_score")
    completed: ExecutionManagerState = {
        "completed_tasks": [{**task, "result": agent_state.get("result"), "quality_score": quality}]
    }
    return completed if quality is None else {**completed, "quality_scores": {task_id: quality}}


def _idle() -> ExecutionManagerState:
    return ExecutionManagerState(
        execution_status="running",
        completed_tasks=[],
        pending_tasks=[],
        failed_tasks=[],
        quality_scores={},
        need_replan=False,
        replan_attempts=0,
    )
