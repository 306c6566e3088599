"""How many nights, and when."""

import re
from dataclasses import replace
from datetime import date, timedelta

from madang.assistants.travel.tools.slots.update import Draft
from madang.text.dates import DateSpan, Nights, find_dates, find_nights
from madang.text.parsed import Parsed

_UNIT = r"(?P<count>하루|이틀|사흘|나흘|닷새|일주일|한\s?주|\d{1,2}\s?일|\d\s?주|두\s?주)"
_SHIFT = re.compile(
    rf"{_UNIT}\s?(?:정도|쯤|만|씩)?\s?(?:뒤로|후로|더\s?)?\s?(?P<way>미뤄|미루|미룰|미룬|늦춰|늦추|늦출|늦게|뒤로|앞당|당겨|당길|땡겨|일찍|빨리|앞으로)"
)
_EARLIER = ("앞당", "당겨", "당길", "땡겨", "일찍", "빨리", "앞으로")
_GROW = re.compile(
    r"(?P<count>하루|이틀|사흘|\d{1,2}\s?박|\d{1,2}\s?일|한\s?밤|하룻밤)\s?(?:만|정도)?\s?(?P<way>더|추가|늘려|늘리|늘릴|연장|줄여|줄이|줄일|짧게|덜|빼)"
)
_SHRINK = ("줄여", "줄이", "줄일", "짧게", "덜", "빼")
_DAYS = {
    "하루": 1,
    "이틀": 2,
    "사흘": 3,
    "나흘": 4,
    "닷새": 5,
    "일주일": 7,
    "한주": 7,
    "두주": 14,
    "한밤": 1,
    "하룻밤": 1,
}
_INSTEAD = re.compile(r"\s?(?:은|는)?\s?(?:말고|아니고|아니라|대신|에서)")
_BETWEEN = re.compile(r"\s?(?:사이|중에|중으로|안에)")
_RETURN = re.compile(
    r"\s?(?:에|날|쯤|\([월화수목금토일]\))?\s?(?:귀국|돌아|오는|올\s?거|오려|와요|와서|옵니다|올라|내려와|내려올|복귀|컴백|입국|까지)"
)
_RETURN_DAY = re.compile(
    r"(?<![\d월])\s(?P<day>\d{1,2})\s?일\s?(?:에|날)?\s?(?:귀국|돌아|오는|올\s?거|오려|복귀|입국|까지)"
)
_BARE_NUMBER = re.compile(
    r"\s*(?:한\s?)?(?P<count>\d{1,3}|하나|둘|셋|넷|다섯|여섯|일곱)\s*(?:이요|요|정도|쯤|밤|일\s?정도)?[\s.!~?]*"
)
_SOME_DAYS = re.compile(
    r"(?:^|(?<=[\s,/□]))(?P<days>\d{1,2})\s?일(?=$|[\s,./!]|이요|요)(?!\s?(?:출발|귀국|날|오전|오후|저녁|밤|\())"
)
_DAY_MOVED = re.compile(
    r"(?<![월\d])(?<!월\s)(?P<day>\d{1,2})\s?일(?:로|날로|자로|에)\s?(?:바꿔|바꿀|바꾸|변경|옮|갈게|출발할|출발로|미룰|당길)"
)
_WEEKDAY = re.compile(r"(?<![가-힣])(?P<day>[월화수목금토일])요일")
_BARE_DAY = re.compile(
    r"(?<![월\d/.])(?<!월\s)(?P<day>\d{1,2})\s?일(?:에|날)?\s?(?:\(?[월화수목금토일](?:요일)?\)?(?:에|날)?)?\s?(?:출발|떠나|떠날|비행기)"
)
_WEEK_SAID = re.compile(r"(?:이번|다음|다다음|담|저번|돌아오는|오는|첫|둘|셋|넷|마지막)\s?[주째]|\d\s?일|\d월|\d/\d")
_NO_DATE = re.compile(
    r"(?:날짜|출발일|일자|시기|언제)[가-힣]*\s?(?:은|는|를|을)?\s?(?:아직\s?)?(?:안\s?정|미정|모르|빼|상관\s?없|아무|못\s?정|정하지|취소)"
)
_WORDS = {"하나": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7}
_WEEKEND = "주말"
_SIDE_TRIP = re.compile(r"추가|들러|들렀|다녀|넣어|도\s?당일")
_APART = 31
_BESIDE = 3
_EITHER = re.compile(r"이나|또는|아니면|혹은|~|-|정도")
_LEAVE_DAYS = re.compile(r"(?:연차|휴가|월차|방학)[가-힣]*\s?$")


def read_dates(text: str, draft: Draft, today: date, pending: str | None) -> None:
    """Duration, departure, return and window, shifts and removals included."""
    if _NO_DATE.search(text):
        draft.cues.add("removal")
        for name in ("depart_date", "return_date", "depart_window"):
            draft.set(name, None)
        return
    rest = _day_moved(_shifted(_grown(text, draft), draft), draft, pending)
    if _weekday_within(rest, draft):
        _nights(rest, draft, pending)
        return
    nights = _nights(rest, draft, pending)
    spans = find_dates(rest, today, direction="future")
    if not _bare_day(rest, draft, spans, today):
        _place(rest, draft, spans, nights)
    _return_day(rest, draft, spans)


def follow_duration(draft: Draft) -> None:
    """The return date is the departure plus the nights."""
    depart, nights = draft.get("depart_date"), draft.get("duration")
    back = (date.fromisoformat(depart) + timedelta(days=nights)).isoformat() if depart and nights else None
    draft.set("return_date", back)


def _count(word: str) -> int:
    compact = word.replace(" ", "")
    if compact in _DAYS:
        return _DAYS[compact]
    number = int(re.sub(r"\D", "", compact))
    return number * 7 if compact.endswith("주") else number


def _shifted(text: str, draft: Draft) -> str:
    match = _SHIFT.search(text)
    if not match or not draft.get("depart_date"):
        return text
    days = _count(match["count"]) * (-1 if match["way"] in _EARLIER else 1)
    draft.set("depart_date", (date.fromisoformat(draft.get("depart_date")) + timedelta(days=days)).isoformat())
    draft.cues.add("correction")
    return text[: match.start()] + " " + text[match.end() :]


def _day_moved(text: str, draft: Draft, pending: str | None) -> str:
    """11일로 바꿀게요, once a departure is known: that day, in the month of the departure or the next."""
    match = _DAY_MOVED.search(text)
    if not match or not draft.get("depart_date") or pending == "duration":
        return text
    start = date.fromisoformat(draft.get("depart_date")).replace(day=1)
    days = [start + timedelta(days=offset) for offset in range(62)]
    day = next((day for day in days if day.day == int(match["day"])), None)
    if day:
        _depart(draft, day)
        draft.cues.add("correction")
    return text[: match.start()] + " " + text[match.end() :]


def _weekday_within(text: str, draft: Draft) -> bool:
    """수요일 출발이요, once a window is known: that weekday within it."""
    window, match = draft.get("depart_window"), _WEEKDAY.search(text)
    if not window or not match or _WEEK_SAID.search(text):
        return False
    first, last = date.fromisoformat(window["from"]), date.fromisoformat(window["to"])
    wanted = "월화수목금토일".index(match["day"])
    day = first + timedelta(days=(wanted - first.weekday()) % 7)
    if day <= last:
        _depart(draft, day)
    return day <= last


def _grown(text: str, draft: Draft) -> str:
    match = _GROW.search(text)
    if not match or not draft.get("duration") or _SHIFT.search(text):
        return text
    nights = _count(match["count"]) * (-1 if match["way"] in _SHRINK else 1)
    draft.put_number("duration", draft.get("duration") + nights)
    draft.cues.add("correction")
    return text[: match.start()] + " " + text[match.end() :]


def _nights(text: str, draft: Draft, pending: str | None) -> int | None:
    found = [item for item in find_nights(text) if not _INSTEAD.match(text, item.span[1])]
    known = draft.get("duration") is not None
    found = [
        item for item in found if item.value.nights or not (item.text == "하루" or (known and _SIDE_TRIP.search(text)))
    ]
    sure = [item for item in found if item.confidence > 0.5]
    sure = [item for item in sure if "박" in item.text] or sure
    if not sure and pending == "duration":
        return _bare_nights(text, draft, found)
    days = _SOME_DAYS.search(text) if not sure and not found else None
    if days and not re.search(r"\d\s?월|출발", text) and not _LEAVE_DAYS.search(text[: days.start()]):
        return int(days["days"]) - 1 if draft.put_number("duration", int(days["days"]) - 1) else None
    if not sure and not (found and _WEEKEND in found[0].text):
        return None
    nights = _total(text, sure or found)
    if draft.before.get("duration") not in (None, nights):
        draft.cues.add("correction")
    return nights if draft.put_number("duration", nights) else None


def _total(text: str, found: list[Parsed[Nights]]) -> int:
    """The last length said; nights said for each of several cities add up; of two alternatives the first counts."""
    counts = [item.value.nights for item in found]
    if len(counts) == 1:
        return counts[0]
    if _EITHER.search(text[found[0].span[1] : found[1].span[0]]):
        return counts[0]
    if counts[-1] != sum(counts[:-1]) and len(re.findall("□+", text)) >= len(counts):
        return sum(counts)
    return counts[-1]


def _bare_nights(text: str, draft: Draft, found: list[Parsed[Nights]]) -> int | None:
    match = _BARE_NUMBER.fullmatch(text)
    if match:
        count = _WORDS.get(match["count"]) or int(match["count"])
        nights = count - 1 if "일" in match.group() and "이요" not in match.group() else count
    elif day := re.fullmatch(r"\s*(\d{1,2})\s?일\s?(?:이요|요|로|정도)?[\s.!]*", text):
        nights = int(day[1]) - 1
    elif found:
        nights = found[-1].value.nights
    else:
        return None
    return nights if draft.put_number("duration", nights) else None


def _bare_day(text: str, draft: Draft, spans: list[Parsed[DateSpan]], today: date) -> bool:
    """28일 토요일 출발: a day without its month is the next one, within the window that is known."""
    match = _BARE_DAY.search(text)
    if not match or any(item.span[0] <= match.start("day") < item.span[1] for item in spans):
        return False
    window = draft.get("depart_window")
    start = max(today, date.fromisoformat(window["from"])) if window else today
    days = (start + timedelta(days=offset) for offset in range(62))
    day = next((day for day in days if day.day == int(match["day"])), None)
    if day:
        _depart(draft, day)
    return day is not None


def _place(text: str, draft: Draft, spans: list[Parsed[DateSpan]], nights: int | None) -> None:
    for at, item in enumerate(spans):
        span = item.value
        if at and (day := _weekday_of(spans[at - 1], item)):
            _depart(draft, day)
        elif span.kind == "weekend":
            if item.text.strip() != _WEEKEND:
                _weekend(draft, span, nights)
        elif span.kind == "range" and _is_stay(text, item, nights):
            _depart(draft, span.start)
            if span.days > 1:
                draft.put_number("duration", span.days - 1)
        elif span.days == 1:
            if _RETURN.match(text, item.span[1]):
                _back(draft, span.start)
            elif draft.get("depart_date") == draft.before.get("depart_date") or len(spans) == 1:
                _depart(draft, span.start)
        else:
            _window(draft, _joined(draft, span))


def _weekday_of(before: Parsed[DateSpan], item: Parsed[DateSpan]) -> date | None:
    """5월 첫째주 금요일: the Friday of that week."""
    match = _WEEKDAY.search(item.text)
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
    if not item.value.exact or _BETWEEN.match(text, item.span[1]) or days > 15:
        return False
    return nights is None or nights == days - 1


def _weekend(draft: Draft, span: DateSpan, nights: int | None) -> None:
    start = span.start - timedelta(days=1) if nights == 2 else span.start
    _depart(draft, start)
    if nights is None and not draft.get("duration"):
        draft.set("duration", 1)


def _depart(draft: Draft, day: date) -> None:
    draft.set("depart_date", day.isoformat())
    draft.set("depart_window", None)


def _window(draft: Draft, span: DateSpan) -> None:
    draft.set("depart_window", {"from": span.start.isoformat(), "to": span.end.isoformat()})
    draft.set("depart_date", None)


def _back(draft: Draft, day: date) -> None:
    if not draft.get("depart_date"):
        return
    depart = date.fromisoformat(draft.get("depart_date"))
    if day <= depart:
        # a bare day of the month is the first such day after the departure
        later = (depart + timedelta(days=offset) for offset in range(1, 32))
        day = next((other for other in later if other.day == day.day), day)
    if day > depart:
        draft.put_number("duration", (day - depart).days)


def _return_day(text: str, draft: Draft, spans: list[Parsed[DateSpan]]) -> None:
    """The second day of "6월 5일에 가서 8일에 오는", which names no month."""
    match = _RETURN_DAY.search(text)
    depart = draft.get("depart_date")
    if (
        not match
        or not depart
        or any(item.span[0] <= match.start("day") < item.span[1] and item.value.days > 1 for item in spans)
    ):
        return
    start = date.fromisoformat(depart)
    for offset in range(1, 32):
        day = start + timedelta(days=offset)
        if day.day == int(match["day"]):
            _back(draft, day)
            return
