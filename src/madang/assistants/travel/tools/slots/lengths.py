"""How many nights, and when."""

import re
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
    r"\s?(?:에|날|쯤|\([월화수목금토일]\))?\s?(?:귀국|돌아|오는|올\s?거|오려|와요|복귀|컴백|도착해서|입국|까지)"
)
_RETURN_DAY = re.compile(
    r"(?<![\d월])\s(?P<day>\d{1,2})\s?일\s?(?:에|날)?\s?(?:귀국|돌아|오는|올\s?거|오려|복귀|입국|까지)"
)
_BARE_NUMBER = re.compile(
    r"\s*(?:한\s?)?(?P<count>\d{1,3}|하나|둘|셋|넷|다섯|여섯|일곱)\s*(?:이요|요|정도|쯤|밤|일\s?정도)?[\s.!~?]*"
)
_NO_DATE = re.compile(
    r"(?:날짜|출발일|일자|시기|언제)[가-힣]*\s?(?:은|는|를|을)?\s?(?:아직\s?)?(?:안\s?정|미정|모르|빼|상관\s?없|아무|못\s?정|정하지|취소)"
)
_WORDS = {"하나": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7}
_WEEKEND = "주말"


def read_dates(text: str, draft: Draft, today: date, pending: str | None) -> None:
    """Duration, departure, return and window, shifts and removals included."""
    if _NO_DATE.search(text):
        draft.cues.add("removal")
        for name in ("depart_date", "return_date", "depart_window"):
            draft.set(name, None)
        return
    rest = _shifted(_grown(text, draft), draft)
    nights = _nights(rest, draft, pending)
    spans = find_dates(rest, today, direction="future")
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
    sure = [item for item in found if item.confidence > 0.5]
    if not sure and pending == "duration":
        return _bare_nights(text, draft, found)
    if not sure and not (found and _WEEKEND in found[0].text):
        return None
    nights = _total(sure or found)
    if draft.before.get("duration") not in (None, nights):
        draft.cues.add("correction")
    return nights if draft.put_number("duration", nights) else None


def _total(found: list[Parsed[Nights]]) -> int:
    counts = [item.value.nights for item in found]
    if len(counts) > 1 and counts[-1] != sum(counts[:-1]) and all(item.text.endswith("박") for item in found):
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


def _place(text: str, draft: Draft, spans: list[Parsed[DateSpan]], nights: int | None) -> None:
    for item in spans:
        span = item.value
        if span.kind == "weekend":
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
            _window(draft, span)


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
    depart = draft.get("depart_date")
    if depart and day > date.fromisoformat(depart):
        draft.put_number("duration", (day - date.fromisoformat(depart)).days)


def _return_day(text: str, draft: Draft, spans: list[Parsed[DateSpan]]) -> None:
    """The second day of "6월 5일에 가서 8일에 오는", which names no month."""
    match = _RETURN_DAY.search(text)
    depart = draft.get("depart_date")
    if not match or not depart or any(item.span[0] <= match.start("day") < item.span[1] for item in spans):
        return
    start = date.fromisoformat(depart)
    for offset in range(1, 32):
        day = start + timedelta(days=offset)
        if day.day == int(match["day"]):
            _back(draft, day)
            return
