"""The nine intents, and what is read of a question about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class IntentType(StrEnum):
    """The nine intents of the assistant."""

    LEGAL_CONSULT = "legal_consult"
    MARKET_INQUIRY = "market_inquiry"
    LOAN_CONSULT = "loan_consult"
    CONTRACT_CREATION = "contract_creation"
    CONTRACT_REVIEW = "contract_review"
    COMPREHENSIVE = "comprehensive"
    RISK_ANALYSIS = "risk_analysis"
    UNCLEAR = "unclear"
    IRRELEVANT = "irrelevant"


LABELS: Mapping[IntentType, str] = {
    IntentType.LEGAL_CONSULT: "법률 상담",
    IntentType.MARKET_INQUIRY: "시세·매물 조회",
    IntentType.LOAN_CONSULT: "대출 상담",
    IntentType.CONTRACT_CREATION: "계약서 작성",
    IntentType.CONTRACT_REVIEW: "계약서 검토",
    IntentType.COMPREHENSIVE: "종합 분석",
    IntentType.RISK_ANALYSIS: "위험 분석",
    IntentType.UNCLEAR: "불명확",
    IntentType.IRRELEVANT: "무관",
}
UNCLEAR_BELOW = 0.3


@dataclass(frozen=True, kw_only=True)
class IntentReading:
    """The intent, how sure that is, the words that told it, what was named, and the evidence for each intent."""

    intent: IntentType
    confidence: float
    keywords: tuple[str, ...]
    entities: Mapping[str, Any]
    evidence: Mapping[str, float]
    parts: tuple[IntentType, ...] = ()

    @property
    def runs(self) -> bool:
        """Whether anything should be executed: not for off-topic questions, nor for unclear ones."""
        return self.intent is not IntentType.IRRELEVANT and not (
            self.intent is IntentType.UNCLEAR and self.confidence < UNCLEAR_BELOW
        )
