"""How the question was understood, and the plan made from it."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from madang.state.reducers import merge_fields, merge_steps
from madang.state.steps import ExecutionStepState


class AnalyzedIntent(TypedDict, total=False):
    """`intent_type` is a lower-case code such as `legal_consult`; `entities` are by kind ("금액", "계약유형", …)."""

    intent_type: str
    confidence: float
    keywords: list[str]
    entities: dict[str, list[str]]
    reasoning: str | None


class PlanningState(TypedDict, total=False):
    """The plan. Steps write the parts that they change; `merge_planning` puts them together."""

    raw_query: str
    analyzed_intent: AnalyzedIntent
    intent_confidence: float
    available_agents: list[str]
    available_teams: list[str]
    execution_steps: list[ExecutionStepState]
    execution_strategy: str
    parallel_groups: list[list[str]] | None
    plan_validated: bool
    validation_errors: list[str]
    estimated_total_time: float | None


class ExecutionPlan(TypedDict, total=False):
    """The plan in short: teams in order, and which steps may run side by side."""

    intent: str
    strategy: str
    teams: list[str]
    steps: list[str]
    parallel_groups: list[list[str]] | None
    estimated_time: float | None


def merge_planning(left: Mapping[str, Any] | None, right: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Fields of both, the later write wins, and the steps merged by id. `None` changes nothing. Associative."""
    return merge_fields(left, right, {"execution_steps": merge_steps})
