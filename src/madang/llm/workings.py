"""Workings that a sentence shows (62만원 × 12 = 744만원, 80만원(20만원 × 4명)): read and computed, so that they hold
or don't."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from madang.llm.arithmetic import is_one_of, place_of
from madang.llm.expressions import Expression, find_expression
from madang.llm.figures import MONEY, Figure
from madang.llm.grounds import words

MOST_TERMS, NEAR = 24, 14
_EQUALS = re.compile(r"[=＝≈≒]")
_OPERATOR = re.compile(r"\s?([+×÷＋／]|(?<=\s)[-−–/xX](?=\s))\s?")
_FACTOR = re.compile(r"\s?[×xX*]\s?(?P<n>\d[\d,]*+)(?![\d.%])")
_BARE = re.compile(r"(?<![\d.,])\d[\d,]*+(?:\.\d+)?")
_WHOLE = re.compile(r"\(([^()]*+)\)")
# 8,615,000원 부족(35,350,000원 - 26,735,000원): a few words may stand between what comes out and its working.
_BEHIND = re.compile(r"[*]{0,2}(?:[가-힣\s*]{0,16}\((?=[^()]*\)|\()|[,:]\s(?=[\d(]))")
_STOPS = re.compile(r"[;→⇒]|,\s|\.\s|(?:이고|이며|이라|니까|에서|은|는|면)\s|:[\s*]")
_TIMES, _OVER, _LESS = frozenset("×xX"), frozenset("÷/／"), frozenset("-−–")


@dataclass(frozen=True)
class Working:
    """One working: the spans of its terms, the figure that it comes to as written, and what it really comes to."""

    terms: tuple[tuple[int, int], ...]
    result: Figure
    value: Fraction
    about: bool = False


def find_workings(sentence: str, figures: Sequence[Figure]) -> Iterator[Working]:
    """The workings of a sentence that can be read whole. `figures` are those of the sentence, with their places."""
    rest = sentence
    for inside in (one for one in _WHOLE.finditer(sentence) if _EQUALS.search(one[1])):
        start, end = inside.span(1)
        yield from _in_order(" " * start + inside[1], figures)
        rest = rest[:start] + " " * (end - start) + rest[end:]
    yield from _in_order(rest, figures)
    for figure in figures:
        behind = _BEHIND.match(sentence, figure.span[1]) if figure.values and not figure.date else None
        made = find_expression(sentence, behind.end(), figures) if behind else None
        if behind and made and _is_of(figure, made) and _is_whole(sentence, made, behind.group().endswith("(")):
            yield Working(made.terms, figure, made.value * 100 if figure.unit == "%" else made.value)


def _is_whole(sentence: str, made: Expression, bracketed: bool) -> bool:
    """Whether nothing else stands behind a working: its own result (…) or another one (a ÷ n, b ÷ m)."""
    rest = sentence[made.end :].lstrip("* ")
    return rest.startswith(")") if bracketed else rest.rstrip("* .\n") == ""


def _is_of(result: Figure, made: Expression) -> bool:
    """Whether a working has the unit of what it is to come to: a count of nights is no sum of money."""
    if result.unit in MONEY:
        return bool(made.units & {result.unit, ""}) or not made.units
    return result.unit == "%" or not made.units & set(MONEY)


def products_of(text: str, figures: Sequence[Figure]) -> Iterator[Figure]:
    """What someone's own lines come to: ₩95,000 x 49 is 4,655,000원."""
    for figure in figures:
        count = _FACTOR.match(text, figure.span[1]) if figure.unit in MONEY and figure.values else None
        if count:
            many = Fraction(count["n"].replace(",", ""))
            span = (figure.span[0], count.end())
            yield replace(figure, text=text[slice(*span)], span=span, values=tuple(v * many for v in figure.values))


def _in_order(sentence: str, figures: Sequence[Figure]) -> Iterator[Working]:
    ends = [match.start() for match in _EQUALS.finditer(sentence)]
    start = 0
    for at in ends:
        left = sentence[start:at]
        result = _result(sentence, at, figures)
        about = sentence[at] in "≈≒"
        if result and (made := _evaluated(left, start, figures, result.unit)):
            yield Working(made[0], result, made[1], about)
        elif (total := _before(sentence, at, figures)) and (made := _behind(sentence, at + 1, figures, total.unit)):
            yield Working(made[0], total, made[1], about)
        start = at + 1


def holds(working: Working, sentence: str) -> bool:
    """Whether a working comes to what it says; what comes out below nothing must be said to be so."""
    if working.value < 0 and not _is_below(working.result, sentence):
        return False
    result = working.result
    if working.about and result.unit in MONEY:
        result = replace(result, slack=max(result.slack, min(place_of(result), abs(working.value) / 20) / 2))
    return is_one_of(result, [working.value])


def _is_below(result: Figure, sentence: str) -> bool:
    before = sentence[: result.span[0]].rstrip()[-1:]
    return before in _LESS or any(
        word in sentence for word in words()["direction"]["short"] + words()["direction"]["down"]
    )


def _behind(
    sentence: str, start: int, figures: Sequence[Figure], unit: str
) -> tuple[tuple[tuple[int, int], ...], Fraction] | None:
    """합계 900만원 = 400만원 + 500만원: the working stands behind the sign."""
    stop = _STOPS.search(f"{sentence}. ", start)
    return _evaluated(sentence[start : stop.start() if stop else len(sentence)], start, figures, unit)


def _before(sentence: str, at: int, figures: Sequence[Figure]) -> Figure | None:
    near = [one for one in figures if one.values and at - 4 <= one.span[1] <= at]
    return near[0] if near and not sentence[near[0].span[1] : at].strip("* ") else None


def _result(sentence: str, at: int, figures: Sequence[Figure]) -> Figure | None:
    """What stands behind the sign: a sum rather than the period that it is said for (= 1년에 1,314만원)."""
    if (bare := _BARE.match(sentence, at + 1 + sentence.startswith(" ", at + 1))) and not any(
        one.span[0] == bare.start() for one in figures
    ):
        return Figure("number", bare.group(), bare.span(), "", (Fraction(bare.group().replace(",", "")),))
    near = [one for one in figures if at < one.span[0] <= at + NEAR and one.values and not one.date]
    near = [one for one in near if not _EQUALS.search(sentence, at + 1, one.span[0])]
    return next((one for one in near if one.kind in ("money", "percent")), near[0] if near else None)


def _evaluated(
    left: str, offset: int, figures: Sequence[Figure], unit: str
) -> tuple[tuple[tuple[int, int], ...], Fraction] | None:
    marks = [match for match in _OPERATOR.finditer(left) if not _in_brackets(left, match.start())]
    if not marks or len(marks) > MOST_TERMS:
        return None
    edges = [(0, "+", 0), *((mark.start(), mark[1], mark.end()) for mark in marks), (len(left), "", len(left))]
    values: list[tuple[str, Fraction]] = []
    spans: list[tuple[int, int]] = []
    for (_, operator, begin), (end, _, _) in pairwise(edges):
        first = not values
        if (found := _term(left, begin, end, offset, figures, unit, last=first)) is None:
            return None
        span, value = found
        values.append((operator, value))
        spans.append(span)
    total, product = Fraction(0), Fraction(0)
    for operator, value in values:
        if operator in _TIMES:
            product *= value
        elif operator in _OVER:
            if not value:
                return None
            product /= value
        else:
            total += product
            product = -value if operator in _LESS else value
    total += product
    measured = {one.unit for one in figures if one.span in spans}
    # Sums are often written without their unit; a count of nights is none.
    if unit in MONEY and not measured & {unit, ""}:
        return None
    return tuple(spans), total * 100 if unit == "%" else total


def _term(
    left: str, begin: int, end: int, offset: int, figures: Sequence[Figure], unit: str, *, last: bool
) -> tuple[tuple[int, int], Fraction] | None:
    """The number of a term: the figure in it, or what is said of it in brackets in the unit of the result."""
    if last and (stops := list(_STOPS.finditer(left, begin, end))):
        begin = stops[-1].end()
    inside = [one for one in figures if begin + offset <= one.span[0] and one.span[1] <= end + offset and one.values]
    named = [one for one in inside if one.unit == unit] or inside
    if len(named) > 1:
        named = [one for one in named if not _in_brackets(left, one.span[0] - offset)]
    if last and len(named) > 1 and not left[named[-1].span[1] - offset : end].strip():
        # 3천만원과 1억원을 합해도 3천만원 + …: the one right before the sign.
        named = named[-1:]
    if len(named) == 1:
        one = named[0]
        return one.span, one.values[0] / 100 if one.unit == "%" else one.values[0]
    bare = [] if inside else list(_BARE.finditer(left, begin, end))
    if len(bare) != 1:
        return None
    span = (bare[0].start() + offset, bare[0].end() + offset)
    return span, Fraction(bare[0].group().replace(",", ""))


def _in_brackets(text: str, at: int) -> bool:
    return text.count("(", 0, at) > text.count(")", 0, at)
