"""A calculator that a question asks for, with what it gives and what it still lacks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Inputs = dict[str, Any]

ASK: Mapping[str, str] = {
    "annual_income": "연소득이 얼마인가요?",
    "annual_rate": "대출 금리가 연 몇 %인가요?",
    "deal": "매매인가요, 전세·월세인가요?",
    "deposit": "지금 보증금(전세금)이 얼마인가요?",
    "deposit_after": "월세로 바꾼 뒤 보증금을 얼마로 남기나요? 모두 바꾸면 ‘전부’라고 알려 주세요.",
    "deposit_before": "지금 보증금이 얼마인가요?",
    "existing_yearly": "기존 대출로 1년에 갚는 원리금이 얼마인가요?",
    "homes": "이 집을 사면 몇 주택이 되나요?",
    "lease_end": "계약 만료일이 언제인가요?",
    "ltv": "적용할 LTV가 몇 %인가요?",
    "monthly_rent": "월세가 얼마인가요?",
    "new_deposit": "새 세입자에게 받은 보증금과 월세가 얼마인가요?",
    "notified": "해지 통지를 임대인이 받은 날이 언제인가요?",
    "price": "집값(또는 보증금)이 얼마인가요?",
    "principal": "대출금이 얼마인가요?",
    "region": "집이 어느 지역에 있나요?",
    "regulated": "집이 조정대상지역에 있나요?",
    "signed": "계약일이 언제인가요?",
    "years": "대출 기간이 몇 년인가요?",
}


@dataclass(frozen=True)
class FigureRequest:
    """A calculator with the inputs the question gave, and the names of those it still needs."""

    calculator: str
    inputs: Mapping[str, Any]
    missing: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[str, ...]:
        """What to ask the user, one line for each missing input."""
        return tuple(ASK.get(name, name) for name in self.missing)


def request(name: str, needed: tuple[str, ...], inputs: Inputs) -> FigureRequest:
    """The request without empty inputs; `needed` that are empty are missing."""
    given = {key: value for key, value in inputs.items() if value is not None}
    return FigureRequest(name, given, tuple(key for key in needed if key not in given))
