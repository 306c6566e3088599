"""Floor areas: 84㎡, 25평, 84타입, 전용 84, 20평대, 국민평수."""

import re
from dataclasses import dataclass
from typing import Literal

from madang.text.numbers import parse_number
from madang.text.numerals import DIGITS
from madang.text.parsed import Parsed, make, on_folded, without_overlaps

SQM_PER_PYEONG = 400 / 121
Basis = Literal["exclusive", "supply"]
Approx = Literal["about", "under", "over"]


@dataclass(frozen=True)
class Area:
    """A floor area in square metres; `basis` says 전용 (exclusive) or 공급 (supply) when that was said.

    `upper` is the upper end of a range; `pyeong` the figure as typed, when it was typed in 평.
    """

    sqm: float
    basis: Basis | None = None
    approx: Approx | None = None
    upper: float | None = None
    pyeong: float | None = None


_NUMBER = (
    rf"(?P<number>{DIGITS}|(?<![가-힣])[일이삼사오육칠팔구십백]{{2,5}}|(?<![가-힣])(?:열|스물|스무|서른"
    rf"|마흔|쉰)(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉)?)"
)
_LOW = rf"(?:(?P<low>{DIGITS})\s?(?:평|㎡)?\s?(?:~|-|에서)\s?)?"
_BASIS = r"(?P<basis>전용\s?(?:면적)?|공급\s?(?:면적)?|분양\s?면적)?\s?(?:은|이)?\s?"
_AREA = re.compile(
    rf"{_BASIS}{_LOW}{_NUMBER}\s?"
    r"(?P<unit>㎡|제곱(?:\s?미터)?(?!근)|평방\s?미터|헤베|m2\b|m²|m\^2|(?:A|B|C|a|b|c)?\s?타입|평형?(?=대|$|[^가-힣]"
    r"|정도|쯤|이|은|을|에|으로|짜리|미만|초과|가량|내외|까지|부터|아파트|원룸|오피스텔|빌라|집|도|만|넘"
    r"|전후))"
)
_EXCLUSIVE = re.compile(
    rf"(?P<basis>전용\s?(?:면적)?|공급\s?면적|분양\s?면적)\s?(?:은|이)?\s?(?P<number>{DIGITS})(?!\s?(?:㎡"
    rf"|제곱|m|평|\d|,|%|원|만|억|명|년))"
)
_NATIONAL = re.compile(r"국민\s?(?:평수|평형|주택\s?규모)|국평")
_AFTER: list[tuple[Approx, re.Pattern[str]]] = [
    ("under", re.compile(r"\s?(?:을|를|은|이)?\s?(?:이하|미만|이내|안쪽|까지|보다\s?작|안\s?넘|밑)")),
    ("over", re.compile(r"\s?(?:을|를|은|이)?\s?(?:이상|초과|넘|부터|보다\s?[큰넓])")),
    ("about", re.compile(r"\s?(?:으로)?\s?(?:정도|쯤|가량|내외|전후|남짓|안팎|초반|중반|후반)")),
]


def find_areas(text: str) -> list[Parsed[Area]]:
    """Floor areas in order of appearance. 평 is 400/121 ㎡; "20평대" is the range from 20 up to 30 평.

    평형 is read as supply area, 타입 and 국민평수 (84 ㎡) as exclusive area.
    """
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[Area]]:
    found = [item for match in _AREA.finditer(text) if (item := _measured(text, match))]
    for match in _EXCLUSIVE.finditer(text):
        number = float(match["number"].replace(",", ""))
        if 9 <= number <= 400:
            basis: Basis = "exclusive" if match["basis"].startswith("전용") else "supply"
            found.append(make(text, *match.span(), Area(number, basis, _approx(text, match.end())), 0.8))
    for match in _NATIONAL.finditer(text):
        found.append(make(text, *match.span(), Area(84.0, "exclusive"), 0.85))
    return without_overlaps(found)


def _measured(text: str, match: re.Match[str]) -> Parsed[Area] | None:
    number = parse_number(match["number"])
    unit = match["unit"]
    if not number or (unit.endswith("타입") and not 10 <= number <= 400):
        return None
    in_pyeong = unit.startswith("평") and not unit.startswith("평방")
    factor = SQM_PER_PYEONG if in_pyeong else 1.0
    basis: Basis | None = "exclusive" if unit.endswith("타입") else "supply" if unit == "평형" else None
    if match["basis"]:
        basis = "exclusive" if match["basis"].startswith("전용") else "supply"
    low = parse_number(match["low"]) if match["low"] else None
    end = match.end()
    band = in_pyeong and text[end : end + 1] == "대" and number % 10 == 0
    area = Area(
        round((low or number) * factor, 2),
        basis,
        None if low or band else _approx(text, end),
        round((number + 10 if band else number) * factor, 2) if low or band else None,
        float(low or number) if in_pyeong else None,
    )
    return make(text, match.start(), end + band, area, 0.95 if not unit.endswith("타입") else 0.9)


def _approx(text: str, end: int) -> Approx | None:
    return next((name for name, pattern in _AFTER if pattern.match(text, end)), None)
