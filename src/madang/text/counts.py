"""How many of something: 세 군데, 2회, 한 잔, 방 2개, 3~4곳. People are counted by `people`."""

import re
from dataclasses import dataclass

from madang.text.data import load
from madang.text.money_words import Approx, approx_of
from madang.text.numbers import WRITTEN, Number, plain
from madang.text.numerals import written_value
from madang.text.parsed import Parsed, make, on_folded, without_overlaps


@dataclass(frozen=True)
class Count:
    """A number of things by the word that counts them. `upper` is set for a range, `approx` for about, under, over."""

    number: Number
    counter: str
    upper: Number | None = None
    approx: Approx | None = None


# Counters of people, time, money, rates and places in a row are values of their own.
_OTHERS = frozenset(
    ["명", "사람", "분", "인", "살", "세", "번째", "등", "위", "년", "개월", "달", "주", "일", "시간", "시", "초", "박"]
) | {"원", "퍼센트", "프로", "도", "점", "개의", "정", "모", "알", "배"}
_COUNTERS = "|".join(sorted({"배", *load("counters")} - (_OTHERS - {"배"}), key=len, reverse=True))
_VAGUE = {
    "한두": (1, 2),
    "두세": (2, 3),
    "서너": (3, 4),
    "두어": (2, 3),
    "대여섯": (5, 6),
    "네다섯": (4, 5),
    "여러": (3, 9),
}
_COUNT = re.compile(
    rf"(?:(?P<low>{WRITTEN})\s?(?:~|-|에서)\s?)?(?P<number>(?<![가-힣])(?:{'|'.join(_VAGUE)})|{WRITTEN})\s?(?P<counter>{_COUNTERS})"
    r"(?=$|[^가-힣]|이(?![가-힣]{2})|가(?!지)|은|는|을|를|의|에|로|으로|도|만|씩|정도|쯤|까지|부터|이상|이하|미만|넘|짜리|당|뿐|요|입|인|있|없|남|더|나|이나|이고|째)"
)


def find_counts(text: str) -> list[Parsed[Count]]:
    """Counted things in order of appearance."""
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[Count]]:
    return without_overlaps(item for match in _COUNT.finditer(text) if (item := _counted(text, match)))


def _counted(text: str, match: re.Match[str]) -> Parsed[Count] | None:
    counter = match["counter"]
    if match["number"] in _VAGUE:
        low, high = _VAGUE[match["number"]]
        return make(text, *match.span(), Count(low, counter, high, "about"), 0.7)
    number = written_value(match["number"])
    lower = written_value(match["low"]) if match["low"] else None
    # "1억8천 배당", "3천 배상": a sum before another word.
    if number is None or number > 10**12 or (counter == "배" and number >= 1000):
        return None
    approx = approx_of(text[max(0, match.start() - 6) : match.start()], text[match.end() : match.end() + 10])
    if lower is not None and lower < number:
        return make(text, *match.span(), Count(plain(lower), counter, plain(number)), 0.85)
    start = match.start("number")
    return make(text, start, match.end(), Count(plain(number), counter, None, approx), 0.85)
