"""The state of each team, and of what they share."""

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from madang.assistants.homes.state.analysis import AnalysisInput, AnalysisReport
from madang.assistants.homes.state.results import (
    Charts,
    ContractRisk,
    LegalResult,
    LoanResult,
    MarketResult,
    PropertyResult,
    RawAnalysis,
    RiskLevel,
)
from madang.state.reducers import Reducer, append_unique, merge_by_key, merge_fields

SharedStatus = Literal["pending", "processing", "completed", "error"]
SearchScope = Literal["legal", "real_estate", "property", "loan"]
DocumentType = Literal["lease_contract", "sales_contract"]

_MERGED: Mapping[str, Reducer] = {
    **dict.fromkeys(("sources_used", "insights", "recommendations"), append_unique),
    **dict.fromkeys(("search_progress", "analysis_progress", "generation_progress"), merge_by_key),
    **dict.fromkeys(("aggregated_results", "raw_analysis", "metrics"), merge_by_key),
}


class SharedState(TypedDict, total=False):
    """The little that every team is given."""

    user_query: str
    session_id: str
    user_id: int | None
    timestamp: str
    language: str
    status: SharedStatus
    error_message: str | None


class SearchKeywords(TypedDict):
    """Keywords of the question, by what they are searched in."""

    legal: list[str]
    real_estate: list[str]
    loan: list[str]
    general: list[str]


class SearchTeamState(TypedDict, total=False):
    """The search team's own state."""

    team_name: str
    status: str
    shared_context: SharedState
    keywords: SearchKeywords | None
    search_scope: list[SearchScope]
    filters: dict[str, Any]
    legal_results: list[LegalResult]
    real_estate_results: list[MarketResult]
    property_search_results: list[PropertyResult]
    loan_results: list[LoanResult]
    aggregated_results: dict[str, Any]
    total_results: int
    search_time: float
    sources_used: list[str]
    search_progress: dict[str, str]
    start_time: str | None
    end_time: str | None
    error: str | None
    current_search: str | None
    execution_strategy: str | None


class AnalysisTeamState(TypedDict, total=False):
    """The analysis team's own state. `confidence_score` is null until a check has computed it."""

    team_name: str
    status: str
    shared_context: SharedState
    analysis_type: str
    input_data: AnalysisInput
    raw_analysis: RawAnalysis
    metrics: dict[str, float]
    insights: list[str]
    report: AnalysisReport
    visualization_data: Charts | None
    recommendations: list[str]
    confidence_score: float | None
    analysis_progress: dict[str, str]
    start_time: str | None
    end_time: str | None
    analysis_time: float | None
    error: str | None


class DocumentTemplate(TypedDict):
    """A form with named placeholders."""

    template_id: str
    template_name: str
    template_content: str
    placeholders: list[str]


class DocumentContent(TypedDict):
    """A document that was made."""

    title: str
    content: str
    metadata: dict[str, Any]
    created_at: str


class ReviewResult(TypedDict):
    """What the review of a document found. `compliance_check` holds one entry for each rule."""

    reviewed: bool
    risk_level: RiskLevel
    risks: list[ContractRisk]
    recommendations: list[str]
    compliance_check: dict[str, bool]


class DocumentTeamState(TypedDict, total=False):
    """The document team's own state."""

    team_name: str
    status: str
    shared_context: SharedState
    document_type: DocumentType | None
    template: DocumentTemplate | None
    document_content: DocumentContent | None
    generation_progress: dict[str, str]
    review_needed: bool
    review_result: ReviewResult | None
    final_document: str | None
    start_time: str | None
    end_time: str | None
    generation_time: float | None
    review_time: float | None
    error: str | None


class AnalysisResults(TypedDict, total=False):
    """`team_results["analysis"]`."""

    status: str
    raw_analysis: RawAnalysis
    metrics: dict[str, float]
    insights: list[str]
    report: AnalysisReport
    visualization_data: Charts | None
    recommendations: list[str]
    confidence_score: float | None
    confidence_checks: dict[str, float]
    error: str | None


class LetterDraft(TypedDict):
    """A message or letter that was written; `open` names its blanks, `wishes` what was wished of its tone."""

    title: str
    text: str
    open: list[str]
    article: str | None
    short: bool
    wishes: list[str]


class DocumentResults(TypedDict, total=False):
    """`team_results["document"]`."""

    status: str
    letter: LetterDraft | None
    document_id: str | None
    document_type: DocumentType | None
    document_content: DocumentContent | None
    review_result: ReviewResult | None
    final_document: str | None
    decision: str | None
    formats: list[str]
    notes: list[str]
    error: str | None


def merge_team_state(left: Mapping[str, Any] | None, right: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Fields of both, since several agents of a team may write at once: lists of texts without duplicates, progress
    and results by key, otherwise the later write wins. `None` changes nothing. Associative, idempotent.
    """
    return merge_fields(left, right, _MERGED)
