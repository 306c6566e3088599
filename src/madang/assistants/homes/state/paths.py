"""Where the teams' results stand in the state, and how a team's agents are declared."""

SEARCH_TEAM = {"team": "search", "agent_name": "search_team", "step_type": "search"}
ANALYSIS_TEAM = {"team": "analysis", "agent_name": "analysis_team", "step_type": "analysis"}
RAW = "team_results.analysis.raw_analysis"
CONTRACT = f"{RAW}.contract_analysis"
LEGAL = "team_results.search.legal_search"
PRICES = "team_results.search.real_estate_search"
LISTINGS = "team_results.search.property_search"
LOANS = "team_results.search.loan_search"
