"""What must be asked before anything can run."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.understanding import guidance
from madang.assistants.homes.understanding.figure_needs import questions_for, worth_asking
from madang.assistants.homes.understanding.inquiry import Inquiry
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.wishes import wanted_template
from madang.graph import Answer

State = Mapping[str, Any]
_LOAN_NEEDS = ("annual_income", "deposit", "price", "age")


def missing_inputs(
    inquiry: Inquiry, query: str, state: State, *, by_form: bool = False
) -> tuple[Answer, dict[str, Any]] | None:
    """What must be asked before anything can run, and how it is remembered. In the form a figure is wanted by name."""
    parts, known = set(inquiry.parts), inquiry.known
    open_needs = [
        need
        for need in inquiry.needs
        if by_form or worth_asking(need, query) or _was_asked(need, inquiry, state) or _asks_how_much(need, inquiry)
    ]
    risk = [need for need in open_needs if calculator(need["calculator"]).subject == "risk"]
    figures = [need for need in open_needs if need not in risk and need["missing"]]
    if figures and not (parts & {IntentType.MARKET_INQUIRY} and known.get("region")):
        names = list(dict.fromkeys(name for need in figures for name in need["missing"]))
        label = calculator(figures[0]["calculator"]).label
        return guidance.ask_inputs(label, questions_for(figures)), {"kind": "figure", "names": names}
    if IntentType.CONTRACT_REVIEW in parts and not (inquiry.contract or state.get("contract_text")):
        return guidance.ask_contract(), {"kind": "contract_text", "names": ["contract_text"]}
    if IntentType.MARKET_INQUIRY in parts and not known.get("region") and not _has_ready(inquiry):
        return guidance.ask_region(state), {"kind": "region", "names": ["region"]}
    if IntentType.CONTRACT_CREATION in parts and not template_of(inquiry, query, state):
        return guidance.ask_document(), {"kind": "document", "names": ["document_template"]}
    told = inquiry.needs or known.get("loan_facts") or any(known.get(name) is not None for name in _LOAN_NEEDS)
    if not told and _asks_barely(inquiry, IntentType.LOAN_CONSULT) and inquiry.asked[0].kind == "ask_how_much":
        return guidance.ask_loan(), {"kind": "loan", "names": list(_LOAN_NEEDS)}
    missing = _risk_missing(known)
    pending = inquiry.inherited and (state.get("pending") or {}).get("kind") == "risk"
    bare = _asks_barely(inquiry, IntentType.RISK_ANALYSIS) and not known.get("risk_signs")
    bare = bare and inquiry.asked[0].kind in ("ask_whether", "order")
    if IntentType.RISK_ANALYSIS in parts and missing and (risk or pending or bare or gives_sums(inquiry)):
        return guidance.ask_risk(missing), {"kind": "risk", "names": missing}
    return None


def _asks_barely(inquiry: Inquiry, intent: IntentType) -> bool:
    """Whether one thing alone is asked, in a few words."""
    alone = set(inquiry.parts) <= {intent, IntentType.LEGAL_CONSULT} and intent in inquiry.parts
    return alone and not inquiry.inherited and len(inquiry.asked) == 1 and len(inquiry.told) <= 1


def _asks_how_much(need: FigureNeed, inquiry: Inquiry) -> bool:
    """Whether the one question of a message is how much, and its figure lacks something."""
    asked = [one.kind for one in inquiry.asked]
    rule = calculator(need["calculator"]).rule_suffices
    return asked == ["ask_how_much"] and bool(need["missing"]) and not rule and len(inquiry.told) <= 1


def _was_asked(need: Mapping[str, Any], inquiry: Inquiry, state: State) -> bool:
    """Whether an answer to the question for these inputs leaves some of them open."""
    pending = state.get("pending") or {}
    return inquiry.inherited and pending.get("kind") == "figure" and bool(set(need["missing"]) & set(pending["names"]))


def _has_ready(inquiry: Inquiry) -> bool:
    return any(not need["missing"] for need in inquiry.needs)


def gives_sums(inquiry: Inquiry) -> bool:
    return any(name in inquiry.slots for name in ("price", "deposit", "senior_debt"))


def _risk_missing(known: Mapping[str, Any]) -> list[str]:
    missing = [] if known.get("deposit") is not None else ["deposit"]
    if known.get("price") is None and not (known.get("region") and known.get("area_m2")):
        missing.append("price")
    return missing


def template_of(inquiry: Inquiry, query: str, state: State) -> str | None:
    before = state.get("document_template") if inquiry.inherited else None
    return wanted_template(query, inquiry.known) or before
