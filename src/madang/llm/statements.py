"""One sentence held against its evidence: every figure with its sign, unit and subject, every citation, who does what.

Figures may be said in other forms and may be computed from given ones; both are computed here, never believed.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import combinations, pairwise
from typing import Any, Literal

from madang.llm.citations import Citation, find_citations, is_cited
from madang.llm.evidence import SEPARATOR, Evidence, Fact
from madang.llm.figures import Figure, blank, find_figures

Problem = Literal["figure", "sign", "subject", "unit", "citation", "party", "verdict", "language", "refusal", "address"]
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<![a-z0-9-])[a-z0-9-]+\.(?:go|or|co)\.kr", re.IGNORECASE)
_CAN = re.compile(r"(\S{1,20}[을를ㄹ할될갈날알일줄릴길칠질킬]) ?수 ?(있|없)")
_LEADING = re.compile(r"^\W*(네|예|아니요|아니오)\b")
_SIGNED = re.compile(r"[-−▼△▲+]\s?$")
_BRACKET = re.compile(r"\s?\([^()]{0,30}\)")
_CLOCK = re.compile(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])")
_AFTERNOON = re.compile(r"(?:오후|저녁|밤)\s?(\d{1,2})\s?시")
# 1000에 65: what a user says without a unit is a sum in 만원.
_UNITLESS = re.compile(r"(?<![\d.,])\d[\d,]*(?![\d,.]*\s?[명월일년개박살시분층번평%억만천원주회세호조항건곳차동])")
_COMPARED = re.compile(r"(?:\s?(?:전세|매매|월세|매출))?\s?(?:보다|에 비해|에 견주어|대비)")
_OPPOSITE = {"up": "down", "down": "up", "left": "short", "short": "left"}
_NEAR = 14
MOST_COMPUTED = 16
PYEONG = Fraction("3.305785")
_SAME_UNITS = ({"곳", "개", "건"}, {"박", "일"}, {"명", "세대"})
SHARE = Fraction(3, 10)
_COARSE = {"%": Fraction(1, 2), "배": Fraction(1, 10)}
LETTERS = 12
ALIKE = Fraction(2, 5)
_COUNTED = ("row", "figure", "plan")
_LISTED, _FEW = ("곳", "개", "건", "명"), 10
PROPOSAL = "P"


@cache
def words() -> dict[str, Any]:
    return tomllib.loads(files("madang.llm").joinpath("statement_words.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Signed:
    """A figure with the direction that is said of it (up, down, left, short, or none) and the name said before it."""

    figure: Figure
    sign: str
    name: str | None = None


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
        names = {name for fact in self.evidence.facts for name in names_of(fact) if len(name) > 1}
        self._subjects = sorted(names, key=len, reverse=True)
        self.grounds = {fact.id: grounds_of(fact, self._subjects) for fact in self.evidence.facts}
        known = " ".join([*self.evidence.told, *(str(value) for value in self.evidence.known.values())])
        self.user = grounds_of(Fact(id="U", kind="note", text=known))
        self._sums: list[tuple[Fraction, Fraction]] = []
        self._bare = {Fraction(one.replace(",", "")) for one in _UNITLESS.findall(" ".join(self.evidence.told))}

    def problem(self, sentence: str, ids: Sequence[str], law: str | None = None) -> Problem | None:
        """What is wrong with a sentence that rests on `ids`; None if nothing is."""
        if _refuses(sentence):
            return "refusal"
        # A text to be sent may be in the language of whom it is sent to.
        if not (self.evidence.proposes and PROPOSAL in ids) and not _in_language(sentence, self.language):
            return "language"
        cited = [self.grounds[one] for one in ids if one in self.grounds]
        if not cited and self._acquits(sentence):
            return "verdict"
        freely = self.evidence.proposes == "sums"
        proposed = bool(self.evidence.proposes) and (PROPOSAL in ids or (freely and not ids))
        return (
            self._citation(sentence, cited, law)
            or self._address(sentence)
            or (self._total(sentence, cited) if freely else None)
            or (None if proposed and freely and not cited else self._figures(sentence, cited, proposed=proposed))
            or _party(sentence, cited)
            or _verdict(sentence, cited)
        )

    def _plain(self, figure: Figure, cited: Sequence[Grounds]) -> bool:
        """A number that no data is needed for: one the user said without its unit, a small count of things that are
        listed, a number to call."""
        sums = figure.values if figure.unit in ("원", "") else ()
        if any(value in self._bare or value / 10_000 in self._bare for value in sums if value):
            return True
        if figure.text.strip() in words()["phones"]["numbers"]:
            return True
        if figure.text.startswith("한 ") or self._is_day(figure, cited):
            return True
        few = figure.unit in _LISTED and all(value <= _FEW for value in figure.values)
        return few and not any(other.figure.unit == figure.unit for one in cited for other in one.figures)

    def _is_day(self, figure: Figure, cited: Sequence[Grounds]) -> bool:
        """18일까지: the day of a date that a cited fact names."""
        days = {other.figure.date[2] for one in cited for other in one.figures if other.figure.date}
        return figure.unit == "일" and any(value in days for value in figure.values)

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

    def _total(self, sentence: str, cited: Sequence[Grounds]) -> Problem | None:
        """A total of what was proposed must lie where the sums listed before it add up to. Who only names a budget
        (총액은 60만원 안이에요) leads with something else."""
        money = [figure for figure in find_figures(sentence) if figure.unit == "원" and figure.values]
        totals, sums = words()["arithmetic"]["totals"], [value for figure in money for value in figure.values]
        if not sums:
            return None
        if not any(word in sentence for word in totals):
            self._sums.append((min(sums), max(sums)))
            return None
        leads = sentence[: money[0].span[0]].strip("-*•: \t").rstrip("은는이가") in totals
        listed = leads and len(self._sums) > 1
        known = cited if listed else [self.user, *self.grounds.values()]
        given = {value for one in known if one for signed in one.figures for value in signed.figure.values}
        given |= set() if listed else {value * 10_000 for value in self._bare}
        runs = [self._sums[at:] for at in range(len(self._sums))]
        fits = any(sum(low for low, _ in run) <= sums[0] <= sum(high for _, high in run) for run in runs)
        return None if fits or not self._sums or given & set(sums) else "figure"

    def _figures(self, sentence: str, cited: Sequence[Grounds], *, proposed: bool = False) -> Problem | None:
        spans = [item.span for item in find_citations(sentence)] + [m.span() for m in _ADDRESS.finditer(sentence)]
        made: list[Figure] = []
        for signed in signed_figures(clocked(blank(sentence, spans)), self._subjects):
            if proposed and signed.figure.unit not in ("원", "%"):
                continue
            if (wrong := self._figure(signed, sentence, cited, made)) is not None:
                return wrong
            made.append(signed.figure)
        return None

    def _figure(
        self, signed: Signed, sentence: str, cited: Sequence[Grounds], made: Sequence[Figure]
    ) -> Problem | None:
        """A figure must be one of a cited fact's on the thing it is said of, the user's own, or computed from those."""
        assert self.user is not None
        if any(same(signed.figure, other.figure) for other in self.user.figures) or self._plain(signed.figure, cited):
            return None
        subject = signed.name
        about = [one for one in cited if subject is None or not one.fact.subject or subject in names_of(one.fact)]
        about += [g for g in self.grounds.values() if subject in names_of(g.fact) and g not in about]
        fits = [
            other
            for one in about
            for other in one.figures
            if same(signed.figure, other.figure)
            and (one.fact.subject or subject is None or other.name in (None, subject))
        ]
        if fits:
            against = signed.sign and all(other.sign == _OPPOSITE[signed.sign] for other in fits)
            return "sign" if against else None
        mentioned = [g for g in self.grounds.values() if any(name in sentence for name in names_of(g.fact))]
        counts = not cited or any(one.fact.kind in _COUNTED for one in cited)
        loose = [g for g in self.grounds.values() if g.fact.kind in _COUNTED] if counts else []
        if subject is None and any(same(signed.figure, other.figure) for one in loose for other in one.figures):
            return None
        rows = [g for g in self.grounds.values() if g.fact.kind == "row"]
        alike = [[one for one in cited if len(one.figures) == n] for n in {len(one.figures) for one in cited}]
        if any(same(signed.figure, total) for group in (*alike, cited, mentioned, rows) for total in totals_of(group)):
            return None
        others = [g for g in self.grounds.values() if g not in about]
        if any(same(signed.figure, other.figure) for one in others for other in one.figures):
            respectively = "각각" in sentence and any(one in mentioned for one in others)
            return None if respectively else "subject"
        said = [*made, *(other.figure for other in self.user.figures)]
        if not cited and computed(signed.figure, said, said, sentence):
            return None
        pool = [*said, *(other.figure for one in (*about, *mentioned) for other in one.figures)]
        computes = any(word in sentence for word in words()["arithmetic"]["words"])
        return None if computes and computed(signed.figure, pool, said, sentence) else "figure"


def totals_of(group: Sequence[Grounds]) -> Iterator[Figure]:
    """The sums of a group of facts, column by column."""
    if len(group) < 2:
        return
    for column in range(min(len(one.figures) for one in group)):
        figures = [one.figures[column].figure for one in group]
        if len({figure.unit for figure in figures}) == 1 and all(figure.values for figure in figures):
            total = sum((figure.values[0] for figure in figures), Fraction(0))
            yield replace(figures[0], values=(total,), slack=Fraction(0))


def names_of(fact: Fact) -> tuple[str, ...]:
    """What a fact is said of, name by name."""
    return tuple(fact.subject.split(SEPARATOR)) if fact.subject else ()


def grounds_of(fact: Fact, names: Sequence[str] = ()) -> Grounds:
    """What a fact states."""
    text = f"{fact.text}\n{fact.says}"
    citations = find_citations(text)
    figures = signed_figures(clocked(blank(text, [item.span for item in citations])), names)
    return Grounds(fact, tuple(figures), tuple(citations), tuple(_clauses(text)), frozenset(_abilities(text)))


def signed_figures(text: str, names: Sequence[str] = ()) -> list[Signed]:
    """Every figure with the direction and the name that are said of it."""
    found = find_figures(text)
    made: list[Signed] = []
    for at, figure in enumerate(found):
        sign = _sign(text, figure, found[at + 1 :])
        # 12,300,000원(1,230만원): the same figure once more.
        if not sign and made and text[found[at - 1].span[1] : figure.span[0]] == "(":
            sign = made[-1].sign
        made.append(Signed(figure, sign, _name_of(figure, text, names)))
    return made


def _starts(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _name_of(figure: Figure, text: str, names: Sequence[str]) -> str | None:
    """The name said nearest before a figure in its line, else nearest after it."""
    start = text.rfind("\n", 0, figure.span[0]) + 1
    line = text[start:].split("\n", maxsplit=1)[0]
    found = [
        (at + start, one)
        for one in names
        for at in _starts(one, line)
        if not line[at + len(one) : at + len(one) + 1].isdecimal() and not line.startswith("-", at + len(one))
    ]
    inside = {(at, one) for at, one in found for a, o in found if o != one and a <= at and at + len(one) <= a + len(o)}
    found = [pair for pair in found if pair not in inside]
    # 은평구는 마포구보다 …: what is compared with is not what is spoken of.
    found = [pair for pair in found if not _COMPARED.match(text, pair[0] + len(pair[1]))] or found
    before = [pair for pair in found if pair[0] <= figure.span[0]]
    after = [pair for pair in found if pair[0] > figure.span[0]]
    return max(before)[1] if before else min(after)[1] if after else None


def _sign(text: str, figure: Figure, later: Sequence[Figure]) -> str:
    """By the sign before a figure, or by the first word of direction behind it and what stands in brackets."""
    before = _SIGNED.search(text, max(0, figure.span[0] - 2), figure.span[0])
    if before and not re.search(r"[\d~]\s?[-−]\s?$", text[: figure.span[0]]):
        return "down" if before.group()[0] in "-−▼△" else "up"
    if figure.kind not in ("money", "percent", "count", "number"):
        return ""
    start = figure.span[1]
    if bracket := _BRACKET.match(text, start):
        start = bracket.end()
    end = next((one.span[0] for one in later if one.span[0] >= start), len(text))
    tail = text[start : min(end, start + _NEAR)].split("\n", maxsplit=1)[0]
    table = words()["direction"]
    places = [(tail.find(word), name) for name in table for word in table[name] if word in tail]
    return min(places)[1] if places else ""


def clocked(text: str) -> str:
    """Hours of the clock in one form: 15:00 and 오후 3시 are 15시."""
    text = _CLOCK.sub(lambda m: f"{int(m[1])}시" + (f" {int(m[2])}분" if int(m[2]) else ""), text)
    return _AFTERNOON.sub(lambda m: f"{int(m[1]) + 12 if int(m[1]) < 12 else 12}시", text)


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


def computed(stated: Figure, given: Iterable[Figure], said: Iterable[Figure], sentence: str) -> bool:
    """Whether a figure follows from given ones: a sum, difference, mean, share, multiple or part. A share is taken only
    of what was `said`: by the user, or before in the sentence."""
    shares = [value for figure in said if figure.unit == "%" for value in figure.values]
    pool = list(dict.fromkeys((f.unit, v) for f in given for v in f.values[:1]))[:MOST_COMPUTED]
    slack = max(stated.slack, _rounding(stated), _COARSE.get(stated.unit, Fraction(0)))
    values = {abs(value) for value in stated.values}
    return any(abs(value - abs(one)) <= slack for one in _made(stated.unit, pool, shares, sentence) for value in values)


def _made(
    unit: str, pool: Sequence[tuple[str, Fraction]], shares: Sequence[Fraction], sentence: str
) -> Iterator[Fraction]:
    alike = [value for name, value in pool if name in (unit, "")]
    counts = [value for name, value in pool if name not in ("원", "%", "") and value > 0]
    if len(alike) > 1:
        yield sum(alike, Fraction(0))
        yield sum(alike, Fraction(0)) / len(alike)
    for one, other in combinations(alike, 2):
        yield one + other
        yield one - other
    if any(word in sentence for word in words()["arithmetic"]["sums"]):
        yield from (one + two + three for one, two, three in combinations(alike, 3))
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
        yearly = [Fraction(12)] if any(word in sentence for word in words()["arithmetic"]["yearly"]) else []
        for count in (*counts, *yearly):
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
            for at in _starts(name, text):
                rest = text[at + len(name) : at + len(name) + 3]
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
    stated, pieces = set(_abilities(sentence)), _bigrams(sentence)
    for one in cited:
        for verb, can in stated:
            other = (verb, "없" if can == "있" else "있")
            if other in one.abilities and (verb, can) not in one.abilities and _like(pieces, one, other) >= ALIKE:
                return "verdict"
    return None


def _like(pieces: frozenset[str], ground: Grounds, ability: tuple[str, str]) -> Fraction:
    """How like a sentence is to the clause of a fact that says something can or can't be done."""
    said = f"{ability[0]} 수 {ability[1]}", f"{ability[0]}수 {ability[1]}"
    clauses = [clause for clause in re.split(r"[.;\n?!]", ground.fact.text) if any(one in clause for one in said)]
    shared = (Fraction(len(pieces & _bigrams(clause)), max(1, len(pieces))) for clause in clauses)
    return max(shared, default=Fraction(0))


def _refuses(sentence: str) -> bool:
    lowered = sentence.lower()
    return any(phrase in lowered for phrase in words()["refusal"]["phrases"])


def _in_language(sentence: str, language: str) -> bool:
    letters = [char for char in sentence if char.isalpha()]
    if len(letters) < LETTERS:
        return True
    hangul = Fraction(sum("가" <= char <= "힣" for char in letters), len(letters))
    return hangul >= SHARE if language == "ko" else hangul <= 1 - SHARE
