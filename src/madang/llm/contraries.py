"""Words that exclude each other (수 있다 and 수 없다, 이상 and 이하, 임대인이 and 임차인이), held against the place of
a fact that says nearly the same."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

from madang.llm.figures import Figure
from madang.llm.grounds import words

BEFORE, BEHIND = 26, 14
NAMED_BEFORE, NAMED_BEHIND = 12, 14
LIKE, AHEAD, LEAST = Fraction(1, 3), Fraction(1, 5), 3
# Families of bounds behind a figure: more or less of it, from or up to it, before or after it.
_BOUNDS = {
    "이상": (0, 1), "초과": (0, 1), "이하": (0, -1), "미만": (0, -1), "이내": (0, -1),
    "부터": (1, 1), "까지": (1, -1),
    "이후": (2, 1), "뒤": (2, 1), "후": (2, 1), "이전": (2, -1), "전": (2, -1),
}  # fmt: skip
_ANY_BOUND = "|".join(sorted(_BOUNDS, key=len, reverse=True))
_BOUND = re.compile(
    rf"[*]{{0,2}}(?:\([^()]{{0,20}}\))?[*]{{0,2}}\s?(?:을|를|이|에)?\s?(?P<bound>{_ANY_BOUND})"
    r"(?=에|의|로|이|인|가|는|은|만|라|입|예|여|부터|까지|[^가-힣]|$)"
)
_NEAR = Fraction(3, 10)
_AGAINST = (("landlord", "tenant"), ("seller", "buyer"))
_CLAUSE = re.compile(r"[.;\n?!](?!\d)")
_PART = re.compile(r"[.;\n?!](?!\d)|,\s|[고며]\s")
_ASKED = re.compile(r"[가-힣]?(?:는지|은지|을지|나요|까요|니까\?|냐)")


@dataclass(frozen=True)
class Place:
    """One of a pair of words where it stands: the pair, its side, and the pairs of letters around it."""

    pair: object
    side: int
    around: frozenset[str]


@cache
def _pairs() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    return tuple((tuple(one["one"]), tuple(one["other"])) for one in words()["contrary"])


def places_of(text: str) -> list[Place]:
    """Every word of `text` that excludes another one."""
    made = [
        Place(number, side, _around(text, start, end))
        for number, sides in enumerate(_pairs())
        for start, end, side in _found(text, sides)
        if not _ASKED.match(text, end)
    ]
    parties = words()["parties"]
    names = [name for one in parties.values() for name in one]
    for one, other in _AGAINST:
        for start, end, side in _found(text, (tuple(parties[one]), tuple(parties[other]))):
            made.append(Place((one, _role(text[end : end + 3])), side, _around(text, start, end, names)))
    return made


def _role(behind: str) -> str:
    """Who does something, whom it is done to, or whose it is: by the particle behind a party."""
    particles = words()["roles"]
    return next(
        (
            role
            for role, endings in particles.items()
            for one in endings
            if behind.startswith(one) and not behind[len(one) : len(one) + 1].isalpha()
        ),
        "whose",
    )


@dataclass(frozen=True)
class Bound:
    """Which side of itself a figure leaves open (80cm 이상, 3개월 전, 19일까지), and the letters around it."""

    family: int
    side: int
    around: frozenset[str]


def bound_of(text: str, figure: Figure) -> Bound | None:
    """The bound that a figure is; None where nothing says."""
    match = _BOUND.match(text, figure.span[1])
    if match is None:
        return None
    family, side = _BOUNDS[match["bound"]]
    return Bound(family, side, _around(text, figure.span[0], match.end()))


def crosses(stated: Bound, known: Sequence[Bound]) -> bool:
    """Whether a figure leaves open the other side than where it is known. Less and more are so anywhere; before and
    after only in nearly the same words."""
    alike = [one for one in known if one.family == stated.family]
    if any(one.side == stated.side for one in alike):
        return False
    return any(stated.family == 0 or len(one.around & stated.around) >= _NEAR * len(stated.around) for one in alike)


def contradicts(sentence: str, texts: Sequence[str], own: Iterable[str] = ()) -> bool:
    """Whether a word of a sentence stands where a text has the one that it excludes, and no text has the same."""
    stated = places_of(sentence)
    if not stated:
        return False
    known = [place for text in texts for place in places_of(text)]
    told = [place for text in own for place in places_of(text)]
    for one in stated:
        same = max((_like(one, other) for other in (*known, *told) if _is_same(one, other)), default=Fraction(0))
        against = max((_like(one, other) for other in known if _is_against(one, other)), default=Fraction(0))
        if against >= LIKE and against >= same + AHEAD:
            return True
    return False


def _is_same(one: Place, other: Place) -> bool:
    return (one.pair, one.side) == (other.pair, other.side)


def _is_against(one: Place, other: Place) -> bool:
    return one.pair == other.pair and one.side != other.side


def _like(one: Place, other: Place) -> Fraction:
    shared = len(one.around & other.around)
    return Fraction(shared, len(one.around)) if shared >= LEAST else Fraction(0)


def _found(text: str, sides: tuple[tuple[str, ...], tuple[str, ...]]) -> Iterator[tuple[int, int, int]]:
    """The places of a pair's words, longer ones first: 비싸 is no 싸."""
    listed = sorted(((word, side) for side, one in enumerate(sides) for word in one), key=lambda pair: -len(pair[0]))
    rest = text
    for word, side in listed:
        at = rest.find(word)
        while at >= 0:
            yield at, at + len(word), side
            rest = rest[:at] + "\x00" * len(word) + rest[at + len(word) :]
            at = rest.find(word)


def _around(text: str, start: int, end: int, names: Iterable[str] = ()) -> frozenset[str]:
    stop = _PART if names else _CLAUSE
    before = stop.split(text[max(0, start - (NAMED_BEFORE if names else BEFORE)) : start])[-1]
    behind = stop.split(text[end : end + (NAMED_BEHIND if names else BEHIND)])[0]
    for name in names:
        before, behind = before.replace(name, " "), behind.replace(name, " ")
    return _letters(before) | _letters(behind)


def _letters(text: str) -> frozenset[str]:
    bare = [char if char.isalnum() else " " for char in text]
    return frozenset(a + b for a, b in pairwise(bare) if " " not in (a, b))
