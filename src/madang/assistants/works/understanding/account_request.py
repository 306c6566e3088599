"""Whether a message asks for customers (whose, which, where to go), and for which of them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from madang.assistants.works.data import load
from madang.assistants.works.state.documents import AccountRequest
from madang.assistants.works.state.semantic_query import Filter, Period
from madang.assistants.works.tools.guide import Spoken, terms_in
from madang.assistants.works.tools.lexicon_search import Found, scan
from madang.assistants.works.understanding.account_scope import (
    SCOPE,
    SHORT,
    days_of_plan,
    days_off,
    is_own,
    period_of,
    products_of,
    said_period,
    scope_of,
)
from madang.assistants.works.understanding.turn_plan import Incoming
from madang.graph.reading import Claim
from madang.text.calendars import add_months
from madang.text.numbers import parse_number

_COUNT = re.compile(
    r"(?P<n>\d{1,3}|(?<![가-힣])(?:두|세|네|다섯|여섯|일곱|여덟|아홉|열))\s?"
    r"(?:곳|군데|개(?!월|년|사|인|별)|account)(?![가-힣]{0,4}등급)|top\s?(?P<top>\d{1,3})",
    re.IGNORECASE,
)
_PART = re.compile(
    r"[‘'\"“]?(?P<part>[가-힣A-Za-z]{2,8}?)[’'\"”]?\s?(?:이?라는)?\s?(?:이름|말|글자)?\s?(?:이|가)?\s?들어간"
)
_UNSEEN = re.compile(r"(?:한\s?번도\s?)?안\s?(?:간|가본|갔)|방문\s?(?:없|안)|못\s?(?:간|갔)")
_LACKING = {
    "rep": re.compile(r"담당자?(?:가|이)?\s?(?:비어|없는|빈|공석|미지정)"),
    "grade": re.compile(r"등급(?:이|도)?\s?(?:비어|없는|빈|미지정)"),
}
_LEDGER = re.compile(
    r"식음료|식사\s?(?:건|비|제공|내역|횟수)|식대|제공\s?(?:내역|건)|지출\s?(?:내역|건)|집행\s?건|설명회\s?집행|경제적\s?이익"
    r"|판촉비\s?(?:내역|건)"
)
_COUNTED = re.compile(r"몇\s?건|초과|점검|넘[는은긴]|있는지|내역|뽑아|보여|목록|리스트|사람별|담당자별|위반")
_FIGURES = re.compile(
    r"대비|비교|추이|왜|이유|몇\s?(?:번|회)|작년|\d월|분기|지난달|이번\s?달|올해|상반기|하반기|저장|보고서|작성|기록|찾아|메모|문서|식사|해도\s?(?:되|돼)"
)
_PACED = re.compile(r"목표|매출|실적|방문|군데|곳|달성|팔아|지난달만큼|얼마씩")
_LOADS = re.compile(
    r"거래처\s?(?:수|개수)\S{0,3}.{0,20}(?:비교|매출|담당자별|사람별|팀원별)|(?:담당자별|사람별|팀원별).{0,20}거래처\s?(?:수|개수)"
)
_THOSE = re.compile(r"(?:저|그|이|두)\s?(?:두\s?)?제품")
_FEW = re.compile(r"한두\s?(?:통|개|박스)|노이즈")
WHICH_TEAM = (
    "팀장님께 확인할 것: 어느 팀인지, 어느 기간인지, 어떤 제품 방문만 세는지. 예를 들어 ‘강남1팀 10월’이라고 말씀해 "
    "주시면 방문한 곳 ÷ 전체 곳으로 바로 계산해 드릴게요."
)


def coverage_types(text: str) -> list[Filter]:
    """The kind of customers whose coverage is spoken of."""
    named = next((one for one in ("의원", "약국", "종합병원") if one in text), None)
    return [{"field": "customer_type", "op": "eq", "value": named}] if named else []


@dataclass(frozen=True)
class AccountWish:
    """The request, and whether it must first be known whose customers are meant."""

    request: AccountRequest
    who_is_asked: bool = False
    claims: tuple[Claim, ...] = ()


def account_wish(message: Incoming, who: Mapping[str, str] | None, *, strictly: bool = False) -> AccountWish | None:
    """What is asked about customers; None when nothing is. `strictly`: only what is asked counts, not what is told."""
    found = [one for one in scan(message.text, message.lexicon) if one.meaning.role == "value"]
    last = message.state.get("last_accounts")
    kind = _kind(message, found, last, _asked_text(message) if strictly else message.text)
    if kind is None:
        return None
    if kind == "profile":
        request: AccountRequest = {
            "kind": kind, "filters": [{"field": "customer", "op": "eq", "value": _customers(found)[0]}], "period": None,
        }  # fmt: skip
        return AccountWish(request, claims=_claims(message, found))
    gone_on_from = last if _points_back(message, kind, found, last) else None
    request = _request(message, kind, found, who, gone_on_from)
    if kind == "review":
        request = _reviewed(request, message, found)
    if kind == "plan":
        request = days_of_plan(message, request, last)
    unnamed = not any(request.get(name) for name in ("filters", "name_part", "uses", "lacking"))
    rep = _talked_of(message) or (who or {}).get("rep")
    if unnamed and kind in {"plan", "priority", "pace", "falling"} and rep:
        request["filters"], unnamed = [{"field": "rep", "op": "eq", "value": rep}], False
    nobody = not (who and who.get("rep"))
    asked = kind in {"list", "plan", "priority", "pace", "falling"} and nobody and (unnamed or is_own(message.text))
    return AccountWish(request, asked, _claims(message, found))


def _request(
    message: Incoming, kind: str, found: list[Found], who: Mapping[str, str] | None, last: AccountRequest | None
) -> AccountRequest:
    text, before = message.text, last or {}
    part, count = _PART.search(text), _COUNT.search(text)
    used, unused = products_of(text, found)
    if not used and _THOSE.search(text) and message.said_before:
        earlier = message.said_before[0]
        used, _ = products_of(earlier, [o for o in scan(earlier, message.lexicon) if o.meaning.role == "value"])
    wanted = int(parse_number(count["n"] or count["top"]) or 0) if count and kind != "coverage" else 0
    request: AccountRequest = {
        "kind": kind,
        "filters": scope_of(message, found, who, last),
        "period": None
        if kind == "falling"
        else period_of(message) or before.get("period") or _usual_period(message, kind),
        "name_part": part["part"] if part else None,
        "uses": used or before.get("uses") or [],
        "uses_not": unused or before.get("uses_not") or [],
        "least": 2 if _FEW.search(text) else before.get("least") or 0,
        "unvisited": bool(_UNSEEN.search(text)) or bool(before.get("unvisited")),
        "lacking": [name for name, pattern in _LACKING.items() if pattern.search(text)],
        "limit": wanted or None,
    }
    request["oldest"] = kind == "priority" and "오래" in text
    request["visits"] = kind == "pace" and re.search(r"군데|방문|곳", text) is not None
    request["yearly"] = re.search(r"작년|전년", text) is not None
    request["off"] = days_off(message) if kind == "pace" else []
    request["by_branch"] = "지점별" in text and bool(request["uses"] or last)
    return request


def _usual_period(message: Incoming, kind: str) -> Period | None:
    """Sales a head go on with the period before; what was given is looked at month by month."""
    before = message.state.get("last_query")
    if kind == "headcount" and before:
        return before["period"]
    month = message.today.replace(day=1)
    if kind == "review":
        # Targets are of whole months: reps are compared over the last two that have ended.
        first, last = add_months(month, -2), month - timedelta(days=1)
        return cast(Period, {"from": first.isoformat(), "to": last.isoformat()})
    return cast(Period, {"from": month.isoformat(), "to": message.today.isoformat()}) if kind == "ledger" else None


def _customers(found: list[Found]) -> list[str]:
    named = (str(one.meaning.value) for one in found if one.meaning.name == "customer" and one.exact)
    return list(dict.fromkeys(named))


def _points_back(message: Incoming, kind: str, found: list[Found], last: AccountRequest | None) -> bool:
    said = Spoken(message.text)
    back = any(word in said for word in load("accounts")["back"])
    return last is not None and (back or kind in {"plan", "priority"} or _continues(message, found, last))


def _kind(message: Incoming, found: list[Found], last: AccountRequest | None, text: str) -> str | None:
    """What is asked about customers, by the words of `accounts.toml`; the first that fits."""
    said, words = Spoken(text), load("accounts")
    says = {name: any(word in said for word in many) for name, many in words.items() if name != "review"}
    reps = [one for one in found if one.meaning.name == "rep"]
    several = sum(any(word in said for word in group) for group in words["review"]) >= len(words["review"])
    customers, part = _customers(found), _PART.search(message.text)
    back = (
        last is not None
        and last["kind"] in {"list", "priority"}
        and says["back"]
        and ("표" in said or "리스트" in said)
    )
    fits: dict[str, Any] = {
        "ledger": _LEDGER.search(message.text) and _COUNTED.search(message.text),
        "coverage": says["coverage"] and not terms_in(message.text) and (found or last),
        "list": any(pattern.search(message.text) for pattern in _LACKING.values()) or back,
        "plan": says["plan"] and (last or reps or says["own"] or says["back"] or "방문" in said),
        "pace": says["pace"] and _PACED.search(message.text),
        "falling": says["falling"],
        "priority": says["priority"],
        "review": (several and len(reps) == 1) or _LOADS.search(message.text),
        "profile": len(customers) == 1 and says["profile"] and not _figures_asked(message),
    }
    first = next((name for name, fit in fits.items() if fit), None)
    if first or says["coverage"]:
        return first
    if says["list"] and (len(customers) < _SEVERAL or part) and not _ranked_figures(message.text):
        return "list"
    if says["headcount"] and any(word in said for word in ("매출", "어떤", "비교", "견줘", "치면")):
        return "headcount"
    return last["kind"] if last and _continues(message, found, last) else None


_SEVERAL = 2


def _talked_of(message: Incoming) -> str | None:
    """The one rep that the messages before were about."""
    for text in message.said_before:
        found = [one.meaning for one in scan(text, message.lexicon) if one.meaning.role == "value"]
        names = {str(one.value) for one in found if one.name == "rep"}
        if names:
            return names.pop() if len(names) == 1 else None
    return None


def _continues(message: Incoming, found: list[Found], last: AccountRequest | None) -> bool:
    """A short message after customers were shown that names another scope or period and no figure of its own."""
    shown = any(word in (message.state.get("last_intent") or "") for word in ("accounts", "guide"))
    if last is None or not shown or last["kind"] == "profile" or len(message.text) > SHORT:
        return False
    named = [one for one in found if one.meaning.name in (*SCOPE, "customer_type", "product")]
    metric = any(one.meaning.role == "metric" for one in scan(message.text, message.lexicon))
    return not metric and bool(named or said_period(message.text, message.today))


def _asked_text(message: Incoming) -> str:
    """What the message asks or orders, without what it only tells."""
    spans = [act["span"] for act in message.heard.acts if act["kind"].startswith(("ask_", "order", "change", "add"))]
    return "  ".join(message.text[start:end] for start, end in spans) or message.text


def _figures_asked(message: Incoming) -> bool:
    """Whether figures of a kind of their own are asked about the one customer: by month, compared, why."""
    text = _asked_text(message)
    found = scan(text, message.lexicon)
    split = [one for one in found if one.meaning.role == "dimension" and not one.text.startswith("누")]
    return bool(split) or _FIGURES.search(text) is not None


def _ranked_figures(text: str) -> bool:
    """ "지난달 방문 없는 거래처 목록": a list by a figure, which the sales question reads."""
    by_figure = re.search(r"이상|이하|미만|초과|증가|감소|늘어난|줄어든|달성률", text)
    return by_figure is not None and not _PART.search(text)


def _reviewed(request: AccountRequest, message: Incoming, found: list[Found]) -> AccountRequest:
    """A rep beside the team: the filter is the team, the rep is whom it is about."""
    rep = next((str(one.meaning.value) for one in found if one.meaning.name == "rep"), None)
    if rep is None:
        return {**request, "uses": [], "uses_not": [], "unvisited": False}
    field, value = ("team", message.teams[rep]) if rep in message.teams else ("rep", rep)
    return {**request, "filters": [{"field": field, "op": "eq", "value": value}], "whose": rep, "uses": [],
            "uses_not": [], "unvisited": False}  # fmt: skip


def _claims(message: Incoming, found: list[Found]) -> tuple[Claim, ...]:
    return tuple(message.heard.claim((one.start, one.end), "asked.condition", None, "parser") for one in found)
