"""Days that a message tells in a way of its own: after days of work (11~13일 출장인데 토요일까지 남아서), or as bare
days of a month that is known (22~25)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from madang.assistants.travel.understanding.trip_days import TripDays
from madang.graph.reading import Heard
from madang.text.clauses import Span

_WORK = re.compile(r"[^.?!\n]{0,16}(?:출장|회의|학회|세미나|워크숍|컨퍼런스|박람회)")
_STAYS = re.compile(
    r"(?P<day>[월화수목금토일])요일\s?까지\s?(?:더\s?)?(?:남|있|놀|묵|머)|(?P<weekend>주말)(?:까지)?\s?(?:붙|끼|껴|이어)"
)
_PAID = re.compile(r"\d\s?박\s?\([^)]{3,20}\)")
_DAYS = "월화수목금토일"
_RANGE = re.compile(
    r"(?<![\d월/.,:])(?<!월\s)(?P<first>\d{1,2})\s?[~-]\s?(?P<last>\d{1,2})(?![\d:/]|\s?(?:만|원|명|시|살|세|개|박|월|%|분|kg|km))"
)
_SHIFT = re.compile(
    r"(?:하루|이틀|사흘|\d\s?일)\s?(?:만|씩)?\s?(?:뒤로|앞으로|더)?\s?(?:미[뤄룰루]|당[겨길기]|늦[춰출추])"
)
_IN_A_ROW = re.compile(
    r"(?<![\d월/])(?<!월\s)(?P<first>\d{1,2})일(?:[\s,]{1,2}\d{1,2}일)*[\s,]{1,2}(?P<last>\d{1,2})일"
)
_ABOUT = re.compile(r"\s?(?:쯤|정도|경)")
_WORKDAYS = 5
_LONGEST = 14


@dataclass(frozen=True)
class OwnDays:
    """The days after the work: what they change, the words each came from, and the words that are the work's."""

    changes: dict[str, Any]
    claims: tuple[tuple[Span, str, Any], ...]
    hidden: tuple[Span, ...]


def bare_range(heard: Heard, known: Mapping[str, Any], today: date) -> OwnDays | None:
    """22~25, 12~15로: days of the month that the message or the trip is about."""
    match = _RANGE.search(heard.message.text) or _IN_A_ROW.search(heard.message.text)
    if match is None or not 0 < int(match["last"]) - int(match["first"]) <= _LONGEST or int(match["last"]) > 31:
        return None
    if any(value.span[0] <= match.start() < value.span[1] for value in heard.message.of("date")):
        return None
    said = [value.value.start for value in heard.message.of("date") if value.span[1] <= match.start()]
    since = (known.get("depart_window") or {}).get("from") or known.get("depart_date")
    anchor = said[-1] if said else date.fromisoformat(since).replace(day=1) if since else None
    if anchor is None:
        return None
    days = (max(anchor, today) + timedelta(days=offset) for offset in range(62))
    start = next((day for day in days if day.day == int(match["first"])), None)
    if start is None:
        return None
    nights = int(match["last"]) - int(match["first"])
    home = start + timedelta(days=nights)
    if _ABOUT.match(heard.message.text, match.end()):
        window = {"from": start.isoformat(), "to": home.isoformat()}
        claim = (match.span(), "depart_window", window)
        return OwnDays({"depart_window": window, "depart_date": None}, (claim,), (match.span(),))
    changes = {
        "depart_date": start.isoformat(),
        "return_date": home.isoformat(),
        "duration": nights,
        "depart_window": None,
    }
    dates = tuple(value.span for value in heard.message.of("date"))
    shifts = tuple(found.span() for found in _SHIFT.finditer(heard.message.text))
    claims = ((match.span(), "depart_date", start.isoformat()), *((span, "depart_date", "") for span in shifts))
    return OwnDays(changes, claims, (match.span(), *dates, *shifts))


def as_own_days(days: TripDays, heard: Heard) -> OwnDays:
    """Days told as a way there and back; one too long for a plan keeps only its first day."""
    changes = (
        days.changes if days.nights <= _LONGEST else {"depart_date": days.start.isoformat(), "depart_window": None}
    )
    dates = tuple(value.span for value in heard.message.of("date"))
    return OwnDays(changes, ((days.span, "depart_date", days.start.isoformat()),), (days.span, *dates))


def after_business(heard: Heard) -> OwnDays | None:
    """The stay after a business trip, if the message tells of one: from the last day of work."""
    text = heard.message.text
    work = next((one for one in heard.message.of("date") if _WORK.match(text, one.span[1])), None)
    stays = _STAYS.search(text, work.span[1]) if work else None
    if work is None or stays is None or work.value.days > _WORKDAYS:
        return None
    last: date = work.value.end
    weekday = 6 if stays["weekend"] else _DAYS.index(stays["day"])
    nights = (weekday - last.weekday()) % 7 or 7
    home = last + timedelta(days=nights)
    changes = {
        "depart_date": last.isoformat(),
        "return_date": home.isoformat(),
        "duration": nights,
        "depart_window": None,
    }
    paid = tuple(match.span() for match in _PAID.finditer(text))
    days = [one.span for one in heard.message.of("date")]
    return OwnDays(
        changes,
        ((work.span, "aside", work.words), (stays.span(), "return_date", home.isoformat())),
        (work.span, *paid, *days, stays.span()),
    )
