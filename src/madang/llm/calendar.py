"""Days of a sentence held against the calendar: there is such a day, and it falls on the weekday that is said."""

import re
from collections.abc import Iterable
from datetime import date

from madang.llm.figures import Figure
from madang.text.dates import find_dates
from madang.text.english import find_english_dates

_DAY = re.compile(
    r"(?<![\d./])(?:(?P<y>\d{4})\s?(?:년|[-./])\s?)?(?P<m>\d{1,2})\s?(?:월\s?|/|(?<=\d)-)(?P<d>\d{1,2})(?:\s?일)?(?![\d/-])"
    r"(?:\s?\((?P<w>[월화수목금토일])(?:요일)?[,)]|(?:은|는|이|인)?\s(?P<v>[월화수목금토일])요일)?"
)
_NAMED_BEFORE = re.compile(r"(?P<w>[월화수목금토일])요일인?\s(?P<day>(?:\d{4}년\s?)?\d{1,2}월\s?\d{1,2}일)")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})\s?(?:년|[-./])")
_WEEKDAYS = "월화수목금토일"
_PERIOD = re.compile(r"(\d{4}-\d{2}-\d{2}) ~ (\d{4}-\d{2}-\d{2})")
_PAST = ("작년", "지난해", "재작년")
_NAMED_YEAR = re.compile(r"(?<![\d,.])((?:19|20)\d{2})(?!\d|,\d)")
_SHORT_YEAR = re.compile(r"(?<![\d,.])(\d{2})년(?=생|도|\s?\d{1,2}월|\s?\d분기)")
HALF, LONG_AGO = 183, 30


def is_in_calendar(sentence: str, today: str) -> bool:
    """Whether every day of a sentence can be. Without a year, a weekday is that of the time nearest to today."""
    now = _parsed(today)
    # 일요일인 11월 23일: the weekday stands before its day.
    sentence = _NAMED_BEFORE.sub(lambda match: f"{match['day']}({match['w']})", sentence)
    return all(_is_right(match, now, sentence) for match in _DAY.finditer(sentence))


def days_told(told: Iterable[str], today: str) -> list[Figure]:
    """The days that someone named in any way (어제, 11/26, 내년 2월 28일), without their years."""
    now = _parsed(today)
    if now is None:
        return []
    spans = [one for text in told for one in (*find_dates(text, now), *find_english_dates(text, now))]
    days = [
        (one.text, (None, day.month, day.day))
        for one in spans
        if one.value.kind in ("day", "range")
        for day in (one.value.start, one.value.end)
    ]
    months = [
        (one.text, (one.value.start.year, one.value.start.month, None)) for one in spans if one.value.kind == "month"
    ]
    return [Figure("date", text, (0, 0), date=parts) for text, parts in (*days, *months)]


def years_of(texts: Iterable[str], today: str) -> frozenset[int]:
    """Every year that is named, this one and the next; none if today isn't known."""
    now = _parsed(today)
    if now is None:
        return frozenset()
    named = {now.year, now.year + 1}
    for text in texts:
        named |= {int(year) for year in _NAMED_YEAR.findall(text)}
        short = (int(year) for year in _SHORT_YEAR.findall(text))
        named |= {2000 + year if year <= now.year % 100 + 10 else 1900 + year for year in short}
    return frozenset(named)


def whole_months(text: str) -> set[int]:
    """How many months each period of a text has that begins with one: 2025-12-01 ~ 2026-02-28."""
    found: set[int] = set()
    for one in _PERIOD.finditer(text):
        first, last = _parsed(one[1]), _parsed(one[2])
        # The month that goes on counts as one: 2026-09-01 ~ 2026-11-18 are three.
        if first and last and first.day == 1:
            found.add((last.year - first.year) * 12 + last.month - first.month + 1)
    return found


def is_near(day: tuple[int | None, int | None, int | None], today: str, *, history: bool) -> bool:
    """Whether a day is the last of its month and number, or a month of last year; of `history`, not long ago."""
    now = _parsed(today)
    if now is None or day[0] is None:
        return False
    if history and day[2] is None:
        return now.year - LONG_AGO <= day[0] < now.year
    later = None not in day and (day[1] or 0, day[2] or 0) < (now.month, now.day)
    return day[0] == now.year - 1 and not later


def _parsed(today: str) -> date | None:
    return date.fromisoformat(today) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", today) else None


def _is_right(match: re.Match[str], now: date | None, sentence: str) -> bool:
    month, number = int(match["m"]), int(match["d"])
    weekday = match["w"] or match["v"]
    if not (weekday or match["y"] or match.group().rstrip().endswith("일")):
        return True
    if not (1 <= month <= 12 and 1 <= number <= 31):
        return False
    if weekday is None or now is None or any(word in sentence for word in _PAST):
        return True
    named = [int(year) for year in _YEAR.findall(sentence)]
    years = [int(match["y"])] if match["y"] else named or [now.year - 1, now.year, now.year + 1]
    days = [day for year in years if (day := _day(year, month, number))]
    if not days:
        return False
    nearest = [day for day in days if named or abs((day - now).days) <= HALF] or days
    return any(_WEEKDAYS[day.weekday()] == weekday for day in nearest)


def _day(year: int, month: int, number: int) -> date | None:
    try:
        return date(year, month, number)
    except ValueError:
        return None
