"""Level 1: how a question is understood, planned and carried out."""

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.errors import FieldProblem, InvalidState
from madang.state.reducers import merge_by_key, merge_fields


class Intent(TypedDict):
    """What is wanted. The confidence is null where a pattern decides: it fits or it doesn't."""

    intent: str
    confidence: float | None


class Entity(TypedDict, total=False):
    """Something that the question names. A name that isn't in the data keeps `value` as typed, without a code."""

    type: str
    value: str
    normalized: str | None
    code: str | None
    column: str | None


class Ambiguity(TypedDict, total=False):
    """What must be asked before going on."""

    field: str
    text: str
    question: str
    choices: list[str]


class ContextRequirements(TypedDict, total=False):
    need_auth: bool
    data_scope: str


class Feasibility(TypedDict, total=False):
    """Null where nothing has measured it yet."""

    data_available: bool | None
    permission_granted: bool | None
    estimated_time: float | None
    resource_status: str | None


class UserContext(TypedDict, total=False):
    """Who asks, when, and whether the question goes on from the one before."""

    user_id: str
    company_id: str
    today: str
    followed: bool


class QueryAnalyzerState(TypedDict, total=False):
    """What was asked."""

    raw_query: str
    query_timestamp: str
    user_context: UserContext
    parsed_intents: list[Intent]
    required_capabilities: list[str]
    complexity_score: float | None
    suggested_agents: list[str]
    context_requirements: ContextRequirements
    extracted_entities: list[Entity]
    ambiguities: list[Ambiguity]
    clarification_needed: bool
    feasibility_check: Feasibility
    semantic_query: SemanticQuery | None


class PlannedStep(TypedDict, total=False):
    """One step of the plan; each of its agents is one task."""

    step_id: str
    agents: list[str]
    parallel: bool
    timeout: float | None
    retry_count: int
    dependencies: list[str]
    checkpoint: bool


class DependencyGraph(TypedDict, total=False):
    """Tasks, and pairs of (needed, needing) tasks."""

    nodes: list[str]
    edges: list[list[str]]


class ResourceRequirements(TypedDict, total=False):
    cpu_cores: int | None
    memory_gb: float | None
    api_calls: dict[str, int] | None
    db_connections: int | None


class FallbackPlan(TypedDict, total=False):
    trigger: str
    agents: list[str]
    description: str


class AnalyzedQuery(TypedDict, total=False):
    """What the plan is for."""

    raw_query: str | None
    semantic_query: SemanticQuery | None


class ContingencyTriggers(TypedDict, total=False):
    """When a result is tried again, and how often at most."""

    quality_below: float
    max_replans: int


class PlanningState(TypedDict, total=False):
    """What will be done."""

    analyzed_query: AnalyzedQuery
    execution_plan: list[PlannedStep]
    task_dependencies: dict[str, list[str]]
    dependency_graph: DependencyGraph
    resource_requirements: ResourceRequirements
    estimated_steps: int
    priority_order: list[str]
    parallel_opportunities: list[list[str]]
    fallback_plans: list[FallbackPlan]
    contingency_triggers: ContingencyTriggers


class Task(TypedDict, total=False):
    """A task of the plan, before or after it ran."""

    task_id: str
    agent: str
    result: Any
    execution_time: float | None
    quality_score: float | None
    error: str | None


class CurrentPlan(TypedDict, total=False):
    strategy: str | None
    steps: list[str]


ExecutionStatus = Literal["initializing", "running", "paused", "completed", "failed"]


class ExecutionManagerState(TypedDict, total=False):
    """How far it is."""

    current_plan: CurrentPlan
    active_step: str | None
    execution_status: ExecutionStatus
    execution_progress: float
    completed_tasks: list[Task]
    pending_tasks: list[Task]
    failed_tasks: list[Task]
    quality_scores: dict[str, float]
    validation_results: dict[str, dict[str, float]]
    need_replan: bool
    replan_reason: str | None
    replan_attempts: int
    final_results: dict[str, Any] | None
    aggregation_method: str | None


TASK_LISTS = ("completed_tasks", "pending_tasks", "failed_tasks")


def merge_execution(left: Mapping[str, Any] | None, right: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Fields of both, the later write wins; scores and checks by key; a task is in the list it was last put into.

    `None` changes nothing. Associative. Raises `InvalidState` for a task without an id.
    """
    merged = merge_fields(left, right, dict.fromkeys(("quality_scores", "validation_results"), merge_by_key))
    if merged is None or left is None or right is None:
        return merged
    moved = {_task_id(task) for name in TASK_LISTS for task in right.get(name) or ()}
    for name in TASK_LISTS:
        if name in merged:
            stayed = [task for task in left.get(name) or () if _task_id(task) not in moved]
            merged[name] = [*stayed, *(right.get(name) or ())]
    return merged


def _task_id(task: Mapping[str, Any]) -> str:
    task_id = task.get("task_id")
    if not isinstance(task_id, str):
        raise InvalidState([FieldProblem("task_id", "missing")])
    return task_id
