"""The tasks of a plan: which step is which, and what its agent wrote."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from madang.assistants.works.agents import AGENTS
from madang.graph import Agent
from madang.state.size import is_reference
from madang.state.steps import TERMINAL_STEPS, ExecutionStepState

State = Mapping[str, Any]


@cache
def agent_of(name: str) -> Agent:
    """The agent of that name."""
    return next(agent for agent in AGENTS if agent.name == name)


def task_id(step: ExecutionStepState) -> str:
    """The task of a step: step_0 is task_001."""
    return f"task_{int(step['step_id'].rsplit('_', 1)[-1]) + 1:03d}"


def result_of(agent: str, state: State) -> dict[str, Any]:
    """What the agent wrote in this turn; empty before it has, and where it was too large for the state."""
    return readable(state.get(agent_of(agent).writes[0]))


def readable(value: Any) -> dict[str, Any]:
    """A value of the state, or nothing where only a reference to it is there."""
    if isinstance(value, list):
        return {"results": value}
    return {} if value is None or is_reference(value) else dict(value)


def is_done(step: ExecutionStepState) -> bool:
    """Whether the step has its result, computed now or kept."""
    return step["status"] == "completed" or bool(step.get("reused"))


def has_ended(step: ExecutionStepState) -> bool:
    return step["status"] in TERMINAL_STEPS
