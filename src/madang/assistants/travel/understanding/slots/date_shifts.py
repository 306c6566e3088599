"""Departures and lengths moved relative to what is known: 하루 미뤄주세요, 1박 더, 11일로 바꿀게요."""

import re
from datetime import date, timedelta

from madang.assistants.travel.understanding.slots.slot_update import Draft
from madang.text.calendars import add_months

_UNIT = r"(?P<count>하루|이틀|사흘|나흘|닷새|일주일|한\s?주|\d{1,2}\s?일|\d\s?주|두\s?주|한\s?달)"
_SHIFT = re.compile(
    rf"{_UNIT}\s?(?:정도|쯤|만|씩)?\s?(?:뒤로|후로|더\s?)?\s?(?P<way>미[뤄루룰룬뤘]|늦[춰추출게]|뒤로|앞당|[당땡][겨기길긴겼]|일찍|빨리|앞으로)"
)
_HOMEWARD = re.compile(r"(?:귀국|복귀|돌아오는|오는|리턴|돌아올)\s?(?:편|날|일|날짜|일정)?(?:은|는|을|를|만)?\s?$")
_EARLIER = re.compile(r"앞|[당땡][겨기길긴겼]|일찍|빨리")
_LATER = re.compile(r"미[뤄루룰룬뤘]|늦[춰추출게]|뒤로")
_WEEK_MOVED = re.compile(
    r"(?:이번|다음|담)\s?주\s?(?:에\s?)?(?:는\s?)?(?:말고|대신)\s?(?P<instead>그\s?다음|다음|담|다다음)\s?주(?!\s?[월화수목금토일][요욜]|\s?주말|말)"
    r"|(?P<which>이번|(?:그\s?)?다음|담|차|다다음|그\s?담)\s?주(?:로|쯤으로|로요)?\s?(?:좀\s?|그냥\s?|다시\s?)?"
    r"(?:미[뤄루룰룬뤘]|늦[춰추출]|앞?[당땡][겨기길긴]|옮[겨기길]|바[꿔꾸꿀]|변경)"
)
_NTH_WEEK = re.compile(
    r"(?<!\d월\s)(?<!\d월)(?<!달\s)(?<!달)(?:그\s?달\s?)?(?P<nth>첫|둘|셋|넷)째?\s?주(?:로|쯤으로)\s?(?:미[뤄루룰]|늦[춰추출]|앞?[당땡][겨기길]|옮[겨기길]|바[꿔꾸꿀]|변경|할게|갈게|$|요|해)"
)
_WEEKS_ON = {"이번": 0, "다음": 1, "담": 1, "차": 1, "다다음": 2}
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
    "한달": 30,
    "한밤": 1,
    "하룻밤": 1,
}
_DAY_MOVED = re.compile(
    r"(?<![월박\d])(?<!월\s)(?<!박\s)(?P<day>\d{1,2})\s?일(?:로|날로|자로|에)\s?(?:바꿔|바꿀|바꾸|변경|옮|갈게|출발할|출발로|미룰|당길)"
)
_ONLY_A_DAY = re.compile(r"\s?(?:아니다|아니|아냐|아)?[\s,]*(?P<day>\d{1,2})\s?일\s?(?:이요|요)?[\s.!]*")
WEEKDAY = re.compile(r"(?<![가-힣])(?P<day>[월화수목금토일])(?:요일|욜)")
_RETURNS = re.compile(r"(?:에|날|까지)?\s?(?:귀국|돌아|오는|와|옵|올|복귀|까지|도착)|까지")
_NOT_THAT = re.compile(r"(?:에|날)?\s?(?:출발)?\s?(?:은|는)?\s?(?:대신|말고|아니고|안\s?(?:돼|된|되)|못|어렵|힘들)")
_WEEK_SAID = re.compile(
    r"(?:이번|다음|다다음|담|저번|돌아오는|오는|첫|둘|셋|넷|마지막)\s?[주째]|(?<!박)(?<!박\s)\d\s?일|\d월|\d/\d"
)


def read_shifts(text: str, draft: Draft, today: date, pending: str | None) -> str:
    """Apply what the message moves; returns the message without it."""
    return _day_moved(_week_moved(_shifted(_grown(text, draft), draft), draft, today), draft, pending)


def shift_start(text: str) -> int:
    """Where a move of the departure begins in a message; 0 when there is none, or nothing before it."""
    match = _SHIFT.search(text) or _WEEK_MOVED.search(text)
    return match.start() if match else 0


def _grown(text: str, draft: Draft) -> str:
    match = _GROW.search(text)
    if not match or not draft.get("duration") or _SHIFT.search(text):
        return text
    nights = _count(match["count"]) * (-1 if match["way"] in _SHRINK else 1)
    draft.put_number("duration", draft.get("duration") + nights)
    draft.cues.add("correction")
    return _GROW.sub(" ", text)


def _shifted(text: str, draft: Draft) -> str:
    match = _SHIFT.search(text)
    if match and draft.get("duration") and _HOMEWARD.search(text[: match.start()]):
        days = _count(match["count"]) * (-1 if _EARLIER.search(match["way"]) else 1)
        draft.put_number("duration", draft.get("duration") + days)
        draft.cues.add("correction")
        return text[: match.start()] + " " + text[match.end() :]
    if not match or not (draft.get("depart_date") or draft.get("depart_window")):
        return text
    days = _count(match["count"]) * (-1 if _EARLIER.search(match["way"]) else 1)
    whole_month = match["count"].replace(" ", "") == "한달"

    def moved(day: str) -> str:
        known = date.fromisoformat(day)
        return (add_months(known, 1 if days > 0 else -1) if whole_month else known + timedelta(days=days)).isoformat()

    if draft.get("depart_date"):
        draft.set("depart_date", moved(draft.get("depart_date")))
    else:
        draft.set("depart_window", {end: moved(day) for end, day in draft.get("depart_window").items()})
    draft.cues.add("correction")
    return text[: match.start()] + " " + text[match.end() :]


def _week_moved(text: str, draft: Draft, today: date) -> str:
    """다음 주로 미루자, once a departure is known: the same weekday of that week, or of the one after the departure."""
    match = _WEEK_MOVED.search(text)
    nth = _NTH_WEEK.search(text)
    if not draft.get("depart_date"):
        return _nth_week_of_window(text, draft, nth) if nth and draft.get("depart_window") else text
    depart = date.fromisoformat(draft.get("depart_date"))
    if nth:
        set_departure(draft, depart.replace(day=(depart.day - 1) % 7 + 1 + 7 * "첫둘셋넷".index(nth["nth"])))
        draft.cues.add("correction")
        return text[: nth.start()] + " " + text[nth.end() :]
    if not match:
        return text
    which = (match["which"] or match["instead"]).replace(" ", "")
    if which.startswith("그"):
        day = depart + timedelta(days=7)
    else:
        monday = today - timedelta(days=today.weekday())
        day = monday + timedelta(days=7 * _WEEKS_ON[which] + depart.weekday())
        if day <= depart and _LATER.search(match.group()):
            day = depart + timedelta(days=7 * max(1, _WEEKS_ON[which]))
    if day >= today:
        set_departure(draft, day)
        draft.cues.add("correction")
    return text[: match.start()] + " " + text[match.end() :]


def _nth_week_of_window(text: str, draft: Draft, nth: re.Match[str]) -> str:
    """아니 둘째 주로, once 1월 첫째 주 is known: the second seven days of that month."""
    first = date.fromisoformat(draft.get("depart_window")["from"]).replace(day=1)
    start = first + timedelta(days=7 * "첫둘셋넷".index(nth["nth"]))
    draft.set("depart_window", {"from": start.isoformat(), "to": (start + timedelta(days=6)).isoformat()})
    draft.cues.add("correction")
    return text[: nth.start()] + " " + text[nth.end() :]


def _day_moved(text: str, draft: Draft, pending: str | None) -> str:
    """11일로 바꿀게요, once a departure is known: that day, in the month of the departure or the next."""
    match = _DAY_MOVED.search(text) or _departure_again(text, draft)
    if not match or not draft.get("depart_date") or pending == "duration":
        return text
    start = date.fromisoformat(draft.get("depart_date")).replace(day=1)
    days = [start + timedelta(days=offset) for offset in range(62)]
    day = next((day for day in days if day.day == int(match["day"])), None)
    if day:
        set_departure(draft, day)
        draft.cues.add("correction")
    return text[: match.start()] + " " + text[match.end() :]


def _departure_again(text: str, draft: Draft) -> re.Match[str] | None:
    """아니 11일, once both are known: a correction of the departure if it is nearer to that than to the length."""
    match, depart, nights = _ONLY_A_DAY.fullmatch(text), draft.get("depart_date"), draft.get("duration")
    if not match or not depart or not nights:
        return None
    day = int(match["day"])
    return match if abs(day - int(depart[-2:])) < abs(day - 1 - int(nights)) else None


def weekday_within(text: str, draft: Draft) -> bool:
    """수요일 출발이요, once a window is known: that weekday within it."""
    window = draft.get("depart_window")
    match = next((found for found in WEEKDAY.finditer(text) if not _NOT_THAT.match(text, found.end())), None)
    if not match or _WEEK_SAID.search(text):
        return False
    if not window:
        return _weekday_beside(match, draft)
    first, last = date.fromisoformat(window["from"]), date.fromisoformat(window["to"])
    wanted = "월화수목금토일".index(match["day"])
    day = first + timedelta(days=(wanted - first.weekday()) % 7)
    if day <= last:
        set_departure(draft, day)
    return day <= last


def _weekday_beside(match: re.Match[str], draft: Draft) -> bool:
    """목요일로 바꿔줘, once a departure is known: the Thursday of that week."""
    if not draft.get("depart_date") or "다음" in match.string:
        return False
    depart = date.fromisoformat(draft.get("depart_date"))
    if not _RETURNS.match(match.string, match.end()):
        day = depart + timedelta(days="월화수목금토일".index(match["day"]) - depart.weekday())
        if day <= depart and _LATER.search(match.string):
            day += timedelta(days=7)
        elif day >= depart and _EARLIER.search(match.string):
            day -= timedelta(days=7)
        set_departure(draft, day)
        return True
    return False


def _count(word: str) -> int:
    compact = word.replace(" ", "")
    if compact in _DAYS:
        return _DAYS[compact]
    number = int(re.sub(r"\D", "", compact))
    return number * 7 if compact.endswith("주") else number


def set_departure(draft: Draft, day: date) -> None:
    """A day ends the search for one."""
    draft.set("depart_date", day.isoformat())
    draft.set("depart_window", None)
