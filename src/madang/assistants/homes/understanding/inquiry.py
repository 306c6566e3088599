"""A message in the light of the conversation: which intents it has, what it says anew, what it inherits."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.understanding.figure_followups import changed_needs
from madang.assistants.homes.understanding.figure_needs import complete, read_input, read_needs
from madang.assistants.homes.understanding.intent_cues import told_by_words
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.questions import Asked
from madang.assistants.homes.understanding.quoted_contracts import ASKS, contract_in
from madang.assistants.homes.understanding.slots import Slots, read_slots, without_denied
from madang.assistants.homes.understanding.wishes import wanted_template
from madang.text.cues import cue_kinds

State = Mapping[str, Any]
SHORT_ASK, STORY = 40, 45
LEAST_PRICE = {"price": 10_000_000, "deposit": 500_000}
_AGAIN = re.compile(r"계산|치고|하면|이면|으면|로요")
MONEY_SLOTS = ("price", "deposit", "monthly_rent", "senior_debt", "other_deposits", "area_m2")
MEMBERS = (
    "region", "regions", "sido", "property_type", "deal_type", *MONEY_SLOTS, "annual_income", "age", "homes_owned",
    "loan_facts", "risk_signs", "listing_wish", "price_months", "contract_end",
)  # fmt: skip
_CONNECTIVE = re.compile(r"\s*(?:근데|그런데|그럼|그러면|만약|만일|그래도|그리고|또|아니면|혹시|이미|그랬더니)")
_MUST_WRITE = re.compile(
    r"(?:써야|작성해야|쓰는\s?게\s?맞|안\s?(?:써|쓰)도|다시\s?(?:써|쓰|작성)[^?]{0,4}(?:하나|되나|돼|야))"
)
_FORM = re.compile(r"양식|서식|초안|만들|(?:작성해|써)\s?(?:줘|주)|줘\s?봐")
_LOAN_ASKED = re.compile(r"대출[^?]{0,8}(?:나오|나와|나올|되나|돼|될까|가능|받을)")
_SUPPOSES = re.compile(r"(?:이면|으면|라면|면)(?:요|은요|은)?\s*(?:[?？]|$)")
_TOPIC = re.compile(r"(?:은|는|도)(?:요)?\s*(?:[?？]|$)")
# Intents whose question is the slots: a new place or kind asks it again.
_BY_SLOTS = (
    IntentType.MARKET_INQUIRY, IntentType.LOAN_CONSULT, IntentType.RISK_ANALYSIS, IntentType.COMPREHENSIVE,
)  # fmt: skip
_REWRITES = re.compile(
    r"고쳐|고치|바꿔\s?(?:쓰|써|적)|바꾸면|수정|대신\s?(?:쓸|넣|어떻)|(?:뭐라고|어떻게)\s?(?:쓰|써|적|고)|다시\s?써"
)
_LETTER = re.compile(r"내용\s?증명|합의서|확인서|통지서|통보서|각서|차용증|영수증|소장|신청서|위임장|해지서")


@dataclass
class Inquiry:
    """What is to be done about a message. `slots` is what it says anew; `known` includes what was said before.

    `asked` and `told` are its questions and what it tells, clause by clause.
    """

    intent: IntentType
    parts: tuple[IntentType, ...]
    confidence: float
    inherited: bool
    slots: Slots = field(default_factory=dict)
    needs: list[FigureNeed] = field(default_factory=list)
    contract: str | None = None
    confirmed: bool = False
    known: dict[str, Any] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    figures_asked: bool = False
    """Whether a figure was asked for, also one that can't be worked out yet."""


def read(
    message: str,
    state: State,
    today: date,
    intent: IntentType,
    parts: Sequence[IntentType],
    confidence: float,
    asked: str | None = None,
    *,
    asks: bool = False,
    asks_anew: bool = False,
    sums: Mapping[str, int] | None = None,
) -> Inquiry:
    """The message read against the conversation. `asked` are its words that ask, where the rest tells a story;
    `asks_anew`: one of its questions says itself what it is about; `sums` are those whose roles were learnt."""
    contract = contract_in(message, state, asks=asks)
    slots = {} if contract else {**(sums or {}), **read_slots(message, today)}
    intent, parts = _meant(message, intent, parts)
    weak = intent if confidence >= 0.5 or not slots else IntentType.UNCLEAR
    continues = _continues(message, state, weak, slots, today, asks_anew=asks_anew)
    if (asks_anew and len(message) > SHORT_ASK) or (asks and len(message) > STORY and not state.get("pending")):
        continues = False
    if IntentType.MARKET_INQUIRY in parts and len(parts) > 1 and not (slots.get("region") or state.get("region")):
        parts = [part for part in parts if part is not IntentType.MARKET_INQUIRY]
    if contract and not continues:
        beside = (IntentType.LEGAL_CONSULT,) if asks and IntentType.LEGAL_CONSULT in parts else ()
        intent, parts, confidence = (
            IntentType.CONTRACT_REVIEW,
            (IntentType.CONTRACT_REVIEW, *beside),
            max(confidence, 0.8),
        )
    if continues:
        intent = IntentType(state["last_intent"])
        parts = [IntentType(part) for part in state.get("last_parts") or [intent]]
        confidence = max(confidence, 0.6)
    if continues and not slots:
        slots = _bare_size(message, state)
    inquiry = Inquiry(intent, tuple(parts) or (intent,), confidence, continues, slots, contract=contract)
    inquiry.confirmed = bool(contract) or _confirms(message, state)
    inquiry.known = _known(state, slots, inherited=continues)
    inquiry.needs = _needs(message, state, inquiry, today, asked)
    for need in inquiry.needs:
        one, given = calculator(need["calculator"]), need["inputs"]
        if one.subject == "risk" and not continues:
            said = {item.slot: given[item.name] for item in one.inputs if item.slot and item.name in given}
            inquiry.slots |= said
            inquiry.known |= said
    ready = any(calculator(need["calculator"]).subject == "law" and not need["missing"] for need in inquiry.needs)
    if inquiry.intent is IntentType.MARKET_INQUIRY and ready and not slots.get("region"):
        inquiry.intent, inquiry.parts = IntentType.LEGAL_CONSULT, (IntentType.LEGAL_CONSULT,)
    _fit_pending(message, state, inquiry, today)
    return inquiry


def _meant(message: str, intent: IntentType, parts: Sequence[IntentType]) -> tuple[IntentType, Sequence[IntentType]]:
    """Intents that the whole sentence tells better than its words."""
    if intent is IntentType.CONTRACT_CREATION and _LETTER.search(message) and not wanted_contract(message):
        return intent, (IntentType.LEGAL_CONSULT,)
    if intent is IntentType.CONTRACT_CREATION and _MUST_WRITE.search(message) and not _FORM.search(message):
        return IntentType.LEGAL_CONSULT, (IntentType.LEGAL_CONSULT,)
    if intent is IntentType.MARKET_INQUIRY and _LOAN_ASKED.search(message):
        return IntentType.LOAN_CONSULT, (IntentType.LOAN_CONSULT,)
    return intent, parts


def _continues(message: str, state: State, intent: IntentType, slots: Slots, today: date, *, asks_anew: bool) -> bool:
    """Whether the message goes on with the last question instead of asking a new one."""
    last = state.get("last_intent")
    if not last:
        return False
    pending = state.get("pending")
    if pending and _answers(message, pending, slots, today):
        asks = bool(ASKS.search(message)) and intent not in (IntentType.UNCLEAR, IntentType(last))
        return not asks
    if last == IntentType.CONTRACT_REVIEW and asks_to_rewrite(message, state):
        return True
    if not asks_anew and _calculates_on(message, state, intent, today):
        return True
    kinds = cue_kinds(message)
    if _leaves_out(message, state, slots, today) or ("correction" in kinds and _mends_sum(message, state, slots)):
        return True
    if intent is IntentType.UNCLEAR:
        return bool(slots or kinds & {"correction", "reference"}) or _figures_only(message, state, today)
    if _SUPPOSES.search(message):
        again = any(name in slots and state.get(name) is not None for name in MONEY_SLOTS) and "region" not in slots
        if again or _figures_only(message, state, today):
            return True
    refers = bool(kinds & {"correction", "reference"})
    return refers and (intent.value in (state.get("last_parts") or ()) or intent.value == last) and bool(slots)


def _calculates_on(message: str, state: State, intent: IntentType, today: date) -> bool:
    """Whether the last calculation stays open: new figures for it, or the same once more, and no other is asked for."""
    before = state.get("figure_requests") or []
    if not before or len(message) > SHORT_ASK or intent in (IntentType.CONTRACT_CREATION, IntentType.CONTRACT_REVIEW):
        return False
    others = {need["calculator"] for need in read_needs(message, today, {})} - {need["calculator"] for need in before}
    again = bool(re.search(r"\d", message)) and bool(_AGAIN.search(message))
    return not others and (_figures_only(message, state, today) or again)


def _leaves_out(message: str, state: State, slots: Slots, today: date) -> bool:
    """Whether a place, a sum or a kind is named and the question left out ("그럼 전주는? 보증금 6천")."""
    if len(message) > SHORT_ASK or told_by_words(message):
        return False
    marked = _CONNECTIVE.match(message) or _TOPIC.search(message) or _SUPPOSES.search(message)
    if not marked and not cue_kinds(message) & {"correction", "reference"}:
        return False
    return _figures_only(message, state, today) or (bool(slots) and state.get("last_intent") in _BY_SLOTS)


def _mends_sum(message: str, state: State, slots: Slots) -> bool:
    """ "매매가 2억5천이 아니라 3억2천이래": a sum that was said before, and nothing asked."""
    known = any(name in slots and state.get(name) is not None for name in MONEY_SLOTS)
    return known and len(message) <= SHORT_ASK and not ASKS.search(message)


def asks_to_rewrite(message: str, state: State) -> bool:
    """Whether better words are asked for the contract that was reviewed ("그럼 뭐라고 고쳐 쓰면 돼?")."""
    return bool(state.get("contract_text")) and bool(_REWRITES.search(message)) and len(message) <= SHORT_ASK


def wanted_contract(message: str) -> bool:
    """Whether a contract is asked for by its name, not a letter or a receipt."""
    return "계약서" in message


def _bare_size(message: str, state: State) -> Slots:
    """ "아니 59로": a bare number where a size was talked about is one."""
    number = re.search(r"(?<![\d.])(\d{2,3}(?:\.\d+)?)\s?(?:으로|로|은|는|짜리|이면|면)?\s*[?？!.~]*$", message)
    return {"area_m2": float(number[1])} if number and state.get("area_m2") and 10 <= float(number[1]) <= 300 else {}


def _confirms(message: str, state: State) -> bool:
    """Whether a pending question is answered with a choice that changes no slot."""
    pending = state.get("pending")
    return bool(pending and pending["kind"] == "document" and wanted_template(message, {}))


def _figures_only(message: str, state: State, today: date) -> bool:
    before = state.get("figure_requests") or []
    return bool(before) and _changed(before, message, today) != list(before)


def _changed(before: Sequence[FigureNeed], message: str, today: date) -> list[FigureNeed]:
    """The figures with what a follow-up changes: read whole, then without what it takes back ("80이 아니라 90")."""
    changed = changed_needs(before, message, today)
    return changed if changed != list(before) else changed_needs(before, without_denied(message), today)


def _answers(message: str, pending: Mapping[str, Any], slots: Slots, today: date) -> bool:
    if pending["kind"] == "contract_text":
        return False
    if pending["kind"] == "region":
        return bool(slots)
    if pending["kind"] == "risk" and any(name in slots for name in (*MONEY_SLOTS, "region")):
        return True
    if pending["kind"] == "document":
        return bool(re.search(r"전세|월세|매매|임대", message))
    facts = Facts(message, today)
    if pending["kind"] == "loan":
        return any(name in slots for name in pending["names"])
    return any(read_input(name, facts) is not None for name in pending.get("names") or ())


def _known(state: State, slots: Slots, *, inherited: bool) -> dict[str, Any]:
    """What holds now. A new question that gives sums of its own doesn't mix them with those of the last one."""
    fresh_sums = not inherited and any(name in slots for name in MONEY_SLOTS)
    known = {name: state.get(name) for name in MEMBERS}
    if fresh_sums:
        known |= dict.fromkeys(MONEY_SLOTS)
    if not inherited:
        known |= {"risk_signs": [], "listing_wish": {}, "price_months": None}
    facts = {**(known.get("loan_facts") or {}), **slots.get("loan_facts", {})}
    wish = {**(known.get("listing_wish") or {}), **slots.get("listing_wish", {})}
    known |= {**slots, "loan_facts": facts, "listing_wish": wish}
    if known.get("deal_type") == "sale" and "deal_type" in slots:
        known["monthly_rent"] = slots.get("monthly_rent")
    return known


def _needs(message: str, state: State, inquiry: Inquiry, today: date, asked: str | None) -> list[FigureNeed]:
    if inquiry.contract:
        return []
    if not inquiry.inherited:
        return read_needs(message, today, inquiry.known, asked)
    before = list(state.get("figure_requests") or ())
    said = [need for need in read_needs(message, today, {}) if need["inputs"]]
    if said and not before:
        return said
    return [complete(need, inquiry.slots) for need in _changed(before, message, today)]


def _fit_pending(message: str, state: State, inquiry: Inquiry, today: date) -> None:
    """A bare sum answers what was asked for: "4억이요" after "시세가 얼마인가요?"."""
    pending = state.get("pending")
    if not pending or not inquiry.inherited or pending["kind"] != "risk":
        return
    for name in pending["names"]:
        if name in inquiry.slots or name not in ("price", "deposit"):
            continue
        value = read_input(name, Facts(message, today))
        other = "deposit" if name == "price" else "price"
        if value is not None and value >= LEAST_PRICE[name] and inquiry.slots.get(other) != value:
            inquiry.slots[name] = inquiry.known[name] = value
            return
