"""What an analysis is given and what it says."""

from typing import Any, Literal

from typing_extensions import TypedDict

from madang.assistants.homes.state.results import LegalResult, LoanResult, MarketResult, PropertyResult, SearchResults


class AnalysisInput(TypedDict, total=False):
    """What the search team found: as it stands in `team_results`, or list by list."""

    search: SearchResults
    legal_search: list[LegalResult]
    real_estate_search: list[MarketResult]
    property_search: list[PropertyResult]
    loan_search: list[LoanResult]
    contract_text: str | None
    facts: dict[str, Any]


class AnalysisMetrics(TypedDict, total=False):
    """Figures of an analysis: money in won, ratios as fractions, null where the data don't allow them."""

    low_price: int | None
    median_price: int | None
    high_price: int | None
    jeonse_ratio: float | None
    conversion_rate: float | None
    loan_limit: int | None
    monthly_payment: int | None
    estimated_roi: float | None
    payback_period: float | None
    risk_score: float | None


class AnalysisInsight(TypedDict, total=False):
    """One thing to know, with what it rests on."""

    topic: str
    content: str
    confidence: float | None
    evidence: list[str]


class AnalysisReport(TypedDict, total=False):
    """The analysis as it is told to the user."""

    title: str
    summary: str
    key_findings: list[str]
    insights: list[AnalysisInsight]
    metrics: AnalysisMetrics
    recommendations: list[str]
    risks: list[str]
    sources: list[str]
    as_of: str | None


class StandardResult(TypedDict):
    """What any agent answers with."""

    agent_name: str
    status: Literal["success", "partial", "failure"]
    data: dict[str, Any]
    error: str | None
    execution_time: float | None
    timestamp: str
