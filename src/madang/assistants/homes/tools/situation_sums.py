"""What a situation's answer works out from the sums that were told. A sum is taken only by the word beside it, and
nothing is said where one that is needed is missing or could be another."""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from madang.assistants.homes.tools.calculators.calculation import won
from madang.text.message import Message, Value

_BEFORE, _AFTER, _APART = 8, 6, 14
_MONTH_MOST = 50_000_000
LEAST_DEPOSIT, LEAST_RENT = 10_000_000, 100_000
_MONTHS = re.compile(r"(\d{1,2})\s?(?:개월|달)")
_DAYS_LIVED = re.compile(r"(\d{1,3})\s?일\s?(?:살|지내|있|이용|만에|쓰)")
_MOVED_IN = re.compile(r"(\d{1,2})\s?월에\s?이사")
_CREDIT_MOST, _LOW_PAY = 10_000_000, 55_000_000


def _double_deposit(messages: Sequence[Message]) -> str:
    """Twice the earnest money, and what is left of a better price: both prices and the money must have been told."""
    paid = _told(messages, ("계약금",), ())
    if paid is None:
        return ""
    said = f"받은 계약금이 {won(paid)}이면 배액은 {won(2 * paid)}이고, 내 돈으로 {won(paid)}을 물어 주는 셈이에요."
    agreed = _told(messages, (), ("팔기로",))
    others = [_won(value) for message in messages for value in message.of("money")]
    better = [one for one in others if agreed and agreed < one < 2 * agreed]
    if agreed is None or not better:
        return said
    more = better[-1] - agreed
    left = more - paid
    verdict = f"{won(left)}이 남는데 중개보수를 빼야 해요" if left > 0 else f"오히려 {won(-left)} 손해예요"
    return f"{said} {won(better[-1])}에 팔면 {won(more)}을 더 받으니 {verdict}."


def _cap_rent(messages: Sequence[Message]) -> str:
    rent = _first_rent(messages)
    return f"지금 월세가 {won(rent)}이면 5% 한도는 {won(rent * 105 // 100)}이에요." if rent else ""


def _cap_told(messages: Sequence[Message]) -> str:
    """5% on what is paid now: the sum told as the present one, not the one asked for on top."""
    now = _told(messages, ("지금", "현재", "원래", "전세"), ())
    if now is None or now < LEAST_DEPOSIT:
        return ""
    more = now * 5 // 100
    return f"지금 {won(now)}이면 5%는 {won(more)}이라 {won(now + more)}까지예요."


def _sum_told(messages: Sequence[Message]) -> str:
    """The costs that the newest message lists, added up, without what is hoped for beyond them."""
    text = messages[-1].text
    costs = [_won(value) for value in messages[-1].of("money") if not _hoped(text, value)]
    costs += [10_000 * int(value.value) for value in messages[-1].of("number") if value.value in range(5, 10_000)]
    if len(costs) < 2:
        return ""
    return f"말씀하신 {' + '.join(won(one) for one in costs)} = 모두 {won(sum(costs))}이에요(감가 전)."


def _hoped(text: str, value: Value) -> bool:
    after = text[value.span[1] : value.span[1] + _AFTER]
    before = text[max(0, value.span[0] - _BEFORE) : value.span[0]]
    return any(word in after for word in ("받", "달라", "요구")) or any(word in before for word in ("보상", "위자료"))


def _gosiwon(messages: Sequence[Message]) -> str:
    """What the consumer standard gives back: the days not used, less a tenth."""
    for message in messages:
        paid = [_won(value) for value in message.of("money")]
        months, lived = _MONTHS.search(message.text), _DAYS_LIVED.search(message.text)
        if len(paid) == 1 and months and lived and int(lived[1]) < 30 * int(months[1]):
            used = round(paid[0] * int(lived[1]) / (30 * int(months[1])))
            back = int(round((paid[0] - used) * 0.9, -3))
            return (
                f"낸 돈 {won(paid[0])}, {months[1]}개월 가운데 {lived[1]}일이면 이용한 값 약 {won(round(used, -3))}을"
                f" 빼고 남은 돈의 10%를 공제해 약 {won(back)}이에요."
            )
    return ""


def _presale_delay(messages: Sequence[Message]) -> str:
    """What is owed for the days a new home is late: everything paid × rate × days ÷ 365."""
    message = messages[-1]
    paid = [one for word in ("계약금", "중도금") if (one := _told([message], (word,), ())) is not None]
    rates, days = message.of("rate"), message.of("date")
    month = next((value.value for value in days if value.value.kind == "month"), None)
    opens = next((value.value.start for value in days if value.value.kind == "day"), None)
    if not paid or len(rates) != 1 or month is None or opens is None or opens <= month.end:
        return ""
    late = (opens - month.end).days - 1
    rate = float(rates[0].value.percent) / 100
    owed = round(sum(paid) * rate * late / 365, -4)
    return (
        f"{_day(month.end)}까지로 보면 {late}일 늦고, 낸 돈 {won(sum(paid))} × 연 {rate * 100:g}% × {late}÷365"
        f" ≈ {won(int(owed))}이에요."
    )


def _auction_bond(messages: Sequence[Message]) -> str:
    lowest = _lowest(messages[-1:])
    return f"최저매각가가 {won(lowest)}이면 입찰보증금은 {won(lowest // 10)}이에요." if lowest else ""


def _auction_take(messages: Sequence[Message]) -> str:
    taken, price = _told(messages[-1:], ("보증금",), ()), _lowest(messages[:-1])
    if taken is None or price is None:
        return ""
    return f"{won(price)}에 사도 보증금 {won(taken)}을 떠안으면 실제로는 {won(price + taken)}에 사는 셈이에요."


def _distribution(messages: Sequence[Message]) -> str:
    """What is left for a deposit that ranks after the mortgage, and before it."""
    words = {
        "낙찰": "price",
        "매각": "price",
        "팔리": "price",
        "근저당": "senior",
        "은행": "senior",
        "선순위": "senior",
    }
    told = nearest(messages, "money", words | {"보증금": "deposit", "전세금": "deposit"})
    if len(told) < 3:
        return ""
    price, senior, deposit = (_won(told[name]) for name in ("price", "senior", "deposit"))
    rest = min(deposit, max(0, price - senior))
    short = f" {won(deposit - rest)}이 모자라요" if rest < deposit else " 다 받아요"
    return (
        f"경매 비용·최우선변제·당해세를 빼기 전 어림으로, 근저당이 먼저면 {won(price)} − {won(senior)}에서"
        f" {won(rest)}을 받아{short}. 내 순위가 먼저면 {won(min(price, deposit))}을 받아요."
    )


def _lowest(messages: Sequence[Message]) -> int | None:
    for message in reversed(messages):
        values = message.of("money")
        found = [_won(v) for v in values if "감정가" not in message.text[max(0, v.span[0] - _BEFORE) : v.span[0]]]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _inheritance_net(messages: Sequence[Message]) -> str:
    """What is left of an estate: home and savings less debts and the tenant's deposit, each by its own word."""
    home, savings = _told(messages, ("집은", "집값", "시세"), ()), _told(messages, ("예금",), ())
    debt = _told(messages, ("빚은", "대출", "빚이"), ())
    deposit = _told(messages, ("보증금", "전세"), ("전세", "보증금"))
    if home is None or debt is None:
        return ""
    left = home + (savings or 0) - debt - (deposit or 0)
    plus = f"집 {won(home)}" + (f" + 예금 {won(savings)}" if savings else "")
    minus = f"빚 {won(debt)}" + (f" + 세입자 보증금 {won(deposit)}" if deposit else "")
    heirs = re.search(r"자식이\s?(넷|셋|둘|\d+)", " ".join(message.text for message in messages))
    count = {"둘": 2, "셋": 3, "넷": 4}.get(heirs[1], int(heirs[1]) if heirs[1].isdigit() else 0) if heirs else 0
    share = won(int(round(left / count, -4))) if count and left > 0 else ""
    each = f" {count}명이 똑같이 나누면 한 사람에 약 {share}이에요." if share else ""
    return f"({plus}) − ({minus}) = 약 {won(left)}{'이 남아요' if left >= 0 else '이라 빚이 더 많아요'}.{each}"


def _rent_credit(messages: Sequence[Message]) -> str:
    """The year's rent, in two homes if the month of moving was told, times the rate of the pay."""
    message = messages[-1]
    pay, rents = _told(messages, ("연봉", "총급여", "급여"), ()), _rents(message)
    moved = _MOVED_IN.search(message.text)
    if pay is None or pay > 80_000_000 or not rents:
        return ""
    if len(rents) == 2 and moved and "전에" in message.text:
        month = int(moved[1])
        year = rents[0] * (13 - month) + rents[1] * (month - 1)
        how = f"{won(rents[1])}×{month - 1}달 + {won(rents[0])}×{13 - month}달 = {won(year)}"
    elif len(rents) == 1:
        year, how = rents[0] * 12, f"1년 내내 냈다면 {won(rents[0])}×12 = {won(rents[0] * 12)}"
    else:
        return ""
    rate = 17 if pay <= _LOW_PAY else 15
    return f"올해 월세 {how}, 여기에 {rate}%면 약 {won(min(year, _CREDIT_MOST) * rate // 100)}이에요(낸 세금 안에서)."


def _call_facts(messages: Sequence[Message]) -> str:
    """The sums and days of the conversation, to be read out on the phone."""
    sums = [won(_won(value)) for message in messages for value in message.of("money")]
    days = [_day(value.value.end) for message in messages for value in message.of("date") if value.value.kind == "day"]
    told = [*dict.fromkeys(sums), *dict.fromkeys(days)][:4]
    return f"괄호에는 지금까지 말씀하신 것({', '.join(told)})을 넣으세요." if told else ""


SUMS: dict[str, Callable[[Sequence[Message]], str]] = {
    "double_deposit": _double_deposit,
    "cap_rent": _cap_rent,
    "shop_cap": _cap_rent,
    "cap_told": _cap_told,
    "sum_told": _sum_told,
    "gosiwon": _gosiwon,
    "presale_delay": _presale_delay,
    "auction_bond": _auction_bond,
    "auction_take": _auction_take,
    "distribution": _distribution,
    "inheritance_net": _inheritance_net,
    "rent_credit": _rent_credit,
    "call_facts": _call_facts,
}


def _told(messages: Sequence[Message], before: Sequence[str], after: Sequence[str]) -> int | None:
    """The sum that stands beside one of these words, in the newest message that has one; None if it has two."""
    for message in reversed(messages):
        text = message.text
        sums = {
            _won(value)
            for value in message.of("money")
            if any(word in text[max(0, value.span[0] - _BEFORE) : value.span[0]] for word in before)
            or any(word in text[value.span[1] : value.span[1] + _AFTER] for word in after)
        }
        if sums:
            return sums.pop() if len(sums) == 1 else None
    return None


def nearest(messages: Sequence[Message], kind: str, words: Mapping[str, str]) -> dict[str, Value]:
    """The values of a kind, each by what the word nearest to it says it is: in the newest message that has any. What
    two values claim is left out."""
    for message in reversed(messages):
        found: dict[str, list[Value]] = {}
        places = [(span, name) for word, name in words.items() for span in _places(word, message.text)]
        for value in message.of(kind):
            begins, ends = value.span
            gaps = [(begins - end if end <= begins else start - ends, name) for (start, end), name in places]
            if (near := min(gaps, default=None)) and near[0] <= _APART:
                found.setdefault(near[1], []).append(value)
        if found:
            return {name: values[0] for name, values in found.items() if len(values) == 1}
    return {}


def _places(word: str, text: str) -> list[tuple[int, int]]:
    lengths = itertools.accumulate(len(part) + len(word) for part in text.split(word))
    return [(end - len(word), end) for end in list(lengths)[:-1]]


def _rents(message: Message) -> list[int]:
    found = [
        _won(value)
        for value in message.of("money")
        if "월" in message.text[max(0, value.span[0] - 4) : value.span[0]]
        and LEAST_RENT <= _won(value) <= _MONTH_MOST
        and not message.text[value.span[1] : value.span[1] + 3].strip().startswith(("올", "더", "인상", "깎"))
    ]
    return list(dict.fromkeys(found))


def _first_rent(messages: Sequence[Message]) -> int | None:
    """The rent that was told first: what is asked for instead comes later."""
    return next((rents[0] for message in messages if (rents := _rents(message))), None)


def _won(value: Value) -> int:
    return int(value.value.won)


def _day(day: date) -> str:
    return f"{day.year}년 {day.month}월 {day.day}일"
