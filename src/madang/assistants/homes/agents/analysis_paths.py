"""Where the analysis team reads and writes."""

TEAM = {"team": "analysis", "agent_name": "analysis_team", "step_type": "analysis"}
RAW = "team_results.analysis.raw_analysis"
PRICES = "team_results.search.real_estate_search"
LOANS = "team_results.search.loan_search"
