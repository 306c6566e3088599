"""Counts and sums over the rows of a table: computed over all of them, so that a sentence comes out or doesn't."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from madang.llm.arithmetic import is_exact, is_one_of
from madang.llm.evidence import Table
from madang.llm.figures import Figure, find_figures
from madang.llm.grounds import words
from madang.text.numerals import NATIVE, native_value

COUNTED = ("곳", "개", "건", "명", "줄")
WHOLE = Fraction(100)
_STOP = re.compile(r"[,;:]\s|[.!?]|이고|이며|지만")
_TOP = re.compile(rf"(?:상위|하위|위|아래|앞|뒤|top|bottom)\s?(?P<n>\d{{1,2}}|{NATIVE})", re.IGNORECASE)
_OF_ALL = re.compile(r"\s?(?:중|가운데)(?![가-힣])")
_LEADS = re.compile(r"(?:상위|하위|top|bottom)\s?$", re.IGNORECASE)
_SPOKEN = re.compile(rf"(?<![가-힣\d])(?P<n>{NATIVE})\s(?=[가-힣]|[A-Za-z])")
MOST_ROWS, MOST_SUMS = 400, 20_000


def counted(stated: Figure, sentence: str, tables: Sequence[Table]) -> bool | None:
    """Whether so many rows are as the words beside a count say (5곳 중 3곳이 늘었다); None if they say nothing that
    can be looked up."""
    if stated.unit not in COUNTED or not stated.values:
        return None
    if _OF_ALL.match(sentence, stated.span[1]) and any(len(table.rows) in stated.values for table in tables):
        return True
    most = max((len(table.rows) for table in tables), default=0)
    if _LEADS.search(sentence[: stated.span[0]]) or any(word in sentence for word in words()["rows"]["chosen"]):
        return all(value <= most for value in stated.values) if most else None
    direction, threshold, _ = _compared(stated, sentence)
    if not direction:
        # 92건에서: as many as there are rows at all.
        return True if any(len(table.rows) in stated.values for table in tables) else None
    found = [many for table in tables for many in _counts(table, direction, threshold, sentence)]
    return any(many in stated.values for many in found) if found else None


def is_ranked(stated: Figure, sentence: str, tables: Sequence[Table]) -> bool:
    """Whether a row that the sentence names, or a value of which it states, has that place in a column."""
    values = {value for one in find_figures(sentence) for value in one.values}
    for table in tables:
        rows = [row for row in table.rows[:MOST_ROWS] if row[0] in sentence or values & set(row[1])]
        for at in range(len(table.labels)):
            ordered = sorted(_column(table, at), reverse=True)
            held = [value for _, row in rows if (value := row[at]) is not None]
            if any(place in stated.values for value in held for place in _places(value, ordered)):
                return True
    return False


def _places(value: Fraction, ordered: Sequence[Fraction]) -> tuple[int, int]:
    """Which a value is from the top and from the bottom."""
    return ordered.index(value) + 1, ordered[::-1].index(value) + 1


def limits(stated: Figure, sentence: str, tables: Sequence[Table]) -> list[Figure]:
    """What rows are compared with by a count that comes out: it need not be given."""
    if not (tables and counted(stated, sentence, tables)):
        return []
    _, limit, clause = _compared(stated, sentence)
    at = sentence.find(clause) if clause else -1
    return [replace(limit, span=(limit.span[0] + at, limit.span[1] + at))] if limit and at >= 0 else []


def summed(stated: Figure, sentence: str, tables: Sequence[Table]) -> bool:
    """Whether a figure is a sum, mean, share or difference over the rows that a sentence names, or over as many of the
    first or last ones as it says."""
    return any(is_one_of(stated, _sums(table, stated, sentence)) for table in tables)


def _compared(stated: Figure, sentence: str) -> tuple[str, Figure | None, str]:
    """The comparison that is said of a count: behind it, else before it; what it is compared with; its clause."""
    # 5명 중 2명: how many there are in all ends no clause.
    counts = [one for one in find_figures(sentence) if one.unit in COUNTED and not _OF_ALL.match(sentence, one.span[1])]
    start = max((one.span[1] for one in counts if one.span[1] <= stated.span[0]), default=0)
    end = min((one.span[0] for one in counts if one.span[0] >= stated.span[1]), default=len(sentence))
    stops = [match.end() for match in _STOP.finditer(sentence, start, stated.span[0])]
    before = sentence[stops[-1] if stops else start : stated.span[0]]
    stop = _STOP.search(sentence, stated.span[1], end)
    after = sentence[stated.span[1] : stop.start() if stop else end]
    for part in (after, before):
        if direction := _direction(part):
            found = [one for one in find_figures(part) if not _OF_ALL.match(part, one.span[1])]
            limits = [one for one in found if one.unit in ("원", "%", "회", "명") and one.values]
            return direction, limits[0] if limits else None, part
    return "", None, ""


def _direction(text: str) -> str:
    table = words()["rows"]
    return next(
        (name for name in ("equal", "under", "over", "up", "down") if any(word in text for word in table[name])), ""
    )


def _counts(table: Table, direction: str, limit: Figure | None, sentence: str) -> Iterator[int]:
    """How many rows are over or under something, each column that it may be said of by itself."""
    signs = {"up": "over", "down": "under"}
    if direction in signs and limit is None:
        for at, label in enumerate(table.labels):
            if "증감" in label:
                yield _many(_column(table, at), signs[direction], Fraction(0))
        return
    side = signs.get(direction, direction)
    for at, (label, unit) in enumerate(zip(table.labels, table.units, strict=True)):
        if side == "equal":
            if limit and unit == limit.unit:
                yield _column(table, at).count(limit.values[0])
        elif limit and unit == limit.unit:
            values = _column(table, at)
            yield _many(values, side, limit.values[0])
            yield _many(values, side, limit.values[0]) + values.count(limit.values[0])
        elif limit is None and "달성률" in label and any(word in sentence for word in ("목표", "달성")):
            yield _many(_column(table, at), side, WHOLE)
            yield _many(_column(table, at), side, WHOLE) + _column(table, at).count(WHOLE)


def _column(table: Table, at: int) -> list[Fraction]:
    return [value for _, values in table.rows[:MOST_ROWS] if (value := values[at]) is not None]


def _many(values: Sequence[Fraction], side: str, limit: Fraction) -> int:
    return sum(value > limit if side == "over" else value < limit for value in values)


def _sums(table: Table, stated: Figure, sentence: str) -> Iterator[Fraction]:
    money = stated.unit in ("원", "")
    picks = list(_picks(table, sentence))
    columns = [at for at, unit in enumerate(table.units) if unit == stated.unit or (money and unit == "원")]
    if stated.unit == "%":
        columns = [at for at, unit in enumerate(table.units) if unit != "%"]
    for at in columns:
        values = [values[at] or Fraction(0) for _, values in table.rows[:MOST_ROWS]]
        total = sum(values, Fraction(0))
        ordered = sorted(values, reverse=True)
        chosen = [sum((values[row] for row in pick), Fraction(0)) for pick in picks]
        for many in _how_many(sentence, len(values)):
            chosen += [
                sum(part, Fraction(0)) for part in (values[:many], values[-many:], ordered[:many], ordered[-many:])
            ]
            if stated.unit != "%":
                yield from (one / many for one in chosen[-4:])
        if stated.unit == "%":
            yield from (one * 100 / total for one in chosen if total)
            continue
        yield from chosen
        yield from (total - one for one in chosen)
        if is_exact(stated):
            yield from _runs(values)


def _runs(values: Sequence[Fraction]) -> Iterator[Fraction]:
    """The sums of rows that stand beside each other."""
    done = 0
    for start in range(len(values)):
        total = Fraction(0)
        for value in values[start:]:
            total, done = total + value, done + 1
            yield total
        if done > MOST_SUMS:
            return


def _picks(table: Table, sentence: str) -> Iterator[tuple[int, ...]]:
    """The rows that a sentence names, together and all but them."""
    named = tuple(at for at, (name, _) in enumerate(table.rows[:MOST_ROWS]) if name and name in sentence)
    if named:
        yield named
        yield tuple(at for at in range(min(len(table.rows), MOST_ROWS)) if at not in named)


def _how_many(sentence: str, most: int) -> list[int]:
    """How many rows a sentence speaks of: 상위 세 지점, 3곳."""
    said = [match["n"] for pattern in (_TOP, _SPOKEN) for match in pattern.finditer(sentence)]
    numbers = {int(one) if one.isdecimal() else native_value(one) or 0 for one in said}
    numbers |= {int(v) for one in find_figures(sentence) if one.unit in COUNTED for v in one.values}
    return sorted(number for number in numbers if 1 < number < most)
