"""What a sentence may put forward by itself (times, days, rough sums), and what it may not: a given figure changed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from madang.llm.arithmetic import is_slip, same
from madang.llm.figures import MONEY, Figure, find_figures
from madang.llm.grounds import Grounds, words

_RANGE = re.compile(r"\s?[~∼]\s?$")
_STAY = re.compile(r"(?<!\d)(\d{1,2})\s?박\s?(\d{1,2})\s?일")
_CLOCK_MINUTE = re.compile(r"시\s?$")
_ASCENDING = (*MONEY, "%", "시간", "분")
_DURATIONS = ("일", "박", "시간", "분", "개월", "주")
_PRECISE = 3


@dataclass
class Proposals:
    """What the user and the facts give, beside what an answer proposes with `sums` or only with times and days."""

    sums: bool
    given: Sequence[Figure]
    """The figures of the user."""
    listed: dict[str, tuple[Fraction, Fraction]] = field(default_factory=dict)

    def allows(self, figure: Figure, sentence: str, cited: Sequence[Grounds], *, own: bool) -> bool:
        """Whether a proposal may say a figure that is given nowhere."""
        if figure.unit == figure.text:
            return False
        facts = [other.figure for one in cited for other in one.figures]
        given = [*facts, *self.given] if own else facts
        if figure.date:
            return not (figure.date[0] and any(is_slip(figure, one) for one in facts))
        if figure.unit in MONEY:
            rough = figure.slack > 0 or _is_rough(sentence)
            known = _digits(figure) <= _PRECISE or self._is_total(sentence)
            free = not any(figure.values) or rough or (not cited and known)
            return self.sums and free and not self._is_changed(figure, facts)
        if figure.unit == "시" or _CLOCK_MINUTE.search(sentence[: figure.span[0]]):
            return figure.unit != "시" or all(value <= 24 for value in figure.values)
        if figure.unit in _DURATIONS:
            given = [o.figure for one in cited if one.fact.kind != "plan" for o in one.figures]
            given += self.given if own else ()
        elif figure.unit == "":
            given = [*given, *(one for text in words()["phones"]["numbers"] for one in find_figures(text))]
        elif any(one.unit == figure.unit for one in facts):
            return False
        elif figure.unit == "세":
            given = [*given, *self.given]
        return not any(is_slip(figure, one) for one in given)

    def _is_total(self, sentence: str) -> bool:
        """A total of what was listed: it has been added up."""
        return bool(self.listed) and any(word in sentence for word in words()["arithmetic"]["totals"])

    def _is_changed(self, figure: Figure, facts: Sequence[Figure]) -> bool:
        """A sum that is one of a cited fact but for a digit, or an exact one of the user's."""
        exact = [one for one in self.given if one.unit == figure.unit and one.values and _digits(one) >= _PRECISE]
        return any(is_slip(figure, one) for one in (*facts, *exact))

    def total(self, sentence: str, given: set[Fraction], cited: set[Fraction]) -> bool:
        """Whether a total of what was proposed lies where the sums listed before it add up to. Who only names a budget
        (총액은 60만원 안이에요) leads with something else."""
        money = [figure for figure in find_figures(sentence) if figure.unit == "원" and figure.values]
        totals, sums = words()["arithmetic"]["totals"], [value for figure in money for value in figure.values]
        if not sums:
            return True
        if not any(word in sentence for word in totals):
            self.listed[sentence] = (min(sums), max(sums))
            return True
        leads = sentence[: money[0].span[0]].strip("-*•: \t").rstrip("은는이가") in totals
        known = cited if leads and len(self.listed) > 1 else given
        proposed = list(self.listed.values())
        runs = [proposed[at:] for at in range(len(proposed))]
        fits = any(sum(low for low, _ in run) <= sums[0] <= sum(high for _, high in run) for run in runs)
        return fits or not proposed or bool(known & set(sums))


def is_general(figure: Figure, sentence: str, given: Sequence[Figure]) -> bool:
    """General knowledge that is said to be rough: no limit or term of law, no slip of a given figure."""
    table = words()["rough"]
    if not any(word in sentence for word in table["general"]) or any(word in sentence for word in table["law"]):
        return False
    return figure.date is None and not any(is_slip(figure, one) or same(figure, one) for one in given)


def is_shapely(sentence: str, figures: Sequence[Figure]) -> bool:
    """Whether ranges go up (5만~7만원) and a stay has the days that its nights want (3박 4일, by night 5일)."""
    for low, high in pairwise(figures):
        if not (_RANGE.search(sentence[low.span[1] : high.span[0]]) and low.unit == high.unit in _ASCENDING):
            continue
        if low.values and high.values and min(low.values) > max(high.values):
            return False
    return all(int(match[2]) - int(match[1]) in (0, 1, 2) for match in _STAY.finditer(sentence))


def _is_rough(sentence: str) -> bool:
    return any(word in sentence for word in words()["rough"]["words"])


def _digits(figure: Figure) -> int:
    return len(str(int(max(abs(value) for value in figure.values))).rstrip("0"))
