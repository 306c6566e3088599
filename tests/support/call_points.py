"""Call points that the tests of this directory share."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from madang.llm import Budget, CallPoint, parse_prompt


class Intent(BaseModel):
    intent: Literal["legal_consult", "market_inquiry", "unclear"]
    confidence: float = Field(ge=0, le=1)


def by_keyword(inputs: Mapping[str, Any]) -> Intent:
    legal = "보증금" in inputs["query"]
    return Intent(intent="legal_consult" if legal else "unclear", confidence=0.5)


INTENT_PROMPT = parse_prompt(
    '의도를 고르세요. 예: {"intent": "unclear", "confidence": 0.1}\n---\n질문: {query}', "intent.md"
)

INTENT = CallPoint(
    name="intent",
    prompt=INTENT_PROMPT,
    schema=Intent,
    inputs=("query",),
    twin=by_keyword,
    timeout=30,
    budget=Budget(500, 80),
)


def plain_answer(inputs: Mapping[str, Any]) -> str:
    return f"규칙으로 만든 답: {inputs['query']}"


ANSWER = CallPoint(
    name="answer",
    prompt=parse_prompt("답하세요.\n---\n{query}", "answer.md"),
    schema=str,
    inputs=("query",),
    twin=plain_answer,
    timeout=30,
)

GOOD = '{"intent": "market_inquiry", "confidence": 0.9}'
