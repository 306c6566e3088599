"""Which agents answer a message: the teams, then the tools of each team that have what they need."""

from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.understanding import agent_defaults, call_points
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.reading import Reading
from madang.graph import TurnContext


async def choose_agents(
    ctx: TurnContext[HomesServices],
    reading: Reading,
    parts: Sequence[str],
    query: str,
    update: Mapping[str, Any],
    *,
    had_listings: bool,
) -> list[str]:
    """The agents to run: teams, then the tools of each team; only tools that have what they need."""
    needs = reading.needs
    intent = {"query": query, "intent": reading.intent.value}
    default = agent_defaults.default_teams(parts, needs)
    teams = await _teams(ctx, {**intent, "parts": ", ".join(parts), "default": default})
    if IntentType.CONTRACT_CREATION in parts:
        teams = list(dict.fromkeys([*teams, "document"]))
    else:
        teams = [team for team in teams if team != "document"]
    if set(default) - set(teams) == set(default):
        teams = default
    agents: list[str] = []
    if "search" in teams:
        usable = _usable_scopes(reading, update)
        listings = agent_defaults.wants_listings(query) or (reading.inherited and had_listings)
        twin = [s for s in agent_defaults.default_scopes(parts, reading.known, listings=listings) if s in usable]
        chosen = await ctx.call(
            call_points.search_tools_point(), {**intent, "available": ", ".join(usable), "default": twin}
        )
        agents += [agent_defaults.SEARCH[scope] for scope in _sound(chosen.value.tools, usable, twin)]
    if "analysis" in teams:
        usable = _usable_tools(reading, update, agents)
        twin = [tool for tool in agent_defaults.default_tools(parts, needs) if tool in usable]
        chosen = await ctx.call(
            call_points.analysis_tools_point(), {**intent, "available": ", ".join(usable), "default": twin}
        )
        agents += [tool for tool in agent_defaults.ANALYSIS if tool in _sound(chosen.value.tools, usable, twin)]
    if "document" in teams:
        agents.append("drafting")
    return agents


async def _teams(ctx: TurnContext[HomesServices], inputs: dict[str, Any]) -> list[str]:
    outcome = await ctx.call(call_points.teams_point(), inputs)
    if outcome.fallbacks and outcome.fallback_reason in ("bad_json", "schema", "tool_call", "empty", "truncated"):
        outcome = await ctx.call(
            call_points.simple_teams_point(), {"intent": inputs["intent"], "default": inputs["default"]}
        )
    return list(outcome.value.teams)


def _sound(chosen: Sequence[str], usable: Sequence[str], twin: Sequence[str]) -> list[str]:
    """A choice counts if it can be carried out and serves the question at all; figures are always worked out."""
    kept = [name for name in chosen if name in usable]
    needed = set(twin) - {"report"} or set(twin)
    if not set(kept) & needed:
        return list(twin)
    return list(dict.fromkeys([*kept, *(name for name in twin if name in ("calculation", "report"))]))


def _usable_scopes(reading: Reading, update: Mapping[str, Any]) -> list[str]:
    region = bool(reading.known.get("region"))
    legal = bool(update.get("legal_question") or update.get("contract_text"))
    can = {"legal": legal, "real_estate": region, "property": region, "loan": True}
    return [scope for scope in agent_defaults.SEARCH if can[scope]]


def _usable_tools(reading: Reading, update: Mapping[str, Any], agents: Sequence[str]) -> list[str]:
    ready = agent_defaults.subjects(reading.needs)
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
