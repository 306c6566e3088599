"""Days told as a way there and back: 1월 16일 토 들어가서 18일 월 나오는, 2월 5일 금부터 9일 화까지."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from madang.graph.reading import Heard
from madang.text.clauses import Span

_DAY = (
    r"(?:(?P<{n}year>20\d\d)\s?[년.]\s?)?(?:(?P<{n}month>\d{{1,2}})(?:\s?월\s?|[/.]))?"
    r"(?P<{n}day>\d{{1,2}})(?P<{n}mark>\s?일)?"
    r"\s?(?:\(?[월화수목금토일](?:요일)?\)?(?![가-힣]|일\s|\s?박)"
    r"|\(?[월화수목금토일](?:요일)?\)?(?=부터|까지|에|로|가서|\s))?"
)
_TO = (
    r"\s?(?:에서|부터|~|∼|-|–|에?\s?(?:출발해서?|들어가서?|가서|떠나서?|나가서?|도착해서?|가고)"
    r"|\s출발\s?[,~-]?|\s?출국)\s?"
)
_NOT_A_DAY = r"(?!\d|\s?(?:만|원|명|시(?!드|애)|살|세|박|개|인|분|kg|km|%|:|차|째|일?\s?사이))"
_RANGE = re.compile(
    r"(?<![\d/.:])" + _DAY.format(n="a_") + _TO + _DAY.format(n="b_") + _NOT_A_DAY,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?"
_ENGLISH = re.compile(
    rf"(?<![a-z])(?P<a_name>{_NAME})\s?(?P<a_day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s?(?P<a_year>20\d\d))?"
    rf"\s?(?:to|-|–|~|until|through)\s?(?:(?P<b_name>{_NAME})\s?)?(?P<b_day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s?(?P<b_year>20\d\d))?",
    re.IGNORECASE,
)
_WEEK_RUN = re.compile(
    r"(?P<week>이번|다음|담|다다음)\s?주\s?(?P<days>[월화수목금토일](?:[,·\s]?[월화수목금토일]){1,4})(?![가-힣])"
)
_WEEKS = {"이번": 0, "다음": 1, "담": 1, "다다음": 2}
_WORK = re.compile(r"[^.?!\n]{0,10}(?:출장|학회|세미나|워크숍|컨퍼런스|박람회|회의)")


@dataclass(frozen=True)
class TripDays:
    """The first and the last day of a trip, and the words that told them."""

    start: date
    end: date
    span: Span

    @property
    def nights(self) -> int:
        return (self.end - self.start).days

    @property
    def changes(self) -> dict[str, Any]:
        return {
            "depart_date": self.start.isoformat(),
            "return_date": self.end.isoformat(),
            "duration": self.nights,
            "depart_window": None,
        }


def find_trip_days(heard: Heard, known: Mapping[str, Any], today: date) -> TripDays | None:
    """The first range of days that a trip can have; days of work are not the trip's."""
    text = heard.message.text
    for match in _ENGLISH.finditer(text):
        if found := _english(match, today):
            return found
    if (run := _WEEK_RUN.search(text)) and (found := _of_week(run, today)):
        return found
    for match in _RANGE.finditer(text):
        found = _korean(match, heard, known, today)
        if found and 0 < found.nights < 100 and not _WORK.match(text, match.end()):
            return found
    return None


def _of_week(match: re.Match[str], today: date) -> TripDays | None:
    """다음주 화수목: days in a row of one week."""
    days = ["월화수목금토일".index(letter) for letter in match["days"] if letter in "월화수목금토일"]
    if days != list(range(days[0], days[0] + len(days))):
        return None
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=_WEEKS[match["week"]])
    start = monday + timedelta(days=days[0])
    return TripDays(start, start + timedelta(days=len(days) - 1), match.span()) if start >= today else None


def _korean(match: re.Match[str], heard: Heard, known: Mapping[str, Any], today: date) -> TripDays | None:
    if not match["a_month"] and not (match["a_mark"] and match["b_mark"]):
        return None
    month, year = int(match["a_month"] or 0), int(match["a_year"] or 0)
    near = None if month else _near(heard, known, today)
    start = _day(year, month, int(match["a_day"]), near or today)
    if start is None:
        return None
    end = _day(int(match["b_year"] or 0), int(match["b_month"] or 0), int(match["b_day"]), start)
    return TripDays(start, end, match.span()) if end else None


def _english(match: re.Match[str], today: date) -> TripDays | None:
    start = _day(int(match["a_year"] or match["b_year"] or 0), _month(match["a_name"]), int(match["a_day"]), today)
    if start is None:
        return None
    month = _month(match["b_name"]) if match["b_name"] else 0
    end = _day(int(match["b_year"] or 0), month, int(match["b_day"]), start)
    return TripDays(start, end, match.span()) if end and (end - start).days < 100 else None


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _near(heard: Heard, known: Mapping[str, Any], today: date) -> date:
    """The month a day without one belongs to: of another day in the message, else of the trip."""
    said: list[date] = [value.value.start for value in heard.message.of("date") if value.value.start >= today]
    since = known.get("depart_date") or (known.get("depart_window") or {}).get("from")
    if said:
        return min(said).replace(day=1)
    return max(today, date.fromisoformat(since).replace(day=1)) if since else today


def _day(year: int, month: int, day: int, since: date) -> date | None:
    """The next such day from `since` on."""
    try:
        if year:
            return date(year, month or since.month, day)
        for step in range(14):
            at = since.month - 1 + step
            found = (since.year + at // 12, at % 12 + 1)
            if month and found[1] != month:
                continue
            if date(*found, day) >= since:
                return date(*found, day)
    except ValueError:
        return None
    return None
