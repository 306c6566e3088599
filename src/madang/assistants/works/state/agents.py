"""Level 2: the state of each agent that carries out a task."""

from typing import Any, Literal

from typing_extensions import TypedDict


class ResourceUsage(TypedDict, total=False):
    """Measured, or absent."""

    rows_read: int
    db_queries: int
    tokens: int
    api_calls: int
    bytes: int


class BaseAgentState(TypedDict, total=False):
    """What every agent's state holds. Scores and times are null until they are known."""

    task_id: str
    agent_name: str
    assigned_task: dict[str, Any]
    execution_context: dict[str, Any]
    result: Any
    confidence_score: float | None
    execution_time: float | None
    error_message: str | None
    error_type: str | None
    recovery_attempted: bool
    start_time: str
    end_time: str | None
    resource_usage: ResourceUsage
    quality_checks: dict[str, float]


class Visualization(TypedDict, total=False):
    """A chart: its data and how it is drawn."""

    type: str
    title: str
    data: dict[str, Any]
    config: dict[str, Any]
    image_url: str | None


class DataAnalysisAgentState(BaseAgentState, total=False):
    """Questions over sales data."""

    generated_queries: list[str]
    query_execution_plans: list[dict[str, Any]]
    raw_data: list[dict[str, Any]]
    processed_data: dict[str, Any]
    statistics: dict[str, Any]
    visualizations: list[Visualization]
    cache_key: str | None
    cache_hit: bool


class InformationRetrievalAgentState(BaseAgentState, total=False):
    """Records, documents and rules that answer a question."""

    search_queries: list[str]
    search_sources: list[str]
    search_results: dict[str, list[dict[str, Any]]]
    relevance_scores: dict[str, float]
    filtered_results: list[dict[str, Any]]
    sources: list[dict[str, Any]]
    citations: list[str]


class GeneratedDocument(TypedDict, total=False):
    content: str
    format: str
    metadata: dict[str, Any]
    file_path: str | None


class DraftVersion(TypedDict, total=False):
    version: int
    content: str
    created_at: str
    note: str | None


class DocumentGenerationAgentState(BaseAgentState, total=False):
    """A report or a request form. `document_id` and the place are null until it is stored."""

    document_type: str
    template_id: str | None
    form_data: dict[str, Any]
    source_data: list[dict[str, Any]]
    draft_versions: list[DraftVersion]
    current_version: int
    generated_document: GeneratedDocument | None
    document_id: str | None
    title: str
    compliance_text: str
    storage_location: str | None
    document_url: str | None


class RuleResult(TypedDict, total=False):
    """One rule applied. A rule that can't be read is `unverified`, never `pass`."""

    rule: str
    title: str
    status: Literal["pass", "violation", "unverified"]
    confidence: float | None
    details: str
    severity: str
    citation: str
    as_of: str
    missing: str | None


class Violation(TypedDict, total=False):
    rule: str
    severity: Literal["low", "medium", "high", "critical"]
    text: str
    details: str
    penalty: int


class Modification(TypedDict, total=False):
    rule: str
    text: str
    suggestion: str


class ComplianceValidationAgentState(BaseAgentState, total=False):
    """Whether something may be done, by rule. `risk_level` is null until the rules have been applied."""

    validation_target: dict[str, Any]
    validation_type: str
    applied_rules: list[str]
    validation_results: list[RuleResult]
    violations: list[Violation]
    risk_level: Literal["low", "medium", "high", "critical"] | None
    score: int | None
    passed: bool | None
    status: Literal["pass", "violation", "unverified"] | None
    recommendations: list[str]
    required_modifications: list[Modification]


class SchemaMapping(TypedDict, total=False):
    target_table: str | None
    field_mappings: dict[str, Any]
    transformation_rules: list[Any]


class StorageDecisionAgentState(BaseAgentState, total=False):
    """Where something is kept. The decision is null until it has been made."""

    data_to_store: dict[str, Any]
    data_type: str
    data_size: int
    storage_decision: Literal["structured_db", "vector_db", "unstructured_db", "hybrid"] | None
    decision_reasoning: str | None
    schema_mapping: SchemaMapping
    storage_status: Literal["pending", "in_progress", "completed", "failed"]
    stored_location: str | None
    storage_metadata: dict[str, Any]


AgentState = (
    DataAnalysisAgentState
    | InformationRetrievalAgentState
    | DocumentGenerationAgentState
    | ComplianceValidationAgentState
    | StorageDecisionAgentState
    | BaseAgentState
)
