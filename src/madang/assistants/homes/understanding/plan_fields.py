"""The plan in the seed's form."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.homes.understanding.agent_defaults import TEAMS
from madang.state.steps import ExecutionStepState

State = Mapping[str, Any]


def plan_fields(_state: State, summary: Mapping[str, Any], steps: list[ExecutionStepState]) -> dict[str, Any]:
    """`planning_state` and `execution_plan` for a plan; how the question was read is already there."""
    teams = teams_of(steps)
    errors = validation_errors(steps)
    return {
        "planning_state": {
            "available_agents": [f"{team}_team" for team in TEAMS],
            "available_teams": list(TEAMS),
            "execution_steps": steps,
            "execution_strategy": summary["strategy"],
            "parallel_groups": summary["parallel_groups"],
            "plan_validated": not errors,
            "validation_errors": errors,
            "estimated_total_time": summary["estimated_total_time"],
        },
        "execution_plan": {
            "intent": summary["intent"],
            "strategy": summary["strategy"],
            "teams": teams,
            "steps": [step["step_id"] for step in steps],
            "parallel_groups": summary["parallel_groups"],
            "estimated_time": summary["estimated_total_time"],
        },
    }


def teams_of(steps: list[ExecutionStepState]) -> list[str]:
    """The teams of a plan in the order of the seeds."""
    planned = {step["team"] for step in steps}
    return [team for team in TEAMS if team in planned]


def validation_errors(steps: list[ExecutionStepState]) -> list[str]:
    """What is wrong with a plan: ids twice, or a step that waits for one that isn't there."""
    ids = [step["step_id"] for step in steps]
    errors = [f"{step_id} stands twice" for step_id in sorted({i for i in ids if ids.count(i) > 1})]
    for step in steps:
        errors += [f"{step['step_id']} waits for {d}" for d in step.get("depends_on", ()) if d not in ids]
    return errors
