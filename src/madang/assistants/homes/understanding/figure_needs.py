"""Figures a conversation is about: read from words, completed by what was said before, kept as plain values."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.tools.calculators import Calculation
from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.figure_readers.buying import in_regulated_area
from madang.assistants.homes.tools.figures import ASK, FigureRequest, calculate, read_figures
from madang.assistants.homes.understanding.slots import yearly
from madang.text.rates import find_rates

_DATES = ("lease_end", "today", "notified", "signed")
MONEY = {
    "deposit", "deposit_after", "deposit_before", "price", "principal", "monthly_rent", "annual_income", "house_price",
    "existing_yearly", "current_rent", "loan", "senior",
}  # fmt: skip
_RATES = {"annual_rate", "ltv", "ratio", "base_rate", "asked_rate", "loan_rate"}
# The law itself answers these without a sum: how much is a share, when is a period.
ANSWERED_BY_LAW = frozenset({"increase_cap", "notice", "termination", "lease_report"})
_WANTS_NUMBER = re.compile(r"얼마|계산|상한|한도|최대|몇\s?(?:%|퍼센트|프로|원|억|만)|비율")
_SAID_BY_THE_WAY = frozenset({"method", "kind", "today", "months", "property_kind", "deal"})
SHORT = 16
# Slots that stand for an input of the same meaning.
_FROM_SLOTS: Mapping[str, str] = {
    "deposit": "deposit",
    "price": "price",
    "monthly_rent": "monthly_rent",
    "region": "region",
    "annual_income": "annual_income",
    "lease_end": "contract_end",
}


def read_needs(message: str, today: date, slots: Mapping[str, Any]) -> list[FigureNeed]:
    """The calculators a message asks for, with what it and the conversation give them."""
    needs = [as_need(request) for request in read_figures(message, today)]
    return [complete(_filled(_into_jeonse(need, message, today), message, today), slots) for need in needs]


def _into_jeonse(need: FigureNeed, message: str, today: date) -> FigureNeed:
    """ "월세 50을 전세로": the rent becomes a deposit, not the other way round."""
    rents = [item.value.won for item in Facts(message, today).sums if item.value.role == "rent"]
    if need["calculator"] == "conversion" and rents and re.search(r"월세[^?]{0,16}전세로", message):
        return {"calculator": "rent_to_deposit", "inputs": {"monthly_rent": rents[0]}, "missing": []}
    return need


def _filled(need: FigureNeed, message: str, today: date) -> FigureNeed:
    """The one sum of a message is the one sum that is missing ("9억 아파트 복비")."""
    missing = [name for name in need["missing"] if name in MONEY]
    sums = Facts(message, today).sums
    if len(missing) != 1 or len(sums) != 1 or any(name in MONEY for name in need["inputs"]):
        return need
    rest = [name for name in need["missing"] if name != missing[0]]
    return {**need, "inputs": {**need["inputs"], missing[0]: sums[0].value.won}, "missing": rest}


def read_input(name: str, message: str, today: date) -> Any | None:
    """A bare answer to the question for one input: "3억", "4.2%", "30년", "서울이요", "매매"."""
    facts = Facts(message, today)
    if name == "deposit_after" and re.search(r"전부|전액|모두|다\s?바꾸|없이|0원", message):
        return 0
    if name in MONEY:
        sums = [item.value for item in facts.sums]
        return None if not sums else yearly(sums[0]) if name == "annual_income" else sums[0].won
    if name in _RATES:
        rates = find_rates(message)
        if rates:
            return str(Decimal(str(rates[0].value.percent)) / 100)
        number = re.search(r"\d+(?:\.\d+)?", message)
        return str(Decimal(number.group()) / 100) if number else None
    if name in _DATES:
        return facts.day.isoformat() if facts.day else None
    if name == "region":
        return facts.region
    if name in ("years", "loan_years", "homes"):
        number = re.search(r"\d+", message)
        return int(number.group()) if number else _homes(message) if name == "homes" else None
    if name == "regulated":
        return _regulated(facts)
    if name == "deal":
        return (
            "sale" if re.search(r"매매|사|팔", message) else "lease" if re.search(r"전세|월세|임대", message) else None
        )
    return None


def _regulated(facts: Facts) -> bool | None:
    said = in_regulated_area(facts)
    if said is None and re.match(r"\s*(?:네|넵|예|응|맞|그래|ㅇㅇ|있)", facts.text):
        return True
    return False if said is None and re.match(r"\s*(?:아니|아뇨|ㄴㄴ|없)", facts.text) else said


def _homes(message: str) -> int | None:
    if re.search(r"첫|처음|무주택|하나|한\s?채|생애", message):
        return 1
    return 2 if re.search(r"둘|두|다주택|추가", message) else None


def complete(need: FigureNeed, slots: Mapping[str, Any]) -> FigureNeed:
    """The need with missing inputs taken from what the user said earlier."""
    need = with_loan(need)
    known = {
        name: slots[_FROM_SLOTS[name]]
        for name in need["missing"]
        if name in _FROM_SLOTS and slots.get(_FROM_SLOTS[name]) is not None
    }
    return {
        "calculator": need["calculator"],
        "inputs": {**need["inputs"], **known},
        "missing": [name for name in need["missing"] if name not in known],
    }


def with_loan(need: FigureNeed) -> FigureNeed:
    """A return with a loan needs its rate and term: neither is supposed."""
    if need["calculator"] != "roi" or not need["inputs"].get("loan"):
        return need
    lacking = [name for name in ("loan_rate", "loan_years") if need["inputs"].get(name) is None]
    return {**need, "missing": list(dict.fromkeys([*need["missing"], *lacking]))}


def worth_asking(need: FigureNeed, message: str) -> bool:
    """Whether what is missing should be asked for, rather than answering with the rule alone."""
    if not need["missing"] or need["calculator"] in ANSWERED_BY_LAW:
        return False
    given = set(need["inputs"]) - _SAID_BY_THE_WAY
    if need["calculator"] == "conversion" and not given:
        return False
    short = len("".join(message.split())) <= SHORT
    return (bool(_WANTS_NUMBER.search(message)) and (bool(given) or short)) or (bool(given) and short)


def questions_for(names: Sequence[str]) -> list[str]:
    """How to ask for inputs by name."""
    asks = {**ASK, "loan_rate": ASK["annual_rate"], "loan_years": ASK["years"]}
    return [asks.get(name, name) for name in dict.fromkeys(names)]


def as_need(request: FigureRequest) -> FigureNeed:
    inputs = {name: _plain(value) for name, value in request.inputs.items()}
    return {"calculator": request.calculator, "inputs": inputs, "missing": list(request.missing)}


def run(need: Mapping[str, Any]) -> Calculation:
    """Run the calculator. Raises `InvalidState` for what it refuses or still lacks."""
    inputs = {
        name: date.fromisoformat(value) if name in _DATES and isinstance(value, str) else value
        for name, value in need["inputs"].items()
    }
    return calculate(FigureRequest(need["calculator"], inputs, tuple(need["missing"])))


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value
