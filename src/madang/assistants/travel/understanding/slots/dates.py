"""When to leave and to return."""

import re
from dataclasses import replace
from datetime import date, timedelta

from madang.assistants.travel.understanding.slots.date_shifts import (
    WEEKDAY,
    read_shifts,
    set_departure,
    shift_start,
    weekday_within,
)
from madang.assistants.travel.understanding.slots.days_near_holidays import days_beside
from madang.assistants.travel.understanding.slots.nights import WEEKEND, read_nights
from madang.assistants.travel.understanding.slots.slot_update import Draft
from madang.text.calendars import add_months
from madang.text.dates import DateSpan, find_dates
from madang.text.parsed import Parsed

_BETWEEN = re.compile(r"\s?(?:사이|중에|중으로|안에)")
_RETURN = re.compile(
    r"\s?(?:에|날|쯤|\(?[월화수목금토일]\)?(?![가-힣]))?\s?(?:귀국|돌아|오는|올\s?거|오려|와요|와서|옵니다|올라|내려와|내려올|복귀|컴백|입국|까지)"
)
_RETURN_BEFORE = re.compile(r"(?:귀국|돌아오는|오는|복귀|입국|리턴|컴백)\s?(?:일정?|날짜?|편)?(?:은|는|이|:)?\s?$")
_RETURN_DAY = re.compile(
    r"(?<![\d월])\s(?P<day>\d{1,2})\s?일\s?(?:에|날)?\s?(?:귀국|돌아|오는|올\s?거|오려|복귀|입국|까지)"
    r"|(?:귀국|복귀|돌아오는|오는)\s?(?:일정?|날짜?|편)?(?:은|는|이|:)?\s?(?P<later>\d{1,2})\s?일"
)
_BARE_DAY = re.compile(
    r"(?<![월\d/.])(?<!월\s)(?P<day>\d{1,2})\s?일(?:에|날)?\s?(?:\(?[월화수목금토일](?:요일)?\)?(?:에|날)?)?\s?(?:출발|떠나|떠날|비행기)"
    r"|(?:출발|가는\s?날|출국)(?:일|날짜|날)?(?:은|는|을|:)?\s?(?P<later>\d{1,2})\s?일(?!\s?(?:귀국|돌아|까지))"
)
_NO_DATE = re.compile(
    r"(?:날짜|출발일|일자|시기|언제)[가-힣]{0,8}\s?(?:은|는|를|을)?\s?(?:아직\s?)?(?:안\s?정|미정|모르|빼|상관\s?없|아무|못\s?정|정하지|취소)"
)
_INSTEAD = re.compile(r"\s?(?:에|은|는)?\s?(?:말고|말구|아니고|아니라|대신|안\s?돼서|안\s?되고|안\s?돼고)")
_DAYS_ALONE = re.compile(r"\d{1,2}\s?일(?:\s?(?:부터|에서|~|-)\s?\d{1,2}\s?일(?:까지)?)?")
_DAY_AFTER = re.compile(r"(?:다음\s?날|담날|이튿날)\s?(?:에\s?)?(?:바로\s?)?(?:출발|떠나|출국)")
_TOPIC = re.compile(r"\s?(?:은|는|보다|엔|에는)(?![가-힣])")
_GOAL = re.compile(r"\s?(?:으로|로)(?![가-힣])")
_APART = 31
_BESIDE = 3


def read_dates(text: str, draft: Draft, today: date, pending: str | None) -> None:
    """Duration, departure, return and window, shifts and removals included."""
    if _NO_DATE.search(text):
        draft.cues.add("removal")
        for name in ("depart_date", "return_date", "depart_window"):
            draft.set(name, None)
        return
    if not draft.get("depart_date") and (at := shift_start(text)) and find_dates(text[:at], today, direction="future"):
        # 12월 5일 출발인데 다음 주로 미루자: the day first, then the move
        read_dates(text[:at], draft, today, pending)
        text = text[at:]
    rest = read_shifts(text, draft, today, pending)
    if weekday_within(rest, draft):
        read_nights(rest, draft, pending)
        return
    nights = read_nights(rest, draft, pending)
    found = days_beside(rest, find_dates(rest, today, direction="future"))
    found = [item for item in found if item.value.end >= today]
    found = [item for item in found if item.value.kind != "rolling" and not _INSTEAD.match(rest, item.span[1])]
    spans = [_anchored(item, draft) for item in _without_seasons(found)]
    if len(spans) > 1 and _GOAL.match(rest, spans[-1].span[1]) and _TOPIC.match(rest, spans[0].span[1]):
        spans = spans[-1:]
    if draft.get("depart_date"):
        spans = [item for item in spans if item.value.kind != "season"]
    if not _bare_day(rest, draft, spans, today):
        _place(rest, draft, spans, nights)
    said = {item.span[1] for item in spans}
    if (
        (after := _DAY_AFTER.search(rest))
        and not any(after.start() < end <= after.end() for end in said)
        and draft.get("depart_date") != draft.before.get("depart_date")
    ):
        set_departure(draft, date.fromisoformat(draft.get("depart_date")) + timedelta(days=1))
    _return_day(rest, draft, spans)


def set_return_date(draft: Draft) -> None:
    """The return date is the departure plus the nights."""
    depart, nights = draft.get("depart_date"), draft.get("duration")
    back = (date.fromisoformat(depart) + timedelta(days=nights)).isoformat() if depart and nights else None
    draft.set("return_date", back)


def _bare_day(text: str, draft: Draft, spans: list[Parsed[DateSpan]], today: date) -> bool:
    """28일 토요일 출발: a day without its month is the next one, within the window that is known."""
    match = _BARE_DAY.search(text)
    if not match or any(
        item.span[0] < match.start() < item.span[1] or item.span[0] < match.end() <= item.span[1] for item in spans
    ):
        return False
    window, known = draft.get("depart_window"), draft.get("depart_date")
    start = max(today, date.fromisoformat(window["from"])) if window else today
    start = max(today, date.fromisoformat(known).replace(day=1)) if known else start
    said = [item.value.start for item in spans if item.span[1] <= match.start()]
    start = said[-1] if said else start
    days = (start + timedelta(days=offset) for offset in range(62))
    day = next((day for day in days if day.day == int(match["day"] or match["later"])), None)
    if day:
        set_departure(draft, day)
    return day is not None


def _place(text: str, draft: Draft, spans: list[Parsed[DateSpan]], nights: int | None) -> None:
    for at, item in enumerate(spans):
        span = item.value
        if at and (day := _weekday_of(spans[at - 1], item)):
            set_departure(draft, day)
        elif span.kind == "weekend":
            if item.text.strip() != WEEKEND:
                _weekend(draft, span, nights)
        elif span.kind == "range" and _is_stay(text, item, nights):
            set_departure(draft, span.start)
            if span.days > 1:
                draft.put_number("duration", span.days - 1)
        elif span.days == 1:
            if _RETURN.match(text, item.span[1]) or _RETURN_BEFORE.search(text[: item.span[0]]):
                _back(draft, span.start, WEEKDAY.fullmatch(item.text) is not None)
            elif draft.get("depart_date") == draft.before.get("depart_date") or len(spans) == 1:
                set_departure(draft, span.start)
        else:
            _window(draft, _joined(draft, span))


def _without_seasons(spans: list[Parsed[DateSpan]]) -> list[Parsed[DateSpan]]:
    """단풍 시즌, 11월 중순: a season gives way to anything more definite."""
    return [item for item in spans if item.value.kind != "season"] or spans


def _anchored(item: Parsed[DateSpan], draft: Draft) -> Parsed[DateSpan]:
    """25일부터 27일까지, once December is known: that month's days, not the nearest ones."""
    window, depart = draft.before.get("depart_window"), draft.before.get("depart_date")
    known = window["from"] if window else depart
    if not known or not _DAYS_ALONE.fullmatch(item.text):
        return item
    first = date.fromisoformat(known).replace(day=1)
    months = (first.year - item.value.start.year) * 12 + first.month - item.value.start.month
    if months <= 0:
        return item
    start, end = (add_months(day, months) for day in (item.value.start, item.value.end))
    return replace(item, value=replace(item.value, start=start, end=end))


def _weekday_of(before: Parsed[DateSpan], item: Parsed[DateSpan]) -> date | None:
    """5월 첫째주 금요일: the Friday of that week."""
    match = WEEKDAY.search(item.text)
    if not match or before.value.days == 1 or item.span[0] - before.span[1] > _BESIDE:
        return None
    wanted = "월화수목금토일".index(match["day"])
    return before.value.start + timedelta(days=(wanted - before.value.start.weekday()) % 7)


def _joined(draft: Draft, span: DateSpan) -> DateSpan:
    """5월 말이나 6월 초: two windows said in one message are one; of 가을 and 11월 중순 the narrower counts."""
    said = draft.get("depart_window")
    if not said or said == draft.before.get("depart_window"):
        return span
    first, last = date.fromisoformat(said["from"]), date.fromisoformat(said["to"])
    if first <= span.end and span.start <= last:
        return span if span.days <= (last - first).days + 1 else replace(span, start=first, end=last)
    if max(first, span.start) - min(last, span.end) > timedelta(days=_APART):
        return span
    return replace(span, start=min(first, span.start), end=max(last, span.end))


def _is_stay(text: str, item: Parsed[DateSpan], nights: int | None) -> bool:
    days = item.value.days
    if not item.value.exact or _BETWEEN.match(text, item.span[1]) or item.text.endswith("사이") or days > 15:
        return False
    return nights is None or nights == days - 1


def _weekend(draft: Draft, span: DateSpan, nights: int | None) -> None:
    start = span.start - timedelta(days=1) if nights == 2 else span.start
    set_departure(draft, start)
    if nights is None and not draft.get("duration"):
        draft.set("duration", 1)


def _window(draft: Draft, span: DateSpan) -> None:
    if span.start > span.end:
        return
    draft.set("depart_window", {"from": span.start.isoformat(), "to": span.end.isoformat()})
    draft.set("depart_date", None)


def _back(draft: Draft, day: date, weekday: bool = False) -> None:
    if not draft.get("depart_date"):
        return
    depart = date.fromisoformat(draft.get("depart_date"))
    if weekday:
        day = depart + timedelta(days=(day.weekday() - depart.weekday()) % 7 or 7)
    if day <= depart:
        # a bare day of the month is the first such day after the departure
        later = (depart + timedelta(days=offset) for offset in range(1, 32))
        day = next((other for other in later if other.day == day.day), day)
    if day > depart:
        draft.put_number("duration", (day - depart).days)


def _return_day(text: str, draft: Draft, spans: list[Parsed[DateSpan]]) -> None:
    """The second day of "6월 5일에 가서 8일에 오는", which names no month."""
    match, depart = _RETURN_DAY.search(text), draft.get("depart_date")
    if not match or not depart:
        return
    if any(item.span[0] <= match.end() - 1 < item.span[1] and item.value.days > 1 for item in spans):
        return
    start = date.fromisoformat(depart)
    days = (start + timedelta(days=offset) for offset in range(1, 32))
    day = next((day for day in days if day.day == int(match["day"] or match["later"])), None)
    if day:
        _back(draft, day)
