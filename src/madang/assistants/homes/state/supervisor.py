"""The state of a whole `homes` conversation."""

from typing import Annotated, Any, NotRequired

from typing_extensions import TypedDict

from madang.assistants.homes.state.conversation import HomesConversation
from madang.assistants.homes.state.planning import ExecutionPlan, PlanningState, merge_planning
from madang.assistants.homes.state.results import (
    CalculationRecord,
    Chart,
    FaqAnswer,
    Judgement,
    MarketResult,
    SearchResults,
    SituationAnswer,
)
from madang.assistants.homes.state.teams import (
    AnalysisResults,
    AnalysisTeamState,
    DocumentResults,
    DocumentTeamState,
    SearchTeamState,
    merge_team_state,
)
from madang.state.fields import Turn
from madang.state.migrations import Migrations
from madang.state.reducers import append, merge_by_key, merge_to_depth

SCHEMA_VERSION = "1.0"
MIGRATIONS = Migrations(SCHEMA_VERSION)


class TeamResults(TypedDict, total=False):
    """What each team found."""

    search: SearchResults
    analysis: AnalysisResults
    document: DocumentResults


class TeamOutcome(TypedDict):
    """One team in `aggregated_results`: how it went, and its results in short."""

    status: str
    data: dict[str, Any]


class ErrorEntry(TypedDict):
    timestamp: str
    error: str
    where: str | None


class ResponseSection(TypedDict):
    """A titled part of the answer in Markdown, with the records it was made of."""

    title: str
    content: str
    type: str
    data: NotRequired[list[Any]]


class ResponseMetadata(TypedDict, total=False):
    """`sources` such as "주택임대차보호법 제7조"; `confidence` null if no check has computed it."""

    confidence: float | None
    sources: list[str]
    checks: dict[str, float]
    estimates: list[str]
    statutes_loaded: bool
    limits: list[str]


class LostStep(TypedDict, total=False):
    """A step without a result, and why."""

    step_id: str
    task: str
    error: str | None
    status: str


class FlaggedClaim(TypedDict):
    """A sentence of a model that no source bears out."""

    text: str
    kind: str


class MadeDocument(TypedDict):
    """A document that the turn made, and the forms in which it can be had."""

    document_id: str | None
    title: str | None
    formats: list[str]


class StructuredData(TypedDict, total=False):
    sections: list[ResponseSection]
    metadata: ResponseMetadata
    failures: list[LostStep]
    charts: list[Chart]
    choices: list[str]
    missing: list[str]
    flagged: list[FlaggedClaim]
    document: MadeDocument


class FinalResponse(TypedDict, total=False):
    """The answer of the turn."""

    type: str
    answer: str
    summary: str | None
    structured_data: StructuredData
    teams_used: list[str]
    data: dict[str, Any]


class MainSupervisorState(HomesConversation, total=False):
    """The whole state of a conversation. What is declared here belongs to one turn."""

    planning_state: Annotated[PlanningState | None, Turn(None), merge_planning]
    execution_plan: Annotated[ExecutionPlan | None, Turn(None)]

    search_team_state: Annotated[SearchTeamState | None, Turn(None), merge_team_state]
    document_team_state: Annotated[DocumentTeamState | None, Turn(None), merge_team_state]
    analysis_team_state: Annotated[AnalysisTeamState | None, Turn(None), merge_team_state]

    current_phase: Annotated[str, Turn("")]
    planned_teams: Annotated[list[str], Turn(list)]
    active_teams: Annotated[list[str], Turn(list)]
    completed_teams: Annotated[list[str], Turn(list)]
    failed_teams: Annotated[list[str], Turn(list)]

    team_results: Annotated[TeamResults, Turn(dict), merge_to_depth(3)]
    aggregated_results: Annotated[dict[str, TeamOutcome], Turn(dict), merge_by_key]
    judgements: Annotated[list[Judgement], Turn(list), append]
    further_figures: Annotated[list[CalculationRecord], Turn(list), append]
    further_prices: Annotated[list[MarketResult], Turn(list), append]
    """What a model asked for beside the plan, to compare it."""
    situations: Annotated[list[SituationAnswer], Turn(list)]
    faq_answers: Annotated[list[FaqAnswer], Turn(list)]
    final_response: Annotated[FinalResponse | None, Turn(None)]

    start_time: Annotated[str | None, Turn(None)]
    end_time: Annotated[str | None, Turn(None)]
    total_execution_time: Annotated[float | None, Turn(None)]

    error_log: Annotated[list[ErrorEntry], Turn(list), append]
    status: Annotated[str, Turn("initialized")]
