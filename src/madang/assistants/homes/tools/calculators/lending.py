"""Loans: what a month costs, and how much can be borrowed under LTV, DTI and DSR."""

from decimal import Decimal, localcontext
from typing import Literal

from madang.assistants.homes.data.policy import RuleFact, fact, section
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    Rate,
    check_money,
    check_rate,
    floor_won,
    percent,
    refuse,
    round_won,
    won,
)

Method = Literal["annuity", "equal_principal", "interest_only"]
METHOD_NAMES = {"annuity": "원리금균등", "equal_principal": "원금균등", "interest_only": "만기일시(이자만)"}
_FORMULAS = {
    "annuity": "P = L·r(1+r)ⁿ / ((1+r)ⁿ - 1), r = 연이율 ÷ 12, n = 개월 수",
    "equal_principal": "매달 원금 L ÷ n + 남은 원금 × r",
    "interest_only": "매달 이자 = L × r, 만기에 원금 L",
}


def loan_payment(
    principal: int,
    annual_rate: Rate,
    years: int | None = None,
    *,
    method: Method = "annuity",
    months: int | None = None,
) -> Calculation:
    """Monthly payments and total interest of a loan. Raises `InvalidState` for a term outside 1–600 months."""
    check_money("principal", principal, minimum=1)
    rate = check_rate("annual_rate", annual_rate)
    term = _term(years, months)
    values = _payments(principal, rate, term, method)
    name = METHOD_NAMES[method]
    lines = [
        f"대출금 {won(principal)}, 연 {percent(rate)}, {term}개월, {name}",
        f"첫 달 {won(values['first_payment'])}, 마지막 달 {won(values['last_payment'])}",
        f"총이자 {won(values['total_interest'])}",
    ]
    return Calculation(
        calculator="loan_payment",
        title=f"대출 상환액 ({name})",
        values=values,
        inputs={"principal": principal, "annual_rate": float(rate), "months": term, "method": method},
        formula=_FORMULAS[method],
        explanation=tuple(lines),
        rules=(RuleFact("상환 계산식", "", name, "", "일반 대출 상환 공식"),),
        notes=("중도상환수수료와 보증료는 넣지 않았고, 변동금리면 달라집니다.",),
    )


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


def dsr_limit(
    annual_income: int,
    annual_rate: Rate,
    years: int,
    *,
    ratio: Rate | None = None,
    existing_yearly: int = 0,
    measure: Literal["dsr", "dti"] = "dsr",
) -> Calculation:
    """The largest annuity loan whose yearly payments, with existing ones, stay within the ratio of income.

    For DTI `existing_yearly` is the interest of other loans, for DSR their principal and interest.
    """
    check_money("annual_income", annual_income, minimum=1)
    check_money("existing_yearly", existing_yearly)
    rate = check_rate("annual_rate", annual_rate)
    share = check_rate(measure, section("loan")[measure] if ratio is None else ratio)
    term = _term(years, None)
    room = max(Decimal(0), annual_income * share - existing_yearly) / 12
    limit = floor_won(_present_value(room, rate, term))
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


def remaining_balance(principal: int, annual_rate: Rate, term_months: int, paid_months: int) -> int:
    """What is still owed on an annuity loan after `paid_months`."""
    if not 0 <= paid_months <= term_months:
        raise refuse("paid_months", "갚은 기간이 대출 기간을 벗어났습니다", f"0~{term_months}")
    rate = check_rate("annual_rate", annual_rate)
    left = term_months - paid_months
    if left == 0:
        return 0
    return round_won(_present_value(_annuity(principal, rate, term_months), rate, left))


def _term(years: int | None, months: int | None) -> int:
    term = months if months is not None else (years or 0) * 12
    if not 1 <= term <= 600:
        raise refuse("years", "대출 기간이 범위를 벗어났습니다", "1개월~50년")
    return term


def _annuity(principal: int, rate: Decimal, term: int) -> Decimal:
    monthly = rate / 12
    if not monthly:
        return Decimal(principal) / term
    with localcontext() as context:
        context.prec = 40
        growth = (1 + monthly) ** term
        return principal * monthly * growth / (growth - 1)


def _present_value(payment: Decimal, rate: Decimal, term: int) -> Decimal:
    monthly = rate / 12
    if not monthly:
        return payment * term
    with localcontext() as context:
        context.prec = 40
        growth = (1 + monthly) ** term
        return payment * (growth - 1) / (monthly * growth)


def _payments(principal: int, rate: Decimal, term: int, method: Method) -> dict[str, int]:
    monthly = rate / 12
    if method == "interest_only":
        interest = principal * monthly
        first, last, total = interest, interest + principal, interest * term
    elif method == "equal_principal":
        part = Decimal(principal) / term
        first, last = part + principal * monthly, part + part * monthly
        total = principal * monthly * (term + 1) / 2
    else:
        first = last = _annuity(principal, rate, term)
        total = first * term - principal
    return {
        "monthly_payment": round_won(first),
        "first_payment": round_won(first),
        "last_payment": round_won(last),
        "total_interest": round_won(total),
        "total_payment": round_won(total) + principal,
    }
