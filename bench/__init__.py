"""Benchmarks and evaluations, printed as ratios against a named peer of the same run.

A suite is a function that returns rows; a module in this package names its suites in `SUITES`. Its keyword parameters
are options of `madang bench`.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[1]  # where a process of a suite's own is started, to find this package


@dataclass(frozen=True, kw_only=True)
class Row:
    """One measured thing, beside its peer and its goal."""

    measure: str
    value: float
    unit: str = ""
    peer: str = ""
    peer_value: float | None = None
    goal: str = ""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How `value` compares with the peer's; `None` without a peer."""
        return self.value / self.peer_value if self.peer_value else None

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio}


Suite = Callable[..., list[Row]]

LONG = frozenset(
    {"design", "growth", "sessions", "soak", "rows", "sales-load", "faults", "kill", "memory", "shares", "web"}
)
"""Suites that run only when they are named, as every evaluation (`eval-…`) does: the others take 20 minutes."""


def is_long(name: str) -> bool:
    return name in LONG or name.startswith("eval-")


def discover() -> dict[str, Suite]:
    """Every suite of this package by name, sorted."""
    found: dict[str, Suite] = {}
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            found |= getattr(importlib.import_module(f"{__name__}.{module.name}"), "SUITES", {})
    return dict(sorted(found.items()))
