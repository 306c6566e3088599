"""What a calculator is: one file of this package declares it whole, and everything else loops over what is declared."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, Literal

from madang.assistants.homes.tools.calculators.calculation import Calculation, refuse
from madang.assistants.homes.tools.figure_facts import Facts, yearly

Kind = Literal[
    "won", "yearly_won", "rate", "date", "today", "region", "years", "months", "count", "area", "flag", "option"
]
Subject = Literal["law", "loan", "risk", "return"]
Inputs = Mapping[str, Any]
# Told of, but not in a way that can be used: it is asked for.
UNKNOWN: Final = object()
_BY_THE_WAY = ("option", "today", "months")


@dataclass(frozen=True)
class Input:
    """One input: its kind and unit, what it is called, how it is asked for.

    `roles` are those of the sums it is read from, `slot` the conversation's field that stands for it, `default` what is
    taken if nothing is said. `answer` reads an answer to `question` where the kind doesn't tell how. What holds only
    for the value that another input had is forgotten when that one, `of`, changes.
    """

    name: str
    kind: Kind
    label: str = ""
    question: str = ""
    roles: tuple[str | None, ...] = ()
    slot: str = ""
    default: Any = None
    answer: Callable[[Facts], Any] | None = None
    of: str = ""

    @property
    def is_money(self) -> bool:
        return self.kind in ("won", "yearly_won")

    @property
    def is_figure(self) -> bool:
        """Whether giving it shows that a figure is wanted."""
        return self.kind not in _BY_THE_WAY

    def read(self, facts: Facts) -> Any:
        """Its value in a question, by its kind and roles; None if the question doesn't tell."""
        if self.kind in ("won", "yearly_won"):
            return facts.amount(*self.roles)
        return self.read_answer(facts) if self.kind != "rate" else facts.rates[0][0] if facts.rates else None

    def read_answer(self, facts: Facts) -> Any:
        """A bare answer to the question for it: "3억", "4.2%", "30년", "서울이요"."""
        if self.answer is not None and (said := self.answer(facts)) is not None:
            return said
        return _ANSWERS[self.kind](facts) if self.kind in _ANSWERS else None


def _rate(facts: Facts) -> Decimal | None:
    if facts.rates:
        return facts.rates[0][0]
    number = re.search(r"\d+(?:\.\d+)?", facts.question)
    return Decimal(number.group()) / 100 if number else None


def _number(facts: Facts) -> int | None:
    number = re.search(r"\d+", facts.question)
    return int(number.group()) if number else None


_ANSWERS: Mapping[Kind, Callable[[Facts], Any]] = {
    "won": lambda facts: facts.sums[0].value.won if facts.sums else None,
    "yearly_won": lambda facts: yearly(facts.sums[0].value) if facts.sums else None,
    "rate": _rate,
    "date": lambda facts: facts.day,
    "region": lambda facts: facts.region,
    "years": _number,
    "count": _number,
    "area": lambda facts: facts.area,
}


def then(*words: str) -> str:
    """The pattern of words that follow each other, with anything but a question mark between them.

    Its work grows as the text does: each search for what follows ends where what came before stands again.
    """
    parts = [f"(?:{one})" for one in words]
    return parts[0] + "".join(f"(?:(?!{left})[^?])*?{right}" for left, right in pairwise(parts))


@dataclass(frozen=True)
class Cue:
    """Words that ask for a calculator, or figures that imply it; of several cues the lowest `rank` tells most."""

    words: str = ""
    rank: int = 1000
    when: Callable[[Facts], bool] | None = None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.words, re.IGNORECASE | re.DOTALL)

    def fits(self, text: str, facts: Facts) -> bool:
        """Whether the words stand in `text` and the facts of the whole question agree."""
        return bool(self._pattern.search(text)) and (self.when is None or self.when(facts))


@dataclass(frozen=True, kw_only=True)
class Calculator:
    """A calculator: what asks for it, its inputs, how it runs, how its result is worded and where it must lie.

    `examples` are questions that ask for it; `sources` the tables of `policy.toml` it rests on. `implied` cues count
    where no words tell. `read` makes its inputs of a question, by default each input by its own kind; `follow` what a
    follow-up changes, None for reading it as any question. `verdict` is what can be said before every input is known;
    `rule_suffices` means that the law answers without them, so that they are not asked for. `instead_of` names
    calculators whose question this one answers; `metrics` the values that are worth comparing, by metric.
    """

    name: str
    label: str
    subject: Subject
    examples: tuple[str, ...]
    cues: tuple[Cue, ...]
    inputs: tuple[Input, ...]
    needed: tuple[str, ...] | Callable[[Inputs], tuple[str, ...]]
    run: Callable[..., Calculation]
    said: Callable[[Inputs, Inputs], str]
    bounds: Mapping[str, tuple[float, float]]
    sources: tuple[str, ...] = ()
    implied: tuple[Cue, ...] = ()
    read: Callable[[Facts], Inputs] | None = None
    follow: Callable[[Inputs, Facts], Inputs | None] = lambda _before, _facts: None
    verdict: Callable[[Inputs, str], str] = lambda _inputs, _question: ""
    instead_of: frozenset[str] = frozenset()
    metrics: Mapping[str, str] = field(default_factory=dict)
    rule_suffices: bool = False
    of_rent: bool = False
    asked_without_figures: bool = True

    def input(self, name: str) -> Input:
        return next(item for item in self.inputs if item.name == name)

    def given(self, facts: Facts) -> dict[str, Any]:
        """The inputs that a text gives; one that is `UNKNOWN` is told of without a value."""
        found = self.read(facts) if self.read else {item.name: item.read(facts) for item in self.inputs}
        return {name: value for name, value in found.items() if value is not None}

    def missing(self, inputs: Inputs) -> tuple[str, ...]:
        """The inputs that it can't do without, in the order in which they are asked for."""
        needed = self.needed(inputs) if callable(self.needed) else self.needed
        return tuple(
            item.name
            for item in self.inputs
            if inputs.get(item.name, UNKNOWN if item.name in needed else None) is UNKNOWN
        )

    def questions(self, missing: Iterable[str]) -> list[str]:
        return [self.input(name).question or name for name in missing]

    def calculate(self, inputs: Inputs) -> Calculation:
        """The result. Raises `InvalidState` for what it refuses, and for a result that can't be."""
        made = self.run(**inputs)
        for name, (least, most) in self.bounds.items():
            value = made.values[name]
            if isinstance(value, int | float) and not least <= value <= most:
                raise refuse(
                    name, f"{self.label}의 결과가 있을 수 없는 값이라 보여 드리지 않습니다. 입력을 확인해 주세요"
                )
        return made
