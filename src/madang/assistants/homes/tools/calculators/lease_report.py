"""Whether a lease must be reported, and by when."""

from datetime import date, timedelta

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import Calculation
from madang.assistants.homes.tools.calculators.common_inputs import DEPOSIT, MONTHLY_RENT
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts


def report_deadline(signed: date, deposit: int, monthly_rent: int = 0) -> Calculation:
    """Whether a lease must be reported and by when."""
    table = section("lease_report")
    due = signed + timedelta(days=int(table["days"]))
    needed = deposit > table["deposit_over"] or monthly_rent > table["rent_over"]
    return Calculation(
        calculator="lease_report",
        title="주택 임대차 신고",
        values={"required": needed, "due": due.isoformat() if needed else None},
        inputs={"signed": signed.isoformat(), "deposit": deposit, "monthly_rent": monthly_rent},
        formula="보증금 6천만원 초과 또는 월세 30만원 초과면 계약일부터 30일 안",
        explanation=(
            f"{signed.isoformat()} + 30일 = {due.isoformat()}" if needed else "기준 금액 이하라 신고 대상이 아닙니다",
        ),
        rules=(fact("임대차 신고", "6천만원·30만원 초과, 30일", "lease_report"),),
        notes=("금액 변동 없이 기간만 늘린 갱신과 도의 군 지역(경기도 제외)은 대상이 아닙니다.",),
    )


def _read(facts: Facts) -> Inputs:
    return {"signed": facts.told_day, "deposit": facts.amount("deposit"), "monthly_rent": facts.amount("rent")}


def _said(values: Inputs, _inputs: Inputs) -> str:
    return f"{values['due']}까지 임대차 신고를 해야 합니다." if values["required"] else "임대차 신고 대상이 아닙니다."


CALCULATOR = Calculator(
    name="lease_report",
    label="임대차 신고 기한",
    subject="law",
    examples=("11월 1일에 보증금 1억 월세 50으로 계약했는데 임대차 신고 언제까지 해야 해요?",),
    cues=(Cue(then(r"(?:임대차|전월세)\s?신고", "언제|며칠|기한|대상|해야"), 170),),
    inputs=(Input("signed", "date", question="계약일이 언제인가요?"), DEPOSIT, MONTHLY_RENT),
    needed=("signed", "deposit"),
    read=_read,
    run=report_deadline,
    said=_said,
    bounds={},
    sources=("lease_report",),
    rule_suffices=True,
)
