"""Days and seasons with names: 추석, 설 연휴, 크리스마스, 여름휴가철, 벚꽃철, 연말."""

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import TypedDict

from madang.text.calendars import DAY, Days, days_off_around, holiday_date, is_day_off, safe_date
from madang.text.data import load
from madang.text.date_pieces import YEAR, Clock, Piece, year_of
from madang.text.spans import DateSpan, Kind

_BREAK = re.compile(
    r"(?:(?<!\d)(?P<month>1[0-2]|[1-9])월\s?|(?<![가-힣])(?:이번|다음|돌아오는|다가오는)\s?)(?:황금\s?"
    r"|징검다리\s?)?연휴|황금\s?연휴"
)


class _Named(TypedDict, total=False):
    """One row of named_days.json: a public holiday, a fixed day, a season of two fixed days, or the `nth` weekday of a
    month (month, which, weekday from Monday)."""

    words: str
    holiday: str
    day: str
    season: list[str]
    nth: tuple[int, int, int]
    long: bool


@lru_cache(maxsize=1)
def _table() -> list[tuple[re.Pattern[str], _Named]]:
    rows: list[_Named] = load("named_days")
    template = YEAR + r"?(?P<which>지난|이번|다음|돌아오는)?\s?(?P<name>{})(?P<off>\s?(?:황금\s?)?연휴)?"
    return [(re.compile(template.replace("{}", row["words"])), row) for row in rows]


def named_pieces(text: str, clock: Clock) -> Iterator[Piece]:
    """Named days and seasons. 설 and 추석, and any holiday said with 연휴, are the whole run of days off."""
    for pattern, row in _table():
        for match in pattern.finditer(text):
            piece = _piece(match, row, clock)
            if piece:
                yield piece
    for match in _BREAK.finditer(text):
        piece = _break_piece(match, clock)
        if piece:
            yield piece


def next_break(clock: Clock, month: int | None = None) -> Days | None:
    """The nearest run of three or more days off with a public holiday in it, within `month` if that is given."""
    day = clock.today
    for _ in range(400):
        if (month is None or day.month == month) and day.weekday() < 5 and is_day_off(day):
            days = days_off_around(day)
            if (days[1] - days[0]).days >= 2:
                return days
        day += DAY
    return None


def _break_piece(match: re.Match[str], clock: Clock) -> Piece | None:
    month = int(match["month"]) if match["month"] else None
    days = next_break(clock, month) if clock.direction == "future" else None
    return Piece(*match.span(), DateSpan(*days, True, "holiday"), None, 0.7) if days else None


def _piece(match: re.Match[str], row: _Named, clock: Clock) -> Piece | None:
    season = "season" in row
    kind: Kind = "season" if season else "holiday"
    whole = bool(row.get("long") or match["off"])
    year = year_of(match, clock.today)
    found = _days(row, year, whole) if year is not None else _nearest(row, whole, clock, match["which"])
    if not found:
        return None
    step = None if year is not None or match["which"] else "year"
    return Piece(*match.span(), DateSpan(*found, not season, kind), "year" if step else None, 0.8 if season else 0.93)


def _nearest(row: _Named, whole: bool, clock: Clock, which: str | None) -> Days | None:
    past = which == "지난" or (clock.direction == "past" and which is None)
    years = range(clock.today.year - 1, clock.today.year + 2)
    spans = [days for year in years if (days := _days(row, year, whole))]
    if past:
        return next((days for days in reversed(spans) if days[0] <= clock.today), None)
    return next((days for days in spans if days[1] >= clock.today), None)


def _days(row: _Named, year: int, whole: bool) -> Days | None:
    if not 1950 <= year <= 2099:
        return None
    if "season" in row:
        first, last = (_fixed(year, text) for text in row["season"])
        if first and last and last < first:
            last = safe_date(year + 1, last.month, last.day)
        return (first, last) if first and last else None
    if "nth" in row:
        month, count, weekday = row["nth"]
        first = date(year, month, 1)
        day: date | None = first + ((weekday - first.weekday()) % 7 + 7 * (count - 1)) * DAY
    else:
        day = holiday_date(row["holiday"], year) if "holiday" in row else _fixed(year, row["day"])
    if day is None:
        return None
    return days_off_around(day) if whole else (day, day)


def _fixed(year: int, month_day: str) -> date | None:
    month, day = map(int, month_day.split("-"))
    return safe_date(year, month, day)
