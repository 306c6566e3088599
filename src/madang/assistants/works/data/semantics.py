"""The semantic layer as read from `semantics.toml`: which metric is computed how, over which tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeVar

from madang.assistants.works.data import load

Spec = TypeVar("Spec")
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
    return Semantics(
        _specs(Fact, raw["facts"]), _specs(MetricSpec, raw["metrics"]), _specs(DimensionSpec, raw["dimensions"])
    )


def _specs(kind: Callable[..., Spec], raw: Mapping[str, Mapping[str, object]]) -> dict[str, Spec]:
    return {
        name: kind(name=name, **{key: tuple(v) if isinstance(v, list) else v for key, v in one.items()})
        for name, one in raw.items()
    }
