"""What the law index says about a question whose words tell no intent: tenants don't use the words of a form."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.understanding.inquiry import Inquiry
from madang.assistants.homes.understanding.intent_cues import asks_for_a_talk
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.limits import names_home
from madang.errors import MadangError
from madang.graph import TurnContext

# How well an article must fit: where no intent was told, instead of one that can't be served, beside a loan.
FIT_WITHOUT_INTENT = 0.45
FIT_WITHOUT_INTENT_OF_A_HOME = 0.33
FIT_INSTEAD_OF_INTENT = 0.43
FIT_BESIDES_LOAN = 0.55
_PRICES = re.compile(r"시세|매물|평당|호가|집값|가격|추천")
_OF_A_HOME = re.compile(
    r"주인|방세|룸메|수도|변기|보일러|벽지|타공|못질|파손|물어\s?(?:줘|내)|책임|매도|매수|잔금|계약금|중재|조정|피해자|공동\s?명의"
)
LEAST_WORDS = 3
_LEGAL = IntentType.LEGAL_CONSULT


async def weigh_law(query: str, inquiry: Inquiry, state: Mapping[str, Any], ctx: TurnContext[HomesServices]) -> None:
    """Take a question for one of law, or for one of law too, if an article fits it well.

    Only where the intent was not told, can't be served for lack of a region or a contract, or is about a loan: the
    search costs a few milliseconds, the first time seconds.
    """
    needed = _needed(query, inquiry, state)
    if needed is None or ctx.services is None:
        return
    score = await asyncio.to_thread(_score, query, ctx.services)
    if score < needed:
        return
    if IntentType.LOAN_CONSULT in inquiry.parts:
        inquiry.parts = (*inquiry.parts, _LEGAL)
        return
    inquiry.intent, inquiry.parts = _LEGAL, (_LEGAL,)
    inquiry.confidence = round(max(min(score, 0.9), 0.4), 3)


def _needed(query: str, inquiry: Inquiry, state: Mapping[str, Any]) -> float | None:
    """How well an article must fit to change the inquiry; None if the inquiry stands."""
    if inquiry.inherited or inquiry.contract or _LEGAL in inquiry.parts or asks_for_a_talk(query):
        return None
    if inquiry.intent in (IntentType.IRRELEVANT, IntentType.UNCLEAR):
        return FIT_WITHOUT_INTENT_OF_A_HOME if names_home(query) or _OF_A_HOME.search(query) else FIT_WITHOUT_INTENT
    if IntentType.MARKET_INQUIRY in inquiry.parts and not inquiry.known.get("region") and not _PRICES.search(query):
        return FIT_INSTEAD_OF_INTENT if not any(not need["missing"] for need in inquiry.needs) else None
    if IntentType.CONTRACT_REVIEW in inquiry.parts and not state.get("contract_text"):
        return FIT_INSTEAD_OF_INTENT
    return FIT_BESIDES_LOAN if inquiry.intent is IntentType.LOAN_CONSULT else None


def _score(query: str, services: HomesServices) -> float:
    """How well the best article fits; 0 for a question of filler words, which fit anything."""
    from madang.text.morphemes import content_words

    if len(set(content_words(query))) < LEAST_WORDS:
        return 0.0
    try:
        hits = services.legal.search(query, 1)
    except MadangError:
        return 0.0
    return max(float(hits[0].relevance_score) if hits else 0.0, services.judgements.fit(query))
