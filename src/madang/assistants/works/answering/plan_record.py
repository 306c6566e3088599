"""The plan of a turn in the seed's form."""

from madang.assistants.works.answering.tasks import agent_of, task_id
from madang.assistants.works.state import MAX_REPLANS, GlobalSessionState
from madang.assistants.works.state.stages import PlannedStep, PlanningState
from madang.assistants.works.tools.quality import THRESHOLD
from madang.state.steps import ExecutionStepState

RETRIED = ("DataAnalysisAgent", "InformationRetrievalAgent")
"""The agents that may find more on a second try."""


def planning_state(state: GlobalSessionState, steps: list[ExecutionStepState]) -> PlanningState:
    """Steps that run together are one step with several agents. What nothing measures is null."""
    tasks = {step["step_id"]: task_id(step) for step in steps}
    levels = _levels(steps)
    analyzer = state.get("query_analyzer_state") or {}
    return {
        "analyzed_query": {"raw_query": analyzer.get("raw_query"), "semantic_query": analyzer.get("semantic_query")},
        "execution_plan": [_planned_step(i, level) for i, level in enumerate(levels)],
        "task_dependencies": {tasks[s["step_id"]]: [tasks[d] for d in s["depends_on"]] for s in steps},
        "dependency_graph": {
            "nodes": list(tasks.values()),
            "edges": [[tasks[d], tasks[s["step_id"]]] for s in steps for d in s["depends_on"]],
        },
        "resource_requirements": {"cpu_cores": None, "memory_gb": None, "api_calls": None, "db_connections": None},
        "estimated_steps": len(steps),
        "priority_order": list(tasks.values()),
        "parallel_opportunities": [[tasks[s["step_id"]] for s in level] for level in levels if len(level) > 1],
        "fallback_plans": [
            {
                "trigger": f"{name}.quality < {THRESHOLD}",
                "agents": [name],
                "description": "가까운 이름이나 넓은 검색으로 다시 실행",
            }
            for name in dict.fromkeys(s["agent"] for s in steps)
            if name in RETRIED
        ],
        "contingency_triggers": {"quality_below": THRESHOLD, "max_replans": MAX_REPLANS},
    }


def _planned_step(number: int, level: list[ExecutionStepState]) -> PlannedStep:
    agents = [agent_of(step["agent"]) for step in level]
    return {
        "step_id": f"step_{number + 1}",
        "agents": [agent.name for agent in agents],
        "parallel": len(agents) > 1,
        "timeout": max(agent.timeout for agent in agents),
        "retry_count": max(agent.retries for agent in agents),
        "dependencies": [f"step_{number}"] if number else [],
        "checkpoint": True,
    }


def _levels(steps: list[ExecutionStepState]) -> list[list[ExecutionStepState]]:
    done: set[str] = set()
    levels: list[list[ExecutionStepState]] = []
    rest = list(steps)
    while rest:
        ready = [s for s in rest if done.issuperset(s["depends_on"])] or rest
        levels.append(ready)
        done |= {s["step_id"] for s in ready}
        rest = [s for s in rest if s["step_id"] not in done]
    return levels
