"""Days named by a holiday beside them: 추석 다음 날, 현충일 전날, 설 연휴 첫날, 설날 당일, 어린이날 이틀 전."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from madang.text.calendars import holiday_date
from madang.text.dates import DateSpan
from madang.text.parsed import Parsed

_BESIDE = re.compile(
    r"(?:\s?연휴)?\s?(?:(?P<first>첫\s?날|시작\s?날|시작일)|(?P<last>마지막\s?날|끝\s?날)|(?P<itself>당일)"
    r"|바로\s?(?P<soon>전\s?날|다음\s?날)|(?P<eve>전\s?날|하루\s?전)|(?P<after>다음\s?날|이튿날|담\s?날|하루\s?(?:뒤|후))"
    r"|(?P<count>이틀|사흘|나흘|닷새|일주일|\d{1,2}일)\s?(?P<way>전|뒤|후))(?!\s?(?:밤|새벽)?\s?비)"
)
_FESTIVALS = (("추석", re.compile(r"추석|한가위")), ("설날", re.compile(r"설|구정")))
_COUNTS = {"이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "일주일": 7}
_FROM_TODAY = re.compile(r"오늘(?:부터|로부터|에서|\s?기준).*(?:뒤|후)에?")
_OVER = re.compile(r"(?:끝나고|지나고|쇠고|지나서|끝나면|끝나자마자)$")
_SOON = re.compile(r"\s?(?:바로\s?)?(?:그?\s?다음\s?날|이튿날|담날|바로)")
_KINDS = ("holiday", "month", "week")


def days_beside(text: str, found: Sequence[Parsed[DateSpan]]) -> list[Parsed[DateSpan]]:
    """The dates found, each that is only a landmark replaced by the day beside it."""
    moved = [_moved(text, item) for item in found]
    ends = {item.span: new.span[1] for item, new in zip(found, moved, strict=True)}
    return [
        new
        for item, new in zip(found, moved, strict=True)
        if not any(other[1] <= item.span[0] < end for other, end in ends.items())
    ]


def _moved(text: str, item: Parsed[DateSpan]) -> Parsed[DateSpan]:
    span = item.value
    if span.days > 1 and _FROM_TODAY.fullmatch(item.text):
        return replace(item, value=replace(span, start=span.end, kind="day"))
    if _OVER.search(item.text) and (soon := _SOON.match(text, item.span[1])):
        return replace(item, value=replace(span, end=span.start, kind="day"), span=(item.span[0], soon.end()))
    match = _BESIDE.match(text, item.span[1]) if span.kind in _KINDS else None
    if match is None:
        return item
    whole = "연휴" in item.text or "연휴" in match.group() or span.kind != "holiday"
    first, last = (span.start, span.end) if whole else _festival(item)
    day = _day(match, first, last, (span.start, span.end))
    return replace(item, value=replace(span, start=day, end=day, kind="day"), span=(item.span[0], match.end()))


def _day(match: re.Match[str], first: date, last: date, run: tuple[date, date]) -> date:
    if match["first"]:
        return run[0]
    if match["last"]:
        return run[1]
    if match["itself"]:
        return first
    count = _COUNTS.get(match["count"]) or int((match["count"] or "1일")[:-1])
    before = match["eve"] or match["way"] == "전" or (match["soon"] or "").startswith("전")
    return first - timedelta(days=count) if before else last + timedelta(days=count)


def _festival(item: Parsed[DateSpan]) -> tuple[date, date]:
    """The day itself, of a holiday that lasts several."""
    for name, pattern in _FESTIVALS:
        if item.value.days > 1 and pattern.search(item.text) and (day := holiday_date(name, item.value.end.year)):
            return day, day
    return item.value.start, item.value.end
