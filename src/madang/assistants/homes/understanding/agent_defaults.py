"""Which teams and agents a question needs: the deterministic twin of the three choices a model may make."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.understanding.intent_types import IntentType

TEAMS = ("search", "analysis", "document")
SEARCH = {"legal": "legal_search", "real_estate": "market_search", "property": "property_search", "loan": "loan_search"}
ANALYSIS = (
    "calculation", "market_analysis", "loan_analysis", "risk_analysis", "contract_analysis", "roi_analysis", "report",
)  # fmt: skip
_I = IntentType
_DEFAULT_TEAMS: Mapping[str, tuple[str, ...]] = {
    _I.LEGAL_CONSULT: ("search",),
    _I.MARKET_INQUIRY: ("search", "analysis"),
    _I.LOAN_CONSULT: ("search", "analysis"),
    _I.CONTRACT_REVIEW: ("search", "analysis"),
    _I.COMPREHENSIVE: ("search", "analysis"),
    _I.RISK_ANALYSIS: ("search", "analysis"),
    _I.CONTRACT_CREATION: ("document",),
    _I.UNCLEAR: ("search",),
}
_SCOPES: Mapping[str, tuple[str, ...]] = {
    _I.LEGAL_CONSULT: ("legal",),
    _I.MARKET_INQUIRY: ("real_estate",),
    _I.LOAN_CONSULT: ("loan",),
    _I.CONTRACT_REVIEW: ("legal",),
    _I.RISK_ANALYSIS: ("legal",),
    _I.UNCLEAR: ("legal",),
}
_TOOLS: Mapping[str, tuple[str, ...]] = {
    _I.MARKET_INQUIRY: ("market_analysis", "report"),
    _I.LOAN_CONSULT: ("loan_analysis", "report"),
    _I.CONTRACT_REVIEW: ("contract_analysis", "report"),
    _I.RISK_ANALYSIS: ("risk_analysis", "report"),
}
_LISTINGS = re.compile(
    r"(?:아파트|빌라|오피스텔|원룸|투룸)\s?(?:있|없|나온)|매물|방\s?(?:구|찾|있)|집\s?(?:구해|찾아|추천|있)|나온\s?(?:집|거|게)|추천|찾아\s?줘|구하고"
)


def default_teams(parts: Sequence[str], figures: Sequence[Mapping[str, Any]]) -> list[str]:
    """The teams for these intents; a figure that can be worked out brings in the analysis team."""
    chosen = {team for part in parts for team in _DEFAULT_TEAMS.get(part, ())}
    if any(not need["missing"] for need in figures):
        chosen.add("analysis")
    return [team for team in TEAMS if team in chosen]


def wants_listings(message: str) -> bool:
    return bool(_LISTINGS.search(message))


def default_scopes(parts: Sequence[str], slots: Mapping[str, Any], *, listings: bool) -> list[str]:
    """The search tools for these intents."""
    scopes = [scope for part in parts for scope in _SCOPES.get(part, ())]
    if _I.MARKET_INQUIRY in parts and slots.get("region") and listings:
        scopes.append("property")
    unpriced = slots.get("deposit") is not None and slots.get("price") is None
    if _I.RISK_ANALYSIS in parts and slots.get("region") and unpriced:
        scopes.append("real_estate")
    return [scope for scope in SEARCH if scope in scopes]


def subjects(figures: Sequence[Mapping[str, Any]]) -> set[str]:
    """What the figures that can be worked out are about."""
    return {calculator(need["calculator"]).subject for need in figures if not need["missing"]}


def default_tools(parts: Sequence[str], figures: Sequence[Mapping[str, Any]]) -> list[str]:
    """The analysis tools for these intents and figures."""
    tools = {tool for part in parts for tool in _TOOLS.get(part, ())}
    ready = subjects(figures)
    if "return" in ready:
        tools |= {"roi_analysis", "report"}
    if ready & {"law", "loan"}:
        tools.add("calculation")
    return [tool for tool in ANALYSIS if tool in tools]
