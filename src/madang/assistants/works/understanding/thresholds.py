"""Thresholds (1억 넘는, 80% 미만, 5회 이상), order and number (상위 5개, 제일 적은 3명), and rises and falls."""

import re
from dataclasses import dataclass

from madang.assistants.works.state.semantic_query import Filter, Sort
from madang.text.money import find_money
from madang.text.numbers import parse_number
from madang.text.parsed import blanked
from madang.text.rates import find_rates

Span = tuple[int, int]

_OPS: list[tuple[str, str]] = [
    ("gte", r"이상"),
    ("gt", r"초과|넘는|넘은|넘긴|넘게|넘어|상회|웃도는|보다\s?(?:많|높|큰|위)|넘었|넘기"),
    ("lte", r"이하|까지만|이내"),
    (
        "lt",
        r"미만|안\s?되는|안되는|못\s?미치|못미치|미달|밑도는|밑(?:인|에|돌)|아래|하회|못\s?넘|안\s?넘|보다\s?(?:적|낮|작|아래)|안\s?된|채\s?안|도?\s?못\s?채|못\s?채",
    ),
]
_WON = r"\s?(?:원)?\s?(?:을|를|이|도|정도|보다|에)?\s?"
_COUNT = re.compile(
    r"(?P<number>(?<![\d,])\d[\d,]{0,15}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무)\s?(?P<unit>회|번|건|차례|명|개|곳|박스|통|정)\s?(?:을|를|도|보다|에)?\s?"
)
_UNIT_METRIC = {
    "회": "visit_count", "번": "visit_count", "건": "visit_count", "차례": "visit_count", "명": "attendee_count",
    "개": "quantity", "박스": "quantity", "통": "quantity", "정": "quantity", "곳": "new_customer_count",
}  # fmt: skip
_RISING = (
    "급증한|급등한|급성장한|"
    "늘어난|늘어나는|늘은|증가한|증가하는|오른|성장한|성장하는|상승한|커진|올라간|뛴|증가된|신장한"
)
_RISE = rf"(?:{_RISING}|성장|증가|상승|늘었|올랐|늘어)"
_FALLING = (
    "급감한|급락한|폭락한|"
    "줄어든|줄어드는|줄은|감소한|감소하는|떨어진|떨어지는|빠진|빠지는|하락한|내려간|역성장한|감소된|꺾인|역성장"
)
_FALL = rf"(?:{_FALLING}|감소|하락|줄었|떨어졌|빠졌|줄어)"
_ADJECTIVE_RISE = re.compile(rf"(?:{_RISING})\s?(?=\S)")
_ADJECTIVE_FALL = re.compile(rf"(?:{_FALLING})\s?(?=\S)")
_MISSED = re.compile(
    r"(?:목표|타깃|타겟)(?:를|을|에|치)?\s?(?:못\s?(?:채운|채웠|채우|미친|미치|달성|맞춘|넘긴|넘은|간)|미달(?:성)?(?:인|한|된)?|달성\s?(?:못\s?한|못한|실패한?|안\s?된|안\s?한)"
    r"|안\s?(?:된|되는|찬)|에\s?못\s?미친|밑도는|도달\s?못)|(?:목표\s?)?미달성?\s?(?=\S)|달성\s?못\s?한"
)
_BEATEN = re.compile(
    r"(?:목표|타깃|타겟)(?:를|을|치)?\s?(?:초과|넘긴|넘은|넘게|상회|뛰어넘)(?:\s?달성)?(?:한)?|초과\s?달성(?:한)?"
)
_MET = re.compile(r"(?:목표|타깃|타겟)(?:를|을|치)?\s?(?:달성한|채운|이룬|맞춘|달성\s?완료)")
_NEVER = re.compile(
    r"(?:방문|콜|디테일)\s?(?:이|을|를|도|기록이|실적이|이력이|내역이|한\s?적이?|한\s?번도)?\s?(?:전혀\s?)?(?:없는|없던|없었던|없음|안\s?한|안한|못\s?한|못한|안\s?간|안\s?된|0회|0건|하지\s?않은|안\s?했|못\s?갔|누락|없)"
    r"|미방문|안\s?(?:간|가본|들른|찾아간)\s|한\s?번도\s?(?:안|못)\s?(?:간|갔|방문|가)|(?:방문\s?)?공백|못\s?간\s"
)
_NO_SALES = re.compile(
    r"(?:매출|판매|실적|주문|거래|구매|발주)\s?(?:이|가|도|을|를|한\s?번도)?\s?(?:전혀\s?)?"
    r"(?:없는|없던|없었던|0원?인|0원|안\s?(?:나온|나는|한|했던|들어온)|끊긴|제로)"
)
_NEGATIVE = re.compile(r"마이너스(?:인|\s?성장(?:한|인)?)?")
_NUMBER = r"(?P<n>\d{1,3}(?!\d)|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무)"
_TOP = r"(?:상위|톱|탑|top|베스트|best|우수|선두|으뜸)"
_BOTTOM = r"(?:하위|꼴찌|워스트|worst|bottom|바닥|최하위)"
_RANK_N = re.compile(rf"(?:{_TOP}|{_BOTTOM})\s?(?:순위\s?)?{_NUMBER}(?!\s?(?:%|프로|퍼))", re.IGNORECASE)
_COUNTED = re.compile(
    rf"(?<![\d.,가-힣]){_NUMBER}\s?(?:개|명|곳|군데|위|가지|팀|지점|분|사람)(?:만|까지|의|씩|를|을|은|는|이|가)?(?=\s|$|[?.,!만까]|\S)"
)
_DOWN = re.compile(
    rf"{_BOTTOM}|제일\s?(?:적|낮|못|작|안|저조|나쁜|나쁘|덜)|젤\s?(?:적|낮|못|작|안|저조|덜)|가장\s?(?:적|낮|못|작|안|저조|나쁜|부진|덜)|최저|최소|최하|저조한?|부진한?|적은\s?순|낮은\s?순|작은\s?순|오름차순|낮은|적은|적게|못\s?판|덜\s?팔|안\s?팔|못\s?하는|안\s?좋은|나쁜",
    re.IGNORECASE,
)
_UP = re.compile(
    rf"{_TOP}|제일|젤\s|가장|최고|최대|최다|1등|일등|1위|일위|많은\s?순|높은\s?순|큰\s?순|내림차순|많이|높은|많은|잘\s?(?:판|팔|나가|하|나온)|순위|랭킹|순서|순으로|큰\s|우수한?|잘나가|톱|좋은",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(r"제일|젤\s|가장|최고|최대|최저|최하|최다|최소|1등|일등|1위|일위|꼴찌")
_ORDER_ONLY = re.compile(
    r"순위|랭킹|순으로|순서|많은\s?순|높은\s?순|낮은\s?순|적은\s?순|큰\s?순|작은\s?순|오름차순|내림차순|정렬"
)


@dataclass(frozen=True)
class Thresholds:
    """What a question says about size and order. `kind` of a metric still to be found is ''."""

    filters: tuple[Filter, ...]
    order: str | None
    limit: int | None
    spans: tuple[Span, ...]
    lists: bool = False
    changes: bool = False


def read_thresholds(text: str, metrics: list[tuple[str, int, int]]) -> Thresholds:
    """Thresholds, order and number. `metrics` are those named, with their places: a threshold is of the nearest."""
    filters: list[Filter] = []
    spans: list[Span] = []
    for one, span in [*_money(text, metrics), *_rates(text, metrics), *_counts(text, metrics)]:
        filters.append(one)
        spans.append(span)
    filters_of_kind, more = _states(text, filters, spans)
    filters += filters_of_kind
    spans += more
    masked = blanked(text, spans)
    order, limit, rank_spans = _rank(masked)
    changes = any(f["field"] == "growth_rate" for f in filters)
    return Thresholds(tuple(filters), order, limit, (*spans, *rank_spans), bool(filters or order), changes)


def sort_of(metrics: list[str], order: str | None) -> Sort | None:
    """Sorted by the first metric, if an order was asked for."""
    if order is None or not metrics:
        return None
    return {"by": metrics[0], "order": "asc" if order == "asc" else "desc"}


def _comparator(text: str, at: int) -> tuple[str, int] | None:
    for op, pattern in _OPS:
        match = re.compile(_WON + f"(?:{pattern})").match(text, at)
        if match:
            return op, match.end()
    return None


def _nearest(metrics: list[tuple[str, int, int]], at: int, allowed: set[str]) -> str | None:
    before = [m for m in metrics if m[2] <= at and m[0] in allowed]
    after = [m for m in metrics if m[1] >= at and m[0] in allowed]
    return before[-1][0] if before else after[0][0] if after else None


def _money(text: str, metrics: list[tuple[str, int, int]]) -> list[tuple[Filter, Span]]:
    found: list[tuple[Filter, Span]] = []
    allowed = {"sales_amount", "target_amount", "avg_order_amount", "promo_cost"}
    for item in find_money(text, "sales"):
        hit = _comparator(text, item.span[1])
        if hit is None or item.value.currency != "KRW":
            continue
        name = _nearest(metrics, item.span[0], allowed) or "sales_amount"
        found.append(({"field": name, "op": hit[0], "value": item.value.won}, (item.span[0], hit[1])))
    return found


def _rates(text: str, metrics: list[tuple[str, int, int]]) -> list[tuple[Filter, Span]]:
    found: list[tuple[Filter, Span]] = []
    for item in find_rates(text):
        if re.search(r"(?:상위|하위|top)\s?$", text[: item.span[0]], re.IGNORECASE):
            continue
        hit = _comparator(text, item.span[1])
        op, end = hit or ("gte", item.span[1])
        value = round(item.value.percent / 100, 6)
        rise = re.compile(rf"\s?(?:이나|씩|정도|넘게|가까이)?\s?{_RISE}").match(text, end)
        fall = re.compile(rf"\s?(?:이나|씩|정도|넘게|가까이)?\s?{_FALL}").match(text, end)
        if fall:
            flipped = {"gte": "lte", "gt": "lt", "lte": "gte", "lt": "gt"}[op]
            found.append(({"field": "growth_rate", "op": flipped, "value": -value}, (item.span[0], fall.end())))
        elif rise:
            found.append(({"field": "growth_rate", "op": op, "value": value}, (item.span[0], rise.end())))
        elif hit:
            name = _nearest(metrics, item.span[0], {"achievement_rate", "growth_rate", "sales_share"})
            found.append(({"field": name or "achievement_rate", "op": op, "value": value}, (item.span[0], end)))
    return found


def _counts(text: str, metrics: list[tuple[str, int, int]]) -> list[tuple[Filter, Span]]:
    found: list[tuple[Filter, Span]] = []
    counted = {"visit_count", "seminar_count", "attendee_count", "quantity", "new_customer_count"}
    for match in _COUNT.finditer(text):
        hit = _comparator(text, match.end("unit"))
        number = parse_number(match["number"])
        if hit is None or number is None:
            continue
        name = _nearest(metrics, match.start(), counted) or _UNIT_METRIC[match["unit"]]
        found.append(({"field": name, "op": hit[0], "value": int(number)}, (match.start(), hit[1])))
    return found


def _states(text: str, found: list[Filter], spans: list[Span]) -> tuple[list[Filter], list[Span]]:
    """Thresholds that are said without a number: 목표 못 채운, 방문 없는, 줄어든."""
    rest = blanked(text, spans)
    filters: list[Filter] = []
    places: list[Span] = []
    named: list[tuple[re.Pattern[str], Filter]] = [
        (_MISSED, {"field": "achievement_rate", "op": "lt", "value": 1}),
        (_BEATEN, {"field": "achievement_rate", "op": "gt", "value": 1}),
        (_MET, {"field": "achievement_rate", "op": "gte", "value": 1}),
        (_NEVER, {"field": "visit_count", "op": "eq", "value": 0}),
        (_NO_SALES, {"field": "sales_amount", "op": "eq", "value": 0}),
        (_NEGATIVE, {"field": "growth_rate", "op": "lt", "value": 0}),
        (_ADJECTIVE_RISE, {"field": "growth_rate", "op": "gt", "value": 0}),
        (_ADJECTIVE_FALL, {"field": "growth_rate", "op": "lt", "value": 0}),
    ]
    for pattern, one in named:
        match = pattern.search(rest)
        if match and not any(f["field"] == one["field"] for f in [*found, *filters]):
            filters.append(one)
            places.append(match.span())
            rest = blanked(rest, [match.span()])
    return filters, places


def _rank(text: str) -> tuple[str | None, int | None, list[Span]]:
    down, up = _DOWN.search(text), _UP.search(text)
    order = "asc" if down else "desc" if up else None
    counted = _RANK_N.search(text) or (_COUNTED.search(text) if order else None)
    if counted and counted["n"] == "한" and re.match(r"한\s?(?:지점|팀|사람|분)", counted.group().strip()):
        counted = None  # 많이 한 지점: a verb, no count
    spans = [m.span() for m in (down, up, counted) if m]
    if counted:
        number = parse_number(counted["n"])
        limit = int(number) if number else None
        return order or "desc", limit, spans
    if order is None:
        return None, None, []
    if _SUPERLATIVE.search(text) and not _ORDER_ONLY.search(text):
        return order, 1, spans
    return order, None, spans
