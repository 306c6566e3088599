"""Whether a plan answers what was said, or was set off by a few words of it: then an honest no is better.

What a plan leaves unexplained are the words of content that none of its claims covers and that asking itself doesn't
need (`idle.toml`). The bounds are chosen on judged turns and on questions whose meaning is known:
of 97 right questions of figures one leaves more than a word, of 35 answers to another question all but two do.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any

from madang.assistants.works.data import load
from madang.assistants.works.understanding.text_plan import LETTER
from madang.assistants.works.understanding.turn_plan import TurnPlan
from madang.graph.reading import Claim, Heard
from madang.text.morphemes import morphemes

FIGURES = frozenset({"analysis", "why", "clarify"})
CUSTOMERS = frozenset({"accounts"})
OPEN = frozenset({"show", "store", "document"})
REFUSED = frozenset({"unsupported_forecast", "reject_write"})
WORDS = {"who": 6, "figures": 2, "customers": 12, "refused": 7, "open": 9}
"""How many words each kind of answer may leave unexplained."""
UNDATED = 1
"""The same for figures of all time because nobody said a period."""
_CONTENT = ("NNG", "NNP", "VV", "VA", "XR", "SL", "SN", "NR", "MAG")


def unexplained(heard: Heard, plan: TurnPlan, claims: Iterable[Claim]) -> bool:
    """Whether what is planned answers too little of what was said."""
    served = set(plan.served)
    document = plan.update.get("document_request") or {}
    if document.get("document_type") == LETTER and "text" in served:
        return False
    kind = _kind(served)
    if kind is None:
        return False
    spans = [claim["span"] for claim in (*plan.claims, *claims) if claim["span"]]
    query = plan.update.get("analysis_query")
    if (plan.update.get("open_question") or {}).get("field") == "who":
        return len(words_left(heard, spans)) > WORDS["who"]
    if query and _unused_months(heard.message.text, query):
        return True
    accounts = plan.update.get("account_request")
    if accounts and served <= FIGURES | CUSTOMERS and _unused_months(heard.message.text, accounts):
        return True
    bound = UNDATED if kind == "figures" and query and query["period"] is None else WORDS[kind]
    return len(words_left(heard, spans)) > bound


_MONTH = re.compile(r"(?<![\d./])(1[0-2]|[1-9])월(?!\s?\d{1,2}일)")


def _unused_months(text: str, query: Mapping[str, Any]) -> bool:
    """Whether a month is named that neither the period nor what it is compared with has: another question was meant."""
    compared = query.get("compare") or {}
    spans = [one for one in (query.get("period"), compared.get("period")) if one]
    if compared.get("type") in {"yoy", "qoq", "mom"} or ("kind" in query and not spans and "metrics" in query):
        return False
    used = {month for one in spans for month in _months(one)}
    return any(int(month) not in used for month in _MONTH.findall(text))


def _months(period: Mapping[str, str]) -> list[int]:
    start, end = (date.fromisoformat(period[name]) for name in ("from", "to"))
    count = (end.year - start.year) * 12 + end.month - start.month + 1
    return [(start.month - 1 + n) % 12 + 1 for n in range(min(count, 12))]


def _kind(served: set[str]) -> str | None:
    if not served:
        return None
    if served <= FIGURES:
        return "figures"
    if served <= FIGURES | CUSTOMERS:
        return "customers"
    if served <= REFUSED:
        return "refused"
    return "open" if served <= OPEN | {"check"} and served & OPEN else None


def words_left(heard: Heard, spans: Sequence[Sequence[int]]) -> list[str]:
    """The words of content that no claim covers; a claim of the whole message covers none."""
    text, idle = heard.message.text, _idle()
    taken = [span for span in spans if span[1] - span[0] < len(text)]
    quiet = [act["span"] for act in heard.acts if act["kind"] in {"greet", "thank"}]
    return [
        one.form
        for one in morphemes(text)
        if one.tag.startswith(_CONTENT)
        and one.form.casefold() not in idle
        and not any(start < one.end and one.start < end for start, end in (*taken, *quiet))
    ]


@cache
def _idle() -> frozenset[str]:
    return frozenset(load("idle")["stems"].split())
