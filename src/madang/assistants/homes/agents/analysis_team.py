"""The analysis team: figures, prices, loans, risk, contracts, returns. Each writes what its tool found."""

from madang.assistants.homes.agents.analysis_contract import as_risk, contract_analysis
from madang.assistants.homes.agents.analysis_figures import calculation, risk_analysis, roi_analysis
from madang.assistants.homes.agents.analysis_loans import kind_name, loan_analysis
from madang.assistants.homes.agents.analysis_market import market_analysis
from madang.assistants.homes.agents.analysis_paths import LOANS, PRICES, RAW, TEAM

__all__ = [
    "LOANS",
    "PRICES",
    "RAW",
    "TEAM",
    "as_risk",
    "calculation",
    "contract_analysis",
    "kind_name",
    "loan_analysis",
    "market_analysis",
    "risk_analysis",
    "roi_analysis",
]
