"""The state of `homes`: one import for its types and for what is done with them."""

from madang.assistants.homes.state.analysis import (
    AnalysisInput,
    AnalysisInsight,
    AnalysisMetrics,
    AnalysisReport,
    StandardResult,
)
from madang.assistants.homes.state.planning import AnalyzedIntent, ExecutionPlan, PlanningState, merge_planning
from madang.assistants.homes.state.results import (
    Judgement,
    LegalResult,
    LoanResult,
    MarketResult,
    PropertyResult,
    SearchResults,
)
from madang.assistants.homes.state.supervisor import (
    MIGRATIONS,
    SCHEMA_VERSION,
    ErrorEntry,
    FinalResponse,
    MainSupervisorState,
    TeamOutcome,
    TeamResults,
)
from madang.assistants.homes.state.teams import (
    AnalysisResults,
    AnalysisTeamState,
    DocumentContent,
    DocumentResults,
    DocumentTeamState,
    DocumentTemplate,
    ReviewResult,
    SearchKeywords,
    SearchTeamState,
    SharedState,
)
from madang.assistants.homes.state.updates import StateManager, prepare_state_for_checkpoint
from madang.assistants.homes.state.validation import StateValidator, check_state_consistency
from madang.state.steps import ExecutionStepState

__all__ = [
    "MIGRATIONS",
    "SCHEMA_VERSION",
    "AnalysisInput",
    "AnalysisInsight",
    "AnalysisMetrics",
    "AnalysisReport",
    "AnalysisResults",
    "AnalysisTeamState",
    "AnalyzedIntent",
    "DocumentContent",
    "DocumentResults",
    "DocumentTeamState",
    "DocumentTemplate",
    "ErrorEntry",
    "ExecutionPlan",
    "ExecutionStepState",
    "FinalResponse",
    "Judgement",
    "LegalResult",
    "LoanResult",
    "MainSupervisorState",
    "MarketResult",
    "PlanningState",
    "PropertyResult",
    "ReviewResult",
    "SearchKeywords",
    "SearchResults",
    "SearchTeamState",
    "SharedState",
    "StandardResult",
    "StateManager",
    "StateValidator",
    "TeamOutcome",
    "TeamResults",
    "check_state_consistency",
    "merge_planning",
    "prepare_state_for_checkpoint",
]
