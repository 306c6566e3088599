"""Quality from named checks, each from 0 to 1. A score is their mean; below 0.8 a result is worth another try."""

from collections.abc import Mapping
from typing import Any

THRESHOLD = 0.8


def score(checks: Mapping[str, float]) -> float:
    """The mean of the checks, 0 when there is none."""
    return round(sum(checks.values()) / len(checks), 3) if checks else 0.0


def of_analysis(rows: int, asked: int, unknown: int, truncated: bool, in_data: bool) -> dict[str, float]:
    """Whether there were rows, every name was in the data, nothing was cut, and the period has data."""
    return {
        "rows_found": 1.0 if rows else 0.0,
        "names_known": 1.0 - unknown / asked if asked else 1.0,
        "complete": 0.5 if truncated else 1.0,
        "period_has_data": 1.0 if in_data else 0.0,
    }


def of_search(scores: list[float], sources: int, cited: int) -> dict[str, float]:
    """How well the best hit fits, whether there are several, and whether each can be cited."""
    best = max(scores, default=0.0)
    return {
        "best_hit": min(1.0, best / 0.3),
        "several_hits": min(1.0, len(scores) / 2),
        "cited": cited / len(scores) if scores else 0.0,
        "sources_answered": 1.0 if sources else 0.0,
    }


def of_document(required: int, filled: int, sections: int, known: float) -> dict[str, float]:
    """How much of what the form requires is there, and whether its names are in the data."""
    return {
        "fields_filled": filled / required if required else 1.0,
        "has_content": 1.0 if sections else 0.0,
        "names_known": known,
    }


def of_compliance(results: list[Mapping[str, Any]], readable: int) -> dict[str, float]:
    """How many of the rules could be decided, how surely, and whether the rule book could be read."""
    decided = [r for r in results if r["status"] != "unverified"]
    sure = [float(r["confidence"] or 0) for r in decided]
    return {
        "rules_decided": len(decided) / len(results) if results else 0.0,
        "confidence": sum(sure) / len(sure) if sure else 0.0,
        "rules_readable": readable / len(results) if results else 0.0,
    }


def of_storage(stored: bool, found_again: bool) -> dict[str, float]:
    """Whether it was kept and could be read back."""
    return {"stored": 1.0 if stored else 0.0, "found_again": 1.0 if found_again else 0.0}
