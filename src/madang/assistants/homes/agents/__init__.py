"""The agents of `homes`. Names that the seeds put here are found where they live, when they are asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from madang.assistants.homes.agents.calculation import calculation
from madang.assistants.homes.agents.contract_analysis import contract_analysis
from madang.assistants.homes.agents.drafting import drafting
from madang.assistants.homes.agents.further_calculation import further_calculation
from madang.assistants.homes.agents.further_prices import further_prices
from madang.assistants.homes.agents.judgement import judgement
from madang.assistants.homes.agents.legal_search import legal_search
from madang.assistants.homes.agents.letter import letter
from madang.assistants.homes.agents.loan_analysis import loan_analysis
from madang.assistants.homes.agents.loan_search import loan_search
from madang.assistants.homes.agents.market_analysis import market_analysis
from madang.assistants.homes.agents.market_search import market_search
from madang.assistants.homes.agents.outside_tool import outside_tool
from madang.assistants.homes.agents.property_search import property_search
from madang.assistants.homes.agents.report import report
from madang.assistants.homes.agents.risk_analysis import risk_analysis
from madang.assistants.homes.agents.roi_analysis import roi_analysis

if TYPE_CHECKING:
    from madang.assistants.homes.understanding.executors import (
        AnalysisExecutor,
        DocumentExecutor,
        PlanningAgent,
        SearchExecutor,
    )
    from madang.assistants.homes.understanding.intent_types import IntentType
    from madang.assistants.homes.understanding.registry import AgentRegistry

AGENTS = (
    legal_search, judgement, market_search, property_search, loan_search,
    calculation, market_analysis, loan_analysis, risk_analysis, contract_analysis, roi_analysis, report,
    drafting, letter, further_calculation, further_prices, outside_tool,
)  # fmt: skip
_LIVES_IN = {
    **dict.fromkeys(("AnalysisExecutor", "DocumentExecutor", "PlanningAgent", "SearchExecutor"), "executors"),
    "AgentRegistry": "registry",
    "IntentType": "intent_types",
}

__all__ = [
    "AGENTS",
    "AgentRegistry",
    "AnalysisExecutor",
    "DocumentExecutor",
    "IntentType",
    "PlanningAgent",
    "SearchExecutor",
]


def __getattr__(name: str) -> Any:
    if name not in _LIVES_IN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"madang.assistants.homes.understanding.{_LIVES_IN[name]}"), name)
