"""One message read into the meaning of its sales question (`semantic_query`), without a model.

Conventions: dates are ISO and whole as named (지난달 is the calendar month, 이번 분기 runs to its last day;
최근 3개월 ends today); one value is `eq`, several are `in`, 빼고 is `ne`; rates are fractions; `compare.period` is null
unless the type is `period`; `sort` is null unless an order was asked for; what was not said is null or empty. A
question that is not computed keeps its kind and nothing else.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state.semantic_query import Filter, SemanticQuery
from madang.assistants.works.state.stages import Entity
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.quality import score
from madang.assistants.works.understanding.composing import DID_VISIT, GENERIC, PIECES, SOLD, compose, empty
from madang.assistants.works.understanding.continuing import applicable, continued, goes_on
from madang.assistants.works.understanding.export_requests import wants_export, without_export
from madang.assistants.works.understanding.hearing import hear_text
from madang.assistants.works.understanding.meaning import Said, Span, read_said
from madang.assistants.works.understanding.refusals import is_off_topic, refusal_of
from madang.assistants.works.understanding.tasks import Task, is_smalltalk, tasks_of
from madang.graph.reading import Act, Claim, Heard

_HOW = re.compile(r"어때|어떄|어떤가|괜찮|어떻")
_ASKING = ("ask_", "order", "change", "add")


@dataclass(frozen=True)
class Understood:
    """What was understood. `partial` is what a clarifying question already knows; `asks` what it asks.

    `further` are other questions of the same message. `checks` tell how surely a question was read, each from 0 to 1;
    there are none where a pattern decides.
    """

    query: SemanticQuery
    wishes: tuple[Task, ...] = ()
    asks: Literal["period", "metric", "export", "who"] | None = None
    partial: SemanticQuery | None = None
    further: tuple[SemanticQuery, ...] = ()
    unknown_names: tuple[tuple[str, str], ...] = ()
    entities: tuple[Entity, ...] = ()
    followed: bool = False
    reason: str = ""
    unknown_metric: str | None = None
    mark: Filter | None = None
    claims: tuple[Claim, ...] = ()
    checks: Mapping[str, float] = field(default_factory=dict)

    @property
    def confidence(self) -> float | None:
        return score(self.checks) if self.checks else None


def read_question(text: str, lexicon: Lexicon, today: date, previous: SemanticQuery | None = None) -> Understood:
    """The meaning of `text`, which may continue `previous` (그럼 부산은?). Never raises; what isn't clear is asked."""
    return read_heard(hear_text(text, lexicon, today), lexicon, previous)


def read_heard(heard: Heard, lexicon: Lexicon, previous: SemanticQuery | None = None) -> Understood:
    """The meaning of a message that was heard."""
    text = heard.message.text
    if (refused := refusal_of(heard)) and refused != "unsupported_forecast":
        return Understood(empty(refused), reason=_REASONS[refused])
    if wants_export(text):
        return _exported(heard, lexicon, previous)
    wanted = tasks_of(heard)
    questions = questions_of(heard, lexicon, previous)
    said = questions[0]
    if wanted and not {"analysis", "why"} & set(wanted):
        return Understood(empty("other_agent"), wanted, reason="다른 에이전트의 일입니다", claims=tuple(said.claims))
    if refused:
        return Understood(empty(refused), reason=_REASONS[refused])
    if previous is not None and goes_on(heard, said, previous):
        return _understood(continued(previous, said), questions, wanted, followed=True)
    if unclear := _unclear(heard, said, wanted):
        return unclear
    return _understood(compose(said), questions, wanted)


_REASONS = {
    "reject_write": "데이터를 바꾸는 요청은 처리하지 않습니다",
    "reject_access": "다른 회사의 자료와 개인정보는 볼 수 없습니다",
    "unsupported_forecast": "앞으로의 값은 데이터에 없습니다",
}


def questions_of(heard: Heard, lexicon: Lexicon, previous: SemanticQuery | None = None) -> list[Said]:
    """The questions of a message, first things first. What is only told gives a question what it doesn't say itself."""
    about = previous["metrics"] if previous else []
    spans: list[Span] = [(act["span"][0], act["span"][1]) for act in heard.acts]
    whole = read_said(heard, [(0, len(heard.message.text))], lexicon, about)
    asking = [i for i, act in enumerate(heard.acts) if act["kind"].startswith(_ASKING) and _about_figures(act)]
    if len(heard.acts) < 2 or not asking:
        return [whole]
    groups = _grouped(heard, spans, asking, lexicon, about)
    told = [spans[i] for i, act in enumerate(heard.acts) if act["kind"] == "tell"]
    first = read_said(heard, groups[0], lexicon, about)
    if told and first.times.days and len(whole.times.spans) > len(first.times.spans):
        outside = read_said(heard, told, lexicon, about)
        first.filters = [
            *(f for f in outside.filters if f["field"] not in {g["field"] for g in first.filters}),
            *first.filters,
        ]
        first.metrics = first.metrics or outside.metrics
        first.claims += outside.claims
        return [first, *(read_said(heard, group, lexicon, [*about, *first.metrics]) for group in groups[1:])]
    if len(groups) == 1:
        return [whole]
    first = read_said(heard, [*told, *groups[0]], lexicon, about)
    return [first, *(read_said(heard, group, lexicon, [*about, *first.metrics]) for group in groups[1:])]


def _about_figures(act: Act) -> bool:
    return act.get("task") in {"analysis", "why", "show", "search", "check"}


def _grouped(
    heard: Heard, spans: Sequence[Span], asking: Sequence[int], lexicon: Lexicon, about: Sequence[str]
) -> list[list[Span]]:
    """Clauses that ask, those that name a metric of their own being questions of their own."""
    groups: list[list[Span]] = []
    named = False
    for index in asking:
        if heard.acts[index].get("task") == "why":
            continue
        said = read_said(heard, [spans[index]], lexicon, about)
        if groups and not (said.metrics and named and heard.acts[index]["kind"].startswith(("ask_", "order"))):
            groups[-1].append(spans[index])
        else:
            groups.append([spans[index]])
        named = named or bool(said.metrics)
    return groups or [[spans[index] for index in asking]]


def _exported(heard: Heard, lexicon: Lexicon, previous: SemanticQuery | None) -> Understood:
    """A table as a file means the question that it answers: the one in the text, else the one before."""
    asked = without_export(heard.message.text)
    if asked:
        return read_question(asked, lexicon, heard.message.today, previous)
    if previous is not None and previous["kind"] == "query":
        return Understood(previous, followed=True)
    return Understood(empty("clarify"), asks="export", reason="내려받을 표가 없습니다")


def _unclear(heard: Heard, said: Said, wanted: tuple[Task, ...]) -> Understood | None:
    """A question back, when the words leave open what to compute."""
    text = heard.message.text
    if is_off_topic(text) and not said.metrics:
        return Understood(empty("other_agent"), ("chat",), reason="업무와 관련이 없습니다")
    if said.unknown_metric and not said.metrics:
        return _ask(said, "metric", said.unknown_metric)
    if said.times.vague:
        return _ask(said, "period")
    sold = bool(SOLD.search(text) or PIECES.search(text))
    if said.metrics and not said.something and not said.nouns and not sold:
        return _ask(said, "period")
    if said.metrics or said.limits.filters or sold or DID_VISIT.search(text) or said.times.compare:
        return None
    if said.something and (said.nouns or said.filters or GENERIC.search(text) or said.dimensions or said.limits.order):
        return None
    if is_smalltalk(heard) and not said.something:
        idle = all(act["kind"] in {"greet", "thank"} for act in heard.acts)
        return Understood(empty("other_agent"), ("chat",) if idle else (), reason="인사나 잡담입니다")
    if GENERIC.search(text) or _HOW.search(text) or said.something:
        return _ask(said, "metric" if said.something and not GENERIC.search(text) else "period")
    return Understood(empty("other_agent"), wanted, reason="업무 질문으로 읽히지 않습니다", claims=tuple(said.claims))


def _ask(said: Said, what: Literal["period", "metric"], word: str | None = None) -> Understood:
    return Understood(
        empty("clarify"),
        asks=what,
        partial=compose(said),
        unknown_metric=word,
        unknown_names=tuple((name, word) for name, word, _ in said.names),
        reason="기간이 분명하지 않습니다" if what == "period" else "무엇을 계산할지 분명하지 않습니다",
        claims=tuple(said.claims),
        checks={**_checks(said), "clear": 0.0},
    )


def _understood(
    query: SemanticQuery, questions: Sequence[Said], wanted: tuple[Task, ...], *, followed: bool = False
) -> Understood:
    said = questions[0]
    query, further = _together(query, [_later(query, other) for other in questions[1:]])
    return Understood(
        query,
        wanted,
        further=tuple(further),
        unknown_names=tuple((name, word) for name, word, _ in said.names),
        entities=tuple(_entities(said)),
        followed=followed,
        reason="이어진 질문" if followed else "",
        mark=said.mark,
        claims=tuple(claim for one in questions for claim in one.claims),
        checks=_checks(said, followed=followed),
    )


def _later(first: SemanticQuery, said: Said) -> SemanticQuery:
    """A second question of the same message takes scope and period of the first, unless it says its own."""
    own = compose(said)
    fields = {one["field"] for one in own["filters"]}
    inherited = [
        one for one in first["filters"] if one["field"] not in fields and one["field"] in semantics().dimensions
    ]
    query: SemanticQuery = {**own, "filters": [*inherited, *own["filters"]]}
    if query["period"] is None:
        query = {**query, "period": first["period"], "compare": query["compare"] or first["compare"]}
    return applicable(query, semantics())


def _together(first: SemanticQuery, others: Sequence[SemanticQuery]) -> tuple[SemanticQuery, list[SemanticQuery]]:
    """Questions that differ in their metric alone are one; one that adds nothing is left out."""
    kept: list[SemanticQuery] = []
    for other in others:
        if {**other, "metrics": first["metrics"]} == first and not other["sort"]:
            first = {**first, "metrics": list(dict.fromkeys([*first["metrics"], *other["metrics"]]))}
        elif other not in kept:
            kept.append(other)
    return first, kept


def _checks(said: Said, *, followed: bool = False) -> dict[str, float]:
    """Whether the metric was named (here or before), which names are in the data, and which words are spelled so."""
    known = sum(f.meaning.role == "value" for f in said.found)
    names, words = known + len(said.names), len(said.found)
    return {
        "metric_named": 1.0 if said.metrics or followed else 0.0,
        "names_known": known / names if names else 1.0,
        "spelled": sum(f.exact for f in said.found) / words if words else 1.0,
    }


def _entities(said: Said) -> list[Entity]:
    entities: list[Entity] = []
    for item in said.found:
        meaning = item.meaning
        if meaning.role in {"metric", "dimension", "noun"}:
            kind = "metric" if meaning.role == "metric" else "dimension"
            entities.append({"type": kind, "value": item.text, "normalized": meaning.name, "column": meaning.name})
        elif meaning.role == "value":
            entities.append(
                {"type": meaning.name, "value": item.text, "normalized": meaning.value, "column": meaning.name}
            )
    if said.times.days:
        period = said.times.days.as_period()
        entities.append({"type": "period", "value": "", "normalized": f"{period['from']}~{period['to']}"})
    for name, word, _ in said.names:
        entities.append({"type": name, "value": word, "normalized": None, "column": name})
    return entities
