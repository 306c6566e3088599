"""Checks of the figures in a statement: rates, periods and counts against what the law allows."""

import re
from collections.abc import Callable
from decimal import Decimal

from madang.assistants.homes.data.policy import section
from madang.assistants.homes.tools.calculators.conversion import conversion_rate
from madang.assistants.homes.tools.contract_statements import Statement
from madang.assistants.homes.tools.contract_terms import RENT, Terms
from madang.text.money import find_money
from madang.text.parsed import Parsed
from madang.text.rates import Rate, find_rates

Check = Callable[[Statement, Terms], bool]

_NUMBER = r"((?<!\d)\d{1,9}|한|두|세|석|네|넉|다섯|여섯|일곱|열|반|(?<![가-힣])[일이삼사오육])"
_UNITS = (("한일", 1), ("두이", 2), ("세석삼", 3), ("네넉사", 4), ("오", 5), ("육", 6))
_NUMBERS = {letter: value for letters, value in _UNITS for letter in letters}
_NUMBERS |= {"다섯": 5, "여섯": 6, "일곱": 7, "열": 10}
_OPEN_RISE = re.compile(
    r"시세|시가|주변\s?(?:시세|임대료|가격)|임의로|일방적|(?:임대인|집주인|건물주|주인|갑)(?:이|의)?\s?(?:정|요구|결정|원|통보|제시|부르|책정|요청|판단)"
    r"|협의\s?없이|제한\s?없이|무제한|한도\s?없이|상한\s?없이|[두세네]\s?배|\d\s?배|마음대로|재량|(?:달라|요구하|원하)는\s?만큼|달라는|(?:부르|요구하|정하|제시하|통보하)는\s?(?:대로|금액|인상률)|현\s?시세|매물\s?수준|주변\s?수준|시장\s?가격"
)
_CAP_OFF = re.compile(
    r"(?:상한|한도|제한|법률상|법령상|5\s?%|오\s?퍼센트|5\s?프로|5\s?퍼센트)[^.]{0,14}(?:제한을\s?받지|적용하지|적용되지|적용\s?(?:받지|배제|안)|관계\s?없이|상관\s?없이|구애|무관|두지\s?않|배제|불문|무시|미적용|적용을\s?받지|따르지)"
    r"|(?:5\s?%|5\s?프로|5\s?퍼센트|법정\s?한도|법정\s?상한|상한|한도)(?:을|를)?\s?(?:초과(?:하여|해|한)|넘(?:겨|어서|어|는|게)|넘길|상회)"
)
_MORE_THAN = re.compile(r"\s?(?:을|를)?\s?(?:초과|넘|이상|상회)")
_UP_TO = re.compile(r"넘|초과|상회|이상")
_BELOW_A_YEAR = re.compile(
    rf"{_NUMBER}\s?(?:개월|달)\s?(?:이|가)?\s?(?:마다|후|뒤|지나|지난|경과|단위|만에|이후|주기|간격|에\s?한\s?번|씩|이\s?되|째|차)"
)
_ANY_TIME = re.compile(
    r"수시로?|중간\s?중간|언제든|언제라도|매월|매달|분기(?:마다|별|에)|매\s?분기|매\s?반기|반기(?:마다|별|에)|반년|상하반기|계약\s?기간\s?중(?:이라도|에도|이어도)|아무\s?때|어느\s?때|계약\s?(?:직후|체결\s?직후)|입주\s?직후|1년\s?이내|1년이\s?(?:되기|지나기)\s?전|1년이\s?(?:지나|되)지\s?않"
)
_YEARS = re.compile(r"매년|1년마다|해마다|연\s?1회")
_COUNT = re.compile(rf"{_NUMBER}\s?(?:기|회|번|차례|개월|달)(?:\s?(?:분|치))?")
_ANY_DELAY = re.compile(
    rf"하루|\d\s?일|{_NUMBER}\s?주|일주일|열흘|보름|며칠|즉시\s?납부|약정일|지급일|납부일|날짜를\s?어기|제때|기일"
)
_AT_ONCE = re.compile(r"즉시|자동|최고\s?없이|바로|곧바로|통보\s?없이|별도\s?통지")
_MONTHS = re.compile(rf"{_NUMBER}\s?(?:개월|달)|반년|\d\s?년")
_DAYS = re.compile(r"((?<!\d)\d{1,9})\s?일(?!자)|(보름)|(일주일)|(열흘)|((?<!\d)\d{1,9})\s?주")
_TIMES = re.compile(r"((?<!\d)\d{1,9}(?:\.\d{1,9})?|두|세|네|다섯|(?<![가-힣])[삼이])\s?배(?!상|액|수|관)")
_MONTHLY = re.compile(r"(?:(?<![가-힣])월|매월|매달|달마다|다달이|한\s?달에|1개월당|개월마다)[^\d.]{0,8}$")
_DAILY = re.compile(r"(?:(?<![가-힣\d])일|매일|하루|1일|날마다)[^\d.]{0,10}$")
_RENTS = re.compile(rf"{_NUMBER}\s?(?:개월|달)\s?(?:치|분|어치)")
_WHEN_ABLE = re.compile(
    r"(?:형편|여유|사정|자금|여건|돈)(?:이|에|을|의)?\s?[^.]{0,8}(?:되는\s?대로|생기|마련|나아지|따라|허락|감안|풀리|좋아|있을)|마련되는\s?대로|분할(?:하여|해|로|\s?반환|\s?지급)|나누어|나눠|차후에?\s|추후에?\s|할부|회에\s?걸쳐|천천히\s?(?:돌려|반환|지급)|대출이\s?(?:나오|실행)"
)
_OVER = re.compile(
    r"퇴거|종료|만료|만기|명도|인도|이사|끝난|끝나|나간|비운|비워|비우|빼고|뺀|빼면|퇴실|반환일|기간\s?후|나가"
)
_ON_TIME = re.compile(
    r"(?:만료|만기|종료|퇴거|인도|명도|이사|퇴실)\s?(?:일|날|당일|시)?\s?까지|당일|동시|즉시|같은\s?날|그\s?날|만기일에|종료일에|만료일에"
)
_LATER = re.compile(r"후|뒤|이내|지나|경과|안에|내(?=[에로\s])|까지|이후|있다가|지난|되는\s?(?:날|때|시점)|간\s")
_PUT_OFF = re.compile(
    rf"(?:\d\s?(?:일|주|주일|개월|달|년)|{_NUMBER}\s?(?:달|주|해)|일주일|보름|열흘|며칠)(?:이|가|은|는|을|를)?\s?(?:간|동안|후|뒤|이후|지난|지나|경과|있다가|정도)"
    r"|다음\s?(?:달|주|해)|익월|(?:대출|근저당|설정|융자|담보)[^.]{0,12}(?:후|뒤|다음|끝난|완료|마친|때까지|나면|되면|이후|나서|그때)|나중에|추후|말소\s?(?:후|뒤)"
)
_SOON = re.compile(r"이내|안에|내에|당일|즉시|바로|곧바로|입주\s?(?:후|시|와)")
_BLANK = re.compile(
    r"관리비[^.\n]{0,20}(?:_{2,}|\(\s*\)\s?원|[○◯]{2,}|-{3,}|\.{4,}|공란|빈칸)|관리비[^.\n]{0,8}별도(?!\s?로?\s?(?:월|\d))\s?(?:[.)]|$|임|함|로\s?한다)"
)
_RENT_LEFT = re.compile(
    r"잔여\s?(?:월세|차임|임대료)|(?:잔여|남은|나머지|남아\s?있는)\s?(?:의\s?)?(?:임대차|계약|임대)?\s?(?:기간|개월|월|달|만기)[^.]{0,60}(?:차임|월세|임대료)|(?:만기|만료|종료|끝날\s?때|계약\s?기간\s?끝)(?:일|날)?\s?까지의?\s?(?:남은\s?)?(?:차임|월세|임대료)"
)
_TENTHS = re.compile(r"(?<!\d)(\d)\s?(할|부|푼)(?=로|의|을|를|씩|\s|이|에)(?!\s?(?:를|을)?\s?(?:작성|보관|교부))")
_SUM_A_DAY = re.compile(
    r"(?:하루|(?<!월 )(?<!월)1일|매일|(?<![가-힣\d])일)[^.\d]{0,12}?"
    r"(?:\d+\s?(?:만|천)?|[일이삼사오육칠팔구]?(?:만|천))\s?원"
)
_MAX_PENALTY = 10.0
_MAX_RENTS = 3
_TOLERATED_DAYS = 14


def increase_over_cap(statement: Statement, terms: Terms) -> bool:
    """Whether it lets deposit or rent rise by more than the cap, or as the landlord likes."""
    cap = Decimal(str(section("increase", "shop" if terms.shop else "housing")["rate"])) * 100
    text = statement.text
    if not statement.negative and _CAP_OFF.search(text):
        return True
    if (
        statement.negative
        and re.search(r"(?:적용하|적용되|두|따르|받)지\s?(?:않|아니)", text)
        and _CAP_OFF.search(text)
    ):
        return True
    # "15%를 넘지 않는다" allows 15%, so a denied excess is judged by its figure.
    if statement.negative and not _UP_TO.search(text):
        return False
    rates = _rates(text)
    if rates:
        top = max(Decimal(str(item.value.upper or item.value.percent)) for item in rates)
        beyond = not statement.negative and any(_MORE_THAN.match(text[item.span[1] :]) for item in rates)
        return top > cap or (beyond and top >= cap)
    found = [item.value for item in find_money(text, "housing")]
    sums = [amount for money in found for amount in (money.won, money.upper) if amount]
    if len(sums) >= 2 and re.search(r"(?:을|를)\s?(?:더한|더하여|더해|얹)", text):
        sums = [sums[0], sums[0] + sums[1]]
    if len(sums) >= 2 and re.search(r"(?:종전|기존|현재|지금)", text):
        sums = sorted(sums)
    if len(sums) >= 2 and sums[0] and sums[1] > sums[0]:
        return Decimal(sums[1]) / sums[0] > 1 + cap / 100
    fixed = re.search(r"(?<![\d.])5\s?(?:%|프로|퍼센트)|법정|법이\s?정한|협의하(?!지)|합의", text)
    return not statement.negative and bool(_OPEN_RISE.search(text)) and not fixed


def increase_too_soon(statement: Statement, _terms: Terms) -> bool:
    """Whether it lets them rise before a year has passed."""
    match = _BELOW_A_YEAR.search(statement.text)
    if match:
        return _number(match[1]) < 12
    return bool(_ANY_TIME.search(statement.text)) and not _YEARS.search(statement.text)


def conversion_over_cap(statement: Statement, terms: Terms) -> bool:
    """Whether deposit becomes rent at more than the legal rate, or "천만원당 월 10만원" comes to more."""
    cap = conversion_rate("shop" if terms.shop else "housing") * 100
    text = statement.sentence
    for item in _rates(text):
        monthly = item.value.per == "month" or _MONTHLY.search(text[max(0, item.span[0] - 6) : item.span[0]])
        if Decimal(str(item.value.percent)) * (12 if monthly else 1) > cap:
            return True
    sums = [item.value.won for item in find_money(text, "housing") if item.value.won]
    if (
        len(sums) >= 2
        and re.search(
            r"(?:당|마다)\s|낮추|낮춰|줄이|줄여|줄어|내리|내려|감액|차액|만큼|깎|씩|대신|(?:으로|로)\s?(?:바꾸|바꿀|돌리|돌릴)",
            text,
        )
        and not _rates(text)
    ):
        base, monthly_rent = max(sums[:2]), min(sums[:2])
        return Decimal(monthly_rent) * 1200 / base > cap
    return False


def returned_late(statement: Statement, _terms: Terms) -> bool:
    """Whether the deposit comes back clearly later than the home is handed over."""
    text = statement.text
    if statement.negative:
        return False
    if _WHEN_ABLE.search(text):
        return True
    if not _OVER.search(statement.sentence) or _ON_TIME.search(text):
        return False
    if re.search(r"다음\s?달|익월|연말|내년|내후년", text):
        return True
    return bool(_LATER.search(text)) and (bool(_MONTHS.search(text)) or _days(text) > _TOLERATED_DAYS)


def arrears_too_few(statement: Statement, terms: Terms) -> bool:
    """Whether fewer unpaid rents than the law asks for end the lease."""
    where = f"{statement.condition} {statement.text}"
    counts = [_number(found) for found in _COUNT.findall(where)]
    if counts:
        return min(counts) < (3 if terms.shop else 2)
    return bool(_ANY_DELAY.search(where) or _AT_ONCE.search(statement.text))


def late_interest_high(statement: Statement, _terms: Terms) -> bool:
    """Whether late rent costs more than the yearly limit."""
    limit = Decimal(str(section("default_interest")["yearly_limit"])) * 100
    text = statement.text
    for item in _rates(text):
        before = text[max(0, item.span[0] - 14) : item.span[0]]
        yearly = Decimal(str(item.value.percent))
        if _DAILY.search(before):
            yearly *= 365
        elif item.value.per == "month" or _MONTHLY.search(before):
            yearly *= 12
        if yearly > limit:
            return True
    # A fixed sum for each day of delay soon passes any yearly rate.
    return bool(_SUM_A_DAY.search(text))


def penalty_high(statement: Statement, _terms: Terms) -> bool:
    """Whether a penalty is more than the usual tenth, a multiple of the rent, or all that is left of it."""
    text = statement.text
    if re.search(r"지연\s?이자|연체\s?이자|연체료|지연\s?손해금|지연\s?배상금|연체액", text):
        return False
    if _RENT_LEFT.search(text):
        return True
    if re.search(r"보증금(?:의)?\s?(?:전액|전부|절반)[^.]{0,4}상당", text):
        return True
    times = [_number(found) for found in _TIMES.findall(text)]
    if times:
        return max(times) > (2 if "계약금" in text else 1)
    if re.search(r"하루|1일|매일|일수", text) and _rates(text):
        return True
    if any(_number(found) > _MAX_RENTS for found in _RENTS.findall(text)) or re.search(r"\d\s?년\s?(?:치|분)", text):
        return True
    return any(item.value.percent > _MAX_PENALTY for item in _rates(text)) and bool(
        re.search(r"위약|배상|벌금|페널티|해약|지급|물", text)
    )


def put_off(statement: Statement, _terms: Terms) -> bool:
    """Whether it is to be done only after a while, or after the landlord's loan."""
    return bool(_PUT_OFF.search(statement.text)) and not _SOON.search(statement.text)


def raised_by_rate(statement: Statement, terms: Terms) -> bool:
    """Whether a rise by a rate, of nothing named, is over the cap."""
    return bool(_rates(statement.text)) and increase_over_cap(statement, terms)


def understated(statement: Statement, _terms: Terms) -> bool:
    """Whether another sum is to be written or reported than the real one."""
    text = statement.sentence
    real = re.search(r"실제|실거래|진짜|끼리|사실은", text) and re.search(r"신고|계약서|기재|적|쓰", text)
    sums = {item.value.won for item in find_money(text, "housing") if item.value.won}
    return bool(real) and len(sums) >= 2


def raised_from_to(statement: Statement, terms: Terms) -> bool:
    """Whether "80에서 95로" is a rise over the cap."""
    match = re.search(
        r"(?<!\d)(\d{1,9})\s?만?\s?원?\s?에서[^.\d]{0,12}(\d{1,9})\s?만?\s?원?\s?(?:으로|로)", statement.sentence
    )
    cap = Decimal(str(section("increase", "shop" if terms.shop else "housing")["rate"]))
    return bool(match) and match is not None and Decimal(match[2]) > Decimal(match[1]) * (1 + cap)


def raised_later(statement: Statement, terms: Terms) -> bool:
    """Whether a later sum is over what the contract begins with by more than the cap."""
    text = statement.sentence
    sums = [item.value.won for item in find_money(text, "housing") if item.value.won]
    later = re.search(r"후|뒤|지나|부터|갱신|재계약|연장|차\s?년도|다음|둘째", text)
    if not later or not sums or len(sums) > 2:
        return False
    base = sums[0] if len(sums) == 2 else terms.rent if re.search(RENT, text) else terms.deposit
    cap = Decimal(str(section("increase", "shop" if terms.shop else "housing")["rate"]))
    # A sum twice as large is another sum, not a raise.
    return base is not None and base * (1 + cap) < sums[-1] < base * 2


def left_blank(statement: Statement, _terms: Terms) -> bool:
    """Whether the sum is left open on paper."""
    return bool(_BLANK.search(statement.text))


def _rates(text: str) -> list[Parsed[Rate]]:
    """Rates, with tenths and hundredths (1할, 월 2부) told in per cent, the text keeping its length."""
    plain = _TENTHS.sub(lambda found: f"{int(found[1]) * 10}%" if found[2] == "할" else f"{found[1]}%", text)
    return find_rates(plain)


def _days(text: str) -> int:
    match = _DAYS.search(text)
    if not match:
        return 0
    if match[1] or match[5]:
        return int(match[1] or 0) + 7 * int(match[5] or 0)
    return 15 if match[2] else 7


def _number(word: str) -> int:
    if word.replace(".", "").isdigit():
        return int(float(word))
    return _NUMBERS.get(word, 1)


CHECKS: dict[str, Check] = {
    "increase": increase_over_cap,
    "interval": increase_too_soon,
    "conversion": conversion_over_cap,
    "return_delay": returned_late,
    "arrears": arrears_too_few,
    "late_interest": late_interest_high,
    "penalty": penalty_high,
    "later": put_off,
    "blank": left_blank,
    "increase_rate": raised_by_rate,
    "from_to": raised_from_to,
    "raised_later": raised_later,
    "understated": understated,
}
