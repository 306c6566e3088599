"""What a loan costs a month, and its interest in all."""

import re
from collections.abc import Mapping
from decimal import Decimal

from madang.assistants.homes.state.results import RepaymentMethod, RuleRecord
from madang.assistants.homes.tools.calculators.annuities import annuity, months_of
from madang.assistants.homes.tools.calculators.calculation import (
    Calculation,
    Rate,
    check_money,
    check_rate,
    percent,
    round_won,
    won,
)
from madang.assistants.homes.tools.calculators.common_inputs import ANNUAL_RATE, YEARS
from madang.assistants.homes.tools.calculators.spec import Calculator, Cue, Input, Inputs, then
from madang.assistants.homes.tools.figure_facts import Facts

METHOD_NAMES: Mapping[RepaymentMethod, str] = {
    "annuity": "원리금균등",
    "equal_principal": "원금균등",
    "interest_only": "만기일시(이자만)",
}
_FORMULAS = {
    "annuity": "P = L·r(1+r)ⁿ / ((1+r)ⁿ - 1), r = 연이율 ÷ 12, n = 개월 수",
    "equal_principal": "매달 원금 L ÷ n + 남은 원금 × r",
    "interest_only": "매달 이자 = L × r, 만기에 원금 L",
}
_REPAYS = r"원리금|원금\s?균등|상환|이자만|총\s?이자|" + "|".join(
    (
        then(
            "대출|주담대|모기지|빌리|빌려|빌린|빌렸|이자|융자|땡겨|금리",
            r"월\s?얼마|매달|매월|한\s?달|달에|다달이|갚|납입|납부|이자|회차|월\s?납|월\s?상환",
        ),
        then(r"월\s?얼마|매달|매월|한\s?달에|다달이", "갚|대출|이자"),
        then("갚", r"매달|매월|한\s?달|다달이|월\s?얼마"),
    )
)
_MONTHLY = r"(?:한\s?달|월|매달|매월|다달이)"
_LEFT = re.compile(r"(?:남은|남아\s?있는|잔액|잔금|나머지)[가-힣\s]{0,8}$|은행(?:에서|서|돈)?\s?$")
_INTEREST = rf"이자만|만기\s?일시|일시\s?상환|거치|이자(?:가|는)?\s?{_MONTHLY}|{_MONTHLY}\s?(?:나가는\s?)?이자"
MEASURES = r"LTV|DSR|DTI|엘티[비브]이?|디에스알|기준\s?금리|담보\s?인정\s?비율|집값의|비율"


def loan_payment(
    principal: int,
    annual_rate: Rate,
    years: int | None = None,
    *,
    method: RepaymentMethod = "annuity",
    months: int | None = None,
) -> Calculation:
    """Monthly payments and total interest of a loan. Raises `InvalidState` for a term outside 1–600 months."""
    check_money("principal", principal, minimum=1)
    rate = check_rate("annual_rate", annual_rate)
    term = months_of(years, months)
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
        rules=(RuleRecord(name="상환 계산식", article="", value=name, as_of="", source="일반 대출 상환 공식"),),
        notes=("중도상환수수료와 보증료는 넣지 않았고, 변동금리면 달라집니다.",),
    )


def _payments(principal: int, rate: Decimal, term: int, method: RepaymentMethod) -> dict[str, int]:
    monthly = rate / 12
    if method == "interest_only":
        interest = principal * monthly
        first, last, total = interest, interest + principal, interest * term
    elif method == "equal_principal":
        part = Decimal(principal) / term
        first, last = part + principal * monthly, part + part * monthly
        total = principal * monthly * (term + 1) / 2
    else:
        first = last = annuity(principal, rate, term)
        total = first * term - principal
    return {
        "monthly_payment": round_won(first),
        "first_payment": round_won(first),
        "last_payment": round_won(last),
        "total_interest": round_won(total),
        "total_payment": round_won(total) + principal,
    }


def _read(facts: Facts) -> Inputs:
    untimed = facts.years is None and facts.months is None
    method = _method(facts, untimed=untimed)
    rate = facts.rate(r"금리|이자율?|이율|연리|연") or facts.other_rate(MEASURES) or facts.bare_rate
    loan = _owed(facts) or facts.large_amount("loan")
    return {
        "principal": loan or facts.amount("loan", None, "repayment", "debt", "deposit", "price"),
        "annual_rate": rate,
        "years": facts.years,
        "months": 12 if method == "interest_only" and untimed else facts.months if facts.years is None else None,
        "method": method,
    }


def _method(facts: Facts, *, untimed: bool) -> str | None:
    if facts.says(r"원금\s?균등|원금\s?을?\s?(?:똑같이|균등)"):
        return "equal_principal"
    if facts.says(r"이자만|만기\s?일시|일시\s?상환") or (untimed and facts.says(_INTEREST)):
        return "interest_only"
    return "annuity" if facts.says("원리금") else None


def _owed(facts: Facts) -> int | None:
    """What is left of a loan, or what the bank lends, if that is told beside other sums."""
    found = [item.value.won for item in facts.sums if _LEFT.search(facts.text, 0, item.span[0])]
    return found[0] if len(facts.sums) > 1 and found else None


def _said(values: Inputs, inputs: Inputs) -> str:
    first, last = won(values["first_payment"]), won(values["last_payment"])
    if inputs.get("method") == "equal_principal":
        monthly = f"첫 달 {first}에서 마지막 달 {last}까지 줄어듭니다"
    else:
        monthly = f"매달 {first}을 냅니다"
    return f"{monthly}(총이자 {won(values['total_interest'])})."


CALCULATOR = Calculator(
    name="loan_payment",
    label="대출 상환액",
    subject="loan",
    examples=("3억 대출 금리 4% 30년이면 한 달에 얼마 갚아?",),
    cues=(Cue(_REPAYS, 150),),
    implied=(
        Cue(rank=40, when=lambda facts: bool(facts.sums and facts.rates and (facts.years or facts.months))),
        Cue(rank=60, when=lambda facts: bool(facts.rates and facts.amount("loan"))),
    ),
    inputs=(
        Input("principal", "won", "대출금", "대출금이 얼마인가요?"),
        ANNUAL_RATE,
        YEARS,
        Input("months", "months"),
        Input("method", "option", default="annuity", answer=lambda facts: _method(facts, untimed=False)),
    ),
    needed=lambda inputs: ("principal", "annual_rate", *(() if inputs.get("months") else ("years",))),
    read=_read,
    run=loan_payment,
    said=_said,
    bounds={"monthly_payment": (1, 10**11)},
    metrics={"monthly_payment": "monthly_payment"},
)
