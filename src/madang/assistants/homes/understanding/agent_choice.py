"""Which agents answer a message: the teams, then the tools of each team that have what they need."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.understanding import agent_defaults
from madang.assistants.homes.understanding.inquiry import Inquiry
from madang.assistants.homes.understanding.intent_types import IntentType


def choose_agents(
    inquiry: Inquiry, parts: Sequence[str], query: str, update: Mapping[str, Any], *, had_listings: bool
) -> list[str]:
    """The agents to run: teams, then the tools of each team; only tools that have what they need."""
    needs = inquiry.needs
    teams = agent_defaults.default_teams(parts, needs)
    agents: list[str] = []
    if "search" in teams:
        usable = _usable_scopes(inquiry, update)
        listings = agent_defaults.wants_listings(query) or (inquiry.inherited and had_listings)
        scopes = agent_defaults.default_scopes(parts, inquiry.known, listings=listings)
        agents += [agent_defaults.SEARCH[scope] for scope in scopes if scope in usable]
    if "analysis" in teams:
        tools = _usable_tools(inquiry, update, agents)
        agents += [tool for tool in agent_defaults.default_tools(parts, needs) if tool in tools]
    if IntentType.CONTRACT_CREATION in parts:
        agents.append("drafting")
    return agents


def _usable_scopes(inquiry: Inquiry, update: Mapping[str, Any]) -> list[str]:
    region = bool(inquiry.known.get("region"))
    legal = bool(update.get("legal_question") or update.get("contract_text"))
    can = {"legal": legal, "real_estate": region, "property": region, "loan": True}
    return [scope for scope in agent_defaults.SEARCH if can[scope]]


def _usable_tools(inquiry: Inquiry, update: Mapping[str, Any], agents: Sequence[str]) -> list[str]:
    ready = agent_defaults.subjects(inquiry.needs)
    can = {
        "calculation": bool(ready & {"law", "loan"}),
        "market_analysis": "market_search" in agents,
        "loan_analysis": "loan_search" in agents,
        "risk_analysis": True,
        "contract_analysis": bool(update.get("contract_text")),
        "roi_analysis": "return" in ready,
        "report": True,
    }
    return [tool for tool in agent_defaults.ANALYSIS if can[tool]]
