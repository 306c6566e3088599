"""Where the teams' results stand in the state."""

RAW = "team_results.analysis.raw_analysis"
CONTRACT = f"{RAW}.contract_analysis"
LEGAL = "team_results.search.legal_search"
PRICES = "team_results.search.real_estate_search"
LISTINGS = "team_results.search.property_search"
LOANS = "team_results.search.loan_search"
