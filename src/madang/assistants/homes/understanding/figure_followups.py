"""A follow-up that gives new figures: which of the last calculators' inputs it changes."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.calculators.spec import UNKNOWN, Calculator
from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.understanding.figure_needs import plain, read_input, sums_among, with_inputs


def changed_needs(needs: Sequence[FigureNeed], message: str, today: date) -> list[FigureNeed]:
    """The same calculators with the inputs that a follow-up gives anew."""
    changed = []
    for need in needs:
        one = calculator(need["calculator"])
        given = _given(one, need, Facts(message, today))
        changed.append(with_inputs({**need, "inputs": _kept(one, need["inputs"], given)}, given))
    return changed


def _kept(one: Calculator, before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What still holds: with new sums, what belonged to the old value of another input doesn't."""
    news = {name for name, value in given.items() if before.get(name) != value}
    gone = {item.name for item in one.inputs if item.of in news} if sums_among(given) else set()
    return {name: value for name, value in before.items() if name not in gone}


def _given(one: Calculator, need: FigureNeed, facts: Facts) -> dict[str, Any]:
    if answered := _answer(need, facts):
        return answered
    followed = one.follow(need["inputs"], facts)
    if followed:
        return plain(followed)
    given = {} if followed is not None else _news(one, facts)
    if not given and not need["missing"]:
        return _only_sum(need, facts)
    if need["missing"] and not set(given) & set(need["missing"]):
        name = need["missing"][0]
        value = read_input(name, facts)
        if value is not None:
            given[name] = value
    return given


def _news(one: Calculator, facts: Facts) -> dict[str, Any]:
    """What the follow-up says itself: a zero or today's date is what a reader fills in."""
    found = one.given(Facts(facts.question, facts.today, one.of_rent))
    return plain(
        {
            name: value
            for name, value in found.items()
            if value is not UNKNOWN and value != 0 and one.input(name).kind != "today"
        }
    )


def _answer(need: FigureNeed, facts: Facts) -> dict[str, Any]:
    """A bare sum answers the question for the one sum that is missing, and changes nothing else."""
    asked = sums_among(need["missing"])
    if len(asked) != 1 or len(facts.sums) != 1 or facts.sums[0].value.role is not None or facts.rates:
        return {}
    return {asked[0]: read_input(asked[0], facts)}


def _only_sum(need: FigureNeed, facts: Facts) -> dict[str, Any]:
    """ "5천이면?": a bare sum stands for the one sum that was talked about."""
    names = [name for name in sums_among(need["inputs"]) if need["inputs"][name]]
    return {names[0]: facts.sums[0].value.won} if len(names) == 1 and len(facts.sums) == 1 else {}
