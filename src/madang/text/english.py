"""English within a message: March 3rd, next Friday, five nights, two weeks, 3 adults. Amounts and clock times are read
by `money` and `times`."""

import re
from collections.abc import Iterator
from datetime import date

from madang.text.calendars import DAY, add_months, month_days, quarter_days, safe_date, week_days
from madang.text.durations import Duration
from madang.text.parsed import Parsed, make, on_folded
from madang.text.people import People
from madang.text.spans import DateSpan, Direction, Nights

_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_NUMBERS = {word: place for place, word in enumerate(_WORDS, 1)}
_NUMBERS |= {"a": 1, "an": 1, "couple of": 2, "a couple of": 2}
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_MONTH = r"(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" if len(name) > 3 else name for name in _MONTHS) + r")\.?"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_EDGE = r"(?<![A-Za-z\d])"
_END = r"(?![A-Za-z\d])"
_YEAR = r"(?:,?\s(?P<year>20\d\d))?"
_DATES = [
    re.compile(rf"{_EDGE}{_MONTH}\s{_DAY}(?:\s?[-~]\s?(?P<until>[12]\d|3[01]|0?[1-9]))?{_YEAR}{_END}", re.IGNORECASE),
    re.compile(rf"{_EDGE}{_DAY}\s(?:of\s)?{_MONTH}{_YEAR}{_END}", re.IGNORECASE),
    re.compile(
        rf"{_EDGE}(?P<part>early|mid|late|(?:the\s)?(?:beginning|middle|end)\sof)[\s-]{_MONTH}{_YEAR}{_END}",
        re.IGNORECASE,
    ),
    re.compile(rf"(?:(?<=\bin )|(?<=\bthis )|(?<=\bnext )){_MONTH}{_YEAR}{_END}", re.IGNORECASE),
]
_RELATIVE = re.compile(
    rf"{_EDGE}(?:(?P<word>today|tonight|tomorrow|yesterday|day after tomorrow)|(?P<which>this|next|last)\s"
    rf"(?P<unit>weekend|week|month|quarter|year|{'|'.join(_DAYS)})|(?:last|past)\s{_NUMBER}\s(?P<units>day|week|month|year)s?"
    rf"|(?P<weekday>{'|'.join(_DAYS)})){_END}",
    re.IGNORECASE,
)
_PARTS = {"early": 0, "beginning": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
_NEAR = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "day after tomorrow": 2}
_NIGHTS = re.compile(
    rf"{_EDGE}{_NUMBER}[\s-]nights?(?:[\s,]+(?:and\s)?(?P<days>\d{{1,2}})\sdays?)?{_END}", re.IGNORECASE
)
_LENGTH = re.compile(rf"{_EDGE}{_NUMBER}[\s-](?P<unit>year|month|week|day|hour|minute|second)s?{_END}", re.IGNORECASE)
_PEOPLE = re.compile(
    rf"{_EDGE}{_NUMBER}\s(?:(?P<adults>adults?)|(?P<children>kids?|children|child)|(?P<infants>infants?|babies|baby)"
    rf"|(?P<total>people|persons?|travell?ers|guests|of us)){_END}",
    re.IGNORECASE,
)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[" ".join(word.lower().split())]


def find_english_dates(text: str, today: date, direction: Direction = "future") -> list[Parsed[DateSpan]]:
    """English dates in order of appearance; a day without a year is the nearest in `direction`."""
    return on_folded(text, lambda folded: sorted(_dates(folded, today, direction), key=lambda item: item.span))


def _dates(text: str, today: date, direction: Direction) -> Iterator[Parsed[DateSpan]]:
    taken = -1
    for pattern in _DATES:
        for match in pattern.finditer(text):
            span = _dated(match, today, direction)
            if span and match.start() >= taken:
                taken = match.end()
                yield make(text, *match.span(), span, 0.9)
    for match in _RELATIVE.finditer(text):
        if span := _relative(match, today, direction):
            yield make(text, *match.span(), span, 0.85)


def _dated(match: re.Match[str], today: date, direction: Direction) -> DateSpan | None:
    groups = match.groupdict()
    month = next(place for place, name in enumerate(_MONTHS, 1) if name.startswith(match["month"].lower()[:3]))
    years = [int(groups["year"])] if groups.get("year") else [today.year + shift for shift in (0, 1, -1)]
    spans = [span for year in years if (span := _in_year(groups, year, month))]
    if direction == "past" and len(years) > 1:
        return next((span for span in (spans[0], spans[-1]) if span.start <= today), None) if spans else None
    return next((span for span in spans if span.end >= today or len(years) == 1), None)


def _in_year(groups: dict[str, str | None], year: int, month: int) -> DateSpan | None:
    if part := groups.get("part"):
        third = next(place for word, place in _PARTS.items() if word in part.lower().split())
        begins, ends = month_days(year, month)
        tenths = (begins.replace(day=10), begins.replace(day=20), ends)
        return DateSpan(begins + third * 10 * DAY, tenths[third], False, "part_of_month")
    if not groups.get("day"):
        return DateSpan(*month_days(year, month), True, "month") if year < 9999 else None
    first = safe_date(year, month, int(groups["day"] or 0))
    last = safe_date(year, month, int(groups.get("until") or groups["day"] or 0))
    return DateSpan(first, last, True, "range" if last > first else "day") if first and last and first <= last else None


def _relative(match: re.Match[str], today: date, direction: Direction) -> DateSpan | None:
    try:
        return _near(match, today, direction)
    except (OverflowError, ValueError):
        return None


def _near(match: re.Match[str], today: date, direction: Direction) -> DateSpan | None:
    if match["word"]:
        day = today + _NEAR[match["word"].lower()] * DAY
        return DateSpan(day, day)
    if match["weekday"]:
        ahead = (_DAYS.index(match["weekday"].lower()) - today.weekday()) % 7
        day = today + (ahead - 7 if direction == "past" and ahead else ahead) * DAY
        return DateSpan(day, day)
    if match["units"]:
        return _rolling(_number(match["number"]), match["units"].lower(), today)
    step = {"last": -1, "this": 0, "next": 1}[match["which"].lower()]
    unit = match["unit"].lower()
    monday, sunday = week_days(today, step)
    if unit in _DAYS:
        day = monday + _DAYS.index(unit) * DAY
        return DateSpan(day, day)
    if unit == "weekend":
        return DateSpan(sunday - DAY, sunday, True, "weekend")
    if unit == "week":
        return DateSpan(monday, sunday, True, "week")
    if unit == "quarter":
        there = add_months(today.replace(day=1), 3 * step)
        return DateSpan(*quarter_days(there.year, (there.month + 2) // 3), True, "quarter")
    there = add_months(today.replace(day=1), step * (12 if unit == "year" else 1))
    if unit == "year":
        return DateSpan(date(there.year, 1, 1), date(there.year, 12, 31), True, "year")
    return DateSpan(*month_days(there.year, there.month), True, "month")


def _rolling(count: int, unit: str, today: date) -> DateSpan:
    """last 3 months: up to today."""
    days, months = {"day": (1, 0), "week": (7, 0), "month": (0, 1), "year": (0, 12)}[unit]
    return DateSpan(add_months(today - count * days * DAY, -count * months) + DAY, today, True, "rolling")


def find_english_nights(text: str) -> list[Parsed[Nights]]:
    """five nights, 3 nights 4 days."""
    return on_folded(text, lambda folded: [_nights(folded, match) for match in _NIGHTS.finditer(folded)])


def _nights(text: str, match: re.Match[str]) -> Parsed[Nights]:
    nights = _number(match["number"])
    return make(text, *match.span(), Nights(nights, int(match["days"] or nights + 1)), 0.95)


def find_english_durations(text: str) -> list[Parsed[Duration]]:
    """two weeks, a year, 6 months."""
    return on_folded(text, lambda folded: [_length(folded, match) for match in _LENGTH.finditer(folded)])


def _length(text: str, match: re.Match[str]) -> Parsed[Duration]:
    count, unit = float(_number(match["number"])), match["unit"].lower()
    order = ("year", "month", "week", "day", "hour", "minute", "second")
    return make(text, *match.span(), Duration(*(count if name == unit else 0 for name in order)), 0.9)


def find_english_people(text: str) -> list[Parsed[People]]:
    """two adults, 3 people, four of us."""
    return on_folded(text, lambda folded: [_people(folded, match) for match in _PEOPLE.finditer(folded)])


def _people(text: str, match: re.Match[str]) -> Parsed[People]:
    count = _number(match["number"])
    if match["adults"]:
        people = People(count, adults=count)
    elif match["children"]:
        people = People(children=count)
    else:
        people = People(infants=count) if match["infants"] else People(count)
    return make(text, *match.span(), people, 0.9)
