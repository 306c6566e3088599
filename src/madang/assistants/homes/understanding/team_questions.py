"""What each team is to look for: the questions of law one by one, the story they belong to, loans by their names."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from madang.assistants.homes.state.conversation import LegalQuestion
from madang.assistants.homes.understanding.inquiry import Inquiry
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.intents import read_intent
from madang.assistants.homes.understanding.keywords import keywords_of
from madang.assistants.homes.understanding.questions import (
    CONNECTS,
    TOLD_MOST,
    leans_back,
    legal_questions,
)
from madang.assistants.homes.understanding.wishes import (
    RISK_IN_GENERAL,
    legal_question,
    wanted_loans,
)
from madang.threads import in_thread

State = Mapping[str, Any]
_PRODUCTS = re.compile(r"버팀목|디딤돌|보금자리|신생아|청년|신혼|중소기업|월세\s?지원|반환\s?보증|주택\s?연금|특례")
STORY_MOST = 8
_KEYWORD_KINDS = (
    ("legal", {IntentType.LEGAL_CONSULT, IntentType.RISK_ANALYSIS, IntentType.CONTRACT_REVIEW, IntentType.UNCLEAR}),
    ("real_estate", {IntentType.MARKET_INQUIRY}),
    ("loan", {IntentType.LOAN_CONSULT}),
)


async def questions_for_teams(state: State, inquiry: Inquiry, parts: Sequence[str]) -> dict[str, Any]:
    """What each team is to look for. A follow-up that asks nothing new keeps the questions as they were."""
    query: str = state["query"]
    legal, keywords = state.get("legal_question"), state.get("search_keywords")
    questions, story = state.get("legal_questions") or [], story_of(state, inquiry)
    terms = state.get("legal_terms") or []
    loans = {"loan_kinds": state.get("loan_kinds") or [], "loan_words": state.get("loan_words")}
    if not inquiry.inherited:
        asked = dict.fromkeys(parts, query)
        legal = legal_question(parts, asked)
        questions = _legal_questions(state, inquiry, legal)
        kinds = [scope for scope, part in _KEYWORD_KINDS if part & set(parts)]
        words = [word for word in read_intent(query).keywords if len(word) > 1]
        keywords, terms = await in_thread(keywords_of, query, words, kinds), []
    if not inquiry.inherited or inquiry.slots.get("deal_type", state.get("deal_type")) != state.get("deal_type"):
        loans = {"loan_kinds": wanted_loans(query, parts, inquiry.known), "loan_words": loan_words(query)}
        if inquiry.inherited and loans["loan_words"] is None:
            loans["loan_words"] = state.get("loan_words")
    searched = {"legal_question": legal, "legal_questions": questions, "story": story}
    return {**searched, "search_keywords": keywords, "legal_terms": terms, **loans}


def _legal_questions(state: State, inquiry: Inquiry, legal: str | None) -> list[LegalQuestion]:
    """Each question of law by itself. What only adds to the story asks the last questions again."""
    if legal is None:
        return []
    before = list(state.get("legal_questions") or ())
    story = [*(state.get("story") or ()), *(one["question"] for one in before)]
    asked = [one for one in inquiry.asked if one.task in ("law", "risk", "review", "figure")]
    if not asked and inquiry.told and before and IntentType.LEGAL_CONSULT in inquiry.parts and _adds_to_last(state):
        return [cast(LegalQuestion, {**one, "told": [*inquiry.told, *one["told"]][:TOLD_MOST]}) for one in before]
    if not asked and (legal == RISK_IN_GENERAL or not inquiry.told):
        return legal_questions([], legal, [], [])
    text = state["query"] if legal == RISK_IN_GENERAL else legal
    return legal_questions(asked, text, inquiry.told, story)


def _adds_to_last(state: State) -> bool:
    """Whether what is told belongs to the last question: it says so, or says little that could be looked up."""
    return state.get("last_intent") == IntentType.LEGAL_CONSULT and leans_back(state["query"])


def story_of(state: State, inquiry: Inquiry) -> list[str]:
    """What was told in this conversation, the newest last. A question that says itself what it is about begins anew."""
    told = [*inquiry.told, *(one.text for one in inquiry.asked if not one.says_little and one.task != "draft")]
    new = any(not one.says_little for one in inquiry.asked) and not CONNECTS.match(state["query"])
    before = [] if new and not inquiry.inherited else list(state.get("story") or ())
    return [*before, *told][-STORY_MOST:]


def loan_words(query: str) -> str | None:
    names = _PRODUCTS.findall(query)
    return " ".join(dict.fromkeys(names)) or None
