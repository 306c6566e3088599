"""The state of `homes`: one import for its types and for what is done with them."""

from madang.assistants.homes.analysis_states import (
    AnalysisInput,
    AnalysisInsight,
    AnalysisMetrics,
    AnalysisReport,
    StandardResult,
)
from madang.assistants.homes.checks import StateValidator, check_state_consistency
from madang.assistants.homes.planning_state import AnalyzedIntent, ExecutionPlan, PlanningState, merge_planning
from madang.assistants.homes.results import LegalResult, LoanResult, MarketResult, PropertyResult, SearchResults
from madang.assistants.homes.supervisor_state import (
    MIGRATIONS,
    SCHEMA_VERSION,
    ErrorEntry,
    FinalResponse,
    MainSupervisorState,
    TeamOutcome,
    TeamResults,
)
from madang.assistants.homes.team_states import (
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
from madang.assistants.homes.updates import StateManager, prepare_state_for_checkpoint
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
