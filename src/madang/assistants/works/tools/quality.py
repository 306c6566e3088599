"""Quality from named checks, each from 0 to 1. A score is their mean; below 0.8 a result is worth another try."""

from collections.abc import Mapping, Sequence

from madang.assistants.works.data.forms import Form
from madang.assistants.works.state.agents import DataAnalysisAgentState, Hit, RuleResult
from madang.assistants.works.state.documents import Document, FormValues
from madang.assistants.works.tools.analysis import Analysis
from madang.assistants.works.tools.lexicon import Names
from madang.assistants.works.tools.storage import Decision, Stored

THRESHOLD = 0.8
GOOD_HIT = 0.3


def score(checks: Mapping[str, float]) -> float:
    """The mean of the checks, 0 when there is none."""
    return round(sum(checks.values()) / len(checks), 3) if checks else 0.0


def of_analysis(result: Analysis) -> dict[str, float]:
    """Whether there were rows, every name was in the data, nothing was cut, and the period has data."""
    filters, metrics = result.query["filters"], result.query["metrics"]
    named = sum(len(f["value"]) if isinstance(f["value"], list) else 1 for f in filters)
    for_nothing = any(f["op"] in {"eq", "lt", "lte"} and f["value"] == 0 for f in filters)
    has_data = for_nothing or any(row.get(metric) for row in result.rows for metric in metrics)
    return {
        "rows_found": 1.0 if result.rows else 0.0,
        "names_known": 1.0 - len(result.unknown) / named if named else 1.0,
        "complete": 0.5 if result.truncated else 1.0,
        "period_has_data": 1.0 if has_data else 0.0,
    }


def of_search(hits: Sequence[Hit]) -> dict[str, float]:
    """How well the best hit fits, whether there are several, and whether each can be cited."""
    best = max((hit["score"] for hit in hits), default=0.0)
    return {
        "best_hit": min(1.0, best / GOOD_HIT),
        "several_hits": min(1.0, len(hits) / 2),
        "cited": sum(bool(hit["citation"]) for hit in hits) / len(hits) if hits else 0.0,
    }


def of_form(form: Form, values: FormValues, names: Names) -> dict[str, float]:
    """How much of the form is filled, and whether the names in it are in the data."""
    filled = [f for f in form.fields if values.get(f.name) not in (None, "")]
    named = [f for f in filled if f.kind in {"customer", "product", "rep"}]
    known = sum((f.kind, str(values[f.name])) in names for f in named)
    return {"fields_filled": len(filled) / len(form.fields), "names_known": known / len(named) if named else 1.0}


def of_report(analysis: DataAnalysisAgentState | None) -> dict[str, float]:
    """A report is as good as its figures."""
    return {"figures": (analysis["confidence_score"] or 0.0) if analysis else 0.0}


def of_compliance(results: Sequence[RuleResult]) -> dict[str, float]:
    """How many of the rules could be decided, and on how many of the facts they need."""
    decided = [r for r in results if r["status"] != "unverified"]
    sure = sum(r["confidence"] or 0.0 for r in decided)
    return {
        "rules_decided": len(decided) / len(results) if results else 0.0,
        "facts_stated": sure / len(decided) if decided else 0.0,
    }


def of_storage(document: Document, decision: Decision, stored: Stored, found_again: bool) -> dict[str, float]:
    """Whether it could be read back, in which forms it was made, and whether the facts of a form found a table."""
    checks = {"found_again": 1.0 if found_again else 0.0}
    if tried := len(stored.files) + len(stored.skipped):
        checks["formats_made"] = len(stored.files) / tried
    if document.get("form_data"):
        checks["facts_in_tables"] = 1.0 if decision.rows else 0.0
    return checks
