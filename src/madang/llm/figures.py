"""Figures in a text (money, shares, periods, counts with units, dates), in one form however they are written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from madang.text.numerals import DIGITS, NATIVE, Numeral, native_value, numerals

MONEY = ("원", "달러", "엔", "유로", "위안")
Kind = Literal["money", "percent", "count", "date", "number"]

_UNITS = {
    "원": ("money", "원"),
    "KRW": ("money", "원"),
    "won": ("money", "원"),
    "달러": ("money", "달러"),
    "불": ("money", "달러"),
    "엔": ("money", "엔"),
    "유로": ("money", "유로"),
    "위안": ("money", "위안"),
    "%p": ("percent", "%"),
    "%포인트": ("percent", "%"),
    "%": ("percent", "%"),
    "％": ("percent", "%"),
    "퍼센트": ("percent", "%"),
    "프로": ("percent", "%"),
    "개월": ("count", "개월"),
    "달": ("count", "개월"),
    "년": ("count", "년"),
    "주일": ("count", "주"),
    "주": ("count", "주"),
    "일": ("count", "일"),
    "시간": ("count", "시간"),
    "시": ("count", "시"),
    "분": ("count", "분"),
    "박": ("count", "박"),
    "명": ("count", "명"),
    "인": ("count", "명"),
    "건": ("count", "건"),
    "개": ("count", "개"),
    "회": ("count", "회"),
    "평": ("count", "평"),
    "㎡": ("count", "㎡"),
    "m²": ("count", "㎡"),
    "제곱미터": ("count", "㎡"),
    "°C": ("count", "°C"),
    "℃": ("count", "°C"),
    "km": ("count", "km"),
    "cm": ("count", "cm"),
    "mg": ("count", "mg"),
    "kg": ("count", "kg"),
    "ml": ("count", "ml"),
    "정": ("count", "정"),
    "병": ("count", "병"),
    "박스": ("count", "박스"),
    "배": ("count", "배"),
    "층": ("count", "층"),
    "세대": ("count", "세대"),
    "가구": ("count", "세대"),
    "곳": ("count", "곳"),
    "채": ("count", "채"),
    "줄": ("count", "줄"),
    "점": ("count", "점"),
    "위": ("count", "위"),
    "살": ("count", "세"),
    "세": ("count", "세"),
}
_STRUCTURE = r"인\s?가구|가지|단계|번째|번|째|차|조|항|호|장|편|쪽"
# What may stand behind a unit; anything else makes it a part of another word (1주택, 2개인, 세 명확한, 한 주인).
_AFTER_UNIT = (
    r"(?=$|[^가-힣]|[이가은는을를의에로과와도만씩입뒤전후간안내당째밖쯤여대며나랑라차]|으로|정도|동안|까지|부터|마다|가량"
    r"|미만|초과|보다|처럼|짜리|치|남짓|하고|인(?!가구)|였|됐|됩)"
)
_FIRM = (
    "원",
    "KRW",
    "won",
    "달러",
    "유로",
    "%포인트",
    "%p",
    "%",
    "％",
    "퍼센트",
    "제곱미터",
    "㎡",
    "m²",
    "°C",
    "℃",
    "km",
    "cm",
    "mg",
    "kg",
    "ml",
    "개월",
)
_LOOSE = sorted(set(_UNITS) - set(_FIRM), key=len, reverse=True)
_UNIT = re.compile(
    rf"\s?(?:(?P<none>{_STRUCTURE})|(?P<firm>{'|'.join(_FIRM)})|(?P<loose>{'|'.join(_LOOSE)})(?!(?<=정)도){_AFTER_UNIT})"
)
_NATIVE = re.compile(rf"(?<![가-힣])(?P<number>{NATIVE})\s(?P<unit>명|달|개월|개|주|시간|살|건|곳|배|채){_AFTER_UNIT}")
_DATE = re.compile(
    r"(?<!\d)(?P<y>\d{4})\s?(?:년|[.\-/])\s?(?P<m>\d{1,2})\s?(?:월|[.\-/])\s?(?P<d>\d{1,2})(?:\s?일)?(?!\d)"
    r"|(?<!\d)(?P<y2>\d{4})\s?년\s?(?P<m2>\d{1,2})\s?월|(?<!\d)(?P<y3>(?:19|20)\d{2})\s?년(?!\s?[간동치])"
    r"|(?<!\d)(?P<m4>\d{1,2})\s?월\s?(?P<d4>\d{1,2})\s?일"
)
_DATE_RANGE = re.compile(
    r"(?<!\d)(?:(?P<y>\d{4})\s?년\s?)?(?P<m>\d{1,2})\s?월\s?(?P<d>\d{1,2})(?:\s?일)?\s?[~∼–-]\s?(?P<e>\d{1,2})\s?일"
)
# "1인당", "4분의 1" and the days of "3박 4일" say nothing that isn't said by the rest.
_UNSAID = re.compile(
    r"(?<!\d)\d{1,2}\s?분의\s?\d{1,2}(?!\d)|(?<!\d)1\s?(?:인|명|박|일|회|건|개|년|주|시간)\s?(?:당|에(?=\s)|마다|\s?치(?=:))|(?<=박)\s?\d{1,2}\s?일"
)
_ABOUT_BEFORE = re.compile(r"(?:약|대략|거의|얼추)\s?$")
_ABOUT_AFTER = re.compile(r"\s?(?:정도|가량|쯤|내외|안팎|남짓|여(?=[\s가-힣])|대(?=[\s.,의]|$))")
# ₩95,000, KRW 95,000: the unit stands before the number.
_UNIT_BEFORE = re.compile(r"(?:₩|￦|KRW)\s?$")
# 하는 일만, 이만 하면: words, unless a unit follows.
_THINGS = frozenset({"일만", "이만", "오만", "조만"})
_RANGE = re.compile(rf"(?:\s?[~∼–]\s?|-)(?={DIGITS})")
_CODE = re.compile(r"(?<![\d-])(?:0\d{1,2}-\d{3,4}|(?!19|20)\d{4})-\d{4}(?![\d-])")
_BLANKS = frozenset("○◯〇_xX△□")
_LIST_MARK = re.compile(r"^[^\S\n]*\d{1,2}[.)]\s", re.MULTILINE)


@dataclass(frozen=True)
class Figure:
    """A figure: `values` are its possible readings, `slack` how far its source may be from it.

    Periods in years are months; dates have `date` (year, month, day, `None` where not said) instead of values; a
    telephone number is its own unit, so that only the same one matches it.
    """

    kind: Kind
    text: str
    span: tuple[int, int]
    unit: str = ""
    values: tuple[Fraction, ...] = ()
    slack: Fraction = field(default=Fraction(0))
    date: tuple[int | None, int | None, int | None] | None = None


def find_figures(text: str) -> list[Figure]:
    """Every figure in `text`, in order. Numbers that only order things (2번째, 3가지, "1.") are not figures."""
    rest = blank(text, [match.span() for pattern in (_LIST_MARK, _UNSAID) for match in pattern.finditer(text)])
    dates = list(_dates(rest))
    rest = blank(rest, [figure.span for figure in dates])
    codes = [
        Figure("number", match.group(), match.span(), match.group(), (Fraction(0),)) for match in _CODE.finditer(rest)
    ]
    rest = blank(rest, [figure.span for figure in codes])
    native = list(_native(rest))
    rest = blank(rest, [figure.span for figure in native])
    return sorted([*dates, *codes, *native, *_numeric(rest)], key=lambda figure: figure.span)


def blank(text: str, spans: list[tuple[int, int]]) -> str:
    """`text` with the spans made unreadable, everything else in its place."""
    for start, end in spans:
        text = text[:start] + "\x00" * (end - start) + text[end:]
    return text


def _dates(text: str) -> Iterator[Figure]:
    ranges = list(_DATE_RANGE.finditer(text))
    for match in ranges:
        for last in (match["d"], match["e"]):
            parts = (int(match["y"]) if match["y"] else None, int(match["m"]), int(last))
            yield Figure("date", match.group(), match.span(), date=parts)
    for match in _DATE.finditer(blank(text, [match.span() for match in ranges])):
        year = match["y"] or match["y2"] or match["y3"]
        month = match["m"] or match["m2"] or match["m4"]
        day = match["d"] or match["d4"]
        numbers = tuple(int(part) if part else None for part in (year, month, day))
        yield Figure("date", match.group().strip(), match.span(), date=(numbers[0], numbers[1], numbers[2]))


def _native(text: str) -> Iterator[Figure]:
    for match in _NATIVE.finditer(text):
        value = native_value(match["number"])
        if value:
            yield _united(match.group(), match.span(), (Fraction(value),), match["unit"], Fraction(0))


def _numeric(text: str) -> Iterator[Figure]:
    found = list(numerals(text))
    for position, numeral in enumerate(found):
        after = _UNIT.match(text, numeral.end)
        following = found[position + 1] if position + 1 < len(found) else None
        between = _RANGE.match(text, numeral.end)
        if after is None and between and following and following.start == between.end():
            figure = _low_end(text, numeral, following)
        else:
            figure = _single(text, numeral, after)
        if figure:
            yield figure


def _single(text: str, numeral: Numeral, after: re.Match[str] | None) -> Figure | None:
    if (after and after["none"]) or _is_word(text[numeral.start : numeral.end], after):
        return None
    # 이만큼, ○○만원
    if text.startswith("큼", numeral.end) or (numeral.hangul and text[numeral.start - 1 : numeral.start] in _BLANKS):
        return None
    # 7억2천인 경우: no people.
    after = None if after and after["loose"] == "인" and numeral.top >= 10**8 else after
    end = after.end() if after else numeral.end
    slack = _slack(text, numeral, end)
    written = text[numeral.start : end]
    if after:
        unit = _unit(after)
        values = (numeral.spoken, numeral.value) if unit == "원" else (numeral.value,)
        return _united(written, (numeral.start, end), tuple(dict.fromkeys(values)), unit, slack)
    if _UNIT_BEFORE.search(text, max(0, numeral.start - 4), numeral.start):
        return _united(written, (numeral.start, end), (numeral.value,), "원", slack)
    if written in _THINGS:
        return None
    if numeral.top >= 10**4 and not (numeral.hangul and numeral.end - numeral.start == 1):
        return Figure("money", written, (numeral.start, end), "원", (numeral.spoken,), slack)
    if not numeral.hangul and (numeral.value >= 1000 or numeral.value.denominator > 1):
        return Figure("number", written, (numeral.start, end), "", (numeral.value,), slack)
    return None


def _is_word(written: str, after: re.Match[str] | None) -> bool:
    """만일, 이 조건: letters that only look like a number."""
    if any(char.isdecimal() for char in written):
        return False
    return " " in written or "조" in written or (len(written) == 1 and after is not None and _unit(after) != "원")


def _unit(match: re.Match[str]) -> str:
    return match["firm"] or match["loose"] or ""


def _low_end(text: str, numeral: Numeral, high: Numeral) -> Figure | None:
    """The lower end of a range takes the unit, and perhaps the scale, of the upper one: 5~7%, 1~2억 원."""
    after = _UNIT.match(text, high.end)
    scaled = tuple(dict.fromkeys((numeral.value, numeral.value * high.bottom)))
    span, written = (numeral.start, numeral.end), text[numeral.start : numeral.end]
    if after and not after["none"]:
        return _united(written, span, scaled, _unit(after), _slack(text, numeral, numeral.end))
    return Figure("money", written, span, "원", scaled) if high.top >= 10**4 else None


def _united(text: str, span: tuple[int, int], values: tuple[Fraction, ...], unit: str, slack: Fraction) -> Figure:
    kind, name = _UNITS[unit]
    if name == "년":
        values, name, slack = tuple(value * 12 for value in values), "개월", slack * 12
    return Figure(kind, text.strip(), span, name, values, slack)  # type: ignore[arg-type]


def _slack(text: str, numeral: Numeral, end: int) -> Fraction:
    """Decimals are rounded at their last place (2.3억: at most 2.5 %); "약" allows the last spoken one, at most 5 %."""
    count, scale = numeral.groups[-1]
    digits = re.search(r"\.(\d+)", text[numeral.start : numeral.end])
    decimal = Fraction(scale, 10 ** len(digits[1])) / 2 if digits else Fraction(0)
    if scale > 1:
        decimal = min(decimal, numeral.value / 40)
    if not (_ABOUT_BEFORE.search(text, 0, numeral.start) or _ABOUT_AFTER.match(text, end)):
        return decimal
    place = Fraction(scale)
    while count and count.denominator == 1 and count % 10 == 0:
        count, place = count / 10, place * 10
    return max(decimal, min(place / 2, numeral.value / 20))
