"""Days of a sentence held against the calendar: there is such a day, and it falls on the weekday that is said."""

import re
from datetime import date

_DAY = re.compile(
    r"(?<![\d./])(?:(?P<y>\d{4})\s?(?:년|[-./])\s?)?(?P<m>\d{1,2})\s?(?:월\s?|/|(?<=\d)-)(?P<d>\d{1,2})(?:\s?일)?(?![\d/-])"
    r"(?:\s?\((?P<w>[월화수목금토일])(?:요일)?[,)]|(?:은|는)?\s(?P<v>[월화수목금토일])요일)?"
)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})\s?(?:년|[-./])")
_WEEKDAYS = "월화수목금토일"
_PAST = ("작년", "지난해", "재작년")
HALF = 183


def is_in_calendar(sentence: str, today: str) -> bool:
    """Whether every day of a sentence can be. Without a year, a weekday is that of the time nearest to today."""
    now = date.fromisoformat(today) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", today) else None
    return all(_is_right(match, now, sentence) for match in _DAY.finditer(sentence))


def _is_right(match: re.Match[str], now: date | None, sentence: str) -> bool:
    month, number = int(match["m"]), int(match["d"])
    weekday = match["w"] or match["v"]
    if not (weekday or match.group().rstrip().endswith("일")):
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
