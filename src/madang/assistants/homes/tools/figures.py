"""From a question in words to a calculator call, stating what is missing instead of assuming it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from madang.assistants.homes.tools.calculators import calculator, calculators
from madang.assistants.homes.tools.calculators.calculation import Calculation
from madang.assistants.homes.tools.calculators.spec import UNKNOWN, Calculator, Cue
from madang.assistants.homes.tools.figure_facts import Facts
from madang.errors import FieldProblem, InvalidState

NEAREST = 12
_SENTENCE = re.compile(r"(?<=[.!?。\n])\s+|\n+|(?<=[다요죠음함임])\.(?=[가-힣])")


@dataclass(frozen=True)
class FigureRequest:
    """A calculator with the inputs the question gave, and the names of those it still needs."""

    calculator: str
    inputs: Mapping[str, Any]
    missing: tuple[str, ...] = ()

    @property
    def questions(self) -> list[str]:
        """What to ask the user, one line for each missing input."""
        return calculator(self.calculator).questions(self.missing)


def read_figures(question: str, today: date, asked: str | None = None) -> tuple[FigureRequest, ...]:
    """The calculators a question asks for, the most telling first; none if it asks for no figure.

    In a story of several sentences the last ones ask: words count from the nearest sentence that has them. Without
    telling words the figures themselves tell: a sum, a rate and a term are a loan. `asked` are the words that ask, if
    the rest only tells: then they alone say which figure is wanted.
    """
    facts = Facts(question, today)
    parts = _endings(facts.text) if asked is None else [asked]
    found: dict[str, Calculator] = {}
    for part in parts:
        for cue, one in _ranked(lambda one: one.cues):
            if one.name not in found and cue.fits(part, facts):
                found[one.name] = one
    if not found and asked is None:
        implied = (one for cue, one in _ranked(lambda one: one.implied) if cue.fits(facts.text, facts))
        found = {one.name: one for one in [next(implied, None)] if one is not None}
    answered = {name for one in found.values() for name in one.instead_of}
    return tuple(_request(one, facts) for name, one in found.items() if name not in answered)


def _request(one: Calculator, facts: Facts) -> FigureRequest:
    defaults = {item.name: item.default for item in one.inputs if item.default is not None}
    found = {**defaults, **one.given(facts)}
    given = {name: value for name, value in found.items() if value is not UNKNOWN}
    return FigureRequest(one.name, given, one.missing(found))


def _ranked(cues_of: Any) -> list[tuple[Cue, Calculator]]:
    found = [(cue, one) for one in calculators().values() for cue in cues_of(one)]
    return sorted(found, key=lambda pair: pair[0].rank)


def _endings(text: str) -> list[str]:
    """The last sentence, the last two …, the whole text; of a long one not every sentence."""
    starts = [match.end() for match in _SENTENCE.finditer(text) if match.end() < len(text)]
    return [text[start:] for start in (*reversed(starts[-NEAREST:]), 0)]


def calculate(request: FigureRequest) -> Calculation:
    """The result. Raises `InvalidState` for what is missing, what is refused, or a result that can't be."""
    one = calculator(request.calculator)
    if request.missing:
        asked = zip(request.missing, request.questions, strict=True)
        raise InvalidState([FieldProblem(name, question) for name, question in asked])
    return one.calculate(request.inputs)
