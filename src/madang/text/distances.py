"""Days counted from another: 2주 뒤, 2년 1개월 21일 전, 어제로부터 4일 후, 10일 이내에, 앞으로 3개월, 다음 2주."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from madang.text.calendars import DAY, add_months, is_day_off, month_days, week_days, year_days
from madang.text.date_pieces import WORDS, Clock, Piece
from madang.text.durations import Duration, find_durations
from madang.text.spans import DateSpan

_AFTER = re.compile(
    r"\s?(?:(?P<ago>이전(?=에|$|\s)|전(?!체|부(?!터)|세|환|용|망|통|기))|(?P<ahead>후(?!반|보|기)|뒤|있다가|지나서)"
    r"|(?P<within>이내|안(?=에|$)|내(?=에|로|$)))"
)
_FROM = re.compile(r"(?P<day>오늘|내일|모레|어제|지금|현재)(?:으로부터|로부터|부터)\s?(?:최소\s|최대\s)?$")
_WORKING = re.compile(r"(?:영업일|근무일|평일)\s?(?:기준(?:으로)?\s?)?(?:앞으로\s?)?$")
_COMING = re.compile(r"(?<![가-힣])(?P<word>앞으로|향후|다가오는|오는|다음)\s?$")
# "만기 6개월 전부터 2개월 전까지" counts from the end of a contract, not from today.
_OTHER_ANCHOR = re.compile(
    r"(?:만기|만료일?|종료일?|끝나기|계약일?|잔금일?|입주일?|출발일?|날|전부터|이사|태어난\s?지|받은)(?:의|로부터|부터|하고)?\s?$"
)


def distance_pieces(text: str, clock: Clock) -> Iterator[Piece]:
    """The days that lengths of time point at; months and years leave the day open (not exact)."""
    for item in find_durations(text):
        length, (start, end) = item.value, item.span
        if _too_fine(length):
            continue
        working = _WORKING.search(text, max(0, start - 16), start)
        if working and not length.total_months:
            yield from _working(text, working.start(), end, length, clock)
            continue
        coming = _COMING.search(text, max(0, start - 5), start)
        if coming and (piece := _coming(coming, end, length, clock)):
            yield piece
        after = _AFTER.match(text, end)
        origin = _FROM.search(text, max(0, start - 12), start)
        if not after or (not origin and _OTHER_ANCHOR.search(text, max(0, start - 12), start)):
            continue
        first = clock.today + DAY * WORDS["days"].get(origin["day"], 0) if origin else clock.today
        try:
            span = _span(after, first, length)
        except OverflowError:
            continue
        yield Piece(origin.start() if origin else start, after.end(), span, None, min(0.85, item.confidence + 0.2))


def _working(text: str, start: int, end: int, length: Duration, clock: Clock) -> Iterator[Piece]:
    """영업일 기준 3일 후: days off don't count."""
    after = _AFTER.match(text, end)
    left, day, step = int(7 * length.weeks + length.days), clock.today, -DAY if after and after["ago"] else DAY
    if left > 400 or not 1950 < clock.today.year < 2090:
        return
    first = None
    while left:
        day += step
        left -= not is_day_off(day)
        first = first or (None if is_day_off(day) else day)
    point = after is not None and not after["within"]
    span = DateSpan(day, day) if point else DateSpan(first or day, day, True, "range")
    yield Piece(start, after.end() if after else end, span, None, 0.8)


def _too_fine(length: Duration) -> bool:
    """Hours aren't days, and half a month is no number of them."""
    clock = length.hours or length.minutes or length.seconds
    parts = (length.years, length.months, length.weeks, length.days)
    return bool(clock) or length.upper is not None or any(part != int(part) or part > 1000 for part in parts)


def _span(after: re.Match[str], first: date, length: Duration) -> DateSpan:
    day = moved(first, length, -1 if after["ago"] else 1)
    if after["within"]:
        return DateSpan(first, day, True, "range")
    return DateSpan(day, day, not length.total_months)


def moved(day: date, length: Duration, sign: int) -> date:
    """The day a length of time later (or with `sign` -1 earlier). Raises `OverflowError` beyond the calendar."""
    there = add_months(day, sign * int(length.total_months))
    return there + sign * timedelta(days=int(7 * length.weeks + length.days))


def _coming(word: re.Match[str], end: int, length: Duration, clock: Clock) -> Piece | None:
    """앞으로 3일: the three days after today; 다음 3주 may also be whole weeks from Monday."""
    if word["word"] in {"다음", "오는"} and length.days == 1:
        return None
    try:
        last = moved(clock.today, length, 1)
    except OverflowError:
        return None
    span = DateSpan(clock.today + DAY, last, True, "range")
    whole = _whole(length, clock.today) if word["word"] == "다음" else None
    return Piece(word.start(), end, span, None, 0.7, (span, whole) if whole and whole != span else ())


def _whole(length: Duration, today: date) -> DateSpan | None:
    if length.weeks and not (length.days or length.total_months):
        return DateSpan(week_days(today, 1)[0], week_days(today, int(length.weeks))[1], True, "range")
    if length.years and not (length.months or length.weeks or length.days):
        first, last = year_days(today.year + 1)[0], year_days(min(today.year + int(length.years), 9999))[1]
        return DateSpan(first, last, True, "range")
    if length.months and not (length.weeks or length.days or length.years):
        first, last = (add_months(today.replace(day=1), count) for count in (1, int(length.months)))
        return DateSpan(first, month_days(last.year, last.month)[1], True, "range")
    return None
