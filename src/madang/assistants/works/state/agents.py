"""Level 2: the state of each agent that carries out a task."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from madang.assistants.works.state.documents import Document, FormValues, TextInput
from madang.assistants.works.state.semantic_query import SemanticQuery

Cell = str | int | float | bool | None
Row = dict[str, Cell]


class ResourceUsage(TypedDict, total=False):
    """Measured, or absent."""

    rows_read: int
    db_queries: int
    tokens: int
    api_calls: int
    bytes: int


class AssignedTask(TypedDict, total=False):
    task: str
    description: str


class ExecutionContext(TypedDict, total=False):
    """The turn of the task; `reused` when its result was kept from an earlier one."""

    request_id: str
    reused: bool


class BaseAgentState(TypedDict, total=False):
    """What every agent's state holds. Scores and times are null until they are known."""

    task_id: str
    agent_name: str
    assigned_task: AssignedTask
    execution_context: ExecutionContext
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


class Column(TypedDict):
    """A column of a result: what it holds, as people call it. A dimension has no unit."""

    name: str
    label: str
    unit: str


class ChartSeries(TypedDict):
    name: str
    values: list[float]


class ChartData(TypedDict):
    """What is drawn; of a comparison, both periods as `series`."""

    labels: list[str]
    values: list[float]
    metric: str
    label: str
    unit: str
    series: NotRequired[list[ChartSeries]]


class ChartConfig(TypedDict):
    """Its size, and how many rows of how many are drawn."""

    width: int
    height: int
    shown: int
    of: int


class Visualization(TypedDict, total=False):
    """A chart: its data and how it is drawn."""

    type: str
    title: str
    data: ChartData
    config: ChartConfig
    image_url: str | None


class UnknownName(TypedDict):
    """A name that is not in the data, and the nearest that is."""

    field: str
    value: str
    nearest: str | None


class Alternative(TypedDict):
    """The result for the nearest known names."""

    heading: str
    answer: str
    rows: list[Row]


class ProcessedData(TypedDict, total=False):
    """A result in words, and what it rests on."""

    heading: str
    answer: str
    period: str
    compare_period: str | None
    columns: list[Column]
    row_count: int
    truncated: bool
    unknown: list[UnknownName]
    notes: list[str]
    tables: list[str]
    data_version: str
    sample: bool
    alternative: Alternative
    further: list["FurtherResult"]
    sentence: str
    table: str


class FurtherResult(TypedDict):
    """The answer to another question of the same message."""

    heading: str
    answer: str
    columns: list[Column]
    rows: list[Row]


Statistics = dict[str, int | dict[str, int | float]]
"""The number of rows, and for each column of numbers its mean, median, least, most and sum."""


class DataAnalysisAgentState(BaseAgentState, total=False):
    """Questions over sales data."""

    generated_queries: list[str]
    query_execution_plans: list[dict[str, Any]]
    raw_data: list[Row]
    processed_data: ProcessedData
    statistics: Statistics
    visualizations: list[Visualization]
    cache_key: str | None
    cache_hit: bool


class Contribution(TypedDict):
    """How much one value of a dimension moved, and its share of the whole change."""

    dimension: str
    value: str
    before: float
    after: float
    change: float
    share: float | None


class ChangeAnalysisAgentState(BaseAgentState, total=False):
    """Why a figure moved: the whole change, and what it is made of by each dimension, the largest first."""

    metric: str
    heading: str
    answer: str
    period: str
    compare_period: str
    before: float
    after: float
    change: float
    effects: dict[str, int] | None
    contributions: list[Contribution]
    visualizations: list[Visualization]
    generated_queries: list[str]
    data_version: str


class AccountReviewAgentState(BaseAgentState, total=False):
    """Customers with what they buy and when they were seen, as words and as rows."""

    kind: str
    heading: str
    sentence: str
    answer: str
    columns: list[str]
    rows: list[list[str]]
    row_count: int
    period: str
    data_version: str


class HitSource(TypedDict):
    id: str
    title: str
    source: str
    as_of: str


class Hit(HitSource):
    """One thing found."""

    content: str
    score: float
    citation: str
    kind: str


class InformationRetrievalAgentState(BaseAgentState, total=False):
    """Records, documents and rules that answer a question."""

    search_queries: list[str]
    search_sources: list[str]
    search_results: dict[str, list[Hit]]
    relevance_scores: dict[str, float]
    filtered_results: list[Hit]
    sources: list[HitSource]
    citations: list[str]


class DocumentFormats(TypedDict):
    """The forms in which it was made, and those that couldn't be, with the reason."""

    formats: list[str]
    skipped: dict[str, str]


class GeneratedDocument(TypedDict, total=False):
    content: str
    format: str
    metadata: DocumentFormats
    file_path: str | None


class DocumentSource(TypedDict):
    """A result that a document was made from: its field, what it is about, and of which data."""

    field: str
    title: str
    version: str


class DraftVersion(TypedDict, total=False):
    version: int
    content: str
    created_at: str
    note: str | None


class DocumentGenerationAgentState(BaseAgentState, total=False):
    """A report or a request form. `document_id` and the place are null until it is stored."""

    document_type: str
    template_id: str | None
    form_data: FormValues
    source_data: list[DocumentSource]
    draft_versions: list[DraftVersion]
    current_version: int
    generated_document: GeneratedDocument | None
    document_id: str | None
    title: str
    compliance_text: str
    missing: list[str]
    query: SemanticQuery | None
    wish: TextInput | None
    storage_location: str | None
    document_url: str | None


Severity = Literal["low", "medium", "high", "critical"]
RuleStatus = Literal["pass", "violation", "unverified"]


class RuleResult(TypedDict, total=False):
    """One rule applied. A rule that can't be read is `unverified`, never `pass`.

    `facts` are those that it rests on, none when it rests on nothing being said; `confidence` is the share of the
    facts it needs that the text states.
    """

    rule: str
    title: str
    status: RuleStatus
    confidence: float | None
    details: str
    facts: list[str]
    severity: Severity
    citation: str
    as_of: str
    missing: str | None


class Violation(TypedDict, total=False):
    rule: str
    severity: Severity
    text: str
    details: str
    penalty: int


class Modification(TypedDict, total=False):
    rule: str
    text: str
    suggestion: str


class BenefitGiven(TypedDict):
    kind: str
    text: str
    each: int | None
    total: int | None


class ValidationTarget(TypedDict, total=False):
    """The text that was judged, and the facts that were read from it."""

    text: str
    setting: str
    people: int | None
    date: str | None
    customer: str | None
    benefits: list[BenefitGiven]
    quoted: list[str]


class JudgedSituation(TypedDict):
    """A further situation of the same message, judged by itself."""

    text: str
    status: RuleStatus
    results: list[RuleResult]


class ComplianceValidationAgentState(BaseAgentState, total=False):
    """Whether something may be done, by rule. `risk_level` is null until the rules have been applied."""

    validation_target: ValidationTarget
    validation_type: str
    applied_rules: list[str]
    validation_results: list[RuleResult]
    violations: list[Violation]
    risk_level: Severity | None
    score: int | None
    passed: bool | None
    status: RuleStatus | None
    recommendations: list[str]
    required_modifications: list[Modification]
    further: list[JudgedSituation]


class SchemaMapping(TypedDict, total=False):
    target_table: str | None
    field_mappings: dict[str, str]
    transformation_rules: list[str]


class StorageMetadata(TypedDict, total=False):
    """What was stored under which name; or the rules that refused it."""

    document_id: str
    version: int
    files: dict[str, str]
    rows: dict[str, int]
    skipped: dict[str, str]
    refused_by: list[str]


class StorageDecisionAgentState(BaseAgentState, total=False):
    """Where something is kept. The decision is null until it has been made."""

    data_to_store: Document
    data_type: str
    data_size: int
    storage_decision: Literal["structured_db", "vector_db", "unstructured_db", "hybrid"] | None
    decision_reasoning: str | None
    schema_mapping: SchemaMapping
    storage_status: Literal["pending", "in_progress", "completed", "failed"]
    stored_location: str | None
    storage_metadata: StorageMetadata


AgentState = (
    AccountReviewAgentState
    | ChangeAnalysisAgentState
    | DataAnalysisAgentState
    | InformationRetrievalAgentState
    | DocumentGenerationAgentState
    | ComplianceValidationAgentState
    | StorageDecisionAgentState
    | BaseAgentState
)
