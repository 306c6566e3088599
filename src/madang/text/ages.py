"""How old: 만 7세, 스물다섯 살, 26개월 아기, 초3, 30대 부부."""

import re
from dataclasses import dataclass
from typing import Literal

from madang.text.money_words import Approx, approx_of
from madang.text.numbers import WRITTEN, plain
from madang.text.numerals import written_value
from madang.text.parsed import Parsed, make, on_folded, without_overlaps


@dataclass(frozen=True)
class Age:
    """An age in years or months. `upper` is set for a range (40~50세, 30대); `school` is the grade it was said by."""

    number: float
    unit: Literal["year", "month"] = "year"
    upper: float | None = None
    approx: Approx | None = None
    school: str | None = None


_CHILD = r"(?:된\s?|짜리\s?)?(?:아기|아가|애기|아이|애(?![가-힣])|딸|아들|유아|영아|손주|손녀|손자|조카)"
_YEARS = re.compile(
    rf"(?:만\s?)?(?:(?P<low>{WRITTEN})\s?(?:~|-|에서)\s?)?(?P<number>{WRITTEN})\s?"
    r"(?:살(?!고|아|았|던|면|며|기|지|다|려|림|펴|짝|균|인)|세(?!대|금|입|율|전|면|트|탁|제|가지|기|상|계|련|미|월|부))"
)
_MONTHS = re.compile(rf"(?P<number>{WRITTEN})\s?개월\s?{_CHILD}")
_GRADE = re.compile(
    r"(?<![가-힣])(?P<school>초|중|고|초등학교|초등학생|중학교|고등학교)\s?(?P<grade>[1-6])(?:\s?학년)?(?![\d.,]|\s?(?:층|일|월|만|억|천|개|명|순|분|시))"
)
_DECADE = re.compile(
    r"(?<![\d가-힣])(?P<number>[1-9]0)\s?대(?=\s?(?:초반|중반|후반|부부|여성|남성|여자|남자|커플|직장인|신혼|친구|부모|예요|이에요|입니다|인데|고객|환자))"
)
_FIRST_GRADE = {"초": 7, "중": 13, "고": 16}


def find_ages(text: str) -> list[Parsed[Age]]:
    """Ages in order of appearance. A school grade is the age most have in it; months count only before a child."""
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[Age]]:
    found: list[Parsed[Age]] = []
    for match in _YEARS.finditer(text):
        number = written_value(match["number"])
        low = written_value(match["low"]) if match["low"] else None
        if number is not None and (number <= 130 or match.group().endswith("살")):
            approx = approx_of(text[max(0, match.start() - 6) : match.start()], text[match.end() : match.end() + 10])
            ends = (low, number) if low is not None and low < number else (number, None)
            first, last = (None if end is None else float(plain(end)) for end in ends)
            found.append(make(text, *match.span(), Age(first or 0.0, "year", last, approx), 0.9))
    for match in _MONTHS.finditer(text):
        number = written_value(match["number"])
        if number is not None and number <= 60:
            end = match.start() + match.group().index("개월") + 2
            found.append(make(text, match.start(), end, Age(float(plain(number)), "month"), 0.9))
    for match in _GRADE.finditer(text):
        grade = int(match["grade"])
        if grade <= 3 or match["school"].startswith("초"):
            age = float(_FIRST_GRADE[match["school"][0]] + grade - 1)
            found.append(make(text, *match.span(), Age(age, "year", None, "about", match.group()), 0.75))
    for match in _DECADE.finditer(text):
        decade = float(match["number"])
        found.append(make(text, *match.span(), Age(decade, "year", decade + 9), 0.8))
    return without_overlaps(found)
