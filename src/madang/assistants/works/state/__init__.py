"""The state of `works`: one import for its types and for what is done with them."""

from madang.assistants.works.state.agents import (
    AgentState,
    BaseAgentState,
    ComplianceValidationAgentState,
    DataAnalysisAgentState,
    DocumentGenerationAgentState,
    InformationRetrievalAgentState,
    StorageDecisionAgentState,
)
from madang.assistants.works.state.phases import (
    MAX_ANALYSES,
    MAX_REPLANS,
    determine_next_phase,
    merge_agent_results,
    task_update,
)
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.state.session import MIGRATIONS, SCHEMA_VERSION, GlobalSessionState, Phase
from madang.assistants.works.state.stages import (
    ExecutionManagerState,
    PlanningState,
    QueryAnalyzerState,
    Task,
    merge_execution,
)
from madang.state.steps import ExecutionStepState

__all__ = [
    "MAX_ANALYSES",
    "MAX_REPLANS",
    "MIGRATIONS",
    "SCHEMA_VERSION",
    "AgentState",
    "BaseAgentState",
    "ComplianceValidationAgentState",
    "DataAnalysisAgentState",
    "DocumentGenerationAgentState",
    "ExecutionManagerState",
    "ExecutionStepState",
    "GlobalSessionState",
    "InformationRetrievalAgentState",
    "Phase",
    "PlanningState",
    "QueryAnalyzerState",
    "SemanticQuery",
    "StorageDecisionAgentState",
    "Task",
    "determine_next_phase",
    "merge_agent_results",
    "merge_execution",
    "task_update",
]
