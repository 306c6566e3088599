"""A message parsed once: its sentences and clauses, what is quoted in it, and its typed values with their places.

Every offset counts characters of the message as it was sent.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from madang.text.ages import find_ages
from madang.text.areas import find_areas
from madang.text.clauses import Span, clauses_of, quotes_of, sentences_of
from madang.text.counts import find_counts
from madang.text.dates import find_dates
from madang.text.durations import find_durations
from madang.text.english import (
    find_english_dates,
    find_english_durations,
    find_english_nights,
    find_english_people,
)
from madang.text.laws import find_laws
from madang.text.money import Context, find_money
from madang.text.morphemes import Morpheme, morphemes
from madang.text.nights import find_nights
from madang.text.numbers import find_numbers
from madang.text.ordinals import find_ordinals
from madang.text.parsed import Parsed
from madang.text.people import find_people
from madang.text.phones import find_phones
from madang.text.places import find_regions
from madang.text.quantities import find_quantities
from madang.text.ranges import find_ranges
from madang.text.rates import find_rates
from madang.text.spans import Direction, Nights
from madang.text.times import find_times

Finder = Callable[[str], Iterable[Parsed[Any]]]
_OVERNIGHT = re.compile(r"박|밤|당일")


@dataclass(frozen=True)
class Value:
    """One typed value. `readings` holds every meaning its words can have, `value` being the first of them."""

    kind: str
    span: Span
    words: str
    value: Any
    confidence: float = 1.0
    readings: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Message:
    """What a user sent, read without any idea of what it is for: that is a `Reading`."""

    text: str
    today: date
    values: tuple[Value, ...] = field(default=(), repr=False)

    @classmethod
    def read(
        cls,
        text: str,
        today: date,
        *,
        context: Context | None = None,
        direction: Direction = "future",
        names: Sequence[tuple[str, Finder]] = (),
    ) -> "Message":
        """The message with its values. `names` are an assistant's own finders of names, each with the kind it finds.

        Where two values overlap the longer stays; of two as long, the one whose finder stands first.
        """
        found = [
            Value(kind, item.span, item.text, item.value, item.confidence, item.readings)
            for kind, find in (*names, *_finders(today, context, direction))
            for item in find(text)
        ]
        return cls(text, today, tuple(_with_ranges(text, longest_first(found))))

    @cached_property
    def morphemes(self) -> tuple[Morpheme, ...]:
        """The message's morphemes in order."""
        return tuple(morphemes(self.text))

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """Where its sentences stand."""
        return sentences_of(self.text)

    @cached_property
    def quotes(self) -> tuple[Span, ...]:
        """Where it quotes others or pastes a text: read as material, never as the request."""
        return quotes_of(self.text)

    @cached_property
    def clauses(self) -> tuple[Span, ...]:
        """Where its clauses stand: each says or asks one thing."""
        return clauses_of(self.text, self.morphemes, self.sentences, self.quotes)

    def within(self, span: Span) -> tuple[Value, ...]:
        """The values that lie inside a span."""
        return tuple(value for value in self.values if span[0] <= value.span[0] and value.span[1] <= span[1])

    def of(self, kind: str) -> tuple[Value, ...]:
        """The values of one kind, in order."""
        return tuple(value for value in self.values if value.kind == kind)


def _finders(today: date, context: Context | None, direction: Direction) -> tuple[tuple[str, Finder], ...]:
    """Every kind with its finder. Of two values as long the first wins: people before counts, both before numbers."""
    return (
        ("nights", lambda words: _stays(words, context)),
        ("nights", find_english_nights),
        ("people", find_people),
        ("people", find_english_people),
        ("money", lambda words: find_money(words, context)),
        ("date", lambda words: find_dates(words, today, direction)),
        ("date", lambda words: find_english_dates(words, today, direction)),
        ("time", find_times),
        ("rate", find_rates),
        ("area", find_areas),
        ("law", find_laws),
        ("place", lambda words: find_regions(words, typos=False)),
        ("age", find_ages),
        ("duration", find_durations),
        ("duration", find_english_durations),
        ("quantity", find_quantities),
        ("ordinal", find_ordinals),
        ("count", find_counts),
        ("phone", find_phones),
        ("number", find_numbers),
    )


def _stays(text: str, context: Context | None) -> list[Parsed[Nights]]:
    """Nights; 사흘 and 일주일 are nights of a journey only, elsewhere they are durations."""
    found = find_nights(text)
    return found if context == "travel" else [item for item in found if _OVERNIGHT.search(item.text)]


def _with_ranges(text: str, values: list[Value]) -> list[Value]:
    """20에서 100까지: a range takes the place of the bare numbers it is made of, and of nothing else."""
    kept = values
    for item in find_ranges(text):
        start, end = item.span
        first = bisect_right(kept, start, key=lambda value: value.span[1])
        last = bisect_left(kept, end, key=lambda value: value.span[0])
        if last > first and all(value.kind == "number" for value in kept[first:last]):
            kept[first:last] = [Value("range", item.span, item.text, item.value, item.confidence)]
    return kept


def longest_first(found: Iterable[Value]) -> list[Value]:
    """Values that don't overlap, in order of appearance: the longer wins, then the earlier in `found`."""
    ranked = sorted(enumerate(found), key=lambda pair: (pair[1].span[0] - pair[1].span[1], pair[0]))
    taken: set[int] = set()
    kept: list[Value] = []
    for _, value in ranked:
        places = range(*value.span)
        if taken.isdisjoint(places):
            taken.update(places)
            kept.append(value)
    return sorted(kept, key=lambda value: value.span)
