"""One question read into its meaning (`semantic_query`), without a model.

Conventions: dates are ISO and whole as named (지난달 is the calendar month, 이번 분기 runs to its last day;
최근 3개월 ends today); one value is `eq`, several are `in`, 빼고 is `ne`; rates are fractions; `compare.period` is null
unless the type is `period`; `sort` is null unless an order was asked for; what was not said is null or empty. A
question that is not computed keeps its kind and nothing else.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, cast

from madang.assistants.works.data import load
from madang.assistants.works.state.semantic_query import Filter, QueryKind, SemanticQuery
from madang.assistants.works.state.stages import Entity
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.lexicon_search import Found, scan
from madang.assistants.works.tools.quality import score
from madang.assistants.works.understanding import intents
from madang.assistants.works.understanding.export_requests import wants_export, without_export
from madang.assistants.works.understanding.followups import carry_over, is_followup
from madang.assistants.works.understanding.thresholds import Thresholds, read_thresholds, sort_of
from madang.assistants.works.understanding.time_phrases import Times, read_times
from madang.assistants.works.understanding.unknown_names import find_unknown_names
from madang.text.normalise import normalise
from madang.text.parsed import blanked

_TREND = re.compile(r"추이|추세|흐름|트렌드|변화|변동|그래프로|변해|움직임|어떻게\s?변")
_EXCLUDED = re.compile(
    r"\s?(?:을|를|은|는|만|지역|쪽|병원|거래처)?\s?(?:빼고|뺀|제외|말고|아닌|외에|이외|제하고|외의|외\s|빼면|빼줘|제외한|제외하고|제하면)"
)
_TOGETHER = re.compile(r"합계|합쳐|총합|다\s?합|합산|통틀어|전부\s?합|합친|모두\s?합|더하면|더한")
_SOLD = re.compile(
    r"팔았|팔린|판\s|파는|팔아|팔고|팔리|잘\s?나가|나갔|판매|벌었|찍었|올렸|사갔|샀|구매|주문|매입|사는\s"
)
_PIECES = re.compile(r"몇\s?(?:개|박스|통|정)")
_DID_VISIT = re.compile(r"방문|갔|찾아갔|만났|콜")
_GENERIC = re.compile(r"실적|성과|현황|상황|결과|숫자|지표|데이터")
_GRADE = re.compile(
    r"(?<![A-Za-z])(?P<grade>[A-Da-d])\s?-?(?:등급|급|그레이드|grade)|(?:등급|그레이드)\s?(?P<late>[A-Da-d])(?![A-Za-z])"
)
_HOW = re.compile(r"어때|어떄|어떤가|괜찮|어떻")
_RATIO = re.compile(r"(?P<than>전년|작년|전월|전분기|전주|전년\s?동기|전년\s?동월)\s?(?:비|比)(?![가-힣])")
_BEFORE = re.compile(r"\s?(?:이전|전)(?:인|에|의)?(?![가-힣]{2})")


@dataclass(frozen=True)
class Reading:
    """What was understood. `partial` is what a clarifying question already knows; `asks` what it asks.

    `checks` tell how surely a question was read, each from 0 to 1; there are none where a pattern decides.
    """

    query: SemanticQuery
    wishes: tuple[intents.Wish, ...] = ()
    asks: Literal["period", "metric", "export"] | None = None
    partial: SemanticQuery | None = None
    unknown_names: tuple[tuple[str, str], ...] = ()
    entities: tuple[Entity, ...] = ()
    followed: bool = False
    reason: str = ""
    unknown_metric: str | None = None
    checks: Mapping[str, float] = field(default_factory=dict)

    @property
    def confidence(self) -> float | None:
        return score(self.checks) if self.checks else None


@dataclass
class _Parts:
    times: Times
    limits: Thresholds
    metrics: list[str] = field(default_factory=list)
    dimensions: list[str] = field(default_factory=list)
    nouns: list[str] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    unknown_names: list[tuple[str, str]] = field(default_factory=list)
    unknown_metric: str | None = None


def empty(kind: QueryKind) -> SemanticQuery:
    """A meaning that has its kind and nothing else."""
    return SemanticQuery(
        kind=kind, metrics=[], dimensions=[], filters=[], period=None, compare=None, sort=None, limit=None
    )


def read_question(text: str, lexicon: Lexicon, today: date, previous: SemanticQuery | None = None) -> Reading:
    """The meaning of `text`, which may continue `previous` (그럼 부산은?). Never raises; what isn't clear is asked."""
    text = _RATIO.sub(r"\g<than> 대비", normalise(text)[:2000])
    refused = _refused(text)
    if refused:
        return refused
    if wants_export(text):
        return _exported(text, lexicon, today, previous)
    wanted = intents.wishes(text)
    parts = _parts(text, lexicon, today)
    if wanted and not (intents.wants_analysis_too(text) and parts.metrics and "document" in wanted):
        return Reading(empty("other_agent"), tuple(wanted), reason="다른 에이전트의 일입니다")
    if intents.wants_forecast(text):
        return Reading(empty("unsupported_forecast"), reason="앞으로의 값은 데이터에 없습니다")
    if previous is not None and is_followup(text, parts.metrics, _says_something(parts), _stands_alone(parts)):
        query = carry_over(previous, _compose(text, parts), text, named=bool(parts.metrics), order=parts.limits.order)
        return _reading(query, parts, tuple(wanted), followed=True)
    if unclear := _unclear(text, parts):
        return unclear
    return _reading(_compose(text, parts), parts, tuple(wanted))


def _exported(text: str, lexicon: Lexicon, today: date, previous: SemanticQuery | None) -> Reading:
    """A table as a file means the question that it answers: the one in the text, else the one before."""
    asked = without_export(text)
    if asked:
        return read_question(asked, lexicon, today, previous)
    if previous is not None and previous["kind"] == "query":
        return Reading(previous, followed=True)
    return Reading(empty("clarify"), asks="export", reason="내려받을 표가 없습니다")


def _refused(text: str) -> Reading | None:
    if intents.wants_write(text):
        return Reading(empty("reject_write"), reason="데이터를 바꾸는 요청은 처리하지 않습니다")
    if intents.wants_foreign(text):
        return Reading(empty("reject_access"), reason="다른 회사의 자료와 개인정보는 볼 수 없습니다")
    return None


def _parts(text: str, lexicon: Lexicon, today: date) -> _Parts:
    times = read_times(text, today)
    masked = blanked(text, times.spans)
    found = scan(masked, lexicon)
    named = [(f.meaning.name, f.start, f.end) for f in found if f.meaning.role == "metric"]
    limits = read_thresholds(masked, named)
    parts = _Parts(times, limits, found=[f for f in found if not _inside(f, limits)])
    parts.metrics = _metrics(masked, parts.found)
    parts.dimensions = list(dict.fromkeys(f.meaning.name for f in parts.found if f.meaning.role == "dimension"))
    parts.nouns = [f.meaning.name for f in parts.found if f.meaning.role == "noun"]
    parts.filters = _filters(masked, parts.found)
    parts.unknown_metric = next((f.meaning.value for f in parts.found if f.meaning.role == "unknown"), None)
    free = blanked(masked, [*((f.start, f.end) for f in found), *limits.spans])
    about_data = bool(
        parts.metrics or parts.dimensions or limits.filters or _SOLD.search(text) or _GENERIC.search(text)
    )
    for name, word in find_unknown_names(free, guess=about_data):
        parts.unknown_names.append((name, word))
        parts.filters.append({"field": name, "op": "eq", "value": word})
    return parts


def _inside(found: Found, limits: Thresholds) -> bool:
    """Whether a word is only part of a threshold (목표 못 채운: not the metric 목표)."""
    if found.meaning.role != "metric":
        return False
    return any(start <= found.start and found.end <= end for start, end in limits.spans)


def _metrics(text: str, found: Sequence[Found]) -> list[str]:
    hits = [f for f in found if f.meaning.role == "metric"]
    kept: list[str] = []
    for i, hit in enumerate(hits):
        following = hits[i + 1] if i + 1 < len(hits) else None
        if following and _qualifies(hit, following, text):
            continue
        kept.append(hit.meaning.name)
    names = list(dict.fromkeys(kept))
    if {"attendee_count", "promo_cost"} & set(names) and "seminar_count" in names:
        names.remove("seminar_count")
    if "last_visit_date" in names and "visit_count" in names:
        names.remove("visit_count")
    if "sales_share" in names and "sales_amount" in names and not re.search(r"매출\S{0,3}(?:이랑|하고|및|와|과)", text):
        names.remove("sales_amount")
    return names


def _qualifies(hit: Found, following: Found, text: str) -> bool:
    """매출 성장률, 실적 달성률: the first word says of what, it is not asked for by itself."""
    derived = {"growth_rate", "sales_share", "achievement_rate", "target_amount", "avg_order_amount"}
    between = text[hit.end : following.start].strip()
    return (
        hit.meaning.name in {"sales_amount", "seminar_count", "target_amount", "visit_count"}
        and following.meaning.name in derived | {"attendee_count", "promo_cost"}
        and between in {"", "의", "이", "가", "을", "를", "에"}
    )


def _filters(text: str, found: Sequence[Found]) -> list[Filter]:
    values: dict[tuple[str, str], list[str]] = {}
    groups = load("semantics")["groups"]
    for item in found:
        meaning = item.meaning
        if meaning.role not in {"value", "group"}:
            continue
        op = "ne" if _EXCLUDED.match(text, item.end) else "eq"
        many: Sequence[str | None] = groups[meaning.name][meaning.value] if meaning.role == "group" else [meaning.value]
        for value in many:
            known = values.setdefault((meaning.name, op), [])
            if value is not None and value not in known:
                known.append(value)
    for match in _GRADE.finditer(text):
        op = "ne" if _EXCLUDED.match(text, match.end()) else "eq"
        values.setdefault(("grade", op), []).append((match["grade"] or match["late"]).upper())
    filters: list[Filter] = []
    for (name, op), many in values.items():
        if op == "ne" and (name, "eq") in values:
            continue
        if op == "ne":
            filters += [{"field": name, "op": "ne", "value": value} for value in many]
        elif len(many) == 1:
            filters.append({"field": name, "op": "eq", "value": many[0]})
        else:
            filters.append({"field": name, "op": "in", "value": list(many)})
    return filters


def _says_something(parts: _Parts) -> bool:
    return bool(
        parts.filters or parts.times.days or parts.times.compare or parts.dimensions or parts.limits.order
        or parts.limits.filters or parts.limits.limit
    )  # fmt: skip


def _stands_alone(parts: _Parts) -> bool:
    return bool(parts.filters or parts.times.days or parts.dimensions or parts.nouns or parts.times.compare)


def _unclear(text: str, parts: _Parts) -> Reading | None:
    """A question back, when the words leave open what to compute."""
    if intents.is_off_topic(text) and not parts.metrics:
        return Reading(empty("other_agent"), ("smalltalk",), reason="업무와 관련이 없습니다")
    if parts.unknown_metric and not parts.metrics:
        return _ask(parts, text, "metric", parts.unknown_metric)
    anything = _says_something(parts)
    if parts.times.vague:
        return _ask(parts, text, "period")
    sold = bool(_SOLD.search(text) or _PIECES.search(text))
    if parts.metrics and not anything and not parts.nouns and not sold:
        return _ask(parts, text, "period")
    if parts.metrics or parts.limits.filters or sold or _DID_VISIT.search(text) or parts.times.compare:
        return None
    if anything and (parts.nouns or parts.filters or _GENERIC.search(text) or parts.dimensions or parts.limits.order):
        return None
    if _GENERIC.search(text) or _HOW.search(text) or anything:
        return _ask(parts, text, "metric" if anything and not _GENERIC.search(text) else "period")
    if intents.is_smalltalk(text):
        return Reading(empty("other_agent"), ("smalltalk",), reason="인사나 잡담입니다")
    return Reading(empty("other_agent"), reason="업무 질문으로 읽히지 않습니다")


def _ask(parts: _Parts, text: str, what: Literal["period", "metric"], word: str | None = None) -> Reading:
    return Reading(
        empty("clarify"),
        asks=what,
        partial=_compose(text, parts),
        unknown_metric=word,
        unknown_names=tuple(parts.unknown_names),
        reason="기간이 분명하지 않습니다" if what == "period" else "무엇을 계산할지 분명하지 않습니다",
        checks={**_checks(parts), "clear": 0.0},
    )


def _compose(text: str, parts: _Parts) -> SemanticQuery:
    limits = parts.limits
    metrics = list(parts.metrics) or _implied(text, parts)
    if metrics == ["target_amount"] and any(f["field"] == "achievement_rate" for f in limits.filters):
        metrics = ["achievement_rate"]
    filters = [*parts.filters, *limits.filters]
    dimensions = _dimensions(text, parts, metrics)
    days = parts.times.days
    if days and "last_visit_date" in metrics and any(_BEFORE.match(text, end) for _, end in parts.times.spans):
        filters.append({"field": "last_visit_date", "op": "lt", "value": days.start.isoformat()})
        days = None
    query = {
        "kind": "query",
        "metrics": metrics,
        "dimensions": dimensions,
        "filters": filters,
        "period": days.as_period() if days else None,
        "compare": parts.times.compare,
        "sort": sort_of(metrics, limits.order) if dimensions else None,
        "limit": limits.limit if dimensions else None,
    }
    return cast(SemanticQuery, query)


def _implied(text: str, parts: _Parts) -> list[str]:
    """The metric of a question that names none: that of its threshold, or what its verb is about."""
    named = [f["field"] for f in parts.limits.filters]
    if named:
        return ["sales_amount"] if named[0] == "growth_rate" else [named[0]]
    if _PIECES.search(text):
        return ["quantity"]
    if _DID_VISIT.search(text) and not _SOLD.search(text):
        return ["visit_count"]
    return ["sales_amount"]


def _dimensions(text: str, parts: _Parts, metrics: list[str]) -> list[str]:
    dimensions = list(parts.dimensions)
    times = [d for d in dimensions if d in {"date", "month", "quarter", "year"}]
    if _TREND.search(text) and not times and "last_visit_date" not in metrics:
        days = parts.times.days
        short = days is not None and (days.end - days.start).days <= 31
        dimensions.append("date" if short else "month")
    if not _TOGETHER.search(text):
        dimensions += [f["field"] for f in parts.filters if f["op"] == "in" and not _from_group(f)]
    if not dimensions and (parts.limits.lists or "last_visit_date" in metrics or _lists_nouns(text, parts)):
        dimensions += _subject(text, parts)
    return list(dict.fromkeys(dimensions))


def _from_group(one: Filter) -> bool:
    groups = load("semantics")["groups"].get(one["field"], {})
    return one["value"] in groups.values()


def _lists_nouns(text: str, parts: _Parts) -> bool:
    return bool(parts.nouns) and bool(re.search(r"목록|리스트|명단|들\s", text))


def _subject(text: str, parts: _Parts) -> list[str]:
    """What is listed: the noun said (거래처, 제품 …), a customer type used as one, or what the metric is about."""
    if parts.nouns:
        return [parts.nouns[-1]]
    fields = {f["field"]: f for f in parts.filters}
    if "customer_type" in fields and (parts.limits.filters or parts.limits.order):
        return ["customer"]
    if re.search(r"어디", text):
        return ["customer"] if "visit_count" in parts.metrics else ["branch"]
    if parts.limits.filters and parts.limits.filters[0]["field"] == "visit_count":
        return ["customer"]
    return []


def _reading(
    query: SemanticQuery, parts: _Parts, wanted: tuple[intents.Wish, ...], *, followed: bool = False
) -> Reading:
    return Reading(
        query,
        wanted,
        unknown_names=tuple(parts.unknown_names),
        entities=tuple(_entities(parts)),
        followed=followed,
        reason="이어진 질문" if followed else "",
        checks=_checks(parts, followed=followed),
    )


def _checks(parts: _Parts, *, followed: bool = False) -> dict[str, float]:
    """Whether the metric was named (here or before), which names are in the data, and which words are spelled so."""
    known = sum(f.meaning.role == "value" for f in parts.found)
    names, words = known + len(parts.unknown_names), len(parts.found)
    return {
        "metric_named": 1.0 if parts.metrics or followed else 0.0,
        "names_known": known / names if names else 1.0,
        "spelled": sum(f.exact for f in parts.found) / words if words else 1.0,
    }


def _entities(parts: _Parts) -> list[Entity]:
    entities: list[Entity] = []
    for item in parts.found:
        meaning = item.meaning
        if meaning.role in {"metric", "dimension", "noun"}:
            kind = "metric" if meaning.role == "metric" else "dimension"
            entities.append({"type": kind, "value": item.text, "normalized": meaning.name, "column": meaning.name})
        elif meaning.role == "value":
            entities.append(
                {"type": meaning.name, "value": item.text, "normalized": meaning.value, "column": meaning.name}
            )
    if parts.times.days:
        period = parts.times.days.as_period()
        entities.append({"type": "period", "value": "", "normalized": f"{period['from']}~{period['to']}"})
    for name, word in parts.unknown_names:
        entities.append({"type": name, "value": word, "normalized": None, "column": name})
    return entities
