"""Which figures a message comes to, with whom and what it refers to: the question, others beside it, and why."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import cast

from madang.assistants.works.data.semantics import semantics
from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.state.documents import AnalysisView
from madang.assistants.works.state.semantic_query import Filter, SemanticQuery
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.lexicon_search import scan
from madang.assistants.works.tools.periods import Days, days_of
from madang.assistants.works.understanding.composing import DID_VISIT, TREND
from madang.assistants.works.understanding.continuing import applicable
from madang.assistants.works.understanding.meaning import Said, read_said
from madang.assistants.works.understanding.question import Understood
from madang.assistants.works.understanding.references import PEERS, RANKED, among, mine_of, with_peers
from madang.assistants.works.understanding.time_phrases import compare_before
from madang.assistants.works.understanding.turn_plan import Incoming
from madang.graph.reading import Claim, Heard
from madang.text.calendars import month_days

_WHY = re.compile(
    r"왜|이유|원인|때문|어디서\s?(?:빠|줄|깎|까)|어디가\s?(?:빠|줄)|뭐가\s?(?:빠|줄)|뭣\s?땜|우째서|와\s?이래"
)
_FALLS = re.compile(r"빠[졌진지]|줄었|줄어|떨어|감소|깎|까먹")
_HYPOTHESIS = re.compile(
    r"(?:그런|그른)\s?(?:거|건)\s?(?:아냐|아니|아닌|인가|맞|일까)|때문(?:이야|인가|아냐|아니|일까)|탓(?:이야|인가|아냐|아니)|서\s?그런\s?(?:거|건)"
)
_RELATED = re.compile(
    r"경향|상관|관련|관계|같이\s?(?:올|늘|움직)|(?:많이|더|자주)\s?\S{0,4}\s?\S{0,6}(?:이|가)?\s?\S{0,8}도\s?(?:더\s?)?(?:올|늘|높)"
)


def figures_named(message: Incoming, understood: Understood) -> bool:
    """Whether figures are asked for in so many words: a metric, a split or a scope in what is asked, or a short message
    that changes the question before. A story that merely holds such words asks for none."""
    heard = message.heard
    asked = [act["span"] for act in heard.acts if act["kind"].startswith(("ask_", "order", "change", "add"))]
    text = "  ".join(message.text[start:end] for start, end in asked) or message.text
    found = scan(text, message.lexicon)
    if any(one.meaning.role in {"metric", "dimension", "unknown"} for one in found) or _SALES.search(text):
        return True
    if not (message.state.get("last_query") or message.state.get("open_question")):
        return bool(found) and len(message.text) <= SHORT_QUESTION
    return len(message.text) <= SHORT_QUESTION or bool(_WHY.search(text)) or understood.query["kind"] != "query"


def figures_stressed(message: Incoming) -> bool:
    """Whether figures are asked for beside a matter that the guide answers."""
    asked = [act["span"] for act in message.heard.acts if act["kind"].startswith(("ask_", "order"))]
    return any(_STRESSED.search(message.text[start:end]) for start, end in asked)


_STRESSED = re.compile(
    r"(?:매출|실적|달성률|판매량|방문\s?(?:횟수|수)|순위|비율)\S{0,4}\s?(?:\S{0,6}\s?){0,2}(?:얼마|몇|보여|뽑|알려|비교|가능|순위|어때|어떻게\s?되|볼)"
)
SHORT_QUESTION = 40
_SALES = re.compile(
    r"매출|매츌|실적|팔|많이\s?판|판\s?제품|샀|사갔|달성|목표|방문|순위|성장|actual|sales|target|얼마나\s?(?:했|줄|늘|빠)",
    re.IGNORECASE,
)


@dataclass
class Figures:
    """The question to compute, further ones, how to look at it, and the change to explain."""

    query: SemanticQuery | None = None
    further: list[SemanticQuery] = field(default_factory=list)
    next: SemanticQuery | None = None
    """What the next message goes on from."""
    view: AnalysisView | None = None
    why: SemanticQuery | None = None
    who_is_asked: bool = False
    claims: list[Claim] = field(default_factory=list)


def figures_of(
    heard: Heard,
    understood: Understood,
    state: GlobalSessionState,
    lexicon: Lexicon,
    linked: Mapping[str, str] | None,
    *,
    settled: bool = False,
    asked: bool = False,
) -> Figures:
    """The figures that the message wants. `settled`: the question is given, only who is meant is looked for. `asked`:
    who writes was asked before and not told; then it is the whole company's, which is said."""
    text, last = heard.message.text, state.get("last_query")
    asks_why = not settled and _asks_why(heard)
    found = Figures()
    if understood.query["kind"] == "query":
        found.query, found.further = understood.query, list(understood.further)
    elif not (asks_why and last):
        return found
    said = read_said(heard, [(0, len(text))], lexicon)
    mine = mine_of(heard, said, linked)
    found.claims += mine.claims
    if mine.unknown and found.query is not None and (asked or not understood.followed):
        if not asked:
            found.who_is_asked = True
            return found
        found.view = {"whose": "unknown"}
    if mine.filters and found.query is not None:
        found.query = _narrowed(found.query, list(mine.filters))
    if settled:
        return found
    if last is not None:
        _pick(found, heard, said, state, last)
    if _HYPOTHESIS.search(text) and last is not None:
        found.query, found.view = _tested(last, said.metrics, text), {"relate": True}
        found.next = found.query
        return found
    _look(found, text, understood)
    if asks_why:
        found.why = _change_of(
            found.query or last or understood.query, _told_month(heard, lexicon), heard.message.today
        )
        if _FALLS.search(text):
            found.view = {**(found.view or {}), "falls": True}
        if found.query is not None and not _wants_table(heard):
            found.query = None
    return found


def _pick(found: Figures, heard: Heard, said: Said, state: GlobalSessionState, last: SemanticQuery) -> None:
    """ "그중 제일 낮은 사람 거래처": the one of the rows shown last, split by what is asked of it."""
    one = among(heard, state.get("last_result"))
    if one is None:
        return
    picked, claim = one
    base = found.query or last
    dimensions = [d for d in base["dimensions"] if d != picked["field"]] or said_dimensions(said.nouns, picked)
    scope = [f for f in last["filters"] if f["field"] != picked["field"] and f["field"] in semantics().dimensions]
    metrics = base["metrics"] if said.metrics else ["sales_amount"]
    query = {
        **base,
        "metrics": metrics,
        "dimensions": dimensions,
        "filters": [*scope, picked],
        "sort": None,
        "limit": None,
    }
    if _asks_why(heard):
        # Why one of the rows stands so low is asked of the period that was shown, not of one in the story.
        compare = base["compare"] or last["compare"]
        yearly = compare is None or compare["type"] == "vs_target"
        query |= {"period": last["period"], "metrics": last["metrics"][:1]}
        query["compare"] = {"type": "yoy", "period": None} if yearly else compare
    found.query = found.next = applicable(cast(SemanticQuery, query), semantics())
    found.claims.append(claim)


def _look(found: Figures, text: str, understood: Understood) -> None:
    """How the figures are looked at: one beside the others, rows marked, two metrics together."""
    query = found.query
    if query is None:
        return
    found.next = found.further[-1] if found.further else query
    if (PEERS.search(text) or RANKED.search(text)) and (peers := with_peers(query)) is not None:
        found.further = [{**query, "compare": None}] if TREND.search(text) else []
        found.query, found.view, found.next = peers[0], {"focus": peers[1]}, query
    elif understood.mark is not None:
        found.view = {**(found.view or {}), "mark": understood.mark}
    elif _RELATED.search(text) and len(query["metrics"]) > 1:
        found.view, found.query = {**(found.view or {}), "relate": True}, _compared(query)
        found.next = found.query


def said_dimensions(nouns: list[str], picked: Filter) -> list[str]:
    """What is listed of the one that was picked: the noun said, customers of a rep, products of the others."""
    named = [noun for noun in nouns if noun != picked["field"]]
    return named[-1:] or (["customer"] if picked["field"] == "rep" else ["product"])


def _asks_why(heard: Heard) -> bool:
    return any(
        (act.get("task") == "why" and (act.get("sure") or 0) >= 0.4) or act["kind"] == "ask_why"
        or (act["kind"].startswith("ask_") and _WHY.search(heard.message.text[slice(*act["span"])]))
        for act in heard.acts
    )  # fmt: skip


def _wants_table(heard: Heard) -> bool:
    """Whether figures are asked for beside the reason."""
    return any(
        act.get("task") in {"analysis", "show", "search"} and act["kind"].startswith(("ask_", "order", "change", "add"))
        and act["kind"] != "ask_why" and not _WHY.search(heard.message.text[slice(*act["span"])])
        for act in heard.acts
    )  # fmt: skip


def _narrowed(query: SemanticQuery, filters: list[Filter]) -> SemanticQuery:
    fields = {one["field"] for one in filters}
    return {**query, "filters": [*(f for f in query["filters"] if f["field"] not in fields), *filters]}


def _tested(last: SemanticQuery, metrics: list[str], text: str) -> SemanticQuery:
    """A guess at a cause: the metric it names beside the one that moved, over the same two periods."""
    guessed = metrics or (["visit_count"] if DID_VISIT.search(text) else [])
    both = list(dict.fromkeys([last["metrics"][0], *guessed]))
    query: SemanticQuery = {**last, "metrics": both, "dimensions": [], "sort": None, "limit": None}  # type: ignore[typeddict-item]
    return _compared(applicable(query, semantics()))


def _compared(query: SemanticQuery) -> SemanticQuery:
    """With the time just before, when nothing is compared yet."""
    if query["compare"] is not None or query["period"] is None:
        return query
    return {**query, "compare": compare_before(days_of(query["period"]))}


def _told_month(heard: Heard, lexicon: Lexicon) -> Days | None:
    """The month that the message tells a fall of (10월에 꼴찌던데)."""
    for act in heard.acts:
        if act["kind"] == "tell":
            days = read_said(heard, [(act["span"][0], act["span"][1])], lexicon).times.days
            if days is not None and days.months == 1:
                return days
    return None


def _change_of(query: SemanticQuery, month: Days | None, today: date) -> SemanticQuery:
    """The change to explain: of the month told, else of the comparison made, else the last month of the period."""
    period = query["period"]
    days = month or (days_of(period) if period else None)
    if (
        month is None
        and query["compare"] is None
        and days is not None
        and (days.months or 2) > 1
        and "month" in query["dimensions"]
    ):
        # Of a period that is not over the last month that has begun is the one to explain.
        end = min(days.end, today)
        days = Days(*month_days(end.year, end.month))
    specs = [semantics().metrics[name] for name in query["metrics"]]
    first = specs[0] if specs else semantics().metrics["sales_amount"]
    metric = first.name if first.additive else (first.ratio or ("sales_amount",))[0]
    filters = [f for f in query["filters"] if f["field"] in semantics().dimensions]
    compare = None if month is not None else query["compare"]
    if compare is not None and compare["type"] == "vs_target":
        compare = None
    why: SemanticQuery = {
        "kind": "query", "metrics": [metric], "dimensions": [], "filters": filters,  # type: ignore[list-item]
        "period": days.as_period() if days else None, "compare": compare, "sort": None, "limit": None,
    }  # fmt: skip
    return _compared(why)
