"""From what was said to a meaning: the metric it implies, what is listed, how it is sorted."""

import re
from typing import cast

from madang.assistants.works.data import load
from madang.assistants.works.state.semantic_query import Filter, QueryKind, SemanticQuery, Sort
from madang.assistants.works.understanding.meaning import Said
from madang.assistants.works.understanding.thresholds import sort_of

TREND = re.compile(
    r"추이|추세|흐름|트렌드|변화(?!\S{0,3}\s?(?:큰|많은))|변동(?!\S{0,3}\s?(?:큰|많은))|그래프로|변해|움직임|어떻게\s?변|꾸준"
)
SOLD = re.compile(
    r"팔았|팔린|판\s|파는|팔아|팔고|팔리|잘\s?나가|나갔|판매|벌었|찍었|올렸|사갔|샀|구매|주문|매입|사는\s|(?:얼마|뭐|마이|많이)\s?했"
)
PIECES = re.compile(r"몇\s?(?:개|박스|통|정)")
DID_VISIT = re.compile(r"방문|갔|찾아갔|만났|콜|가긴|덜\s?가|안\s?가")
GENERIC = re.compile(r"실적|성과|현황|상황|결과|숫자|지표|데이터")
_TOGETHER = re.compile(r"합계|합쳐|총합|다\s?합|합산|통틀어|전부\s?합|합친|모두\s?합|더하면|더한")
_BEFORE = re.compile(r"\s?(?:이전|전)(?:인|에|의)?(?![가-힣]{2})")
_LISTED = re.compile(r"목록|리스트|명단|들\s|뭐뭐|어디어디|어디어디인지|누구누구")
_EVERYONE = re.compile(r"(?:전|모든|전체)\s?(?:영업\s?)?(?:사원|직원|담당자)\s?[^.?]{0,24}(?:순위|랭킹|줄\s?세)")
_LINE_UP = re.compile(r"줄\s?세워|줄\s?세우|순위\s?매|나열")


def empty(kind: QueryKind) -> SemanticQuery:
    """A meaning that has its kind and nothing else."""
    return SemanticQuery(
        kind=kind, metrics=[], dimensions=[], filters=[], period=None, compare=None, sort=None, limit=None
    )


def compose(said: Said) -> SemanticQuery:
    """The meaning of what was said, by itself."""
    limits, text = said.limits, said.text
    metrics = list(said.metrics) or implied(said)
    if metrics == ["target_amount"] and any(f["field"] == "achievement_rate" for f in limits.filters):
        metrics = ["achievement_rate"]
    filters = [*said.filters, *limits.filters]
    dimensions = dimensions_of(said, metrics)
    days = said.times.days
    if days and "last_visit_date" in metrics and any(_BEFORE.match(text, end) for _, end in said.times.spans):
        filters.append({"field": "last_visit_date", "op": "lt", "value": days.start.isoformat()})
        days = None
    query = {
        "kind": "query",
        "metrics": metrics,
        "dimensions": dimensions,
        "filters": filters,
        "period": days.as_period() if days else None,
        "compare": said.times.compare,
        "sort": sorted_by(said, metrics, compared=said.times.compare is not None) if dimensions else None,
        "limit": limits.limit if dimensions else None,
    }
    return cast(SemanticQuery, query)


def sorted_by(said: Said, metrics: list[str], *, compared: bool) -> Sort | None:
    """The order that was asked for: by change where two periods are compared, else by the first metric."""
    if said.by_change and compared and metrics:
        suffix = "difference" if said.by_change == "difference" else "change"
        return {"by": f"{metrics[0]}_{suffix}", "order": "asc" if said.by_change == "fall" else "desc"}
    order = said.limits.order or ("desc" if _LINE_UP.search(said.text) else None)
    return sort_of(metrics, order)


def implied(said: Said) -> list[str]:
    """The metric of a question that names none: that of its threshold, or what its verb is about."""
    named = [f["field"] for f in said.limits.filters]
    if named:
        return ["sales_amount"] if named[0] == "growth_rate" else [named[0]]
    if PIECES.search(said.text):
        return ["quantity"]
    if DID_VISIT.search(said.text) and not SOLD.search(said.text):
        return ["visit_count"]
    return ["sales_amount"]


def dimensions_of(said: Said, metrics: list[str]) -> list[str]:
    """What the figures are split by."""
    dimensions = list(said.dimensions)
    if said.nouns and _EVERYONE.search(said.text):
        dimensions = [said.nouns[-1]]
    times = [d for d in dimensions if d in {"date", "month", "quarter", "year"}]
    if TREND.search(said.text) and not times and "last_visit_date" not in metrics:
        days = said.times.days
        short = days is not None and (days.end - days.start).days <= 31
        dimensions.append("date" if short else "month")
    ranked_type = said.limits.limit and any(f["field"] == "customer_type" for f in said.filters)
    if not _TOGETHER.search(said.text) and not ranked_type:
        dimensions += [f["field"] for f in said.filters if f["op"] == "in" and not _from_group(f)]
    lists = said.limits.lists or said.mark or said.by_change or "last_visit_date" in metrics
    if not dimensions and (lists or _LINE_UP.search(said.text) or (said.nouns and _LISTED.search(said.text))):
        dimensions += subject(said)
    return list(dict.fromkeys(dimensions))


def _from_group(one: Filter) -> bool:
    groups = load("semantics")["groups"].get(one["field"], {})
    return one["value"] in groups.values()


def subject(said: Said) -> list[str]:
    """What is listed: the noun said (거래처, 제품 …), a customer type used as one, or what the metric is about."""
    if said.nouns:
        return [said.nouns[-1]]
    fields = {f["field"]: f for f in said.filters}
    if "customer_type" in fields and (said.limits.filters or said.limits.order or _LISTED.search(said.text)):
        return ["customer"]
    if re.search(r"어디", said.text):
        return ["customer"] if "visit_count" in said.metrics else ["branch"]
    if said.limits.filters and said.limits.filters[0]["field"] == "visit_count":
        return ["customer"]
    return ["rep"] if said.mark else []
