"""Rates: 5%, 5프로, 연 4.2 퍼센트, 0.4%p, 25bp, 3부 이자, 2할, 절반, 3분의 1."""

import re
from dataclasses import dataclass
from typing import Literal

from madang.text.money_words import Approx, approx_of
from madang.text.numbers import parse_number
from madang.text.numerals import DIGITS
from madang.text.parsed import Parsed, make, on_folded, without_overlaps


@dataclass(frozen=True)
class Rate:
    """A rate in per cent (`%`) or percentage points (`%p`).

    `per` is set when the words say a year or a month, `upper` for a range, `approx` for about, under or over.
    """

    percent: float
    unit: Literal["%", "%p"] = "%"
    per: Literal["year", "month"] | None = None
    upper: float | None = None
    approx: Approx | None = None


_SINO = r"(?<![가-힣])[일이삼사오육칠팔구십백]{1,4}(?:점[일이삼사오육칠팔구영]{1,2})?"
_MINUS = rf"마이너스\s?(?:{DIGITS}|[일이삼사오육칠팔구십백]{{1,4}})"
_NUMBER = rf"(?P<number>{_MINUS}|\d{{1,3}}점\s?\d{{1,2}}|[-+]?{DIGITS}|{_SINO})"
_LOW = rf"(?:(?P<low>{DIGITS})\s?(?:%|프로|퍼센트|퍼)?\s?(?:~|-|에서)\s?)?"
_POINTS = re.compile(
    rf"{_LOW}{_NUMBER}\s?(?:%\s?p\b|%\s?포인트|퍼센트\s?포인트|프로\s?포인트|%\s?피|bp\b|bps\b|베이시스)", re.IGNORECASE
)
_PERCENT = re.compile(
    rf"{_LOW}{_NUMBER}\s?(?:%|퍼센트|퍼센|프로(?!\s?(?:선수|젝|그램|모|필|축구|야구|맥스))|퍼(?!레이|즐|포|스|붓|뜨|졌|지))"
)
_MODEL_NAME = re.compile(r"(?:아이폰|갤럭시|맥북|에어팟|아이패드)\s?$")
_TENTH = re.compile(
    rf"{_NUMBER}\s?할(?![가-힣]|\s?(?:수|때|것|거|게|일|줄|예정|생각|필요|듯|지|만한))"
    rf"|{_NUMBER.replace('number', 'other')}\s?할(?=\s?(?:할인|정도|이|을|은|만(?!한)))"
)
_MONTHLY = re.compile(rf"{_NUMBER}\s?부\s?(?:이자|금리)|이자\s?{_NUMBER.replace('number', 'other')}\s?부(?![가-힣])")
_HALF = re.compile(r"절반|반절|반값|\A반의?\Z|(?<![가-힣])반으로(?=\s?(?:줄|깎|내려|낮))|반\s?정도")
_FRACTION = re.compile(rf"(?P<below>{DIGITS}|[이삼사오육칠팔구십])\s?분의\s?(?P<above>{DIGITS}|[일이삼사오육칠팔구])")
_NAMED = re.compile(
    rf"(?:금리|이율|이자율|전환율|수익률|공실률|인상률|상승률|LTV|DSR|DTI|이자)\s?(?:가|이|은|는|를"
    rf"|을)?\s?(?:연|약|한)?\s?{_NUMBER}"
    r"(?!\d|[,.]\d|\s?(?:%|프로|퍼|부|할|만|억|천|백|원(?!리금|금)|개|년|월(?!\s?(?:상환|납|얼마|이자|원리금))|일|명|단계|bp))",
    re.IGNORECASE,
)
_YEARLY = re.compile(r"(?:연간?|년|연이율|연이자율|연\s?금리|연리|연\s?수익률)\s?$")
_MONTH = re.compile(r"(?:매?월|매달|한\s?달에|월이율|월\s?이자)\s?$")


def find_rates(text: str) -> list[Parsed[Rate]]:
    """Rates in order of appearance. "3부 이자" is 3 % a month, as money lenders count; 할 is a tenth; bp is 0.01 %p."""
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[Rate]]:
    found: list[Parsed[Rate]] = []
    for match in _POINTS.finditer(text):
        basis_points = match.group().lower().rstrip("s").endswith(("bp", "베이시스"))
        found += _rate(text, match, 0.97, unit="%p", factor=0.01 if basis_points else 1.0)
    for match in _PERCENT.finditer(text):
        if not _MODEL_NAME.search(text, max(0, match.start() - 6), match.start()):
            found += _rate(text, match, 0.97)
    for match in _TENTH.finditer(text):
        found += _rate(text, match, 0.85, factor=10.0)
    for match in _MONTHLY.finditer(text):
        found += _rate(text, match, 0.85, per="month")
    for match in _NAMED.finditer(text):
        found += _rate(text, match, 0.7, start=match.start("number"))
    for match in _HALF.finditer(text):
        found.append(make(text, *match.span(), Rate(50.0), 0.8))
    for match in _FRACTION.finditer(text):
        below, above = parse_number(match["below"]), parse_number(match["above"])
        if below and above:
            found.append(make(text, *match.span(), Rate(round(100 * above / below, 2)), 0.85))
    return without_overlaps(found)


def _rate(
    text: str,
    match: re.Match[str],
    confidence: float,
    *,
    unit: Literal["%", "%p"] = "%",
    per: Literal["year", "month"] | None = None,
    factor: float = 1.0,
    start: int | None = None,
) -> list[Parsed[Rate]]:
    groups = match.groupdict()
    number = _value(groups.get("number") or groups.get("other"))
    if number is None:
        return []
    begin = match.start() if start is None else start
    low = _value(groups.get("low"))
    value = round((number if low is None else low) * factor, 6)
    upper = None if low is None else round(number * factor, 6)
    approx = (
        None if low is not None else approx_of(text[max(0, begin - 6) : begin], text[match.end() : match.end() + 10])
    )
    rate = Rate(value, unit, per or _per(text, begin), upper, approx)
    return [make(text, begin, match.end(), rate, confidence)]


def _value(written: str | None) -> float | None:
    if not written:
        return None
    sign = -1 if written[0] in "-마" else 1
    whole, _, part = written.lstrip("+-").removeprefix("마이너스").strip().partition("점")
    number = parse_number(whole)
    if number is None:
        return None
    decimals = "".join(str(parse_number(digit)) for digit in part)
    return sign * float(f"{number}.{decimals}" if decimals else number)


def _per(text: str, start: int) -> Literal["year", "month"] | None:
    before = text[max(0, start - 8) : start]
    if _YEARLY.search(before):
        return "year"
    return "month" if _MONTH.search(before) else None
