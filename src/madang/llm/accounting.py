"""What the model calls of a turn cost, as plain mergeable data.

An account is `{point: {model: {counter: integer}}}`. Counters are integers (milliseconds, billionths of a dollar), so
merging is exactly associative and commutative: an account can be a state field with `merge_accounts` as its reducer.
"""

import threading
from collections.abc import Mapping
from typing import Any, TypedDict

Counters = dict[str, int]
Account = dict[str, dict[str, Counters]]

COUNTERS = (
    "calls",
    "fallbacks",
    "prompt_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "estimated_calls",
    "unpriced_calls",
    "latency_ms",
    "cost_nano_usd",
)
NO_MODEL = "-"


class Totals(TypedDict):
    """The sums that the assistants' states and the metrics show."""

    total_tokens_used: int
    prompt_tokens: int
    completion_tokens: int
    api_calls_made: dict[str, int]
    llm_fallbacks: int
    llm_latency_ms: int
    cost_usd: float | None


def counted(usage: Any) -> Account:
    """The account in what a run counted; whatever else it counted (queries of its data) is no matter of models."""
    return dict((usage or {}).get("llm") or {})


def merge_accounts(left: Mapping[str, Mapping[str, Counters]], right: Mapping[str, Mapping[str, Counters]]) -> Account:
    """Both accounts together. Neither is changed."""
    merged: Account = {point: {model: dict(counters) for model, counters in by.items()} for point, by in left.items()}
    for point, by_model in right.items():
        here = merged.setdefault(point, {})
        for model, counters in by_model.items():
            sums = here.setdefault(model, {})
            for name, amount in counters.items():
                sums[name] = sums.get(name, 0) + amount
    return merged


def totals(account: Mapping[str, Mapping[str, Counters]]) -> Totals:
    """The account summed up. `cost_usd` is null as soon as one call was made on a model without a known price."""
    sums = dict.fromkeys(COUNTERS, 0)
    calls: dict[str, int] = {}
    for by_model in account.values():
        for model, counters in by_model.items():
            for name, amount in counters.items():
                sums[name] = sums.get(name, 0) + amount
            if counters.get("calls"):
                calls[model] = calls.get(model, 0) + counters["calls"]
    return {
        "total_tokens_used": sums["prompt_tokens"] + sums["completion_tokens"],
        "prompt_tokens": sums["prompt_tokens"],
        "completion_tokens": sums["completion_tokens"],
        "api_calls_made": dict(sorted(calls.items())),
        "llm_fallbacks": sums["fallbacks"],
        "llm_latency_ms": sums["latency_ms"],
        "cost_usd": None if sums["unpriced_calls"] else sums["cost_nano_usd"] / 1e9,
    }


class Accounting:
    """A place where calls are added up as they happen; one per turn, or one per process for metrics."""

    def __init__(self) -> None:
        self._account: Account = {}
        self._lock = threading.Lock()

    def record(self, account: Account) -> None:
        with self._lock:
            self._account = merge_accounts(self._account, account)

    @property
    def account(self) -> Account:
        """What has been recorded so far."""
        return merge_accounts(self._account, {})
