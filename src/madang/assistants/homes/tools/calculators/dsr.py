"""How much can be borrowed on an income: DSR, and DTI, which is measured in the same way."""

import re
from decimal import Decimal
from functools import partial
from typing import Any, Literal

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.annuities import months_of, present_value
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    Rate,
    check_money,
    check_rate,
    floor_won,
    percent,
    won,
)
from madang.assistants.homes.tools.calculators.common_inputs import ANNUAL_INCOME, ANNUAL_RATE, YEARS
from madang.assistants.homes.tools.calculators.loan_payment import MEASURES
from madang.assistants.homes.tools.calculators.spec import UNKNOWN, Calculator, Cue, Input, Inputs
from madang.assistants.homes.tools.figure_facts import Facts, yearly
from madang.text.money import Money
from madang.text.parsed import Parsed

Measure = Literal["dsr", "dti"]
_NAME = r"DSR|디에스알"
_PAYS = re.compile(r"원리금|이자|상환|갚|할부|나가|나감|납부|내고")
_COUPLE = r"남편|아내|와이프|신랑|배우자|부부|맞벌이"
_TOGETHER = re.compile(r"(?:합산|합쳐|합해|합치면|둘이|총|더하면)[^\d?]{0,12}$")
HOW_MUCH = r"\A(?=.*(?:대출|빌릴|빌려|융자))(?=.*(?:얼마|한도|최대))"


def dsr_limit(
    annual_income: int,
    annual_rate: Rate,
    years: int,
    *,
    ratio: Rate | None = None,
    existing_yearly: int = 0,
    measure: Measure = "dsr",
) -> Calculation:
    """The largest annuity loan whose yearly payments, with existing ones, stay within the ratio of income.

    For DTI `existing_yearly` is the interest of other loans, for DSR their principal and interest.
    """
    check_money("annual_income", annual_income, minimum=1)
    check_money("existing_yearly", existing_yearly)
    rate = check_rate("annual_rate", annual_rate)
    share = check_rate(measure, section("loan")[measure] if ratio is None else ratio)
    term = months_of(years)
    room = max(Decimal(0), annual_income * share - existing_yearly) / 12
    limit = floor_won(present_value(room, rate, term))
    name = measure.upper()
    return Calculation(
        calculator=measure,
        title=f"{name} 대출 한도",
        values={"limit": limit, "monthly_room": floor_won(room), "ratio": float(share)},
        inputs={
            "annual_income": annual_income,
            "annual_rate": float(rate),
            "years": years,
            "existing_yearly": existing_yearly,
        },
        formula=f"월 상환 여력 = (연소득 × {name} - 기존 연 상환액) ÷ 12, 한도 = 여력 × ((1+r)ⁿ - 1) / (r(1+r)ⁿ)",
        explanation=(
            f"월 상환 여력 = ({won(annual_income)} × {percent(share)} - {won(existing_yearly)}) ÷ 12"
            f" = {won(floor_won(room))}",
            f"연 {percent(rate)}, {term}개월 원리금균등으로 환산하면 {won(limit)}",
        ),
        rules=(fact(name, percent(share), "loan"),),
        notes=(str(section("loan")["note"]),),
    )


def read_by_income(facts: Facts, measure: str) -> Inputs:
    """The inputs of a limit by income; `measure` are the words of its ratio."""
    income = _income(facts)
    if income is None and not facts.amounts("repayment"):
        income = next((yearly(item.value) for item in facts.sums if item.value.role in (None, "rent")), None)
    paid = [item for item in facts.sums if item.value.role == "repayment"]
    # What is owed is not what is paid in a year.
    payments = [yearly(item.value) for item in paid if item.value.per or _PAYS.search(_around(facts, item))]
    return {
        "annual_income": income,
        "annual_rate": facts.rate(r"(?<!기준\s)(?<!기준)금리|이자율?|이율|연리") or facts.other_rate(MEASURES),
        "years": facts.years or (facts.months or 0) // 12 or None,
        "ratio": facts.rate(measure),
        "existing_yearly": payments[0] if payments else UNKNOWN if paid else None,
    }


def _income(facts: Facts) -> int | None:
    """The income of a year; that of a couple together, if each one's is told."""
    told = [item for item in facts.sums if item.value.role == "income"]
    whole = [item for item in told if _TOGETHER.search(facts.text, 0, item.span[0])]
    if len(told) == 2 and not whole and facts.says(_COUPLE):
        return sum(yearly(item.value) for item in told)
    return yearly((whole or told)[0].value) if told else None


def _around(facts: Facts, item: Parsed[Money]) -> str:
    return facts.text[max(0, item.span[0] - 16) : item.span[1] + 10]


def _is_meant(facts: Facts) -> bool:
    """A DSR beside an LTV, without an income, is only named."""
    told = read_by_income(facts, _NAME)["annual_income"] is not None or facts.rates[1:]
    return bool(told) or not facts.says("LTV|엘티[비브]")


def by_income(name: Measure, words: str, **more: Any) -> Calculator:
    """The calculator of one measure: DSR or DTI."""
    return Calculator(
        name=name,
        label=f"{name.upper()} 한도",
        subject="loan",
        examples=(f"연봉 8천 {name.upper()} 한도 얼마? 금리 4.5% 30년",),
        inputs=(
            ANNUAL_INCOME,
            ANNUAL_RATE,
            YEARS,
            Input("existing_yearly", "yearly_won", "기존 연 상환액", "기존 대출로 1년에 갚는 원리금이 얼마인가요?"),
            Input("ratio", "rate"),
        ),
        needed=("annual_income", "annual_rate", "years"),
        read=partial(read_by_income, measure=words),
        run=partial(dsr_limit, measure=name),
        said=lambda values, _inputs: (
            f"{name.upper()} {values['ratio'] * 100:g}%로 보면 약 {won(values['limit'])}까지 빌릴 수 있습니다."
        ),
        bounds={"limit": (0, 10**12)},
        sources=("loan",),
        instead_of=frozenset({"loan_payment"}),
        metrics={"loan_limit": "limit"},
        **more,
    )


CALCULATOR = by_income(
    "dsr",
    _NAME,
    cues=(Cue(rf"{_NAME}|총부채\s?원리금", 60, _is_meant),),
    implied=(Cue(HOW_MUCH, 30, lambda facts: bool(facts.amount("income"))),),
)
