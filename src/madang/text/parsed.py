"""What every parser of this layer returns: a value, where it stood, and how sure we are."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from madang.text.normalise import fold

T = TypeVar("T")

_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")


@dataclass(frozen=True)
class Parsed(Generic[T]):
    """One thing understood in a text.

    `text` is exactly the slice `span` of the text that was read. `readings` is empty unless the words can
    mean more than one thing; then it holds every reading, best first, and `value` is the first of them.
    """

    value: T
    span: tuple[int, int]
    text: str
    confidence: float
    readings: tuple[T, ...] = ()


def make(text: str, start: int, end: int, value: T, confidence: float, readings: Iterable[T] = ()) -> Parsed[T]:
    """A `Parsed` whose text is cut from `text`; blanks at both ends are left out of the span."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Parsed(value, (start, end), text[start:end], confidence, tuple(readings))


def without_overlaps(found: Iterable[Parsed[T]]) -> list[Parsed[T]]:
    """In order of appearance; where two overlap the longer stays, then the surer, then the earlier."""
    kept: list[Parsed[T]] = []
    last_end = -1
    for item in sorted(found, key=lambda item: (item.span[0], -item.span[1], -item.confidence)):
        if item.span[0] >= last_end:
            kept.append(item)
            last_end = item.span[1]
        elif _wins(item, kept[-1]):
            kept[-1] = item
            last_end = item.span[1]
    return kept


def _wins(new: Parsed[T], old: Parsed[T]) -> bool:
    return new.span[1] - new.span[0] > old.span[1] - old.span[0]


def outside(found: Iterable[Parsed[T]], spans: Iterable[tuple[int, int]]) -> list[Parsed[T]]:
    """Those that touch none of the `spans`, which must not overlap each other."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]

    def is_free(span: tuple[int, int]) -> bool:
        before = bisect_left(starts, span[1]) - 1
        return before < 0 or ordered[before][1] <= span[0]

    return [item for item in found if is_free(item.span)]


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` with blanks in place of the spans; everything else stays where it was."""
    parts, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            parts += [text[at:start], " " * (end - start)]
        elif end > at:
            parts.append(" " * (end - at))
        at = max(at, end)
    return "".join([*parts, text[at:]])


def on_folded(text: str, parse: Callable[[str], list[Parsed[T]]]) -> list[Parsed[T]]:
    """Parse the folded text (composed, half-width) and move the spans back onto `text` as it was given.

    Web addresses are blanked first: nothing in them is said.
    """
    folded = fold(text)
    plain = _ADDRESS.sub(lambda match: " " * len(match.group()), folded.text)
    if folded.text == text:
        return [replace(item, text=text[slice(*item.span)]) for item in parse(plain)] if plain != text else parse(text)
    moved = []
    for item in parse(plain):
        start, end = folded.original_span(*item.span)
        moved.append(replace(item, span=(start, end), text=text[start:end]))
    return moved
