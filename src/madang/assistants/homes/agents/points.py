"""The ten places where a model may help, each with its prompt, the form of its answer and its deterministic twin."""

import asyncio
import re
from typing import Any, Literal

from pydantic import BaseModel, Field

from madang.assistants.homes.agents import selection
from madang.assistants.homes.tools.intent_types import IntentType
from madang.assistants.homes.tools.intents import read_intent
from madang.llm import Budget, CallPoint, Inputs, read_prompt

PACKAGE = "madang.assistants.homes"


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


class ClauseOpinion(BaseModel):
    clause: str = Field(min_length=5, max_length=600)
    concern: str = Field(min_length=5, max_length=400)
    article: str = ""
    suggestion: str = Field(default="", max_length=400)


class ContractReply(BaseModel):
    opinions: list[ClauseOpinion] = Field(max_length=8)


class InsightsReply(BaseModel):
    insights: list[str] = Field(max_length=6)


class ReportReply(BaseModel):
    summary: str = Field(max_length=600)
    key_findings: list[str] = Field(default_factory=list, max_length=6)
    recommendations: list[str] = Field(default_factory=list, max_length=6)


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


def _twin_insights(inputs: Inputs) -> InsightsReply:
    return InsightsReply(insights=inputs["default"])


def _twin_report(inputs: Inputs) -> ReportReply:
    return ReportReply(**inputs["default"])


def _point(name: str, schema: Any, inputs: tuple[str, ...], twin: Any, **options: Any) -> CallPoint[Any]:
    prompt = read_prompt(PACKAGE, f"prompts/{name}.md")
    return CallPoint(name=f"homes.{name}", prompt=prompt, schema=schema, inputs=inputs, twin=twin, **options)


SMALL = Budget(input_tokens=1500, output_tokens=400)

INTENT = _point("intent", IntentReply, ("query", "last_intent"), _intent_twin, budget=SMALL, timeout=8)
TEAMS = _point(
    "teams", TeamsReply, ("query", "intent", "parts"), _teams_twin, local_inputs=("default",), budget=SMALL, timeout=8
)
TEAMS_SIMPLE = _point(
    "teams_simple", TeamsReply, ("intent",), _teams_twin, local_inputs=("default",), budget=SMALL, timeout=5
)
DECOMPOSE = _point(
    "decompose", PartsReply, ("query", "parts"), _parts_twin, local_inputs=("wanted",), budget=SMALL, timeout=8
)
KEYWORDS = _point(
    "keywords", KeywordsReply, ("query",), keywords_twin, local_inputs=("words", "kinds"), budget=SMALL, timeout=8
)
SEARCH_TOOLS = _point(
    "search_tools", ToolsReply, ("query", "intent", "available"), _tools_twin,
    local_inputs=("default",), budget=SMALL, timeout=8,
)  # fmt: skip
ANALYSIS_TOOLS = _point(
    "analysis_tools", ToolsReply, ("query", "intent", "available"), _tools_twin,
    local_inputs=("default",), budget=SMALL, timeout=8,
)  # fmt: skip
CONTRACT = _point(
    "contract", ContractReply, ("contract", "found", "articles"), lambda _inputs: ContractReply(opinions=[]),
    budget=Budget(input_tokens=6000, output_tokens=1500), timeout=30,
)  # fmt: skip
INSIGHTS = _point(
    "insights", InsightsReply, ("query", "facts"), _twin_insights,
    local_inputs=("default",), budget=Budget(input_tokens=3000, output_tokens=500), timeout=15,
)  # fmt: skip
REPORT = _point(
    "report", ReportReply, ("query", "facts", "insights"), _twin_report,
    local_inputs=("default",), budget=Budget(input_tokens=3500, output_tokens=900), timeout=20,
)  # fmt: skip
ANSWER = _point(
    "answer", str, ("query", "draft"), lambda inputs: inputs["draft"],
    budget=Budget(input_tokens=5000, output_tokens=1500), timeout=40,
)  # fmt: skip

POINTS = (
    INTENT, TEAMS, TEAMS_SIMPLE, DECOMPOSE, KEYWORDS, SEARCH_TOOLS, ANALYSIS_TOOLS, CONTRACT, INSIGHTS, REPORT, ANSWER,
)  # fmt: skip
SCOPES = tuple(selection.SEARCH)
