"""A working written out with brackets ((80,000원 + 16,700원) × 2명, 530,600 + 427,700), read and computed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from madang.llm.figures import Figure

MOST = 60
_TOKEN = re.compile(
    r"(?P<number>(?<![\d.,])\d[\d,]*+(?:\.\d+)?)|(?P<bracket>[()])|\s?(?P<operator>[+×÷＋／*]|(?<=\s)[-−–/xX](?=\s))\s?"
    r"|(?P<end>[;=≈≒→⇒\n]|[,.](?=\s|$))|(?P<word>.)"
)
_SIGNS = {"×": "*", "x": "*", "X": "*", "*": "*", "÷": "/", "/": "/", "／": "/", "-": "-", "−": "-", "–": "-"}


@dataclass(frozen=True)
class Expression:
    """What a working comes to, the figures that are its terms, and where it ends."""

    value: Fraction
    terms: tuple[tuple[int, int], ...]
    units: frozenset[str]
    end: int


@dataclass(frozen=True)
class _Token:
    kind: str
    value: Fraction = Fraction(0)


def find_expression(text: str, start: int, figures: Sequence[Figure]) -> Expression | None:
    """The working that begins at `start` and goes on to the end of its bracket, clause or line. Words and short
    brackets may stand beside its numbers; None if it can't be read whole, or if nothing is reckoned."""
    known = {one.span[0]: one for one in figures if one.values and not one.date}
    tokens: list[_Token] = []
    terms: list[tuple[int, int]] = []
    units: set[str] = set()
    at, depth = start, 0
    while at < len(text) and len(tokens) < MOST:
        figure = known.get(at)
        if figure:
            tokens.append(_Token("number", figure.values[0] / 100 if figure.unit == "%" else figure.values[0]))
            terms.append(figure.span)
            units.add(figure.unit)
            at = figure.span[1]
            continue
        match = _TOKEN.match(text, at)
        if match is None or match["end"] or (match["bracket"] == ")" and depth == 0):
            break
        at = match.end()
        if match["number"]:
            tokens.append(_Token("number", Fraction(match["number"].replace(",", ""))))
            terms.append(match.span("number"))
        elif match["operator"]:
            tokens.append(_Token(_SIGNS.get(match["operator"], "+")))
        elif match["bracket"]:
            aside = _aside(text, at) if match["bracket"] == "(" and tokens and tokens[-1].kind == "number" else 0
            if aside:
                at = aside
                continue
            depth += 1 if match["bracket"] == "(" else -1
            tokens.append(_Token(match["bracket"]))
    reckons = any(one.kind in "+-*/" for one in tokens)
    value = _value(tokens) if reckons and depth == 0 else None
    return None if value is None else Expression(value, tuple(terms), frozenset(units), at)


def _aside(text: str, at: int) -> int:
    """Where a bracket behind a term ends (2명(어른)); 0 if something is reckoned in it."""
    end = text.find(")", at)
    inside = text[at:end]
    return end + 1 if end >= 0 and not re.search(r"[+×÷*(]|\s[-−–/x]\s", inside) else 0


def _value(tokens: Sequence[_Token]) -> Fraction | None:
    """The value of a whole working; None where a number or a sign is missing."""
    value, rest = _sum(tokens, 0)
    return value if rest == len(tokens) else None


def _sum(tokens: Sequence[_Token], at: int) -> tuple[Fraction | None, int]:
    total, at = _product(tokens, at)
    while total is not None and at < len(tokens) and tokens[at].kind in ("+", "-"):
        sign = 1 if tokens[at].kind == "+" else -1
        value, at = _product(tokens, at + 1)
        total = None if value is None else total + sign * value
    return total, at


def _product(tokens: Sequence[_Token], at: int) -> tuple[Fraction | None, int]:
    total, at = _factor(tokens, at)
    while total is not None and at < len(tokens) and tokens[at].kind in ("*", "/"):
        times = tokens[at].kind == "*"
        value, at = _factor(tokens, at + 1)
        if value is None or (not times and not value):
            return None, at
        total = total * value if times else total / value
    return total, at


def _factor(tokens: Sequence[_Token], at: int) -> tuple[Fraction | None, int]:
    if at >= len(tokens):
        return None, at
    if tokens[at].kind == "number":
        return tokens[at].value, at + 1
    if tokens[at].kind == "(":
        value, end = _sum(tokens, at + 1)
        closed = end < len(tokens) and tokens[end].kind == ")"
        return (value, end + 1) if closed else (None, end)
    return None, at
