"""The teams of `homes`, and what understands and answers around them."""

from madang.assistants.homes.agents.analysis_team import (
    calculation,
    contract_analysis,
    loan_analysis,
    market_analysis,
    risk_analysis,
    roi_analysis,
)
from madang.assistants.homes.agents.drafting import drafting
from madang.assistants.homes.agents.executors import (
    AnalysisExecutor,
    DocumentExecutor,
    PlanningAgent,
    SearchExecutor,
)
from madang.assistants.homes.agents.registry import AgentRegistry
from madang.assistants.homes.agents.report import report
from madang.assistants.homes.agents.search_team import legal_search, loan_search, market_search, property_search
from madang.assistants.homes.tools.intent_types import IntentType

AGENTS = (
    legal_search, market_search, property_search, loan_search,
    calculation, market_analysis, loan_analysis, risk_analysis, contract_analysis, roi_analysis, report,
    drafting,
)  # fmt: skip

__all__ = [
    "AGENTS",
    "AgentRegistry",
    "AnalysisExecutor",
    "DocumentExecutor",
    "IntentType",
    "PlanningAgent",
    "SearchExecutor",
]
