"""A question that goes on from the one before: scope stays until it is replaced or taken back, a new period wins."""

import re
from typing import cast

from madang.assistants.works.data.semantics import Semantics, semantics
from madang.assistants.works.state.semantic_query import Dimension, Filter, SemanticQuery
from madang.assistants.works.tools.periods import days_of
from madang.assistants.works.understanding.composing import TREND, compose, sorted_by
from madang.assistants.works.understanding.meaning import Said
from madang.assistants.works.understanding.time_phrases import compare_before
from madang.graph.reading import Heard

_WHOLE = re.compile(
    r"(?P<of>지점|팀|지역)?\s?(?<![가-힣])(?:전체(?!\s?(?:기간|에서))|전사|전국|회사\s?전체|모든\s?지점|다\s?합쳐)"
)
_ALSO = re.compile(r"도(?:\s|$|[?.!]|요)")
_UNITS = ("region", "branch", "team", "rep")
_GOES_ON = {"change", "add", "take_back", "confirm", "deny"}
_NARROWER = {
    "지점": ("team", "rep", "customer"),
    "팀": ("rep", "customer"),
    "지역": ("branch", "team", "rep", "customer"),
}
SHORT = 24


def goes_on(heard: Heard, said: Said, previous: SemanticQuery | None) -> bool:
    """Whether this continues `previous`: it points back, changes or adds, or leaves metric or period unsaid."""
    if previous is None or previous["kind"] != "query":
        return False
    if not said.metrics and not said.something and not said.nouns:
        return bool(TREND.search(said.text))
    acts = {act["kind"] for act in heard.acts if (act.get("sure") or 0) >= 0.5}
    if heard.roles_of("reference") or re.match(r"\s*(?:그럼|그러면|그리고|근데|그중|거기|그거|이거|같은)", said.text):
        return True
    whole = bool(said.metrics and said.times.days and (said.dimensions or said.filters or said.nouns))
    if acts & _GOES_ON and not whole:
        return True
    return not said.metrics or not said.stands_alone or (said.times.days is None and not said.filters)


def continued(previous: SemanticQuery, said: Said) -> SemanticQuery:
    """`previous` with what was said put in its place."""
    own = compose(said)
    merged = dict(previous)
    also = bool(_ALSO.search(said.text)) and len(said.metrics) == 1
    if said.metrics:
        before = previous["metrics"] if also else []
        merged["metrics"] = list(dict.fromkeys([*before, *own["metrics"]]))
        if not also:
            merged |= {"sort": None, "limit": None}
    metrics = cast(list[str], merged["metrics"])
    dimensions = own["dimensions"] if said.metrics or said.stands_alone or TREND.search(said.text) else said.dimensions
    if dimensions and dimensions != previous["dimensions"]:
        merged |= {"dimensions": dimensions, "sort": None, "limit": None}
    merged["filters"] = merged_filters(previous["filters"], own["filters"], said.text)
    if own["period"]:
        kept = own["compare"] and previous["period"] and not said.times.before_that and len(said.times.spans) < 2
        merged["period"] = previous["period"] if kept else own["period"]
    if said.times.before_that and previous["period"]:
        merged["compare"] = compare_before(days_of(own["period"] or previous["period"]))
    elif own["compare"]:
        merged["compare"] = own["compare"]
    if merged["dimensions"] and (sort := sorted_by(said, metrics, compared=bool(merged["compare"]))):
        merged |= {"sort": sort, "limit": own["limit"] or said.limits.limit}
    elif said.limits.limit and merged["dimensions"]:
        merged |= {"sort": {"by": metrics[0], "order": "desc"}, "limit": said.limits.limit}
    return applicable(cast(SemanticQuery, merged), semantics())


def merged_filters(before: list[Filter], said: list[Filter], text: str) -> list[Filter]:
    """A new value takes the place of the old one of its field; what is taken back or widened goes."""
    kept = list(before)
    if match := _WHOLE.search(text):
        gone = _NARROWER.get(match["of"] or "", tuple(semantics().dimensions))
        kept = [one for one in kept if one["field"] not in gone]
    fields = {one["field"] for one in said if one["op"] != "ne"}
    # A branch, a team and a rep each name who sold: one takes the place of another, unless it lies inside.
    if fields & set(_UNITS):
        widest = min(_UNITS.index(name) for name in fields if name in _UNITS)
        fields |= set(_UNITS[widest:]) | ({"branch"} if "region" in fields else set())
        fields |= {"region"} if "branch" in fields else set()
    excluded = [one for one in said if one["op"] == "ne"]
    kept = [one for one in kept if one["field"] not in fields and not any(_taken_back(one, no) for no in excluded)]
    new = [one for one in said if not (one["op"] == "ne" and any(_taken_back(old, one) for old in before))]
    return [*kept, *new]


def _taken_back(old: Filter, no: Filter) -> bool:
    """ "부산은 빼고" after a question about Busan takes that filter away."""
    return old["field"] == no["field"] and old["op"] == "eq" and old["value"] == no["value"]


def applicable(query: SemanticQuery, layer: Semantics) -> SemanticQuery:
    """The question without what its metrics have no data for: visits are of no product."""
    facts = [
        layer.facts[fact]
        for name in query["metrics"]
        for part in [name, *(layer.metrics[name].ratio or ())]
        if (fact := layer.metrics[part].fact)
    ]

    def has(dimension: str) -> bool:
        if dimension not in layer.dimensions or layer.dimensions[dimension].time:
            return True
        return all(layer.table_of(dimension, fact) for fact in facts)

    dimensions: list[Dimension] = [name for name in query["dimensions"] if has(name)]
    filters = [one for one in query["filters"] if has(one["field"])]
    sort = query["sort"] if dimensions else None
    return {**query, "dimensions": dimensions, "filters": filters, "sort": sort,
            "limit": query["limit"] if dimensions else None}  # fmt: skip
