"""One sentence held against its evidence: every figure with its sign, unit and subject, every citation, who does what.

Figures may be said in other forms and may be computed from given ones; both are computed here, never believed.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import combinations, pairwise
from typing import Any, Literal

from madang.llm.citations import Citation, find_citations, is_cited
from madang.llm.evidence import SEPARATOR, Evidence, Fact
from madang.llm.figures import Figure, blank, find_figures

Problem = Literal["figure", "sign", "subject", "unit", "citation", "party", "verdict", "language", "refusal", "address"]
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[a-z0-9-]+\.(?:go|or|co)\.kr", re.IGNORECASE)
_CAN = re.compile(r"(\S+[을를ㄹ할될갈날알일줄릴길칠질킬]) ?수 ?(있|없)")
_LEADING = re.compile(r"^\W*(네|예|아니요|아니오)\b")
_SIGNED = re.compile(r"[-−▼△▲+]\s?$")
_NEAR = 14
MOST_COMPUTED = 16
PYEONG = Fraction("3.305785")
_SAME_UNITS = ({"곳", "개", "건"}, {"박", "일"}, {"명", "세대"})
SHARE = Fraction(3, 10)
LETTERS = 12
ALIKE = Fraction(2, 5)


@cache
def words() -> dict[str, Any]:
    return tomllib.loads(files("madang.llm").joinpath("statement_words.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Signed:
    """A figure with the direction that is said of it: 1 more, -1 less, 0 neither."""

    figure: Figure
    sign: int


@dataclass(frozen=True)
class Grounds:
    """What one fact states, read once."""

    fact: Fact
    figures: tuple[Signed, ...]
    citations: tuple[Citation, ...]
    clauses: tuple[tuple[frozenset[str], frozenset[tuple[str, str]]], ...]
    abilities: frozenset[tuple[str, str]]


@dataclass
class Statements:
    """The evidence of one answer, ready to hold sentences against."""

    evidence: Evidence
    language: str = "ko"
    grounds: dict[str, Grounds] = field(default_factory=dict)
    user: Grounds | None = None

    def __post_init__(self) -> None:
        self.grounds = {fact.id: grounds_of(fact) for fact in self.evidence.facts}
        known = " ".join([*self.evidence.told, *(str(value) for value in self.evidence.known.values())])
        self.user = grounds_of(Fact(id="U", kind="note", text=known))
        names = {name for fact in self.evidence.facts for name in names_of(fact) if len(name) > 1}
        self._subjects = sorted(names, key=len, reverse=True)

    def problem(self, sentence: str, ids: Sequence[str], law: str | None = None) -> Problem | None:
        """What is wrong with a sentence that rests on `ids`; None if nothing is."""
        if _refuses(sentence):
            return "refusal"
        if not _in_language(sentence, self.language):
            return "language"
        cited = [self.grounds[one] for one in ids if one in self.grounds]
        if not cited and self._acquits(sentence):
            return "verdict"
        return (
            self._citation(sentence, cited, law)
            or self._address(sentence)
            or self._figures(sentence, cited)
            or _party(sentence, cited)
            or _verdict(sentence, cited)
        )

    def _acquits(self, sentence: str) -> bool:
        """Whether a sentence says that all is well, resting on nothing, where something was found."""
        found = any(fact.must and fact.kind in ("finding", "judgement") for fact in self.evidence.facts)
        return found and any(word in sentence for word in words()["acquittal"]["words"])

    def _citation(self, sentence: str, cited: Sequence[Grounds], law: str | None) -> Problem | None:
        allowed = [item for one in (*cited, self.user) if one for item in one.citations]
        for item in find_citations(sentence, law):
            if not is_cited(item, allowed):
                return "citation"
        return None

    def _address(self, sentence: str) -> Problem | None:
        given = " ".join([*(fact.text for fact in self.evidence.facts), *self.evidence.told])
        return next(("address" for match in _ADDRESS.finditer(sentence) if match.group() not in given), None)

    def _figures(self, sentence: str, cited: Sequence[Grounds]) -> Problem | None:
        spans = [item.span for item in find_citations(sentence)] + [m.span() for m in _ADDRESS.finditer(sentence)]
        for signed in signed_figures(blank(sentence, spans)):
            if (wrong := self._figure(signed, sentence, cited)) is not None:
                return wrong
        return None

    def _figure(self, signed: Signed, sentence: str, cited: Sequence[Grounds]) -> Problem | None:
        """A figure must be one of a cited fact's on the thing it is said of, the user's own, or computed from those."""
        assert self.user is not None
        if any(same(signed.figure, other.figure) for other in self.user.figures):
            return None
        subject = self._subject_of(signed.figure, sentence)
        about = [one for one in cited if subject is None or not one.fact.subject or subject in names_of(one.fact)]
        about += [g for g in self.grounds.values() if subject in names_of(g.fact) and g not in about]
        fits = [other for one in about for other in one.figures if same(signed.figure, other.figure)]
        if fits:
            against = signed.sign and all(other.sign == -signed.sign for other in fits)
            return "sign" if against else None
        mentioned = [g for g in self.grounds.values() if any(name in sentence for name in names_of(g.fact))]
        pool = [other.figure for one in (*about, *mentioned, self.user) for other in one.figures]
        if any(word in sentence for word in words()["arithmetic"]["words"]) and computed(signed.figure, pool):
            return None
        if any(same(signed.figure, other.figure) for one in self.grounds.values() for other in one.figures):
            return "subject"
        return "figure"

    def _subject_of(self, figure: Figure, sentence: str) -> str | None:
        """The subject named nearest before a figure, else after it."""
        found = [(m.start(), one) for one in self._subjects for m in re.finditer(re.escape(one), sentence)]
        found = [
            (at, one) for at, one in found if not any(at != a and a <= at < a + len(o) for a, o in found if o != one)
        ]
        before = [pair for pair in found if pair[0] <= figure.span[0]]
        after = [pair for pair in found if pair[0] > figure.span[0]]
        return max(before)[1] if before else min(after)[1] if after else None


def names_of(fact: Fact) -> tuple[str, ...]:
    """What a fact is said of, name by name."""
    return tuple(fact.subject.split(SEPARATOR)) if fact.subject else ()


def grounds_of(fact: Fact) -> Grounds:
    """What a fact states."""
    text = f"{fact.text}\n{fact.says}"
    citations = find_citations(text)
    figures = signed_figures(blank(text, [item.span for item in citations]))
    return Grounds(fact, tuple(figures), tuple(citations), tuple(_clauses(text)), frozenset(_abilities(text)))


def signed_figures(text: str) -> list[Signed]:
    """Every figure with the direction said of it, by its sign or the first word of direction behind it."""
    found = find_figures(text)
    return [Signed(figure, _sign(text, figure, found[at + 1].span[0] if at + 1 < len(found) else len(text)))
            for at, figure in enumerate(found)]  # fmt: skip


def _sign(text: str, figure: Figure, end: int) -> int:
    before = _SIGNED.search(text, max(0, figure.span[0] - 2), figure.span[0])
    if before and not re.search(r"[\d~]\s?[-−]\s?$", text[: figure.span[0]]):
        return -1 if before.group()[0] in "-−▼△" else 1
    if figure.kind not in ("money", "percent", "count", "number"):
        return 0
    tail = text[figure.span[1] : min(end, figure.span[1] + _NEAR)].split("\n", maxsplit=1)[0]
    places = [
        (tail.find(word), sign)
        for sign, name in ((1, "up"), (-1, "down"))
        for word in words()["direction"][name]
        if word in tail
    ]
    return min(places)[1] if places else 0


def same(stated: Figure, known: Figure) -> bool:
    """Whether two figures are one, in whatever form and up to the rounding that the stated form admits."""
    if stated.date or known.date:
        if stated.date and known.date:
            return all(a is None or a == b for a, b in zip(stated.date, known.date, strict=True))
        return False
    slack = max(stated.slack, _rounding(stated))
    for value, other in ((a, b) for a in stated.values for b in _in_unit(known, stated.unit)):
        if abs(abs(value) - abs(other)) <= slack:
            return True
    return False


def _rounding(figure: Figure) -> Fraction:
    """3억 8,814만 stands for 388,140,400: what is below the last place said, at most a two-hundredth."""
    value = max((abs(v) for v in figure.values), default=Fraction(0))
    if figure.unit == "원" and value >= 10**6 and value % 10**4 == 0:
        return min(Fraction(10**4), value / 200)
    if figure.unit == "평":
        return Fraction(6, 10)
    return Fraction(0)


def _in_unit(figure: Figure, unit: str) -> Iterator[Fraction]:
    """The values of a figure in another unit, as far as one can be had from the other."""
    if unit == "" or figure.unit in (unit, ""):
        yield from figure.values
    elif unit == "평" and figure.unit == "㎡":
        yield from (value / PYEONG for value in figure.values)
    elif unit == "㎡" and figure.unit == "평":
        yield from (value * PYEONG for value in figure.values)
    elif {unit, figure.unit} == {"시간", "분"}:
        yield from (value / 60 if unit == "시간" else value * 60 for value in figure.values)
    elif {unit, figure.unit} == {"주", "일"}:
        yield from (value / 7 if unit == "주" else value * 7 for value in figure.values)
    elif any({unit, figure.unit} <= alike for alike in _SAME_UNITS[:1]):
        yield from figure.values


def computed(stated: Figure, given: Iterable[Figure]) -> bool:
    """Whether a figure follows from given ones: a sum, difference, mean, share, multiple or part."""
    pool = list(dict.fromkeys((f.unit, v) for f in given for v in f.values[:1]))[:MOST_COMPUTED]
    slack = max(stated.slack, _rounding(stated), Fraction(1, 2) if stated.unit == "%" else Fraction(0))
    if stated.unit == "원":
        slack = max(slack, max((abs(v) for v in stated.values), default=Fraction(0)) / 1000)
    return any(abs(abs(value) - abs(made)) <= slack for value in stated.values for made in _made(stated.unit, pool))


def _made(unit: str, pool: Sequence[tuple[str, Fraction]]) -> Iterator[Fraction]:
    alike = [value for name, value in pool if name in (unit, "")]
    counts = [value for name, value in pool if name not in ("원", "%", "") and value > 0]
    shares = [value for name, value in pool if name == "%"]
    if len(alike) > 1:
        yield sum(alike, Fraction(0))
        yield sum(alike, Fraction(0)) / len(alike)
    for one, other in combinations(alike, 2):
        yield one + other
        yield one - other
    for one, two, three in combinations(alike[:8], 3):
        yield one + two + three
        yield one + two - three
    if unit in ("%", "배"):
        scale = 100 if unit == "%" else 1
        for (name, one), (other_name, other) in combinations(pool, 2):
            if name == other_name and name != "%":
                for top, bottom in ((one, other), (other, one)):
                    if bottom:
                        yield top / bottom * scale
                        yield (top - bottom) / bottom * scale
        return
    for value in alike:
        for count in (*counts, Fraction(12), Fraction(2)):
            yield value * count
            yield value / count
        for share in shares:
            yield value * share / 100
            yield value * (100 + share) / 100
            yield value * (100 - share) / 100
            yield value * share / 1200


def _roles(text: str) -> Iterator[tuple[str, str]]:
    """Who does, and to whom: a party with the particle that says so."""
    table, particles = words()["parties"], words()["roles"]
    for party, names in table.items():
        for name in names:
            for match in re.finditer(re.escape(name), text):
                rest = text[match.end() : match.end() + 3]
                for role, endings in particles.items():
                    if any(rest.startswith(one) and not rest[len(one) : len(one) + 1].isalpha() for one in endings):
                        yield role, party


def _party(sentence: str, cited: Sequence[Grounds]) -> Problem | None:
    """Someone does in the sentence what in its facts someone else does: the clause most like it has the other party."""
    pieces = _bigrams(sentence)
    if not pieces:
        return None
    for role, party in _roles(sentence):
        mine = others = Fraction(0)
        for words_of, roles in (clause for one in cited for clause in one.clauses):
            like = Fraction(len(pieces & words_of), len(pieces))
            if (role, party) in roles:
                mine = max(mine, like)
            elif any(r == role for r, _ in roles):
                others = max(others, like)
        if others >= ALIKE and others > mine:
            return "party"
    return None


def _clauses(text: str) -> Iterator[tuple[frozenset[str], frozenset[tuple[str, str]]]]:
    for clause in re.split(r"[.;\n?!]", text):
        if roles := frozenset(_roles(clause)):
            yield _bigrams(clause), roles


def _bigrams(text: str) -> frozenset[str]:
    """Pairs of letters, without the parties' names."""
    for names in words()["parties"].values():
        for name in names:
            text = text.replace(name, " ")
    bare = [char if char.isalnum() else " " for char in text]
    return frozenset(a + b for a, b in pairwise(bare) if a != " " and b != " ")


def _abilities(text: str) -> Iterator[tuple[str, str]]:
    for match in _CAN.finditer(text):
        yield match[1], match[2]


def _verdict(sentence: str, cited: Sequence[Grounds]) -> Problem | None:
    judged = [one for one in cited if one.fact.verdict in ("yes", "no")]
    led = _LEADING.search(sentence)
    if led and judged:
        yes = led[1] in ("네", "예")
        if all((one.fact.verdict == "yes") != yes for one in judged):
            return "verdict"
    stated = set(_abilities(sentence))
    for one in cited:
        for verb, can in stated:
            other = (verb, "없" if can == "있" else "있")
            if other in one.abilities and (verb, can) not in one.abilities:
                return "verdict"
    return None


def _refuses(sentence: str) -> bool:
    lowered = sentence.lower()
    return any(phrase in lowered for phrase in words()["refusal"]["phrases"])


def _in_language(sentence: str, language: str) -> bool:
    letters = [char for char in sentence if char.isalpha()]
    if len(letters) < LETTERS:
        return True
    hangul = Fraction(sum("가" <= char <= "힣" for char in letters), len(letters))
    return hangul >= SHARE if language == "ko" else hangul <= 1 - SHARE
