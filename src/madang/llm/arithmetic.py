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

from madang.llm.figures import MONEY, Figure, find_figures
from madang.llm.grounds import Grounds, words
from madang.text.numerals import NATIVE, native_value

NO_YEAR, NEAR = 2000, 14
ROUNDED = Fraction(99, 100)
PYEONG = Fraction("3.305785")
MOST_COMPUTED, MOST_TERMS, MOST_LISTED, EXACT = 24, 10, 40, 4
SLIPS = (*MONEY, "%", "개월", "일", "주", "㎡", "평", "회", "", "분", "시간", "세", "박", "°C", "명", "건", "곳", "층")
_ALIKE_UNITS = frozenset({"곳", "개", "건", "줄"})
_COARSE = {"%": Fraction(1, 2), "배": Fraction(1, 10)}
# Counts that are no figures by themselves: 두 밤, 세 사람, 다섯 달치, 넷으로 나눈, 2번에.
_SPOKEN = re.compile(
    rf"(?<![가-힣])(?P<n>{NATIVE}|\d{{1,3}})\s?(?:달|해|밤|사람|분|번|주|명|개(?!월)|쪽|집|차례|배|끼|잔|으?로(?=\s?나)|이면|이서|이\s)"
)
_MONTHS = re.compile(r"(?<!\d)(?P<first>\d{1,2})(?:월과\s?|월,\s?|월\s?[~∼–-]\s?|\s?[~∼–-]\s?)(?P<last>\d{1,2})월")
_FALLS = re.compile(r"[-−–]\s?(\d{1,3}(?:\.\d{1,2})?)%")
_YEAR, TENTH = 12, Fraction(1, 10)
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
    slack, cut = max(stated.slack, _rounding(stated) / 2), _rounding(stated)
    for value, other in ((a, b) for a in stated.values for b in _in_unit(known, stated.unit)):
        # What is said is rounded, or what is below its last place is left out.
        if abs(abs(value) - abs(other)) <= slack or 0 <= abs(other) - abs(value) < cut:
            return True
    return False


def _rounding(figure: Figure) -> Fraction:
    """3억 8,814만 stands for 388,140,400: what is below the last place said, at most a two-hundredth."""
    value = max((abs(v) for v in figure.values), default=Fraction(0))
    if figure.unit == "원" and value >= 10**6 and value % 10**4 == 0:
        return min(Fraction(10**4), value / 200)
    if figure.unit == "원" and 10**5 <= value < 10**6 and value % 10**4 == 0:
        return min(Fraction(10**4), value / 30)
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


def is_alike(one: Figure, other: Figure) -> bool:
    """Whether two figures count things of one kind: 5개 and 5곳."""
    return one.unit == other.unit or {one.unit, other.unit} <= _ALIKE_UNITS


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
    return is_one_of(stated, _made(stated, pool, shares, sentence))


def lasts(stated: Figure, days: Iterable[Figure]) -> bool:
    """Whether a period lies between two named days, or is the years from one to another."""
    known = list(dict.fromkeys(figure.date for figure in days if figure.date))[:MOST_COMPUTED]
    for one, other in combinations(known, 2):
        months = _months_between(one, other)
        if stated.unit == "개월" and months is not None:
            slack = max(stated.slack, Fraction(1) if stated.values[0] < 24 else Fraction(2))
            if any(abs(abs(months) - value) <= slack for value in stated.values):
                return True
        first, second = _as_day(one), _as_day(other)
        if first and second and (one[0] is None) == (other[0] is None):
            gap = abs((first - second).days)
            scale = {"일": 1, "주": 7, "박": 1}.get(stated.unit)
            if scale and any(
                abs(Fraction(gap, scale) - value) <= max(stated.slack, Fraction(1)) for value in stated.values
            ):
                return True
    return False


def _months_between(
    one: tuple[int | None, int | None, int | None], other: tuple[int | None, int | None, int | None]
) -> int | None:
    if one[0] is None or other[0] is None:
        return None
    return (other[0] - one[0]) * 12 + (other[1] or 1) - (one[1] or 1)


def is_moved(stated: Figure, days: Iterable[Figure], periods: Iterable[Figure]) -> bool:
    """Whether a month of a year is a given one a given period before or after."""
    if stated.date is None or stated.date[0] is None or stated.date[1] is None:
        return False
    spans = {int(value) for one in periods if one.unit == "개월" for value in one.values}
    starts = [one.date for one in days if one.date and one.date[0] and one.date[1]]
    gaps = {abs(_months_between(one, stated.date) or 0) for one in starts}
    return bool(gaps & spans)


def runs_to(stated: Figure, listed: Sequence[Figure]) -> bool:
    """Whether a figure is the sum of figures that were listed one after another, or of all but one."""
    values = [figure.values[0] for figure in listed if figure.values and _is_like(figure, stated)][:MOST_LISTED]
    if len(values) < 2:
        return False
    total = sum(values, Fraction(0))
    runs = (sum(values[a:b], Fraction(0)) for a in range(len(values)) for b in range(a + 2, len(values) + 1))
    return is_one_of(stated, runs) or is_one_of(stated, (total - value for value in values))


def is_slip(stated: Figure, known: Figure) -> bool:
    """Whether a figure is a given one but for one digit: rather a slip than a result."""
    if stated.date or known.date:
        if not (stated.date and known.date) or stated.date == known.date:
            return False
        pairs = [(a, b) for a, b in zip(stated.date, known.date, strict=True) if a is not None and b is not None]
        return len(pairs) > 1 and _differ(*("".join(f"{one[at]:02}" for one in pairs) for at in (0, 1)))
    if stated.unit != known.unit or stated.unit not in SLIPS or not stated.values or not known.values:
        return False
    years = stated.unit == "개월" and not any(one.values[0] % 12 for one in (stated, known))
    # Hundredths, so that 4.3 and 4.5 have as many digits.
    scale = Fraction(12 if years else 1, 100)
    return _differ(*(str(int(one.values[0] / scale)) for one in (stated, known)))


def _differ(one: str, other: str) -> bool:
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) == 1


def anchored(stated: Figure, given: Sequence[Figure], sentence: str) -> bool:
    """Whether a figure follows from given ones in the way that the words right beside it say: 35만원이 오른, 합계
    172만원, 두 달이면 80만원."""
    before, after = sentence[max(0, stated.span[0] - NEAR) : stated.span[0]], sentence[stated.span[1] :][:NEAR]
    alike = list(dict.fromkeys(v for f in given if f.unit == stated.unit for v in f.values[:1]))[:MOST_COMPUTED]
    cues = words()["arithmetic"]
    differs = _has(after, cues["results"]) or _has(before, cues["gaps"])
    if differs and is_one_of(stated, (a - b for a, b in combinations(alike, 2))):
        return True
    if _has(before, cues["sums"]):
        sums = (sum(some, Fraction(0)) for many in (2, 3) for some in combinations(alike, many))
        if is_one_of(stated, sums):
            return True
    counts = _counts([one for one in _pool(find_figures(before)) if one[0] != stated.unit], before)
    if is_one_of(stated, (made for v in alike for n in counts for made in (v * n, v / n))):
        return True
    if stated.unit == "%":
        days = [(f.unit, v) for f in given if f.unit == "일" for v in f.values[:1]][:MOST_TERMS]
        shares = [value for unit, value in _pool(find_figures(before)) if unit == "%"]
        return is_one_of(stated, _rescaled(shares, days, sentence))
    times = sentence.count(stated.text)
    return times > 1 and is_one_of(stated, (v / times for v in alike))


def _pool(figures: Iterable[Figure]) -> list[tuple[str, Fraction]]:
    return [(f.unit, v) for f in figures for v in f.values[:1]]


def _is_like(figure: Figure, stated: Figure) -> bool:
    """Of one unit; sums in a table have none."""
    return figure.unit == stated.unit or (stated.unit == "원" and figure.unit == "" and figure.values[0] >= 1000)


def is_exact(figure: Figure) -> bool:
    """So many digits that it can hardly be met by chance."""
    value = max((abs(v) for v in figure.values), default=Fraction(0))
    return value.denominator == 1 and len(str(int(value)).rstrip("0")) >= EXACT


def without_tax(stated: Figure, given: Iterable[Figure]) -> bool:
    """Whether a sum is a given one with its value added tax taken off or put on, or the tax itself."""
    if stated.unit not in MONEY:
        return False
    values = list(dict.fromkeys(v for f in given if f.unit == stated.unit for v in f.values[:1]))[:MOST_LISTED]
    return is_one_of(stated, (made for v in values for made in (v * 10 / 11, v * 11 / 10, v / 11, v / 10)))


def follows(stated: Figure, beside: Sequence[Figure], sentence: str) -> bool:
    """Whether a figure follows from those that the same sentence names: it is its own working."""
    if stated.date:
        return any(_is_day(stated, day) for day in _days(beside, sentence))
    pool = list(dict.fromkeys((f.unit, v) for f in beside for v in f.values[:1]))[:MOST_TERMS]
    return is_one_of(stated, _worked(stated.unit, pool, sentence))


def sums_to(stated: Figure, given: Sequence[Figure]) -> bool:
    """Whether a figure is a sum or difference of three given ones: 300 - 6 - 15."""
    alike = list(dict.fromkeys(v for f in given if f.unit == stated.unit for v in f.values[:1]))[:MOST_TERMS]
    return is_one_of(stated, _balances(alike, 3))


def is_one_of(stated: Figure, values: Iterable[Fraction]) -> bool:
    wanted = {abs(value) for value in stated.values}
    # 11% is rounded, 11.0% says a tenth.
    whole = "." not in stated.text and all(value.denominator == 1 for value in stated.values)
    coarse = _COARSE.get(stated.unit, Fraction(0)) if whole or stated.unit == "배" else Fraction(0)
    slack = max(stated.slack, _last_place(stated), coarse)
    return any(abs(value - abs(one)) <= slack for one in values for value in wanted)


def _last_place(figure: Figure) -> Fraction:
    """What is computed is rounded to the last place said, at most a thousandth: 125만 7천 stands for 1,257,325. A whole
    step of that place is no rounding."""
    value = max((abs(v) for v in figure.values), default=Fraction(0))
    if figure.unit == "원" and 1000 <= value < 10**4:
        return Fraction(1)
    if figure.unit != "원" or value < 10**4 or value.denominator != 1:
        return _rounding(figure)
    return min(place_of(figure) * ROUNDED, value / 1000)


def place_of(figure: Figure) -> Fraction:
    """The last place that is said: of 125만 7천 it is 1,000."""
    value, place = max((abs(v) for v in figure.values), default=Fraction(0)), Fraction(1)
    while value and value % (place * 10) == 0:
        place *= 10
    return place


def _made(
    stated: Figure, pool: Sequence[tuple[str, Fraction]], shares: Sequence[Fraction], sentence: str
) -> Iterator[Fraction]:
    """What may be made of given figures, each way only where the sentence has a word for it."""
    unit, cues, exact = stated.unit, words()["arithmetic"], is_exact(stated)
    alike = [value for name, value in pool if name in (unit, "")]
    adds, takes = exact or _has(sentence, cues["sums"]), exact or _has(sentence, cues["differences"])
    if len(alike) > 1 and adds:
        yield sum(alike, Fraction(0))
        yield from (one + two for one, two in combinations(alike, 2))
        yield from (one + two + three for one, two, three in combinations(alike, 3))
    if len(alike) > 1 and "평균" in sentence:
        yield sum(alike, Fraction(0)) / len(alike)
        yield from ((one + two) / 2 for one, two in combinations(alike, 2))
    if takes:
        yield from (one - two for one, two in combinations(alike, 2))
    if unit in ("%", "배"):
        yield from _ratios(pool, 100 if unit == "%" else 1)
        yield from _rescaled(alike, pool, sentence)
        return
    if unit not in MONEY:
        return
    here, counts = _counts((), sentence), _counts(pool, sentence)
    parted = _has(sentence, cues["parts"])
    for value in alike:
        for count in counts if parted else here:
            yield value * count
            yield value / count
        yield from (value * part for part in _parts(sentence))
        yield from _shared(value, shares)
    if exact and parted:
        # What is left of a target, for each of the months that are named.
        each = [*here, *_months_named(sentence)]
        yield from ((one - two) / count for one, two in combinations(alike, 2) for count in each)
    rates = [value for name, value in pool if name == unit and 5 < value < 3000] if unit == "원" else []
    foreign = [value for name, value in pool if name in MONEY and name != unit]
    yield from (rate * value for rate in rates for value in foreign)


def _has(sentence: str, cues: Iterable[str]) -> bool:
    return any(word in sentence for word in cues)


def _rescaled(shares: Sequence[Fraction], pool: Sequence[tuple[str, Fraction]], sentence: str) -> Iterator[Fraction]:
    """A growth, or a fall, in what was done in so many days beside so many: (100 + 24.7) × 18 ÷ 20 - 100. A share is
    given to a tenth and may have been reckoned with exactly."""
    days = [(name, value) for name, value in pool if name in ("일", "명", "개월", "회", "건") and value > 0]
    falls = {Fraction(match[1]) for match in _FALLS.finditer(sentence)}
    for (name, one), (other, two) in combinations(days, 2):
        for share in shares if name == other else ():
            grown = 100 - share if share in falls else 100 + share
            for exactly in (grown, grown - TENTH / 2, grown + TENTH / 2):
                yield exactly * one / two - 100
                yield exactly * two / one - 100


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
    if unit not in MONEY:
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


def _months_named(sentence: str) -> Iterator[Fraction]:
    """How many months a sentence names together: 11월과 12월, 10~12월."""
    for match in _MONTHS.finditer(sentence):
        first, last = int(match["first"]), int(match["last"])
        if 1 <= first < last <= _YEAR:
            yield Fraction(last - first + 1)


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
        if _has(sentence, words()["arithmetic"]["beside"]):
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
        return date(parts[0] or NO_YEAR, parts[1], parts[2])
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
    return (year in (None, day.year) or day.year == NO_YEAR) and month == day.month and number in (None, day.day)
