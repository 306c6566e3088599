"""The semantic layer as read from `semantics.toml`: which metric is computed how, over which tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from madang.assistants.works.data import load

Unit = Literal["원", "개", "회", "곳", "명", "비율", "날짜"]


@dataclass(frozen=True)
class Fact:
    """A table of things that happened. `monthly` ones are dated by the first day of their month."""

    name: str
    table: str
    date: str
    joins: tuple[str, ...]
    monthly: bool = False


@dataclass(frozen=True)
class MetricSpec:
    """A metric: an aggregate over one fact, or derived from other metrics (ratio, growth, share)."""

    name: str
    label: str
    unit: Unit
    words: tuple[str, ...]
    fact: str | None = None
    sql: str | None = None
    ratio: tuple[str, str] | None = None
    growth: str | None = None
    share: str | None = None

    @property
    def additive(self) -> bool:
        """Whether nothing at all counts as 0."""
        return self.sql is not None and self.unit != "날짜" and "/" not in self.sql


@dataclass(frozen=True)
class DimensionSpec:
    """A dimension: a column of one of the tables `of`, or a unit of time."""

    name: str
    label: str
    words: tuple[str, ...]
    nouns: tuple[str, ...] = ()
    column: str | None = None
    of: tuple[str, ...] = ()
    time: str | None = None


@dataclass(frozen=True)
class Semantics:
    facts: Mapping[str, Fact]
    metrics: Mapping[str, MetricSpec]
    dimensions: Mapping[str, DimensionSpec]

    def table_of(self, dimension: str, fact: Fact) -> str | None:
        """The joined table that gives `dimension` for this fact, or None when the fact doesn't have it."""
        return next((t for t in self.dimensions[dimension].of if t in fact.joins), None)


@lru_cache(maxsize=1)
def semantics() -> Semantics:
    """The semantic layer, read once."""
    raw = load("semantics")
    facts = {
        name: Fact(name, one["table"], one["date"], tuple(one["joins"]), one.get("monthly", False))
        for name, one in raw["facts"].items()
    }
    metrics = {name: _metric(name, one) for name, one in raw["metrics"].items()}
    dimensions = {
        name: DimensionSpec(
            name,
            one["label"],
            tuple(one["words"]),
            tuple(one.get("nouns", ())),
            one.get("column"),
            tuple(one.get("of", ())),
            one.get("time"),
        )
        for name, one in raw["dimensions"].items()
    }
    return Semantics(facts, metrics, dimensions)


def _metric(name: str, one: dict[str, object]) -> MetricSpec:
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in one.items()}
    return MetricSpec(name=name, **given)  # type: ignore[arg-type]
