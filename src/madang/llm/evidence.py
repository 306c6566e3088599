"""What an answer may rest on: facts with ids, the user's own words, and what is said whatever a model writes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

SEPARATOR = " · "
FactKind = Literal["judgement", "figure", "article", "finding", "row", "plan", "guide", "note", "document"]


@dataclass(frozen=True)
class Table:
    """A table that an answer may speak of: its columns with their units (shares in %), and every row with its name."""

    heading: str
    labels: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Fraction | None, ...]], ...]


@dataclass(frozen=True)
class Exhibit:
    """A part of ours that an answer may put in where it wants it, by its id alone on a line: a table with its title."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One thing that is known. `text` is what a model reads, `says` our own sentence for it.

    `subject` is what its figures are said of (several names with `SEPARATOR` between). What `must` be said is said
    first, by us; what is to be `heed`ed is said after an answer that rests on nothing of it. `of_others` marks text
    that someone else wrote. `table` is the heading of the table that it is a row or the summary of.
    """

    id: str
    kind: FactKind
    text: str
    says: str = ""
    subject: str = ""
    must: bool = False
    heed: bool = False
    verdict: Literal["yes", "no", "depends"] | None = None
    of_others: bool = False
    table: str = ""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything an answer may state. `after` are our own parts that follow it (tables, days), `told` what the user
    said in this conversation, `heard` what it was answered before, `known` the inputs; a model words the answer only if
    `worded`.

    With `proposes` a sentence marked as a proposal may put forward times and days of its own; with "sums" also sums
    (what to set aside), of which a total must add up, and so may what rests on nothing.
    `incomplete`: something that was to be looked at could not be. `replaces` are structured parts that the words stand
    in for. `exhibits` are ours too, but stand where the answer puts them, or nowhere. `tables` are those that facts are
    rows of, whole. `sources` (with the name to show) stand below an answer as far as it rests on them; `article` looks
    up what an article says by its law (without blanks) and number."""

    facts: tuple[Fact, ...] = ()
    told: tuple[str, ...] = ()
    known: Mapping[str, Any] = field(default_factory=dict)
    heard: str = ""
    incomplete: bool = False
    after: str = ""
    after_is: str = ""
    worded: bool = True
    proposes: Literal["", "times", "sums"] = ""
    replaces: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    article: Callable[[str, str], str | None] | None = None

    @property
    def said_first(self) -> str:
        """What must be said, in our words."""
        return "\n\n".join(fact.says or fact.text for fact in self.facts if fact.must)

    def by_id(self) -> dict[str, Fact]:
        return {fact.id: fact for fact in self.facts}


def numbered(facts: list[Fact]) -> tuple[Fact, ...]:
    """The facts with ids in order: F1, F2 …"""
    from dataclasses import replace

    return tuple(replace(fact, id=f"F{number}") for number, fact in enumerate(facts, 1))
