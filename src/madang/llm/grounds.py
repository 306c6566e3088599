"""What a text states: its figures with sign and subject, its citations, who does what to whom, what can be done."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from madang.llm.citations import Citation, find_citations
from madang.llm.evidence import SEPARATOR, Fact
from madang.llm.figures import Figure, blank, find_figures

_CAN = re.compile(r"(\S{1,20}[을를ㄹ할될갈날알일줄릴길칠질킬]) ?수 ?(있|없)")
_SIGNED = re.compile(r"[-−▼△▲+]\s?$")
# What is added or taken away (800,000원 − 359,600원) and what begins a line has no sign.
_SPANNED = re.compile(r"[\d~]\s?[-−]\s?$|[^\s:] [-−+] $|(?:^|\n)[-−+] $")
_BRACKET = re.compile(r"\s?\([^()]{0,30}\)")
_CLOCK = re.compile(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])")
_AFTERNOON = re.compile(r"(?:오후|저녁|밤)\s?(\d{1,2})\s?시")
_COMPARED = re.compile(r"(?:\s?(?:전세|매매|월세|매출))?\s?(?:보다|에 비해|에 견주어|대비)")
# Statutes say 6월 for six months.
_TERM = re.compile(r"(?<!년 )(?<!년)(?<!\d)(\d{1,2})월(?!\s?\d)")
_NEAR = 14


@cache
def words() -> dict[str, Any]:
    return tomllib.loads(files("madang.llm").joinpath("statement_words.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Signed:
    """A figure with the direction that is said of it (up, down, left, short, or none) and the name said before it."""

    figure: Figure
    sign: str
    name: str | None = None
    named_before: bool = True


@dataclass(frozen=True)
class Grounds:
    """What one fact states, read once. `text` is what its figures have their places in."""

    fact: Fact
    text: str
    figures: tuple[Signed, ...]
    citations: tuple[Citation, ...]
    clauses: tuple[tuple[frozenset[str], frozenset[tuple[str, str]]], ...]
    abilities: frozenset[tuple[str, str]]


def names_of(fact: Fact) -> tuple[str, ...]:
    """What a fact is said of, name by name."""
    return tuple(fact.subject.split(SEPARATOR)) if fact.subject else ()


def grounds_of(fact: Fact, names: Sequence[str] = ()) -> Grounds:
    """What a fact states."""
    text = f"{fact.text}\n{fact.says}"
    if fact.kind == "article":
        text = _TERM.sub(r"\1개월", text)
    # Whatever a name says of money (a cell of someone's file) is no figure of the fact.
    for name in names:
        if any(one.kind in ("money", "percent") for one in find_figures(name)):
            text = text.replace(name, "\x00" * len(name))
    citations = find_citations(text)
    readable = clocked(blank(text, [item.span for item in citations]))
    figures = signed_figures(readable, names)
    return Grounds(
        fact, readable, tuple(figures), tuple(citations), tuple(clauses_of(text)), frozenset(abilities_of(text))
    )


def signed_figures(text: str, names: Sequence[str] = ()) -> list[Signed]:
    """Every figure with the direction and the name that are said of it. What stands in a name (2026-07) is none."""
    numbered = [name for name in names if any(char.isdecimal() for char in name) and name in text]
    found = find_figures(blank(text, [(at, at + len(one)) for one in numbered for at in _starts(one, text)]))
    made: list[Signed] = []
    for at, figure in enumerate(found):
        sign = _sign(text, figure, found[at + 1 :])
        # 12,300,000원(1,230만원): the same figure once more.
        if not sign and made and text[found[at - 1].span[1] : figure.span[0]] == "(":
            sign = made[-1].sign
        name, before = _name_of(figure, text, names)
        made.append(Signed(figure, sign, name, before))
    return made


def _starts(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _name_of(figure: Figure, text: str, names: Sequence[str]) -> tuple[str | None, bool]:
    """The name said nearest before a figure in its line, else nearest after it; and whether it is said before."""
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
    return (max(before)[1], True) if before else (min(after)[1] if after else None, False)


def _sign(text: str, figure: Figure, later: Sequence[Figure]) -> str:
    """By the sign before a figure, or by the first word of direction behind it and what stands in brackets."""
    before = _SIGNED.search(text, max(0, figure.span[0] - 2), figure.span[0])
    if before and not _SPANNED.search(text[max(0, figure.span[0] - 4) : figure.span[0]]):
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


def roles_of(text: str) -> Iterator[tuple[str, str]]:
    """Who does, and to whom: a party with the particle that says so."""
    table, particles = words()["parties"], words()["roles"]
    for party, names in table.items():
        for name in names:
            for at in _starts(name, text):
                rest = text[at + len(name) : at + len(name) + 3]
                for role, endings in particles.items():
                    if any(rest.startswith(one) and not rest[len(one) : len(one) + 1].isalpha() for one in endings):
                        yield role, party


def clauses_of(text: str) -> Iterator[tuple[frozenset[str], frozenset[tuple[str, str]]]]:
    for clause in re.split(r"[.;\n?!]", text):
        if roles := frozenset(roles_of(clause)):
            yield bigrams(clause), roles


def bigrams(text: str) -> frozenset[str]:
    """Pairs of letters, without the parties' names."""
    for names in words()["parties"].values():
        for name in names:
            text = text.replace(name, " ")
    bare = [char if char.isalnum() else " " for char in text]
    return frozenset(a + b for a, b in pairwise(bare) if a != " " and b != " ")


def abilities_of(text: str) -> Iterator[tuple[str, str]]:
    for match in _CAN.finditer(text):
        yield match[1], match[2]
