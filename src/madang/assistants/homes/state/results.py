"""What the teams find: the shape of one result, and of a team's results in `team_results`."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

Figure = int | float | str | bool | None
LoanKind = Literal["purchase", "jeonse", "monthly", "support", "guarantee"]
RepaymentMethod = Literal["annuity", "equal_principal", "interest_only"]
RiskLevel = Literal["low", "medium", "high"]
Severity = Literal["low", "medium", "high", "critical"]


class LegalResult(TypedDict, total=False):
    """An article that bears on the question. `content` is the statute's own text when `is_statute_text`.

    `answers` are the places of the `legal_questions` it was found for; `steps` what a person can do, in our words.
    """

    law_name: str
    article: str
    title: str | None
    content: str
    relevance_score: float
    similarity: float | None
    source: str
    topic: str | None
    is_statute_text: bool
    effective_date: str | None
    related_articles: list[str]
    calculator: str | None
    kind: str
    summary: str | None
    conditions: list[str]
    matched_phrase: str | None
    exact: bool
    answers: list[int]
    steps: list[str]


class Quote(TypedDict):
    """The sentence of an article that a judgement rests on; `effective_date` is null for our own summary."""

    source: str
    text: str
    effective_date: str | None


class Judgement(TypedDict):
    """A question whether, answered: the verdict in the question's own terms, the rule and the facts it rests on.

    `said` is the sentence that answers; `sure` false where only the act was judged, not which way round it was asked.
    """

    question: str
    verdict: Literal["yes", "no", "depends"]
    said: str
    because: str
    advice: str | None
    turns: str | None
    ask: str | None
    sources: list[str]
    quotes: list[Quote]
    rule: str
    facts: dict[str, Figure]
    score: float
    sure: bool
    as_of: str


class CitedArticle(TypedDict):
    """An article that an answer rests on: the statute's own words if they are loaded, else our summary."""

    source: str
    title: str | None
    content: str
    is_statute_text: bool
    effective_date: str | None


class SituationAnswer(TypedDict):
    """A situation that fits a question, with what was worked out for it; one that is not `clear` is only offered."""

    question: str
    situation: str
    title: str
    answer: str
    figures: list[str]
    steps: list[str]
    ask: str | None
    sources: list[str]
    articles: NotRequired[list[CitedArticle]]
    clear: bool
    as_of: str


FaqFit = Literal["sure", "near", "nearest"]
"""What was asked; what is like it and told if nothing answers better; or all that there is."""


class FaqAnswer(TypedDict):
    """A narrow question that is near what was asked (`question`), with its answer; `text` is ready to be sent."""

    question: str
    asked: str
    answer: str
    text: str | None
    topic: str
    sources: list[str]
    articles: NotRequired[list[CitedArticle]]
    fit: FaqFit
    as_of: str


class MarketResult(TypedDict, total=False):
    """Prices of one region, kind of home and deal, in won. `is_estimate` is shown wherever the figures are."""

    region: str
    property_type: str
    deal_type: str
    size_band: str | None
    low: int
    median: int
    high: int
    avg_deposit: int | None
    monthly_rent: int | None
    transaction_count: int | None
    basis: str | None
    as_of: str
    is_estimate: bool
    source: str


class PropertyResult(TypedDict, total=False):
    """One listing. `is_sample` says that nobody is offering it."""

    listing_id: str
    title: str
    region: str
    property_type: str
    deal_type: str
    price: int | None
    deposit: int | None
    monthly_rent: int | None
    area_m2: float
    floor: str | None
    station: str | None
    walk_minutes: int | None
    rooms: int | None
    built: int | None
    maintenance: int | None
    as_of: str | None
    is_sample: bool
    source: str


class LoanResult(TypedDict, total=False):
    """A loan or support programme. `eligible` is null while `missing` facts, or the bank alone, decide it."""

    product_id: str
    name: str
    provider: str
    product_type: str
    limit: int | None
    rate_min: float | None
    rate_max: float | None
    term_years: int | None
    eligible: bool | None
    reasons: list[str]
    missing: list[str]
    questions: list[str]
    summary: str | None
    note: str | None
    as_of: str
    source: str
    decided_by_bank: bool


class ContractRisk(TypedDict, total=False):
    """One finding of a contract review, with the clause it is about."""

    type: str
    severity: Severity
    clause: str
    clause_label: str | None
    reason: str
    article: str | None
    articles: list[str]
    suggestion: str | None
    rule_id: str | None
    found_by: Literal["rules", "model"]


class ContractAnalysis(TypedDict, total=False):
    risk_level: RiskLevel
    risks: list[ContractRisk]
    compliance_check: dict[str, bool]
    recommendations: list[str]
    clause_count: int
    missing_essentials: list[str]
    is_shop: bool


class ChartSeries(TypedDict):
    name: str
    values: list[float]


class Chart(TypedDict):
    """A chart to be drawn: every series has a value for every label."""

    type: Literal["bar", "line"]
    title: str
    unit: str
    labels: list[str]
    series: list[ChartSeries]
    note: str


class Charts(TypedDict):
    charts: list[Chart]


class MarketComparison(TypedDict, total=False):
    """How much dearer each region is than the cheapest, in won."""

    gaps: dict[str, int]


class MarketAnalysis(TypedDict, total=False):
    trend: str | None
    comparison: MarketComparison
    summary: list[str]
    jeonse_ratio: float | None
    chart: Chart | None
    notes: list[str]


class RuleRecord(TypedDict):
    """The rule that a figure rests on: where it stands, its value, and since when."""

    name: str
    article: str
    value: str
    as_of: str
    source: str


class CalculationRecord(TypedDict):
    """A worked figure: what came out, from what, by which formula and which dated rules."""

    calculator: str
    title: str
    values: dict[str, Figure]
    inputs: dict[str, Figure]
    formula: str
    explanation: list[str]
    rules: list[RuleRecord]
    notes: list[str]


class RoiCalculation(TypedDict):
    """Yearly return in percent, and the years until the initial cost is earned back."""

    estimated_roi: float
    payback_period: float | None
    calculation: CalculationRecord


class LoanSimulation(TypedDict, total=False):
    """The ways of repaying a loan, side by side; empty if no loan was described."""

    plans: dict[RepaymentMethod, CalculationRecord]
    chart: Chart


class LoansAtMedian(TypedDict):
    """How the products stand if the home costs the region's median."""

    basis: str
    excluded: dict[str, list[str]]
    possible: list[str]


class PolicyMatching(TypedDict):
    """Loan products by how the person stands to them, and what would tell more."""

    eligible: list[str]
    unknown: list[str]
    ineligible: dict[str, list[str]]
    questions: list[str]
    at_median: LoansAtMedian | None


class JeonseRisk(TypedDict):
    """How safe a deposit is; `level` is null where no sums say so, `happened` if the harm is done already."""

    level: str | None
    level_name: str | None
    score: int | None
    factors: list[str]
    advice: list[str]
    price_estimated: bool
    calculations: list[CalculationRecord]
    unsaid: list[str]
    happened: bool


class RawAnalysis(TypedDict, total=False):
    """What each analysis tool returned, by tool."""

    contract_analysis: ContractAnalysis
    market_analysis: MarketAnalysis
    roi_calculation: RoiCalculation
    loan_simulation: LoanSimulation
    policy_matching: PolicyMatching
    jeonse_risk: JeonseRisk
    legal_calculation: list[CalculationRecord]


class SearchResults(TypedDict, total=False):
    """`team_results["search"]`: best first in every list."""

    status: str
    legal_search: list[LegalResult]
    real_estate_search: list[MarketResult]
    property_search: list[PropertyResult]
    loan_search: list[LoanResult]
    total_results: int
    sources_used: list[str]
    error: str | None
