"""Which way something went, where a sentence shows both ends of it: from 9월 to 10월, beside a target or a budget."""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from madang.llm.figures import Figure
from madang.llm.grounds import Signed, words

NEAR = 14
_FROM = re.compile(r"[*]{0,2}(?:\([^()]{0,20}\))?\s?(?:→|에서)\s?(?:\d{1,2}월\s)?[^\d.;]{0,12}$")


def is_turned(stated: Sequence[Signed], sentence: str) -> bool:
    """412만원에서 287만원으로 늘었다: a fall that is called a rise, or a rise a fall."""
    for at, (one, other) in enumerate(pairwise(stated)):
        first, last = one.figure, other.figure
        if first.unit != last.unit or not (first.values and last.values):
            continue
        if not _FROM.match(sentence[first.span[1] : last.span[0]]):
            continue
        behind = stated[at + 2].sign if at + 2 < len(stated) else ""
        signed = sentence[: last.span[0]].rstrip()[-1:] in "+-−▲▼△"
        sign = behind if signed or not other.sign else other.sign
        if sign in ("up", "down") and first.values[0] != last.values[0]:
            return (sign == "up") != (last.values[0] > first.values[0])
    return False


def is_across(stated: Signed, sentence: str, given: Iterable[Figure], bounds: Iterable[tuple[str, Figure]]) -> bool:
    """Whether a distance from a target, budget or limit lies on its other side: what was done is more than the target,
    and the sentence says it falls short. `bounds` are those that are known, by their word."""
    figure = stated.figure
    if not figure.values or figure.date:
        return False
    tail = re.split(r"[\d\n;(]", sentence[figure.span[1] :], maxsplit=1)[0][:NEAR]
    done = {value for one in given if one.unit == figure.unit for value in one.values[:1]}
    wrong = right = False
    for word, bound in bounds:
        side = _side(word, tail)
        if not side or bound.unit != figure.unit or not bound.values or word not in sentence:
            continue
        here, there = bound.values[0] + side * figure.values[0], bound.values[0] - side * figure.values[0]
        right |= _among(here, done)
        wrong |= _among(there, done)
    return wrong and not right


def _side(word: str, tail: str) -> int:
    """1 where the words say that more was done than the bound, -1 for less, 0 where they say neither."""
    sides = words()["distances"][word]
    places = [
        (tail.find(one), side) for side, key in ((1, "above"), (-1, "below")) for one in sides[key] if one in tail
    ]
    return min(places, key=lambda place: place[0])[1] if places else 0


def _among(value: Fraction, known: Iterable[Fraction]) -> bool:
    return any(abs(value - one) <= max(Fraction(1), abs(one) / 1000) for one in known)
