"""Places in a row: 첫 번째, 둘째, 11번째, 3등, 처음."""

import re
from dataclasses import dataclass

from madang.text.numbers import WRITTEN
from madang.text.numerals import NATIVE, written_value
from madang.text.parsed import Parsed, make, on_folded, without_overlaps


@dataclass(frozen=True)
class Ordinal:
    """The `place` in a row, counted from its start, or from its end (끝에서 두 번째)."""

    place: int
    from_end: bool = False


_NUMBER = rf"(?P<number>{WRITTEN}(?:\s{NATIVE})?|조)"
_COUNTED = re.compile(rf"(?P<end>(?:뒤|끝|마지막)에서\s)?{_NUMBER}\s?(?:번\s?째|째\s?번)")
_RANKED = re.compile(rf"{_NUMBER}\s?(?:등(?![록기산본급장교지대분식])|위(?![원험해치반생협]))")
_WORDS = re.compile(
    r"(?<![가-힣])(?:(?P<number>첫|둘|셋|넷|네|다섯|여섯|일곱|여덟|아홉|열)째(?!\s?번)|(?P<first>첫(?=\s[가-힣])|처음(?=\s|$|으로|의)))"
)
_NATIVE = {"둘": 2, "셋": 3}


def find_ordinals(text: str) -> list[Parsed[Ordinal]]:
    """Ordinals in order of appearance."""
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[Ordinal]]:
    found: list[Parsed[Ordinal]] = []
    for pattern, confidence in ((_COUNTED, 0.95), (_RANKED, 0.8)):
        for match in pattern.finditer(text):
            value = 10**12 if match["number"] == "조" else written_value(match["number"])
            if value and value == int(value):
                from_end = bool(match.groupdict().get("end"))
                found.append(make(text, *match.span(), Ordinal(int(value), from_end), confidence))
    for match in _WORDS.finditer(text):
        value = written_value(match["number"]) if match["number"] else 1
        if value:
            found.append(make(text, *match.span(), Ordinal(int(value)), 0.9 if match["number"] else 0.6))
    return without_overlaps(found)
