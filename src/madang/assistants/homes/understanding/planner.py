"""Planning: from a message to slots and steps, or to a question, or to guidance."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from madang.assistants.homes.agents import AGENTS
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.supervisor import MainSupervisorState
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.documents import find_template
from madang.assistants.homes.understanding import call_points, guidance
from madang.assistants.homes.understanding.agent_choice import choose_agents
from madang.assistants.homes.understanding.draft_answers import values_in
from madang.assistants.homes.understanding.figure_needs import questions_for, worth_asking
from madang.assistants.homes.understanding.intent_cues import read_entities
from madang.assistants.homes.understanding.intent_types import UNCLEAR_BELOW, IntentType
from madang.assistants.homes.understanding.intents import read_intent
from madang.assistants.homes.understanding.legal_evidence import weigh_law
from madang.assistants.homes.understanding.limits import Limit, limits_of, names_home, without_limits
from madang.assistants.homes.understanding.reading import (
    MEMBERS,
    Reading,
    asks_to_rewrite,
    read,
)
from madang.assistants.homes.understanding.spelling import mend
from madang.assistants.homes.understanding.wishes import legal_question, wanted_loans, wanted_template
from madang.graph import Answer, StepRequest, TurnContext, Understanding
from madang.threads import in_thread

State = Mapping[str, Any]
_PRODUCTS = re.compile(r"버팀목|디딤돌|보금자리|신생아|청년|신혼|중소기업|월세\s?지원|반환\s?보증|주택\s?연금|특례")
_ASKS_REVIEW = re.compile(
    r"(?:계약서|특약)[^?]{0,12}(?:봐\s?(?:줘|주|줄)|검토|확인\s?(?:좀|해)|살펴|체크|이상한\s?(?:조항|것|거|데))"
)
_TASKS = {one.name: one.task for one in AGENTS}
_ENTITY_NAMES = {
    "regions": "지역", "amounts": "금액", "areas": "면적", "rates": "비율", "articles": "조문", "deal": "계약유형",
    "property": "주택유형",
}  # fmt: skip


async def understand(state: MainSupervisorState, ctx: TurnContext[HomesServices]) -> Understanding:
    """Read the message, ask for what a plan can't do without, or plan."""
    raw: str = state["query"]
    state = {**state, "query": await in_thread(mend, raw)}
    query = state["query"]
    limits = await in_thread(limits_of, query)
    outcome = await ctx.call(
        call_points.intent_point(), {"query": query, "last_intent": state.get("last_intent") or "없음"}
    )
    said = outcome.value
    reading = await in_thread(read, query, state, ctx.today, said.intent, said.parts, said.confidence)
    if not limits and not _ASKS_REVIEW.search(query):
        await weigh_law(query, reading, state, ctx)
    update = await in_thread(_base_update, state, raw, ctx, reading, said.keywords)
    return await in_thread(_at_once, state, reading, limits, update) or await _plan(state, ctx, reading, update)


def _at_once(state: State, reading: Reading, limits: Sequence[Limit], update: dict[str, Any]) -> Understanding | None:
    """What needs no plan: what is beyond us, and what must be asked first."""
    query: str = state["query"]
    if limits and limits[0].final:
        return _end(update, guidance.beyond(limits), reading)
    if _is_off(reading) or (limits and not (names_home(without_limits(query)) or reading.slots.get("region"))):
        return _end(update, guidance.beyond(limits) if limits else guidance.welcome(query, state), reading)
    if reading.inherited and not _changes(state, reading) and not asks_to_rewrite(query, state):
        return _end({**update, "pending": state.get("pending")}, guidance.ask_change(state), reading)
    asked = _lacking(reading, query, state)
    if asked is None:
        return None
    answer, pending = asked
    memory = _remembered(state, reading)
    return _end({**update, **_slots(reading), **memory, "pending": pending}, answer, reading)


def _remembered(state: State, reading: Reading) -> dict[str, Any]:
    """What the answer to a question back will go on with."""
    query: str = state["query"]
    parts = [part.value for part in reading.parts]
    memory: dict[str, Any] = {"last_intent": reading.intent.value, "last_parts": parts}
    if not reading.inherited:
        memory |= {"legal_question": legal_question(parts, dict.fromkeys(parts, query)), "search_keywords": None}
        memory["legal_terms"] = []
        memory |= {"loan_kinds": wanted_loans(query, parts, reading.known), "loan_words": _loan_words(query)}
    if IntentType.CONTRACT_CREATION in reading.parts and not reading.inherited:
        memory |= {"document_template": None, "document_fields": {}}
    return memory


def _is_off(reading: Reading) -> bool:
    unclear = reading.intent is IntentType.UNCLEAR and reading.confidence < UNCLEAR_BELOW
    return not reading.inherited and (reading.intent is IntentType.IRRELEVANT or unclear)


def _end(update: dict[str, Any], answer: Answer, reading: Reading) -> Understanding:
    return Understanding(update=update, answer=answer, intent=reading.intent.value, confidence=reading.confidence)


def _base_update(
    state: State, raw: str, ctx: TurnContext[HomesServices], reading: Reading, keywords: Sequence[str]
) -> dict[str, Any]:
    intent = {
        "intent_type": reading.intent.value,
        "confidence": reading.confidence,
        "keywords": list(keywords),
        "entities": entities_of(state["query"]),
        "reasoning": "앞선 질문을 이어 읽음" if reading.inherited else None,
    }
    planning = {"raw_query": raw, "analyzed_intent": intent, "intent_confidence": reading.confidence}
    return {"planning_state": planning, "user_id": ctx.user_id, "pending": None}


def entities_of(query: str) -> dict[str, list[str]]:
    """What the question names, by kind, as words."""
    named: dict[str, list[str]] = {}
    for kind, value in read_entities(query).items():
        values = value if isinstance(value, list) else [value]
        named[_ENTITY_NAMES[kind]] = [str(v["text"] if isinstance(v, Mapping) else v) for v in values]
    return named


def _changes(state: State, reading: Reading) -> bool:
    """Whether a follow-up says anything that was not known before."""
    said = [name for name in MEMBERS if name in reading.slots or reading.known.get(name)]
    news = any(reading.known.get(name) != state.get(name) for name in said)
    return news or reading.needs != (state.get("figure_requests") or []) or reading.confirmed


def _slots(reading: Reading) -> dict[str, Any]:
    update = {name: reading.known.get(name) for name in MEMBERS if name != "contract_end"}
    update |= {"regions": update["regions"] or [], "risk_signs": update["risk_signs"] or []}
    return {**update, "figure_requests": reading.needs}


def _lacking(reading: Reading, query: str, state: State) -> tuple[Answer, dict[str, Any]] | None:
    """What must be asked before anything can run, and how it is remembered."""
    parts, known = set(reading.parts), reading.known
    open_needs = [need for need in reading.needs if worth_asking(need, query) or _was_asked(need, reading, state)]
    risk = [need for need in open_needs if calculator(need["calculator"]).subject == "risk"]
    figures = [need for need in open_needs if need not in risk and need["missing"]]
    if figures and not (parts & {IntentType.MARKET_INQUIRY} and known.get("region")):
        names = list(dict.fromkeys(name for need in figures for name in need["missing"]))
        label = calculator(figures[0]["calculator"]).label
        return guidance.ask_inputs(label, questions_for(figures)), {"kind": "figure", "names": names}
    if IntentType.CONTRACT_REVIEW in parts and not (reading.contract or state.get("contract_text")):
        return guidance.ask_contract(), {"kind": "contract_text", "names": ["contract_text"]}
    if IntentType.MARKET_INQUIRY in parts and not known.get("region") and not _has_ready(reading):
        return guidance.ask_region(state), {"kind": "region", "names": ["region"]}
    if IntentType.CONTRACT_CREATION in parts and not _template(reading, query, state):
        return guidance.ask_document(), {"kind": "document", "names": ["document_template"]}
    missing = _risk_missing(known)
    pending = (state.get("pending") or {}).get("kind") == "risk"
    if IntentType.RISK_ANALYSIS in parts and missing and (risk or pending or _gives_sums(reading)):
        return guidance.ask_risk(missing), {"kind": "risk", "names": missing}
    return None


def _was_asked(need: Mapping[str, Any], reading: Reading, state: State) -> bool:
    """Whether an answer to the question for these inputs leaves some of them open."""
    pending = state.get("pending") or {}
    return reading.inherited and pending.get("kind") == "figure" and bool(set(need["missing"]) & set(pending["names"]))


def _has_ready(reading: Reading) -> bool:
    return any(not need["missing"] for need in reading.needs)


def _gives_sums(reading: Reading) -> bool:
    return any(name in reading.slots for name in ("price", "deposit", "senior_debt"))


def _risk_missing(known: Mapping[str, Any]) -> list[str]:
    missing = [] if known.get("deposit") is not None else ["deposit"]
    if known.get("price") is None and not (known.get("region") and known.get("area_m2")):
        missing.append("price")
    return missing


def _template(reading: Reading, query: str, state: State) -> str | None:
    before = state.get("document_template") if reading.inherited else None
    return wanted_template(query, reading.known) or before


async def _plan(
    state: State, ctx: TurnContext[HomesServices], reading: Reading, update: dict[str, Any]
) -> Understanding:
    query = state["query"]
    parts = [part.value for part in reading.parts if part is not IntentType.COMPREHENSIVE] or [reading.intent.value]
    update |= _slots(reading)
    update |= {"last_intent": reading.intent.value, "last_parts": parts}
    if reading.contract or IntentType.CONTRACT_REVIEW in reading.parts:
        update["contract_text"] = reading.contract or state.get("contract_text")
    if IntentType.CONTRACT_CREATION in reading.parts:
        template = _template(reading, query, state)
        kept = state.get("document_fields") if reading.inherited else None
        given = values_in(find_template(str(template)), query, (), ctx.today)
        update |= {"document_template": template, "document_fields": {**(kept or {}), **given}}
    update |= await _questions(state, ctx, reading, parts)
    if open_names := [name for need in reading.needs if need["missing"] for name in need["missing"]]:
        update["pending"] = {"kind": "figure", "names": list(dict.fromkeys(open_names))}
    before = (state.get("plan") or {}).get("requests") or ()
    had_listings = any(request["agent"] == "property_search" for request in before)
    agents = await choose_agents(ctx, reading, parts, query, update, had_listings=had_listings)
    if not agents:
        return _end({**update, "pending": None}, guidance.welcome(query, state), reading)
    steps = [StepRequest(name, description=_describe(name, query, reading.known)) for name in agents]
    return Understanding(update=update, steps=steps, intent=reading.intent.value, confidence=reading.confidence)


async def _questions(
    state: State, ctx: TurnContext[HomesServices], reading: Reading, parts: Sequence[str]
) -> dict[str, Any]:
    """What each team is to look for. A follow-up that asks nothing new keeps the questions as they were."""
    query: str = state["query"]
    legal, keywords = state.get("legal_question"), state.get("search_keywords")
    terms = state.get("legal_terms") or []
    loans = {"loan_kinds": state.get("loan_kinds") or [], "loan_words": state.get("loan_words")}
    if not reading.inherited:
        asked = dict.fromkeys(parts, query)
        if len(parts) > 1:
            wanted = [IntentType(part) for part in parts]
            split = await ctx.call(
                call_points.parts_point(), {"query": query, "parts": ", ".join(parts), "wanted": wanted}
            )
            asked |= {item.intent.value: item.question for item in split.value.questions if item.intent in parts}
        legal = legal_question(parts, asked)
        if legal and reading.adds_to_question:
            legal = f"{state['legal_question']} {legal}"
        kinds = [scope for scope, part in _KEYWORD_KINDS if part & set(parts)]
        words = [word for word in (await in_thread(read_intent, query)).keywords if len(word) > 1]
        found = await ctx.call(call_points.keywords_point(), {"query": query, "words": words, "kinds": kinds})
        keywords = found.value.model_dump()
        said = f"{query} {legal or ''}"
        terms = [word for word in keywords["legal"] if word not in said][:4] if found.source == "model" else []
    if reading.inherited and legal and reading.turned_shop:
        legal = f"상가 {legal}"
    if not reading.inherited or reading.slots.get("deal_type", state.get("deal_type")) != state.get("deal_type"):
        loans = {"loan_kinds": wanted_loans(query, parts, reading.known), "loan_words": _loan_words(query)}
        if reading.inherited and loans["loan_words"] is None:
            loans["loan_words"] = state.get("loan_words")
    return {"legal_question": legal, "search_keywords": keywords, "legal_terms": terms, **loans}


_KEYWORD_KINDS = (
    ("legal", {IntentType.LEGAL_CONSULT, IntentType.RISK_ANALYSIS, IntentType.CONTRACT_REVIEW, IntentType.UNCLEAR}),
    ("real_estate", {IntentType.MARKET_INQUIRY}),
    ("loan", {IntentType.LOAN_CONSULT}),
)


def _loan_words(query: str) -> str | None:
    names = _PRODUCTS.findall(query)
    return " ".join(dict.fromkeys(names)) or None


def _describe(name: str, query: str, known: Mapping[str, Any]) -> str:
    where = "·".join(known.get("regions") or ())
    if name in ("market_search", "market_analysis", "property_search") and where:
        return f"{where} {_TASKS[name]}"
    if name == "legal_search":
        return f"“{query[:40]}” 관련 법률 조회"
    return _TASKS[name]
