"""What is searched and what is found."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from madang.errors import InvalidInput

Meta = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Document:
    """A short text, what people say when they mean it (`phrases`), and JSON fields to filter by (`meta`)."""

    id: str
    text: str
    title: str = ""
    kind: str = ""
    meta: Meta = field(default_factory=dict)
    phrases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.id:
            raise InvalidInput("a document needs an id")
        object.__setattr__(self, "phrases", tuple(self.phrases))

    def matches(self, filters: Meta) -> bool:
        """Whether every filter holds: the field equals the value, is one of the values, or (a list) contains one."""
        return all(_holds(self._field(name), wanted) for name, wanted in filters.items())

    def _field(self, name: str) -> object:
        return self.kind if name == "kind" else self.meta.get(name)


def _holds(value: object, wanted: object) -> bool:
    options = _as_collection(wanted)
    return any(one in options for one in _as_collection(value))


def _as_collection(value: object) -> Collection[object]:
    return list(value) if isinstance(value, list | tuple | set | frozenset) else [value]


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Why a document was found: each part's own score (0 to 1), the phrase that fitted best, the words in common."""

    parts: Mapping[str, float]
    phrase: str | None = None
    terms: tuple[str, ...] = ()
    exact: bool = False


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A document found. `score` runs from 0 to 1 and means the same for every query, so it can be thresholded."""

    document: Document
    score: float
    explanation: Explanation | None = None
