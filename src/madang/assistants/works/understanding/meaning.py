"""What one stretch of a message says of a sales question, each part with its words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from madang.assistants.works.data import load
from madang.assistants.works.state.semantic_query import Filter, FilterValue
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.lexicon_search import Found, scan
from madang.assistants.works.understanding.names import NamedAt, find_unknown_names
from madang.assistants.works.understanding.thresholds import Thresholds, read_thresholds
from madang.assistants.works.understanding.time_phrases import Times, read_times
from madang.graph.reading import Claim, Heard
from madang.text.parsed import blanked

Span = tuple[int, int]
EXCLUDED = re.compile(
    r"\s?(?:을|를|은|는|만|지역|쪽|병원|거래처)?\s?"
    r"(?:빼고|뺀|제외|말고|아닌|외에|이외|제하고|외의|외\s|빼면|빼줘|빼 줘|제외한|제외하고|제하면)"
)
_GRADE = re.compile(
    r"(?<![A-Za-z])(?P<grade>[A-Da-d])\s?-?(?:등급|급|그레이드|grade)|(?:등급|그레이드)\s?(?P<late>[A-Da-d])(?![A-Za-z])"
)
_MARKED = re.compile(
    r"\s?(?:인|은|는|사람|곳|데|거래처|지점|담당자|직원|제품|팀|애들){0,4}(?:은|는|이|만|을|를)?\s?(?:따로\s?)?(?:표시|체크|강조|색칠|별표)"
)
_CHANGED = re.compile(
    r"(?:차이|증감|변화|변동)\S{0,3}\s?(?:가\s?)?(?:큰|많은|심한)|(?:많이|크게|가장|제일|젤)\s?(?:변한|달라진|바뀐)"
)
_FELL = re.compile(
    r"(?:많이|크게|가장|제일|젤)\s?(?:줄|빠|떨어|감소|하락|깎)|(?:감소|하락)\S{0,2}\s?(?:폭|액)?\S{0,2}\s?(?:큰|많은)"
)
_ROSE = re.compile(
    r"(?:많이|크게|가장|제일|젤)\s?(?:늘|오른|올랐|성장|증가|상승)|(?:증가|성장|상승)\S{0,2}\s?(?:폭|액)?\S{0,2}\s?(?:큰|많은)"
)
_LINED_UP = re.compile(
    r"줄\s?세워|줄\s?세우|순위|랭킹|추이|추세|흐름|(?:팀원|담당자|사람|직원|애들|동료)?들?\s?평균(?:이랑|과|하고|보다)"
)
_DONE = re.compile(r"했|팔|샀|벌|찍|갔|가긴|방문")
_COUNTED_SEMINARS = re.compile(r"(?:설명회|세미나|심포지엄)\S{0,2}\s?(?:몇|횟수|건수|수\b)")
_ECONOMY = re.compile(r"경기(?:가|도|는)?\s?(?:너무\s?|많이\s?)?(?:안\s?좋|나쁘|나빠|어렵|침체|불황|탓|때문|회복)")
_SEMINAR = ("seminar_count", "attendee_count", "cost_per_attendee", "seminar_cost")


@dataclass
class Said:
    """What was said, in the order of its places. `mark` is a threshold to show, not to leave others out by."""

    text: str
    times: Times
    limits: Thresholds
    metrics: list[str] = field(default_factory=list)
    dimensions: list[str] = field(default_factory=list)
    nouns: list[str] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    names: list[NamedAt] = field(default_factory=list)
    unknown_metric: str | None = None
    mark: Filter | None = None
    by_change: str | None = None
    claims: list[Claim] = field(default_factory=list)

    @property
    def something(self) -> bool:
        """Whether anything of a question is said beside its metric."""
        return bool(
            self.filters or self.times.days or self.times.compare or self.times.before_that or self.dimensions
            or self.limits.order or self.limits.filters or self.limits.limit or self.mark or self.by_change
        )  # fmt: skip

    @property
    def stands_alone(self) -> bool:
        return bool(self.filters or self.times.days or self.dimensions or self.nouns or self.times.compare)


def read_said(heard: Heard, spans: Sequence[Span], lexicon: Lexicon, about: Sequence[str] = ()) -> Said:
    """What is said at `spans` of the message. `about` are the metrics talked of before: a cost is of those."""
    text = only(heard.message.text, spans)
    times = read_times(text, heard.message.today)
    masked = blanked(text, times.spans)
    found = scan(masked, lexicon)
    named = [(f.meaning.name, f.start, f.end) for f in found if f.meaning.role == "metric"]
    limits = read_thresholds(masked, named)
    said = Said(text, times, limits)
    said.found = [f for f in found if not _inside(f, limits) and not _of_value(f, found, masked)]
    said.metrics = _metrics(masked, said.found, about)
    said.dimensions = list(dict.fromkeys(f.meaning.name for f in said.found if _splits(f, masked)))
    said.filters = _filters(masked, said.found)
    said.unknown_metric = next((f.meaning.value for f in said.found if f.meaning.role == "unknown"), None)
    said.by_change = _by_change(masked)
    _set_mark(said, masked)
    free = blanked(masked, [*((f.start, f.end) for f in found), *limits.spans])
    said.names = list(find_unknown_names(heard, free))
    for name, word, _ in said.names:
        said.filters = _with_name(said.filters, name, word)
    said.found = [f for f in said.found if not _beside_name(f, said.names, masked)]
    said.nouns = [f.meaning.name for f in said.found if f.meaning.role == "noun" and not _splits(f, masked)]
    said.claims = _claims(heard, said)
    beside = [f for f in found if f not in said.found]
    said.claims += [heard.claim((f.start, f.end), "asked.condition", None, "parser") for f in beside]
    if not said.metrics:
        done = [role for role in heard.roles_of("metric") if _DONE.search(role.words)]
        said.claims += [heard.claim(role.span, "asked.metrics", None, "examples") for role in done]
    return said


def only(text: str, spans: Sequence[Span]) -> str:
    """The text with blanks in place of all but `spans`."""
    kept = [" "] * len(text)
    for start, end in spans:
        kept[start:end] = text[start:end]
    return "".join(kept)


def _splits(found: Found, text: str) -> bool:
    """A dimension, or a noun that is used as one: 제품군 기준으로."""
    return found.meaning.role == "dimension" or (
        found.meaning.role == "noun" and bool(re.match(r"\s?(?:기준|단위)", text[found.end :]))
    )


def _inside(found: Found, limits: Thresholds) -> bool:
    """Whether a word is only part of a threshold (목표 못 채운: not the metric 목표)."""
    if found.meaning.role != "metric":
        return False
    return any(start <= found.start and found.end <= end for start, end in limits.spans)


def _of_value(found: Found, others: Sequence[Found], text: str) -> bool:
    """A noun that only says what kind of name stands before it: 경기 지역, 이지은 담당."""
    if found.meaning.role != "noun":
        return False
    return any(
        other.meaning.role == "value" and other.meaning.name == found.meaning.name and other.end <= found.start
        and not text[other.end : found.start].strip()
        for other in others
    )  # fmt: skip


def _beside_name(found: Found, names: Sequence[NamedAt], text: str) -> bool:
    return found.meaning.role == "noun" and any(
        name == found.meaning.name and span[1] <= found.start and not text[span[1] : found.start].strip()
        for name, _, span in names
    )


def _metrics(text: str, found: Sequence[Found], about: Sequence[str]) -> list[str]:
    hits = [f for f in found if f.meaning.role == "metric"]
    kept: list[str] = []
    for i, hit in enumerate(hits):
        following = hits[i + 1] if i + 1 < len(hits) else None
        if following and _qualifies(hit, following, text):
            continue
        kept.append(hit.meaning.name)
    names = list(dict.fromkeys(kept))
    generic = [hit for hit in hits if hit.text == "비용"]
    if generic and {*names, *about} & set(_SEMINAR):
        names = ["seminar_cost" if name == "promo_cost" else name for name in names]
    if set(names) & {"attendee_count", "seminar_cost", "cost_per_attendee"} and not _COUNTED_SEMINARS.search(text):
        names = [name for name in names if name != "seminar_count"]
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
        and following.meaning.name in derived | {"attendee_count", "promo_cost", "seminar_cost", "cost_per_attendee"}
        and between in {"", "의", "이", "가", "을", "를", "에"}
    )


def _filters(text: str, found: Sequence[Found]) -> list[Filter]:
    values: dict[tuple[str, str], list[str]] = {}
    groups = load("semantics")["groups"]
    for item in found:
        meaning = item.meaning
        if meaning.role not in {"value", "group"} or _ECONOMY.match(text[item.start :]):
            continue
        op = "ne" if EXCLUDED.match(text, item.end) else "eq"
        many: Sequence[str | None] = groups[meaning.name][meaning.value] if meaning.role == "group" else [meaning.value]
        for value in many:
            known = values.setdefault((meaning.name, op), [])
            if value is not None and value not in known:
                known.append(value)
    for match in _GRADE.finditer(text):
        op = "ne" if EXCLUDED.match(text, match.end()) else "eq"
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


def _with_name(filters: Sequence[Filter], name: str, word: str) -> list[Filter]:
    """One more value of a field: with others of it that are wanted, either will do."""
    wanted = [one for one in filters if one["field"] == name and one["op"] in ("eq", "in")]
    if not wanted:
        return [*filters, {"field": name, "op": "eq", "value": word}]
    values: list[FilterValue] = []
    for one in wanted:
        values += one["value"] if isinstance(one["value"], list) else [one["value"]]
    return [*(one for one in filters if one not in wanted), {"field": name, "op": "in", "value": [*values, word]}]


def _by_change(text: str) -> str | None:
    """How a ranking by change is ordered, if one is asked for: its size, the falls first, the rises first."""
    if _CHANGED.search(text):
        return "difference"
    return "fall" if _FELL.search(text) else "rise" if _ROSE.search(text) else None


def _set_mark(said: Said, text: str) -> None:
    """ "70% 안 되는 사람은 표시해줘": the threshold marks rows, none is left out."""
    for one, span in zip(said.limits.filters, said.limits.spans, strict=False):
        if _MARKED.match(text, span[1]):
            said.mark = one
            kept = tuple(f for f in said.limits.filters if f is not one)
            said.limits = Thresholds(kept, said.limits.order, said.limits.limit, said.limits.spans, True)
            return


def _claims(heard: Heard, said: Said) -> list[Claim]:
    """Each part with the words it was read from."""
    claims = [heard.claim((f.start, f.end), f"asked.{field}", value, "parser") for f in said.found
              for field, value in [_part_of(f, said)]]  # fmt: skip
    period = said.times.days.as_period() if said.times.days else None
    words = f"{period['from']} ~ {period['to']}" if period else None
    for number, span in enumerate(said.times.spans):
        compared = said.times.compare is not None and number == len(said.times.spans) - 1
        kind = said.times.compare["type"] if said.times.compare and compared else None
        value = (kind if kind != "period" else None) if compared else words
        claims.append(heard.claim(span, "asked.compare" if compared else "asked.period", value, "parser"))
    claims += [heard.claim(span, "asked.condition", None, "parser") for span in said.limits.spans]
    claims += [
        heard.claim(match.span(), "asked.sort", None, "parser")
        for pattern in (_CHANGED, _FELL, _ROSE, _LINED_UP)
        if (match := pattern.search(said.text))
    ]
    claims += [heard.claim(span, f"asked.{name}", word, "examples") for name, word, span in said.names]
    return claims


def _part_of(found: Found, said: Said) -> tuple[str, str | None]:
    meaning = found.meaning
    if meaning.role == "metric":
        taken = meaning.name in said.metrics or "seminar_cost" not in said.metrics
        return "metrics", meaning.name if taken else "seminar_cost"
    if meaning.role in {"dimension", "noun"}:
        return "dimensions", meaning.name if meaning.role == "dimension" else None
    return (meaning.name, meaning.value) if meaning.role in {"value", "group"} else ("metrics", None)
