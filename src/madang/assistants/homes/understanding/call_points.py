"""The places of understanding where a model may help, each with the form of its answer and its deterministic twin."""

import asyncio
import re
from functools import cache
from typing import Literal

from pydantic import BaseModel, Field

from madang.assistants.homes.prompts import call_point
from madang.assistants.homes.understanding.intent_types import IntentType
from madang.assistants.homes.understanding.intents import read_intent
from madang.llm import CallPoint, Inputs


class IntentReply(BaseModel):
    intent: IntentType
    confidence: float = Field(ge=0, le=1)
    keywords: list[str] = Field(default_factory=list, max_length=12)
    parts: list[IntentType] = Field(default_factory=list, max_length=6)


class TeamsReply(BaseModel):
    teams: list[Literal["search", "analysis", "document"]] = Field(min_length=1, max_length=3)


class SubQuestion(BaseModel):
    intent: IntentType
    question: str = Field(min_length=2, max_length=300)


class PartsReply(BaseModel):
    questions: list[SubQuestion] = Field(max_length=6)


class KeywordsReply(BaseModel):
    legal: list[str] = Field(max_length=10)
    real_estate: list[str] = Field(max_length=10)
    loan: list[str] = Field(max_length=10)
    general: list[str] = Field(max_length=10)


class ToolsReply(BaseModel):
    tools: list[str] = Field(max_length=8)


def _intent_twin(inputs: Inputs) -> IntentReply:
    reading = read_intent(inputs["query"])
    return IntentReply(
        intent=reading.intent,
        confidence=reading.confidence,
        keywords=list(reading.keywords)[:12],
        parts=list(reading.parts)[:6],
    )


def _teams_twin(inputs: Inputs) -> TeamsReply:
    return TeamsReply(teams=inputs["default"])


def _parts_twin(inputs: Inputs) -> PartsReply:
    """Without a model every part is asked with the whole question: its tools take what concerns them."""
    question = inputs["query"].strip()[:300] or "질문"
    return PartsReply(questions=[SubQuestion(intent=part, question=question) for part in inputs["wanted"]])


_MONEY_WORDS = re.compile(r"대출|금리|이자|LTV|DSR|DTI|버팀목|디딤돌|보금자리|지원금")
_PRICE_WORDS = re.compile(r"시세|매물|평|㎡|가격|아파트|오피스텔|빌라|원룸")


async def keywords_twin(inputs: Inputs) -> KeywordsReply:
    """The question's own words, sorted by what they are searched in."""
    sorted_words: dict[str, list[str]] = {"legal": [], "real_estate": [], "loan": [], "general": []}
    nouns = await asyncio.to_thread(_nouns, inputs["query"])
    for word in dict.fromkeys([*inputs["words"], *nouns]):
        kind = "loan" if _MONEY_WORDS.search(word) else "real_estate" if _PRICE_WORDS.search(word) else "legal"
        sorted_words[kind if kind in inputs["kinds"] else "general"].append(word)
    return KeywordsReply(**{kind: words[:10] for kind, words in sorted_words.items()})


def _nouns(question: str) -> list[str]:
    from madang.text.morphemes import morphemes

    return [word.form for word in morphemes(question) if word.tag in ("NNG", "NNP", "SL") and len(word.form) > 1]


def _tools_twin(inputs: Inputs) -> ToolsReply:
    return ToolsReply(tools=inputs["default"])


@cache
def intent_point() -> CallPoint[IntentReply]:
    return call_point("intent", IntentReply, ("query", "last_intent"), _intent_twin)


@cache
def teams_point() -> CallPoint[TeamsReply]:
    return call_point("teams", TeamsReply, ("query", "intent", "parts"), _teams_twin, local_inputs=("default",))


@cache
def simple_teams_point() -> CallPoint[TeamsReply]:
    """Asked when the model could not put the teams into the form of an answer."""
    return call_point("teams_simple", TeamsReply, ("intent",), _teams_twin, local_inputs=("default",), timeout=5)


@cache
def parts_point() -> CallPoint[PartsReply]:
    return call_point("decompose", PartsReply, ("query", "parts"), _parts_twin, local_inputs=("wanted",))


@cache
def keywords_point() -> CallPoint[KeywordsReply]:
    return call_point("keywords", KeywordsReply, ("query",), keywords_twin, local_inputs=("words", "kinds"))


@cache
def search_tools_point() -> CallPoint[ToolsReply]:
    inputs = ("query", "intent", "available")
    return call_point("search_tools", ToolsReply, inputs, _tools_twin, local_inputs=("default",))


@cache
def analysis_tools_point() -> CallPoint[ToolsReply]:
    inputs = ("query", "intent", "available")
    return call_point("analysis_tools", ToolsReply, inputs, _tools_twin, local_inputs=("default",))


POINTS = (
    intent_point, teams_point, simple_teams_point, parts_point, keywords_point, search_tools_point,
    analysis_tools_point,
)  # fmt: skip
