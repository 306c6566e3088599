"""Sums over the figures that a message itself states: the way to a target, shares of it, price differences, a head's
part, a percentage. Each says how it was counted; where the figures' roles aren't plain there is none."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from madang.text.money import find_money

HEAD_LIMIT = 100_000
VAT = 1.1
MONTHS = 12
_NUMBER = r"\d[\d,]{0,14}(?:\.\d{1,4})?"
_TARGET = re.compile(r"목표(?:가|는|은|액|금액)?\s?$")
_YEARLY = re.compile(r"연간?\s?목표|올해\s?목표")
_SO_FAR = re.compile(r"까지|누적|현재|실적|매출|했")
_UNIT = re.compile(r"(천원|만원|만|억|천만)$")
_TAXED = re.compile(r"부가세|세금|VAT", re.IGNORECASE)
_PASSED = re.compile(r"(?P<n>\d{1,2})\s?일\s?(?:이\s?)?(?:지났|지나|경과)")
_LEFT = re.compile(r"(?P<n>\d{1,2})\s?일\s?(?:이\s?)?(?:남|밖에)")
_UNTIL = re.compile(r"(?P<month>1[0-2]|[1-9])월(?:\s?말)?까지")
_DONE = re.compile(
    rf"(?:까지|누적|현재|실적|매출)(?:은|는|이|가|으로)?\s?(?P<n>{_NUMBER})(?!\s?(?:일|%|월|명|곳|건|회|억|만|천|원))"
)
_SHARE = re.compile(
    r"(?P<who>[가-힣A-Za-z]{1,8}?)(?:이|가|은|는)?\s?(?P<done>\d[\d,.억만천백원]{0,20})\s?/\s?(?:목표\s?)?"
    r"(?P<of>\d[\d,.억만천백원]{0,20})"
)
_PRICES = re.compile(
    rf"(?P<name>[가-힣A-Za-z0-9]{{1,12}})?\s?(?P<old>{_NUMBER})\s?원?\s?(?:→|->|에서)\s?(?P<new>{_NUMBER})\s?원?(?:으로)?"
)
_PIECES = re.compile(
    rf"(?P<n>{_NUMBER})\s?(?P<unit>정|캡슐|개|통|박스|병|앰플|포|바이알)(?=이래|이에|이야|입니|인데|을|이\s|[^가-힣]|$)"
)
_HEADS = re.compile(r"(?P<n>\d{1,3})\s?(?:명|인|분)(?!\s?당)(?![가-힣]{0,2}\s?이하)")
_PERCENT = re.compile(r"(?P<n>\d{1,2}(?:\.\d+)?)\s?(?:%|프로|퍼센트)")
_COST = re.compile(r"식대|식사비|식비|도시락|회식비|결제|밥값|저녁")
_OFF = re.compile(r"할인|빼\s?[달줘주]|깎|디씨|DC|D/C|수수료|인센|원천|떼")


def sums_of(text: str) -> str:
    """What can be counted of the figures that a message states; empty where nothing plainly can."""
    readers: tuple[Callable[[str], str], ...] = (_shares, _pace, _prices, _head, _percentage)
    return next((told for read in readers if (told := read(text))), "")


@dataclass(frozen=True)
class _Way:
    target: int
    done: int


def _way(text: str) -> _Way | None:
    """The target and what is done of it, each plainly said to be that."""
    found = find_money(text)
    target = next((one for one in found if _TARGET.search(text[: one.span[0]])), None)
    if target is None or not target.value.won:
        return None
    rest = [one for one in found if one is not target and one.value.won]
    if len(rest) == 1 and _SO_FAR.search(text, target.span[1]):
        return _Way(target.value.won, rest[0].value.won)
    bare = _DONE.search(text, target.span[1])
    unit = _UNIT.search(target.text)
    if rest or bare is None or unit is None:
        return None
    size = {"천원": 1_000, "만원": 10_000, "만": 10_000, "억": 100_000_000, "천만": 10_000_000}[unit[1]]
    return _Way(target.value.won, round(float(bare["n"].replace(",", "")) * size))


def _pace(text: str) -> str:
    way = _way(text)
    if way is None or not 0 < way.done < 2 * way.target:
        return ""
    rest = way.target - way.done
    rate = f"**{way.done / way.target:.1%}**"
    lines = [f"달성률: {_won(way.done)} ÷ {_won(way.target)} = {rate}, 남은 금액 **{_won(rest)}**"]
    until = _UNTIL.search(text)
    yearly = _YEARLY.search(text)
    if yearly and until:
        share = round(way.target * int(until["month"]) / MONTHS)
        lines.append(
            f"{until['month']}월까지의 목표를 열두 달로 고르게 나누면 {_won(share)}이고, "
            f"그 대비 **{way.done / share:.1%}** 입니다(월별 목표가 다르면 달라집니다)."
        )
    passed, left = _PASSED.search(text), _LEFT.search(text)
    if left and int(left["n"]):
        days = int(left["n"])
        lines.append(f"남은 {days}일에 나누면 하루 {_won(rest)} ÷ {days} = **{_won(round(rest / days))}**")
        if passed and int(passed["n"]):
            gone = int(passed["n"])
            average = way.done / gone
            ending = round(average * (gone + days))
            lines.append(
                f"지금 속도: {_won(way.done)} ÷ {gone}일 = 하루 {_won(round(average))} → {gone + days}일이면 "
                f"{_won(ending)}, 달성률 **{ending / way.target:.1%}** 예상(남은 날도 같은 속도일 때)"
            )
    return _told(lines, "매출을 출고로 보는지 처방으로 보는지는 회사 기준을 따르세요.")


def _shares(text: str) -> str:
    found = []
    for one in _SHARE.finditer(text):
        done, of = _amount(one["done"]), _amount(one["of"])
        if done and of:
            found.append((one["who"], done, of))
    if len(found) < _SEVERAL:
        return ""
    rows = [f"| {who} | {_won(done)} | {_won(of)} | {done / of:.1%} | {_won(of - done)} |" for who, done, of in found]
    done, of = sum(one[1] for one in found), sum(one[2] for one in found)
    table = ["| 이름 | 실적 | 목표 | 달성률 | 부족 |", "|---|---|---|---|---|", *rows]
    table.append(f"| 합계 | {_won(done)} | {_won(of)} | {done / of:.1%} | {_won(of - done)} |")
    return "말씀하신 숫자로 계산했어요.\n\n" + "\n".join(table)


_SEVERAL = 2


def _amount(text: str) -> int:
    found = find_money(text)
    return int(found[0].value.won or 0) if found else 0


def _prices(text: str) -> str:
    pairs = []
    for one in _PRICES.finditer(text):
        old, new = _plain(one["old"]), _plain(one["new"])
        if old and new and old != new:
            pairs.append((one["name"] or "단가", old, new))
    pieces = _PIECES.findall(text)
    if not pairs:
        return ""
    lines = [
        f"{name}: {_figure(old)} → {_figure(new)}원, 차이 **{_figure(abs(old - new))}원** ({new / old - 1:+.1%})"
        for name, old, new in pairs
    ]
    if len(pairs) == 1 and len(pieces) == 1:
        (_, old, new), (count, unit) = pairs[0], pieces[0]
        total = abs(old - new) * _plain(count)
        lines.append(f"{_figure(abs(old - new))}원 × {count}{unit} = **{_figure(total)}원**")
    return _told(lines, "실제 공급가·할인율·부가세 포함 여부와 재고 기준일에 따라 정산액은 달라집니다.")


def _head(text: str) -> str:
    """What one of the persons had of a bill."""
    costs, heads = [one for one in find_money(text) if one.value.won], _HEADS.findall(text)
    if (
        not _COST.search(text)
        or len(costs) != 1
        or len(heads) != 1
        or "당" in text[max(0, costs[0].span[0] - 3) : costs[0].span[0]]
    ):
        return ""
    total, count = int(costs[0].value.won or 0), int(heads[0])
    if count < _SEVERAL or total < count:
        return ""
    each = total / count
    lines = [f"{_won(total)} ÷ {count}명 = 1인당 **{_figure(round(each))}원**"]
    if _TAXED.search(text) or each > HEAD_LIMIT:
        lines.append(
            f"부가세가 들어 있다면 빼고 {_figure(round(total / VAT))} ÷ {count} = "
            f"{_figure(round(total / VAT / count))}원"
        )
    return _told(
        lines, "제품설명 자리의 식음료 한도는 1인 1일 10만 원 이하(세금·봉사료 제외)이고, 실제로 온 사람 수로 나눕니다."
    )


def _percentage(text: str) -> str:
    sums, rates = [one for one in find_money(text) if one.value.won], _PERCENT.findall(text)
    if not _OFF.search(text) or len(sums) != 1 or len(rates) != 1:
        return ""
    amount, rate = int(sums[0].value.won or 0), float(rates[0])
    return _told([f"{_won(amount)} × {rates[0]}% = **{_figure(round(amount * rate / 100))}원**"], "")


def _told(lines: list[str], note: str) -> str:
    told = "\n".join(f"- {line}" for line in lines)
    return f"말씀하신 숫자로 계산했어요.\n\n{told}" + (f"\n\n{note}" if note else "")


def _plain(text: str) -> float:
    number = float(text.replace(",", ""))
    return int(number) if number.is_integer() else number


def _figure(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def _won(value: int) -> str:
    return f"{value:,}원"
