"""Checks of the figures in a statement: rates, periods and counts against what the law allows."""

import re
from collections.abc import Callable
from decimal import Decimal

from madang.assistants.homes.tools.calculators import conversion_rate
from madang.assistants.homes.tools.contract_text import Statement
from madang.assistants.homes.tools.policy import section
from madang.text.money import find_money
from madang.text.rates import find_rates

Check = Callable[[Statement, bool], bool]

_OPEN_RISE = re.compile(
    r"시세|시가|임대인이\s?(?:정|요구|결정|원)|임의로|일방적|갑이\s?(?:정|요구)|임대인의\s?(?:요구|결정|통보)|협의\s?없이|제한\s?없이|무제한"
)
_WORDS = {"한": 1, "일": 1, "두": 2, "이": 2, "세": 3, "삼": 3, "네": 4}
_COUNT = re.compile(r"(\d+|한|두|세|일|이|삼)\s?(?:기|회|번|차례|개월|달)(?:분)?")
_ANY_DELAY = re.compile(r"하루|단\s?하루|\d\s?일\s?(?:이상|이라도|만)|즉시\s?납부하지")
_MONTHS = re.compile(r"(\d+|한|두|세|네|여섯|육)\s?(?:개월|달)")
_DAYS = re.compile(r"(\d+)\s?일")
_TIMES = re.compile(r"(\d+(?:\.\d+)?|두|세|네|다섯)\s?배")
_MONTHLY = re.compile(r"(?:월|매월|매달)\s?$")
_DAILY = re.compile(r"(?:일|매일|하루(?:에)?|1일(?:당|에)?)\s?$")
_RENTS = re.compile(r"(\d+|한|두|세|네|다섯|여섯|육)\s?(?:개월|달)\s?(?:치|분)")
_WHEN_ABLE = re.compile(
    r"(?:형편|여유|사정|자금|여건)(?:이|에|을)?\s?[^.]{0,6}(?:되는\s?대로|생기|마련|나아지|따라|허락|감안)|분할(?:하여|해|로)|나누어|나눠|차후에?\s|추후에?\s"
)
_ON_TIME = re.compile(r"(?:만료|만기|종료|퇴거|인도|명도|이사)\s?(?:일|당일|시)?\s?까지|당일|동시|즉시")
_MAX_PENALTY = 10.0
_MAX_RENTS = 3
_TOLERATED_DAYS = 14


def increase_over_cap(statement: Statement, shop: bool) -> bool:
    """Whether it lets deposit or rent rise by more than the cap, or as the landlord likes."""
    cap = Decimal(str(section("increase", "shop" if shop else "housing")["rate"])) * 100
    # "15%를 넘지 않는다" allows 15%, so a denied excess is judged by its figure.
    if statement.negative and not re.search(r"넘|초과", statement.main):
        return False
    rates = [item.value.upper or item.value.percent for item in find_rates(statement.text)]
    if rates:
        return any(Decimal(str(rate)) > cap for rate in rates)
    found = [item.value for item in find_money(statement.text, "housing")]
    sums = [amount for money in found for amount in (money.won, money.upper) if amount]
    if len(sums) >= 2 and sums[0] and sums[1] > sums[0]:
        return Decimal(sums[1]) / sums[0] > 1 + cap / 100
    return not statement.negative and bool(_OPEN_RISE.search(statement.text)) and "5" not in statement.text


def increase_too_soon(statement: Statement, _shop: bool) -> bool:
    """Whether it lets them rise before a year has passed."""
    if statement.negative:
        return False
    if re.search(r"수시로|언제든|매월|매달|분기마다|반기마다", statement.text):
        return True
    match = re.search(r"(\d+|한|두|세|네|여섯|육)\s?(?:개월|달)\s?(?:마다|후|뒤|이\s?지나|경과|단위)", statement.text)
    return bool(match) and _number(match[1] if match else "12") < 12


def conversion_over_cap(statement: Statement, shop: bool) -> bool:
    """Whether deposit becomes rent at more than the legal rate."""
    cap = conversion_rate("shop" if shop else "housing") * 100
    rates = [
        Decimal(str(item.value.percent)) * (12 if _is_monthly(statement, item.span[0]) else 1)
        for item in find_rates(statement.text)
    ]
    return not statement.negative and any(rate > cap for rate in rates)


def returned_late(statement: Statement, _shop: bool) -> bool:
    """Whether the deposit comes back clearly later than the home is handed over."""
    text = statement.text
    if statement.negative or re.search(r"위반|위약|해제|중도금|계약금|잔금|통보|통지|내용증명", text):
        return False
    if _WHEN_ABLE.search(text):
        return True
    if not re.search(r"퇴거|종료|만료|만기|명도|인도|이사|끝난|나간|비운|퇴실", text) or _ON_TIME.search(text):
        return False
    months = _MONTHS.search(text)
    days = _DAYS.search(text)
    later = re.search(r"후|뒤|이내|지나|경과|안에", text)
    if not later:
        return False
    return bool(months) or (days is not None and int(days[1]) > _TOLERATED_DAYS)


def arrears_too_few(statement: Statement, shop: bool) -> bool:
    """Whether fewer unpaid rents than the law asks for end the lease."""
    if statement.negative:
        return False
    where = statement.condition or statement.text
    if _ANY_DELAY.search(where):
        return True
    counts = [_number(found) for found in _COUNT.findall(where)]
    if counts:
        return min(counts) < (3 if shop else 2)
    return bool(re.search(r"(?:즉시|자동|최고\s?없이)", statement.text)) and bool(re.search(r"연체|미납|지체", where))


def late_interest_high(statement: Statement, _shop: bool) -> bool:
    """Whether late rent costs more than the yearly limit."""
    limit = Decimal(str(section("default_interest")["yearly_limit"])) * 100
    if statement.negative:
        return False
    for item in find_rates(statement.text):
        before = statement.text[max(0, item.span[0] - 8) : item.span[0]]
        yearly = Decimal(str(item.value.percent))
        if _DAILY.search(before):
            yearly *= 365
        elif item.value.per == "month" or _MONTHLY.search(before):
            yearly *= 12
        if yearly > limit:
            return True
    return False


def penalty_high(statement: Statement, _shop: bool) -> bool:
    """Whether a penalty is more than the usual tenth, a multiple of the rent, or all that is left of it."""
    text = statement.text
    if statement.negative or re.search(r"지연\s?이자|연체\s?이자|연체료", text):
        return False
    if re.search(
        r"(?:잔여|남은)\s?(?:계약)?\s?기간[^.]*(?:차임|월세|임대료)[^.]*(?:전액|전부|모두|일시|지급|배상|부담)", text
    ):
        return True
    if not re.search(r"위약금|위약벌|배상|해약금|지연", text):
        return False
    times = [_number(found) for found in _TIMES.findall(text)]
    if times:
        return max(times) > (2 if "계약금" in text else 1)
    if any(_number(found) > _MAX_RENTS for found in _RENTS.findall(text)):
        return True
    return any(item.value.percent > _MAX_PENALTY for item in find_rates(text))


def _is_monthly(statement: Statement, at: int) -> bool:
    return bool(_MONTHLY.search(statement.text[max(0, at - 6) : at]))


def _number(word: str) -> int:
    if word.replace(".", "").isdigit():
        return int(float(word))
    return {**_WORDS, "다섯": 5, "여섯": 6, "육": 6}.get(word, 1)


CHECKS: dict[str, Check] = {
    "increase": increase_over_cap,
    "interval": increase_too_soon,
    "conversion": conversion_over_cap,
    "return_delay": returned_late,
    "arrears": arrears_too_few,
    "late_interest": late_interest_high,
    "penalty": penalty_high,
}
