"""Figures a message asks for: the calculator, what is known of its inputs, what is still missing."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.tools.calculators import calculator, inputs_by_name
from madang.assistants.homes.tools.calculators.calculation import Calculation
from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figures import FigureRequest, calculate, read_figures

_WANTS_NUMBER = re.compile(r"얼마|계산|상한|한도|최대|몇\s?(?:%|퍼센트|프로|원|억|만)|비율")
SHORT = 16


def read_needs(message: str, today: date, slots: Mapping[str, Any], asked: str | None = None) -> list[FigureNeed]:
    """The calculators a message asks for (in the words `asked`, if it also tells a story), with what it and the
    conversation give them."""
    needs = [as_need(request) for request in read_figures(message, today, asked)]
    return [complete(_filled(need, message, today), slots) for need in needs]


def _filled(need: FigureNeed, message: str, today: date) -> FigureNeed:
    """The one sum of a message is the one sum that is missing ("9억 아파트 복비")."""
    missing = sums_among(need["missing"])
    sums = Facts(message, today).sums
    if len(missing) != 1 or len(sums) != 1 or sums_among(need["inputs"]):
        return need
    return with_inputs(need, {missing[0]: sums[0].value.won})


def sums_among(names: Iterable[str]) -> list[str]:
    """The inputs among them that are sums of money."""
    return [name for name in names if inputs_by_name()[name].is_money]


def read_input(name: str, facts: Facts) -> Any | None:
    """A bare answer to the question for one input: "3억", "4.2%", "30년", "서울이요", "매매"."""
    return _plain(inputs_by_name()[name].read_answer(facts))


def complete(need: FigureNeed, slots: Mapping[str, Any]) -> FigureNeed:
    """The need with missing inputs taken from what the user said earlier."""
    named = {name: slots.get(inputs_by_name()[name].slot) for name in need["missing"]}
    if "deal" in need["missing"] or need["inputs"].get("deal") == "lease":
        named |= _of_deal(need, slots)
    return with_inputs(need, {name: value for name, value in named.items() if value is not None})


def _of_deal(need: FigureNeed, slots: Mapping[str, Any]) -> dict[str, Any]:
    """What a fee is taken of: a sale's price, a lease's deposit; the deal itself if it was said before."""
    said = {"sale": "sale", "jeonse": "lease", "monthly_rent": "lease"}.get(str(slots.get("deal_type")))
    deal = need["inputs"].get("deal") or said
    return {"deal": deal, "price": slots.get("deposit" if deal == "lease" else "price")}


def with_inputs(need: FigureNeed, given: Mapping[str, Any]) -> FigureNeed:
    """The need with these inputs, and what it lacks then."""
    inputs = {**need["inputs"], **given}
    one = calculator(need["calculator"])
    lacking = {*need["missing"], *one.missing(inputs)} - inputs.keys()
    return {**need, "inputs": inputs, "missing": [item.name for item in one.inputs if item.name in lacking]}


def worth_asking(need: FigureNeed, message: str) -> bool:
    """Whether what is missing should be asked for, rather than answering with the rule alone."""
    one = calculator(need["calculator"])
    if not need["missing"] or one.rule_suffices:
        return False
    given = any(one.input(name).is_figure for name in need["inputs"])
    if not given and not one.asked_without_figures:
        return False
    short = len("".join(message.split())) <= SHORT
    return (bool(_WANTS_NUMBER.search(message)) and (given or short)) or (given and short)


def questions_for(needs: Iterable[FigureNeed]) -> list[str]:
    """How to ask for what these needs lack."""
    asked = (line for need in needs for line in calculator(need["calculator"]).questions(need["missing"]))
    return list(dict.fromkeys(asked))


def as_need(request: FigureRequest) -> FigureNeed:
    return {
        "calculator": request.calculator,
        "inputs": plain(request.inputs),
        "missing": list(request.missing),
    }


def run(need: FigureNeed) -> Calculation:
    """Run the calculator. Raises `InvalidState` for what it refuses or still lacks."""
    inputs = {
        name: date.fromisoformat(str(value)) if inputs_by_name()[name].kind in ("date", "today") else value
        for name, value in need["inputs"].items()
    }
    return calculate(FigureRequest(need["calculator"], inputs, tuple(need["missing"])))


def plain(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs as the state holds them: rates and dates as text."""
    return {name: _plain(value) for name, value in inputs.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value
