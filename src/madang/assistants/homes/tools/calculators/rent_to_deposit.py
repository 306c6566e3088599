"""The deposit that stands for a monthly rent at the legal conversion rate."""

import re

from madang.assistants.homes.data.policy import fact
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    Rate,
    check_money,
    percent,
    refuse,
    round_won,
    won,
)
from madang.assistants.homes.tools.calculators.common_inputs import BASE_RATE, LEASE_KIND, MONTHLY_RENT
from madang.assistants.homes.tools.calculators.conversion import (
    MONTHLY_MOST,
    OTHER_WAY_ROUND,
    WORDS,
    Leased,
    asks_for_deposit,
    base_fact,
    conversion_rate,
    rate_line,
)
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Inputs
from madang.assistants.homes.tools.figure_facts import Facts

_INTO_DEPOSIT = re.compile(r"원?(?:만큼|만|어치)?(?:을|를|은)?\s?(?:전부\s?|다\s?)?(?:보증금|전세금?)(?:으로|로)")


def rent_to_deposit(monthly_rent: int, *, kind: Leased = "housing", base_rate: Rate | None = None) -> Calculation:
    """The deposit that stands for a monthly rent at the legal conversion rate."""
    check_money("monthly_rent", monthly_rent, minimum=1)
    rate = conversion_rate(kind, base_rate)
    if not rate:
        raise refuse("base_rate", "전환율이 0%면 보증금으로 바꿀 수 없습니다")
    deposit = round_won(monthly_rent * 12 / rate)
    return Calculation(
        calculator="rent_to_deposit",
        title="월세의 보증금 환산",
        values={"deposit": deposit, "rate": float(rate)},
        inputs={"monthly_rent": monthly_rent},
        formula="보증금 = 월세 × 12 ÷ 전환율",
        explanation=(
            rate_line(kind, base_rate, rate),
            f"{won(monthly_rent)} × 12 ÷ {percent(rate)} = {won(deposit)}",
        ),
        rules=(fact("월차임 전환율", percent(rate), "conversion", kind), base_fact(base_rate)),
        notes=(OTHER_WAY_ROUND,),
    )


def _read(facts: Facts) -> Inputs:
    return {
        "monthly_rent": _given_up(facts),
        "kind": "shop" if facts.is_shop else None,
        "base_rate": facts.rate("기준\\s?금리"),
    }


def _given_up(facts: Facts) -> int | None:
    """The rent that turns into deposit: the part named, how far it falls (also 80에서 50으로), otherwise all of it."""
    monthly = [item for item in facts.sums if item.value.role in ("rent", None) and item.value.won < MONTHLY_MOST]
    if moved := [item.value.won for item in monthly if _INTO_DEPOSIT.match(facts.text, item.span[1])]:
        return moved[-1]
    if cut := [item.value.won for item in monthly if facts.change(item) == "cut"]:
        return cut[-1]
    rents = [item for item in monthly if item.value.role == "rent"]
    if len(rents) > 1 and facts.change(rents[1]) == "target" and rents[1].value.won < rents[0].value.won:
        return rents[0].value.won - rents[1].value.won
    return rents[0].value.won if rents else None


def _said(values: Inputs, inputs: Inputs) -> str:
    if inputs.get("deposit"):
        whole = won(values["deposit"] + inputs["deposit"])
        return f"월세는 보증금 약 {won(values['deposit'])}에 해당해, 지금 보증금을 더하면 전세 약 {whole}입니다."
    rent = won(inputs["monthly_rent"])
    return f"월세 {rent}은 보증금 약 {won(values['deposit'])}에 해당합니다(전환율 연 {values['rate'] * 100:g}%)."


CALCULATOR = Calculator(
    name="rent_to_deposit",
    label="보증금 환산",
    subject="law",
    examples=("월세 50을 보증금으로 돌리면 얼마?",),
    cues=(Cue(WORDS, 120, asks_for_deposit),),
    inputs=(MONTHLY_RENT, LEASE_KIND, BASE_RATE),
    needed=("monthly_rent",),
    read=_read,
    run=rent_to_deposit,
    said=_said,
    bounds={"deposit": (0, 10**12)},
    sources=("conversion", "base_rate"),
    of_rent=True,
)
