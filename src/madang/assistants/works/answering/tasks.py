"""The tasks of a plan: which step is which, and what its agent wrote."""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from madang.assistants.works.agents import AGENTS
from madang.assistants.works.state.agents import BaseAgentState
from madang.graph import Agent
from madang.state.steps import TERMINAL_STEPS, ExecutionStepState

State = Mapping[str, Any]


@cache
def agent_of(name: str) -> Agent:
    """The agent of that name."""
    return next(agent for agent in AGENTS if agent.name == name)


def task_id(step: ExecutionStepState) -> str:
    """The task of a step: step_0 is task_001."""
    return f"task_{int(step['step_id'].rsplit('_', 1)[-1]) + 1:03d}"


def result_of(agent: str, state: State) -> BaseAgentState:
    """What the agent wrote in this turn; empty before it has."""
    return cast(BaseAgentState, state.get(agent_of(agent).writes[0]) or {})


def is_done(step: ExecutionStepState) -> bool:
    """Whether the step has its result, computed now or kept."""
    return step["status"] == "completed" or bool(step.get("reused"))


def has_ended(step: ExecutionStepState) -> bool:
    return step["status"] in TERMINAL_STEPS
