"""The deterministic twin of intent analysis: what the cues tell, and beside it what the question is like."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from madang.assistants.homes.understanding.intent_cues import by_cues, speaks_of_homes
from madang.assistants.homes.understanding.intent_examples import likely_intents
from madang.assistants.homes.understanding.intent_types import UNCLEAR_BELOW, IntentReading, IntentType

_SINGLE = (
    IntentType.LEGAL_CONSULT,
    IntentType.MARKET_INQUIRY,
    IntentType.LOAN_CONSULT,
    IntentType.CONTRACT_CREATION,
    IntentType.CONTRACT_REVIEW,
    IntentType.RISK_ANALYSIS,
)
# How much the cues count beside what examples say, and how sure examples alone can be.
_WEIGHT_OF_CUES, _GUESSED_MOST, _GUESSED_UNCLEAR, _TOLD = 0.4, 0.45, 0.2, 0.6


@lru_cache(maxsize=8)
def read_intent(question: str) -> IntentReading:
    """The intent of a question, read once however many ask. Never raises; an empty or wordless one is unclear."""
    told = by_cues(question)
    likely = likely_intents(question)
    if not likely:
        return told
    told_too = {**likely, told.intent.value: likely[told.intent.value] + _WEIGHT_OF_CUES * told.confidence}
    intent = IntentType(max(told_too, key=lambda name: told_too[name]))
    if intent is told.intent or not _may_be(intent, told, likely, question):
        return told
    return _guessed(told, intent, likely)


def _may_be(intent: IntentType, told: IntentReading, likely: Mapping[str, float], question: str) -> bool:
    """Whether examples may overrule the cues: not where nothing is said of homes, nor by a weak doubt."""
    if intent is IntentType.UNCLEAR:
        return told.confidence < _TOLD or likely[intent.value] > 0
    return intent is IntentType.IRRELEVANT or bool(told.entities) or speaks_of_homes(question)


def _guessed(told: IntentReading, intent: IntentType, likely: Mapping[str, float]) -> IntentReading:
    """The reading with another intent; never so sure that a follow-up would leave its subject for it."""
    sure = _GUESSED_UNCLEAR if intent is IntentType.UNCLEAR else _guess(likely[intent.value])
    singles = sorted(_SINGLE, key=lambda one: -likely.get(one.value, -1.0))
    parts = tuple(singles[:2]) if intent is IntentType.COMPREHENSIVE else (intent,) if intent in _SINGLE else ()
    return replace(told, intent=intent, confidence=sure, parts=parts)


def _guess(score: float) -> float:
    return round(min(_GUESSED_MOST, UNCLEAR_BELOW + 0.1 * (1 + max(-1.0, score))), 3)
