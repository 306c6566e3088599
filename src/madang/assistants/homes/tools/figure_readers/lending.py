"""Loans: what a month costs, and how much can be borrowed."""

import re

from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figure_request import FigureRequest, request
from madang.text.money import Money
from madang.text.parsed import Parsed

_MEASURES = r"LTV|DSR|DTI|엘티[비브]이?|디에스알|기준\s?금리|담보\s?인정\s?비율|집값의|비율"
_PAYS = re.compile(r"원리금|이자|상환|갚|할부|나가|나감|납부|내고")
_MONTHLY = r"(?:한\s?달|월|매달|매월|다달이)"
_COUPLE = r"남편|아내|와이프|신랑|배우자|부부|맞벌이"
_TOGETHER = re.compile(r"(?:합산|합쳐|합해|합치면|둘이|총|더하면)[^\d?]{0,12}$")
_LEFT = re.compile(r"(?:남은|남아\s?있는|잔액|잔금|나머지)[가-힣\s]{0,8}$|은행(?:에서|서|돈)?\s?$")
_INTEREST = rf"이자만|만기\s?일시|일시\s?상환|거치|이자(?:가|는)?\s?{_MONTHLY}|{_MONTHLY}\s?(?:나가는\s?)?이자"


def payment(facts: Facts) -> FigureRequest:
    untimed = facts.years is None and facts.months is None
    method = "annuity"
    if facts.says(r"원금\s?균등|원금\s?을?\s?(?:똑같이|균등)"):
        method = "equal_principal"
    elif facts.says(r"이자만|만기\s?일시|일시\s?상환") or (untimed and facts.says(_INTEREST)):
        method = "interest_only"
    inputs = {
        "principal": _owed(facts)
        or facts.large_amount("loan")
        or facts.amount("loan", None, "repayment", "debt", "deposit", "price"),
        "annual_rate": facts.rate(r"금리|이자율?|이율|연리|연") or facts.other_rate(_MEASURES) or facts.bare_rate,
        "years": facts.years,
        "months": facts.months if facts.years is None else None,
        "method": method,
    }
    if method == "interest_only" and untimed:
        inputs["months"] = 12
    needed = ("principal", "annual_rate", *(() if inputs["months"] else ("years",)))
    return request("loan_payment", needed, inputs)


def _owed(facts: Facts) -> int | None:
    """What is left of a loan, or what the bank lends, if that is told beside other sums."""
    found = [item.value.won for item in facts.sums if _LEFT.search(facts.text, 0, item.span[0])]
    return found[0] if len(facts.sums) > 1 and found else None


def by_income(facts: Facts, measure: str) -> FigureRequest | None:
    """How much an income carries: DSR or DTI."""
    income = _income(facts)
    if income is None and not facts.amounts("repayment"):
        income = next((_yearly(item.value) for item in facts.sums if item.value.role in (None, "rent")), None)
    if income is None and not facts.rates[1:] and measure == "dsr" and facts.says("LTV|엘티[비브]"):
        return None
    paid = [item for item in facts.sums if item.value.role == "repayment"]
    # What is owed is not what is paid in a year.
    yearly = [_yearly(item.value) for item in paid if item.value.per or _PAYS.search(_around(facts, item))]
    names = {"dsr": r"DSR|디에스알", "dti": r"DTI|디티아이"}
    inputs = {
        "annual_income": income,
        "annual_rate": facts.rate(r"(?<!기준\s)(?<!기준)금리|이자율?|이율|연리") or facts.other_rate(_MEASURES),
        "years": facts.years or (facts.months or 0) // 12 or None,
        "ratio": facts.rate(names[measure]),
        "existing_yearly": yearly[0] if yearly else None,
    }
    needed = ("annual_income", "annual_rate", "years", *(("existing_yearly",) if paid else ()))
    return request(measure, needed, inputs)


def _income(facts: Facts) -> int | None:
    """The income of a year; that of a couple together, if each one's is told."""
    told = [item for item in facts.sums if item.value.role == "income"]
    whole = [item for item in told if _TOGETHER.search(facts.text, 0, item.span[0])]
    if len(told) == 2 and not whole and facts.says(_COUPLE):
        return sum(_yearly(item.value) for item in told)
    return _yearly((whole or told)[0].value) if told else None


def _around(facts: Facts, item: Parsed[Money]) -> str:
    return facts.text[max(0, item.span[0] - 16) : item.span[1] + 10]


def _yearly(money: Money) -> int:
    return money.won * (12 if money.per == "month" else 1)


def by_price(facts: Facts) -> FigureRequest:
    """How much a home secures: LTV."""
    share = facts.rate(r"LTV|엘티[비브]이?|담보\s?인정\s?비율|비율|집값의|시세의|매매가의")
    if share is None and len(facts.rates) == 1:
        share = facts.rates[0][0]
    inputs = {
        "price": facts.large_amount("price", None, "deposit", "loan", "debt"),
        "ltv": share,
        "senior": _resting(facts) if facts.large_amount("price", None) else None,
    }
    return request("ltv", ("price", "ltv"), inputs)


def _resting(facts: Facts) -> int | None:
    """What already rests on the home: a debt, or a loan that is said to be there."""
    debt = facts.amount("debt")
    if debt is None and facts.says(r"이미|기존|남은|받은|있으면|있는데|있고|있어"):
        debt = facts.amount("loan", "repayment")
    return debt


def borrowing(facts: Facts) -> FigureRequest | None:
    """How much can be borrowed: by the income told, otherwise by the home's price."""
    if any(item.value.role == "income" for item in facts.sums):
        return by_income(facts, "dsr")
    return by_price(facts) if facts.large_amount("price", None) else None
