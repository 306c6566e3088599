"""Which customers a message means: whose, of which kind, buying what, seen when."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import cast

from madang.assistants.works.data import load
from madang.assistants.works.state.documents import AccountRequest
from madang.assistants.works.state.semantic_query import Filter, Period
from madang.assistants.works.tools.guide import Spoken
from madang.assistants.works.tools.lexicon_search import Found
from madang.assistants.works.understanding.references import OUR_WORD
from madang.assistants.works.understanding.turn_plan import Incoming
from madang.text.dates import find_dates, find_periods

SCOPE = ("rep", "team", "branch", "region", "specialty", "grade")
SHORT = 24
_SELLERS = {"rep", "team", "branch"}
_UNUSED = re.compile(r"[가-힣]{0,2}\s?(?:안\s?(?:쓰|쓴|나가|사는|팔)|미사용|없는|처방\s?안)")
_SET_ASIDE = re.compile(r"[가-힣]{0,2}\s?(?:신경|빼|제외|말고|상관)")
_TYPE = re.compile(r"\s?(?:들|만|중|을\s?빼|는\s?빼|은\s?빼|리스트|목록|별|급)")
_TYPE_OUT = re.compile(r"(?:은|는|을|를)?\s?(?:빼|제외|말고)")
_HOUR = re.compile(r"(?P<day>[월화수목금])요일\D{0,12}?(?P<hour>\d{1,2})\s?시")
_CHANGE = re.compile(r"이번|올해|작년|지난|최근|분기|월|달|상반기|하반기|ytd|q[1-4]", re.IGNORECASE)
_CUED = re.compile(r"매출|실적|기간|방문|제품|거래처|커버리지|리스트|목록|식음료|식사|집행|제공|account", re.IGNORECASE)
_NOT_MEANT = re.compile(r"\s?(?:거라|거예|에는|엔|에도|말고|에\s?(?:다|외|받))")
_OWNED = re.compile(
    r"(?<![가-힣])(?:제|내|저희|저의|나의)\s?(?:담당\s?)?(?:거래처|약국|의원|병원|구역|지역|account)"
    r"|(?<![가-힣])(?:제가|내가)\s?(?:맡|담당)",
    re.IGNORECASE,
)
_DAYS, _RUN, _NOON = 6, 3, 8


def is_own(text: str) -> bool:
    """Whether the writer's own customers are meant; "제 것만 말고" says they are not alone."""
    if re.search(r"(?:제|내)\s?(?:것|꺼|거)만?\s?말고", text):
        return False
    said = Spoken(text)
    return any(word in said for word in load("accounts")["own"]) or _OWNED.search(text) is not None


def scope_of(
    message: Incoming, found: list[Found], who: Mapping[str, str] | None, last: AccountRequest | None
) -> list[Filter]:
    """Whose and which customers, as filters: those named, the writer's own, and those of the request gone on from."""
    own = is_own(message.text) and bool(who and who.get("rep"))
    filters = _filters(message.text, found, own=own)
    if own and who:
        others = (f for f in filters if f["field"] not in _SELLERS)
        filters = [{"field": "rep", "op": "eq", "value": who["rep"]}, *others]
    our = OUR_WORD.search(message.text)
    unit = {"팀": "team", "지점": "branch"}.get(our["unit"]) if our else None
    if unit and who and who.get(unit) and not {f["field"] for f in filters} & _SELLERS:
        filters = [{"field": unit, "op": "eq", "value": who[unit]}, *filters]
    fields = {f["field"] for f in filters} | {"customer"}
    fields |= _SELLERS if fields & _SELLERS else set()
    return [*(f for f in (last or {}).get("filters") or () if f["field"] not in fields), *filters]


def _filters(text: str, found: list[Found], *, own: bool) -> list[Filter]:
    values: dict[tuple[str, str], list[str]] = {}
    for one in found:
        name, value = one.meaning.name, str(one.meaning.value)
        if name == "customer_type":
            if not _TYPE.match(text, one.end) and not _TYPE_OUT.match(text, one.end):
                continue
            op = "ne" if _TYPE_OUT.match(text, one.end) else "eq"
            values.setdefault((name, op), []).append(value)
        elif name in SCOPE and not (own and name in {"rep", "team", "branch"}):
            if name == "region" and re.match(r"(?:가|이)\s?안\s?좋", text[one.end :]):
                continue
            values.setdefault((name, "eq"), []).append(value)
    if any(name == "rep" for name, _ in values):
        values.pop(("team", "eq"), None)
        values.pop(("branch", "eq"), None)
    if ("team", "eq") in values:
        values.pop(("branch", "eq"), None)
    filters: list[Filter] = []
    for (name, op), many in values.items():
        distinct = list(dict.fromkeys(many))
        if op == "ne":
            filters += [{"field": name, "op": "ne", "value": value} for value in distinct]
        elif len(distinct) == 1:
            filters.append({"field": name, "op": "eq", "value": distinct[0]})
        else:
            filters.append({"field": name, "op": "in", "value": [*distinct]})
    if re.search(r"병원급\s?이상", text):
        filters = [f for f in filters if f["field"] != "customer_type"]
        filters.append(
            {"field": "customer_type", "op": "in", "value": ["병원", "종합병원", "상급종합병원", "상급종합"]}
        )
    return filters


def products_of(text: str, found: list[Found]) -> tuple[list[str], list[str]]:
    """The products that are bought, and those that are not."""
    used: list[str] = []
    unused: list[str] = []
    for one in found:
        if one.meaning.name != "product":
            continue
        name, after = str(one.meaning.value), text[one.end :]
        if _UNUSED.match(after):
            unused.append(name)
        elif not _SET_ASIDE.match(after):
            used.append(name)
    return [name for name in dict.fromkeys(used) if name not in unused], list(dict.fromkeys(unused))


def period_of(message: Incoming) -> Period | None:
    """The period that the request names; a day in the story or one to come is none."""
    spans = [(start, end) for start, end in message.heard.message.sentences]
    texts = [message.text[start:end] for start, end in spans] or [message.text]
    asked = [one for one in texts if _CUED.search(one)] or (texts if len(message.text) <= SHORT else [])
    return next((found for one in asked if (found := said_period(one, message.today))), None)


def said_period(text: str, today: date) -> Period | None:
    """A period up to today that a text names."""
    for item in find_periods(text.replace("꺼", "것"), today):
        span = item.value
        if not span.start or not span.end or span.start > today or not _CHANGE.search(item.text):
            continue
        if _NOT_MEANT.match(text[item.span[1] :]):
            continue
        if (span.end - span.start).days >= _DAYS:
            return cast(Period, {"from": span.start.isoformat(), "to": min(span.end, today).isoformat()})
    return None


def days_off(message: Incoming) -> list[str]:
    """The days to come that the writer is away."""
    found = find_dates(message.text, message.today)
    return [
        one.value.start.isoformat()
        for one in found
        if one.value.start and re.match(r"\S{0,2}\s?(?:휴가|연차|쉬|교육|없)", message.text[one.span[1] :])
    ]


def days_of_plan(message: Incoming, request: AccountRequest, last: AccountRequest | None) -> AccountRequest:
    """The working days to plan for, and the hours that are taken."""
    today, text = message.today, message.text
    spans = [item.value for item in find_dates(text, today)]
    week = next((s for s in spans if s.start and s.end and s.start > today and (s.end - s.start).days >= _RUN), None)
    first = week.start if week and week.start else today + timedelta(days=7 - today.weekday())
    days = [first + timedelta(days=number) for number in range(5)]
    if last and last.get("days") and week is None:
        days = [date.fromisoformat(day) for day in last["days"]]
    by_phone = re.search(r"(?P<days>(?:[월화수목금]요일?[\s,·]{0,2}){1,3}).{0,24}전화로", text)
    if by_phone:
        dropped = {
            "월화수목금".index(letter) for letter in re.findall(r"[월화수목금](?=요일|[\s,·]|$)", by_phone["days"])
        }
        days = [day for day in days if day.weekday() not in dropped]
    blocked = [
        f"{match['day']}{int(match['hour']) + (12 if int(match['hour']) < _NOON else 0)}"
        for match in _HOUR.finditer(text)
    ]
    meeting = re.search(r"(?P<day>[월화수목금])요일\S{0,2}\s?\S{0,6}회의\s?(?P<hour>\d{1,2})\s?시", text)
    if meeting:
        blocked.append(f"{meeting['day']}{int(meeting['hour']) + (12 if int(meeting['hour']) < _NOON else 0)}")
    return {
        **request,
        "days": [day.isoformat() for day in days],
        "blocked": list(dict.fromkeys([*blocked, *((last or {}).get("blocked") or ())])),
    }
