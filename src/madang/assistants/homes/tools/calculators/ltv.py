"""How much a home secures."""

from madang.assistants.homes.data.policy import fact, section
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    Rate,
    check_money,
    check_rate,
    floor_won,
    percent,
    won,
)
from madang.assistants.homes.tools.calculators.common_inputs import PRICE
from madang.assistants.homes.tools.calculators.dsr import HOW_MUCH
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts

_BY_PRICE = r"LTV|엘티[비브]|담보\s?인정|" + then(r"(?:집값|시세|매매가|낙찰가|감정가|분양가|가격)의\s?\d", "대출|빌")


def ltv_limit(price: int, ltv: Rate, *, senior: int = 0) -> Calculation:
    """How much a home secures at a loan-to-value ratio, less what already rests on it."""
    check_money("price", price, minimum=1)
    check_money("senior", senior)
    share = check_rate("ltv", ltv)
    limit = max(0, floor_won(price * share) - senior)
    line = f"{won(price)} × {percent(share)}" + (f" - 선순위 {won(senior)}" if senior else "") + f" = {won(limit)}"
    return Calculation(
        calculator="ltv",
        title="LTV 대출 한도",
        values={"limit": limit, "ltv": float(share)},
        inputs={"price": price, "ltv": float(share), "senior": senior},
        formula="집값 × LTV - 선순위 채권",
        explanation=(line,),
        rules=(fact("담보인정비율", percent(share), "loan"),),
        notes=(str(section("loan")["note"]),),
    )


def _read(facts: Facts) -> Inputs:
    share = facts.rate(r"LTV|엘티[비브]이?|담보\s?인정\s?비율|비율|집값의|시세의|매매가의")
    if share is None and len(facts.rates) == 1:
        share = facts.rates[0][0]
    return {
        "price": facts.large_amount("price", None, "deposit", "loan", "debt"),
        "ltv": share,
        "senior": _resting(facts) if facts.large_amount("price", None) else None,
    }


def _resting(facts: Facts) -> int | None:
    """What already rests on the home: a debt, or a loan that is said to be there."""
    debt = facts.amount("debt")
    if debt is None and facts.says(r"이미|기존|남은|받은|있으면|있는데|있고|있어"):
        debt = facts.amount("loan", "repayment")
    return debt


CALCULATOR = Calculator(
    name="ltv",
    label="LTV 한도",
    subject="loan",
    examples=("5억짜리 집 담보대출 LTV 70%면 얼마까지?",),
    cues=(Cue(_BY_PRICE, 80),),
    implied=(Cue(HOW_MUCH, 70, lambda facts: facts.large_amount("price", None) is not None),),
    inputs=(
        PRICE,
        Input("ltv", "rate", question="적용할 LTV가 몇 %인가요?"),
        Input("senior", "won", "선순위"),
    ),
    needed=("price", "ltv"),
    read=_read,
    run=ltv_limit,
    said=lambda values, _inputs: (
        f"LTV {values['ltv'] * 100:g}%면 최대 {won(values['limit'])}까지 담보로 빌릴 수 있습니다."
    ),
    bounds={"limit": (0, 10**12)},
    sources=("loan",),
    instead_of=frozenset({"loan_payment"}),
    metrics={"loan_limit": "limit"},
)
