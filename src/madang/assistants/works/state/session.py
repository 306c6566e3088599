"""The state of a whole `works` conversation."""

from typing import Annotated, Any, Literal

from typing_extensions import TypedDict

from madang.assistants.works.state.agents import (
    AccountReviewAgentState,
    AgentState,
    ChangeAnalysisAgentState,
    ComplianceValidationAgentState,
    DataAnalysisAgentState,
    DocumentGenerationAgentState,
    FurtherResult,
    InformationRetrievalAgentState,
    StorageDecisionAgentState,
)
from madang.assistants.works.state.documents import (
    AccountRequest,
    AnalysisView,
    ComplianceInput,
    Document,
    DocumentInput,
    Finding,
    LastResult,
    ShowRequest,
)
from madang.assistants.works.state.semantic_query import Asked, SemanticQuery
from madang.assistants.works.state.stages import (
    ExecutionManagerState,
    PlanningState,
    QueryAnalyzerState,
    merge_execution,
)
from madang.graph.state import TurnState
from madang.state.fields import SENSITIVE, Turn
from madang.state.migrations import Migrations
from madang.state.reducers import append, merge_by_id, merge_by_key, merge_steps
from madang.state.steps import ExecutionStepState

SCHEMA_VERSION = "1.0"
MIGRATIONS = Migrations(SCHEMA_VERSION)

Phase = Literal["analyzing", "clarifying", "planning", "executing", "completed", "failed"]


class Utterance(TypedDict, total=False):
    role: str
    content: str
    timestamp: str
    request_id: str


class ErrorEntry(TypedDict, total=False):
    """Something that went wrong; `id` tells it from the others."""

    id: str
    timestamp: str
    error: str
    where: str | None
    task_id: str | None


class WarningEntry(TypedDict, total=False):
    timestamp: str
    message: str
    where: str | None


class AuditEntry(TypedDict, total=False):
    """Who asked what, which data was read, and why it was decided so."""

    timestamp: str
    request_id: str
    user_id: Annotated[str, SENSITIVE]
    company_id: str
    action: str
    agent: str | None
    task_id: str | None
    query: str | None
    data_read: list[str]
    decision: str | None
    reason: str | None


class WorkflowStatus(TypedDict, total=False):
    """The turn's run: `paused` while it waits for the user."""

    status: str
    started_at: str | None
    updated_at: str | None
    interrupted_by: str | None


class Response(TypedDict, total=False):
    """The response of the turn; its `answer` is `final_response`."""

    type: str
    answer: str
    structured_data: dict[str, Any]
    teams_used: list[str]
    data: dict[str, Any]


class OpenQuestion(TypedDict, total=False):
    """What a clarifying question already knew, so that the answer completes it."""

    field: str
    choices: list[str]
    partial: SemanticQuery | None
    accounts: AccountRequest


class Speaker(TypedDict, total=False):
    """Who writes, as they said themselves; a linked user is known without."""

    rep: str
    team: str
    branch: str


class GlobalSessionState(TurnState, total=False):
    """The whole conversation. Counts of tokens, calls and queries are of the turn, taken from its measured usage.

    The requests are what a turn's agents work on, written by understanding; each agent's result is in the field of
    its own name, and in `agent_states` by task without its bulk.
    """

    user_id: Annotated[str, SENSITIVE]
    company_id: str
    conversation_history: Annotated[list[Utterance], append]
    audit_trail: Annotated[list[AuditEntry], append]
    loaded_memories: Annotated[list[dict[str, Any]] | None, SENSITIVE]
    user_preferences: Annotated[dict[str, Any] | None, SENSITIVE]
    memory_load_time: str | None

    last_query: SemanticQuery | None
    last_intent: str | None
    last_document: Document | None
    last_stored: str | None
    """Title and version of what was kept last."""
    open_question: OpenQuestion | None
    speaker: Speaker | None
    guide_topics: list[str]
    """What the turn's answer tells beside its figures: topics of the guide."""
    account_request: AccountRequest | None
    last_accounts: AccountRequest | None
    asked: Annotated[Asked, merge_by_key]
    last_result: LastResult | None
    findings: list[Finding]
    analysis_query: SemanticQuery | None
    further_queries: list[SemanticQuery]
    analysis_view: AnalysisView | None
    why_query: SemanticQuery | None
    show_request: ShowRequest | None
    search_request: str | None
    document_request: DocumentInput | None
    compliance_request: ComplianceInput | None
    storage_request: Document | None

    account_review: Annotated[AccountReviewAgentState | None, Turn(None)]
    change_analysis: Annotated[ChangeAnalysisAgentState | None, Turn(None)]
    query_results: Annotated[list[FurtherResult], Turn(list), append]
    data_analysis: Annotated[DataAnalysisAgentState | None, Turn(None)]
    information_retrieval: Annotated[InformationRetrievalAgentState | None, Turn(None)]
    document_generation: Annotated[DocumentGenerationAgentState | None, Turn(None)]
    compliance_validation: Annotated[ComplianceValidationAgentState | None, Turn(None)]
    storage_decision: Annotated[StorageDecisionAgentState | None, Turn(None)]

    current_phase: Annotated[Phase, Turn("analyzing")]
    current_agent: Annotated[str | None, Turn(None)]
    workflow_status: Annotated[WorkflowStatus, Turn(dict), merge_by_key]
    iteration_count: Annotated[int, Turn(0)]
    execution_steps: Annotated[list[ExecutionStepState], Turn(list), merge_steps]
    progress_percentage: Annotated[float, Turn(0.0)]

    total_tokens_used: Annotated[int, Turn(0)]
    api_calls_made: Annotated[dict[str, int], Turn(dict)]
    db_queries_executed: Annotated[int, Turn(0)]

    query_analyzer_state: Annotated[QueryAnalyzerState | None, Turn(None)]
    planning_state: Annotated[PlanningState | None, Turn(None)]
    execution_manager_state: Annotated[ExecutionManagerState | None, Turn(None), merge_execution]
    agent_states: Annotated[dict[str, AgentState], Turn(dict), merge_by_key]

    final_response: Annotated[str | None, Turn(None)]
    response: Annotated[Response | None, Turn(None)]
    response_metadata: Annotated[dict[str, Any], Turn(dict), merge_by_key]

    errors: Annotated[list[ErrorEntry], Turn(list), merge_by_id("id")]
    warnings: Annotated[list[WarningEntry], Turn(list), append]
