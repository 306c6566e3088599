"""Ranges of numbers: 20에서 100까지, 20 초과 35 이하, 100보다 크거나 같은, 최소 30, >10."""

import re
from dataclasses import dataclass
from itertools import pairwise

from madang.text.data import load
from madang.text.numbers import Number, find_numbers
from madang.text.parsed import Parsed, make, on_folded, without_overlaps


@dataclass(frozen=True)
class NumberRange:
    """From `low` to `high`, `None` where it is open; each end belongs to it when it is `included`."""

    low: Number | None
    high: Number | None
    low_included: bool = True
    high_included: bool = True


_COUNTER = r"(?:\s?(?:" + "|".join(sorted(load("counters"), key=len, reverse=True)) + r"))?"
_THAN = r"\s?보다(?:는)?\s?"
_SAME = r"(?:나|거나)\s?(?:그와\s?)?같"
_BOUNDS: list[tuple[str, str, bool]] = [
    ("low", rf"{_THAN}(?:크|높|많|큰|넓|길)거나\s?(?:그와\s?)?같[가-힣]*", True),
    ("high", rf"{_THAN}(?:작|낮|적|좁|짧)거나\s?(?:그와\s?)?같[가-힣]*", True),
    ("low", r"(?:과|와)\s?같거나\s?(?:그보다\s?)?(?:크|많|높)[가-힣]*", True),
    ("high", r"(?:과|와)\s?같거나\s?(?:그보다\s?)?(?:작|적|낮)[가-힣]*", True),
    ("low", r"\s?(?:또는|혹은|이거나|거나)\s?그(?:보다\s?(?:크|많|높)[가-힣]*|\s?이상)", True),
    ("high", r"\s?(?:또는|혹은|이거나|거나)\s?그(?:보다\s?(?:작|적|낮)[가-힣]*|\s?(?:이하|미만))", True),
    ("low", rf"{_THAN}(?:크|높|많|큰)[가-힣]*", False),
    ("high", rf"{_THAN}(?:작|낮|적)[가-힣]*", False),
    ("low", r"(?:을|를|이|가)?\s?(?:초과|넘)[가-힣]*", False),
    ("low", r"\s?이상", True),
    ("high", r"\s?이하(?:가)?", True),
    ("high", r"\s?(?:미만|아래|밑)", False),
    ("high", r"에\s?달하는", True),
    ("low", r"\s?>=", True),
    ("both", r"(?:과|와)\s?같[가-힣]*|에\s?해당하는", True),
]
_AFTER = [(side, re.compile(_COUNTER + pattern), included) for side, pattern, included in _BOUNDS]
_SIGNS = {">": ("low", False), "<": ("high", False), "≥": ("low", True), "≤": ("high", True)}
_BEFORE = re.compile(
    r"(?P<least>최소|적어도)\s?$|(?P<most>최대|많아야)\s?$|(?P<exact>정확히)\s?$|(?<![<>=])(?P<sign>[<>≥≤])\s?$"
)
_TO = re.compile(rf"{_COUNTER}\s?(?:~|-|–|에서(?:부터)?|부터)\s?$")
_BETWEEN = re.compile(rf"{_COUNTER}\s?(?:과|와)\s?$")
_END = re.compile(rf"{_COUNTER}\s?(?:까지|사이)")
_BETWEEN_END = re.compile(rf"{_COUNTER}\s?사이")
_COUNTED = re.compile(_COUNTER)
_LINK = re.compile(r"[\s,]*(?:하고|고|지만)?[\s,]*(?:에서\s)?(?:최소\s)?")


def find_ranges(text: str) -> list[Parsed[NumberRange]]:
    """Ranges of plain numbers in order of appearance, those open at one end included."""
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[NumberRange]]:
    numbers = find_numbers(text)
    found = [item for one, two in pairwise(numbers) if (item := _span(text, one, two))]
    bounds = [item for number in numbers if (item := _bound(text, number))]
    joined: list[Parsed[NumberRange]] = []
    for item in bounds:
        both = _both(text, joined[-1], item) if joined else None
        if both:
            joined[-1] = both
        else:
            joined.append(item)
    return without_overlaps([*found, *joined])


def _span(text: str, one: Parsed[Number], two: Parsed[Number]) -> Parsed[NumberRange] | None:
    between = text[one.span[1] : two.span[0]]
    dash = two.text.startswith("-") and not between.strip()
    low, high = one.value, abs(two.value) if dash else two.value
    if len(between) > 10 or low >= high:
        return None
    pair = _BETWEEN.fullmatch(between) is not None
    end = (_BETWEEN_END if pair else _END).match(text, two.span[1])
    linked = _TO.fullmatch(between) or dash
    if (not (pair and end) and not linked) or text[max(0, one.span[0] - 1) : one.span[0]] in {"-", "+", "/"}:
        return None
    if re.match(r"[-/]\d", text[two.span[1] : two.span[1] + 2]):
        return None
    return make(text, one.span[0], end.end() if end else two.span[1], NumberRange(low, high), 0.85)


def _bound(text: str, number: Parsed[Number]) -> Parsed[NumberRange] | None:
    start, end = number.span
    before = _BEFORE.search(text, max(0, start - 5), start)
    side, included, last = None, True, end
    for name, pattern, inside in _AFTER:
        match = pattern.match(text, end)
        if match:
            side, included, last = name, inside, match.end()
            break
    if before and before["sign"]:
        side, included = _SIGNS[before["sign"]]
    elif before and side is None:
        side = "low" if before["least"] else "high" if before["most"] else "both"
        counter = _COUNTED.match(text, end)
        last = counter.end() if counter else end
    if side is None:
        return None
    value = number.value
    low, high = (None if side == "high" else value), (None if side == "low" else value)
    return make(text, before.start() if before else start, last, NumberRange(low, high, included, included), 0.85)


def _both(text: str, left: Parsed[NumberRange], right: Parsed[NumberRange]) -> Parsed[NumberRange] | None:
    """20 초과 35 이하, 10보다 크고 20보다 작다: two open ends that face each other."""
    between = text[left.span[1] : right.span[0]]
    one, two = left.value, right.value
    if len(between) > 8 or not _LINK.fullmatch(between):
        return None
    if (one.low is None) == (two.low is None) or (one.high is None) == (two.high is None):
        return None
    lower, upper = (one, two) if one.low is not None else (two, one)
    if lower.low is None or upper.high is None or lower.low > upper.high:
        return None
    value = NumberRange(lower.low, upper.high, lower.low_included, upper.high_included)
    return make(text, left.span[0], right.span[1], value, 0.9)
