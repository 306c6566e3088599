"""Whether a figure is another in a different form, or follows from others by a small sum; computed, never believed."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from itertools import combinations
from operator import eq

from madang.llm.figures import Figure
from madang.llm.grounds import Grounds, words
from madang.text.numerals import NATIVE, native_value

PYEONG = Fraction("3.305785")
MOST_COMPUTED, MOST_TERMS = 16, 10
_ALIKE_UNITS = frozenset({"곳", "개", "건"})
_MONEY = ("원", "달러", "엔", "유로", "위안")
_COARSE = {"%": Fraction(1, 2), "배": Fraction(1, 10)}
# Counts that are no figures by themselves: 두 밤, 세 사람, 다섯 달치, 넷으로 나눈, 2번에.
_SPOKEN = re.compile(
    rf"(?<![가-힣])(?P<n>{NATIVE}|\d{{1,3}})\s?(?:달|해|밤|사람|분|번|주|명|개|쪽|집|차례|배|끼|잔|으?로(?=\s?나))"
)
_PART = re.compile(r"(?<!\d)(\d{1,2})\s?분의\s?(\d{1,2})(?!\d)")


def same(stated: Figure, known: Figure) -> bool:
    """Whether two figures are one, in whatever form and up to the rounding that the stated form admits."""
    if stated.date or known.date:
        if stated.date and known.date:
            (_, *day), (_, *known_day) = stated.date, known.date
            # A day said without its year is of any.
            years = stated.date[0] == known.date[0] or None in (stated.date[0], known.date[0] if any(known_day) else 0)
            return years and all(a is None or a == b for a, b in zip(day, known_day, strict=True))
        return False
    slack = max(stated.slack, _rounding(stated))
    for value, other in ((a, b) for a in stated.values for b in _in_unit(known, stated.unit)):
        if abs(abs(value) - abs(other)) <= slack:
            return True
    return False


def _rounding(figure: Figure) -> Fraction:
    """3억 8,814만 stands for 388,140,400: what is below the last place said, at most a two-hundredth."""
    value = max((abs(v) for v in figure.values), default=Fraction(0))
    if figure.unit == "원" and value >= 10**6 and value % 10**4 == 0:
        return min(Fraction(10**4), value / 200)
    if figure.unit == "평":
        return Fraction(6, 10)
    return Fraction(0)


def _in_unit(figure: Figure, unit: str) -> Iterator[Fraction]:
    """The values of a figure in another unit, as far as one can be had from the other."""
    if unit == "" or figure.unit in (unit, ""):
        yield from figure.values
    elif unit == "평" and figure.unit == "㎡":
        yield from (value / PYEONG for value in figure.values)
    elif unit == "㎡" and figure.unit == "평":
        yield from (value * PYEONG for value in figure.values)
    elif {unit, figure.unit} == {"시간", "분"}:
        yield from (value / 60 if unit == "시간" else value * 60 for value in figure.values)
    elif {unit, figure.unit} == {"주", "일"}:
        yield from (value / 7 if unit == "주" else value * 7 for value in figure.values)
    elif {unit, figure.unit} <= _ALIKE_UNITS:
        yield from figure.values


def totals_of(group: Sequence[Grounds], unit: str) -> Iterator[Figure]:
    """The sums of a group of facts in one unit, column by column, whatever else some of them state."""
    columns = [
        [one.figure for one in ground.figures if one.figure.unit == unit and one.figure.values] for ground in group
    ]
    widths = {len(column) for column in columns if column}
    for rows in ([column for column in columns if fits(len(column))] for fits in _widths(widths)):
        for figures in zip(*rows, strict=False) if len(rows) > 1 else ():
            total = sum((figure.values[0] for figure in figures), Fraction(0))
            yield replace(figures[0], values=(total,), slack=Fraction(0))


def _widths(found: set[int]) -> list[Callable[[int], bool]]:
    """Rows of one make-up by themselves, and all that state anything."""
    return [*(partial(eq, width) for width in found), bool]


def computed(stated: Figure, given: Iterable[Figure], said: Iterable[Figure], sentence: str) -> bool:
    """Whether a figure follows from given ones: a sum, difference, mean, share, multiple or part. A share is taken only
    of what was `said`: by the user, or before in the sentence."""
    shares = [value for figure in said if figure.unit == "%" for value in figure.values]
    pool = list(dict.fromkeys((f.unit, v) for f in given for v in f.values[:1]))[:MOST_COMPUTED]
    return _is_one_of(stated, _made(stated.unit, pool, shares, sentence))


def follows(stated: Figure, beside: Sequence[Figure], sentence: str) -> bool:
    """Whether a figure follows from those that the same sentence names: it is its own working."""
    if stated.date:
        return any(_is_day(stated, day) for day in _days(beside, sentence))
    pool = list(dict.fromkeys((f.unit, v) for f in beside for v in f.values[:1]))[:MOST_TERMS]
    return _is_one_of(stated, _worked(stated.unit, pool, sentence))


def sums_to(stated: Figure, given: Sequence[Figure]) -> bool:
    """Whether a figure is a sum or difference of three given ones: 300 - 6 - 15."""
    alike = list(dict.fromkeys(v for f in given if f.unit == stated.unit for v in f.values[:1]))[:MOST_TERMS]
    return _is_one_of(stated, _balances(alike, 3))


def _is_one_of(stated: Figure, values: Iterable[Fraction]) -> bool:
    wanted = {abs(value) for value in stated.values}
    slack = max(stated.slack, _last_place(stated), _COARSE.get(stated.unit, Fraction(0)))
    return any(abs(value - abs(one)) <= slack for one in values for value in wanted)


def _last_place(figure: Figure) -> Fraction:
    """What is computed is rounded to the last place said, at most a thousandth: 125만 7천 stands for 1,257,325."""
    value = max((abs(v) for v in figure.values), default=Fraction(0))
    if figure.unit != "원" or value < 10**4 or value.denominator != 1:
        return _rounding(figure)
    place = 1
    while value % (place * 10) == 0:
        place *= 10
    return max(min(Fraction(max(place, 10)), value / 1000), Fraction(0))


def _made(
    unit: str, pool: Sequence[tuple[str, Fraction]], shares: Sequence[Fraction], sentence: str
) -> Iterator[Fraction]:
    alike = [value for name, value in pool if name in (unit, "")]
    counts = _counts(pool, sentence)
    if len(alike) > 1:
        yield sum(alike, Fraction(0))
        yield sum(alike, Fraction(0)) / len(alike)
    for one, other in combinations(alike, 2):
        yield one + other
        yield one - other
    if any(word in sentence for word in words()["arithmetic"]["sums"]):
        yield from (one + two + three for one, two, three in combinations(alike, 3))
    if unit in ("%", "배"):
        yield from _ratios(pool, 100 if unit == "%" else 1)
        return
    for value in alike if unit in _MONEY else ():
        for count in counts:
            yield value * count
            yield value / count
        yield from _shared(value, shares)


def _worked(unit: str, pool: Sequence[tuple[str, Fraction]], sentence: str) -> Iterator[Fraction]:
    alike = [value for name, value in pool if name in (unit, "")]
    shares = [value for name, value in pool if name == "%" and value > 0]
    counts = _counts(pool, sentence)
    for terms in (2, 3, 4):
        yield from _balances(alike, terms)
    if len(alike) > 1:
        yield sum(alike, Fraction(0)) / len(alike)
    if unit in ("%", "배"):
        yield from _ratios(pool, 100 if unit == "%" else 1)
        return
    if unit not in _MONEY:
        return
    months = [value for name, value in pool if name == "개월"]
    for value in alike:
        for count in counts:
            yield value * count
            yield value / count
            yield from (value * count / other for other in counts if other != count)
        yield from _shared(value, [*shares, *([sum(shares, Fraction(0))] if len(shares) > 1 else [])])
        yield from (value * part for part in _parts(sentence))
        yield from (_instalment(value, share, n) for share in shares for n in months if n >= 12)


def _balances(values: Sequence[Fraction], terms: int) -> Iterator[Fraction]:
    """Every sum of so many values, each added or taken away."""
    for first, *rest in combinations(sorted(values, reverse=True), terms):
        for signs in range(2 ** len(rest)):
            yield first + sum((v if signs >> at & 1 else -v for at, v in enumerate(rest)), Fraction(0))


def _shared(value: Fraction, shares: Iterable[Fraction]) -> Iterator[Fraction]:
    for share in shares:
        yield value * share / 100
        yield value * (100 + share) / 100
        yield value * (100 - share) / 100
        yield value * share / 1200
        if share:
            yield value * 100 / share


def _ratios(pool: Sequence[tuple[str, Fraction]], scale: int) -> Iterator[Fraction]:
    for (name, one), (other_name, other) in combinations(pool, 2):
        if name == other_name and name != "%":
            for top, bottom in ((one, other), (other, one)):
                if bottom:
                    yield top / bottom * scale
                    yield (top - bottom) / bottom * scale


def _counts(pool: Sequence[tuple[str, Fraction]], sentence: str) -> list[Fraction]:
    """What may multiply or divide: counts of things, periods (in months and years), hours, and counts only spoken."""
    found = [value for name, value in pool if name not in ("원", "%", "") and value > 0]
    found += [value / 12 for name, value in pool if name == "개월" and value >= 12]
    found += [value / 60 for name, value in pool if name == "분" and value > 0]
    spoken = (native_value(m["n"]) if not m["n"].isdecimal() else int(m["n"]) for m in _SPOKEN.finditer(sentence))
    found += [Fraction(number) for number in spoken if number]
    found += [Fraction(number) for word, number in words()["arithmetic"]["days"].items() if word in sentence]
    if any(word in sentence for word in words()["arithmetic"]["yearly"]):
        found.append(Fraction(12))
    return list(dict.fromkeys(found))


def _parts(sentence: str) -> Iterator[Fraction]:
    if "절반" in sentence or "반씩" in sentence or "반반" in sentence:
        yield Fraction(1, 2)
    for match in _PART.finditer(sentence):
        if int(match[1]):
            yield Fraction(int(match[2]), int(match[1]))


def _instalment(principal: Fraction, rate: Fraction, months: Fraction) -> Fraction:
    """What is paid back each month in equal parts."""
    monthly = float(rate) / 1200
    return Fraction(float(principal) * monthly / (1 - (1 + monthly) ** -int(months)))


def _days(beside: Sequence[Figure], sentence: str) -> Iterator[date]:
    """Days a named period before or after a named day, and their neighbours."""
    named = [_as_day(figure.date) for figure in beside if figure.date]
    periods = [(f.unit, int(v)) for f in beside for v in f.values[:1] if f.unit in ("개월", "일", "주", "박")]
    periods += [("개월", int(count)) for count in _counts((), sentence) if count <= 36]
    for day in (day for day in named if day):
        yield from (day + timedelta(days=n) for n in (-1, 1))
        for unit, many in periods:
            for signed in (many, -many):
                moved = _moved(day, unit, signed)
                if moved is not None:
                    yield from (moved + timedelta(days=n) for n in (-1, 0, 1))


def _as_day(parts: tuple[int | None, int | None, int | None] | None) -> date | None:
    if parts is None or parts[1] is None or parts[2] is None:
        return None
    try:
        return date(parts[0] or 2000, parts[1], parts[2])
    except ValueError:
        return None


def _moved(day: date, unit: str, many: int) -> date | None:
    try:
        if unit != "개월":
            return day + timedelta(days=many * (7 if unit == "주" else 1))
        month = day.year * 12 + day.month - 1 + many
        year, number = month // 12, month % 12 + 1
        return date(year, number, min(day.day, monthrange(year, number)[1]))
    except (ValueError, OverflowError):
        return None


def _is_day(stated: Figure, day: date) -> bool:
    assert stated.date is not None
    year, month, number = stated.date
    return (year in (None, day.year) or day.year < 1990) and month == day.month and number in (None, day.day)
