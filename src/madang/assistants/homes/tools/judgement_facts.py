"""The facts that turn a judgement, read off what was asked and told: how much more, how long, how many months owed."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from madang.assistants.homes.tools.figure_facts import Facts
from madang.assistants.homes.tools.judgement_question import words
from madang.text.morphemes import Morpheme, morphemes
from madang.text.normalise import squeeze
from madang.text.numbers import parse_number
from madang.text.rates import find_rates

_OWED = frozenset(["밀리", "연체", "미납", "체납", "안내"])
_MONTHS = frozenset(["달", "개월", "기", "달치", "번", "회"])
_BEFORE = frozenset(["전", "남", "앞"])
_AT_WORK = frozenset(["째", "살", "장사", "운영", "영업", "지나", "넘", "되", "하"])
_COUNTS = {"한": 1, "두": 2, "세": 3, "석": 3, "네": 4, "넉": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "열": 10}
_BOUND = ("넘", "초과", "이상", "보다", "만", "까지", "이내", "이하")
_WINDOW = 6


def facts_in(text: str, known: Mapping[str, Any], today: date) -> dict[str, Any]:
    """Facts by name. `known` are fields of the state; what the text says itself comes before them."""
    items = morphemes(text)
    figures = Facts(text, today)
    found: dict[str, Any] = {name: known.get(name) for name in ("deposit", "monthly_rent", "age", "homes_owned")}
    found |= {name: won for name, won in _sums(figures).items() if won is not None}
    found["increase_percent"] = _rise(text, known)
    found["arrears_months"] = _near(items, _MONTHS, _OWED)
    found["lived_years"] = _near(items, {"년", "해"}, _AT_WORK)
    found["months_left"] = _months_left(items, figures, known, today)
    found["age"] = next((n for n, unit, _ in _counted(items) if unit in ("살", "세")), found["age"])
    found["shop"] = (
        figures.is_shop or any(item.form in words("shop") for item in items) or known.get("lease_kind") == "shop"
    )
    return {name: value for name, value in found.items() if value is not None}


def holds(when: Mapping[str, Any], facts: Mapping[str, Any], text: str) -> bool:
    """Whether every condition of a case is met; a fact that isn't known meets none."""
    for name, wanted in when.items():
        if name == "said":
            if not any(squeeze(word) in squeeze(text) for word in wanted):
                return False
        elif isinstance(wanted, Mapping):
            if facts.get(name) is None or not _within(facts[name], wanted):
                return False
        elif bool(facts.get(name)) != wanted:
            return False
    return True


def _within(value: float, bounds: Mapping[str, float]) -> bool:
    return (
        value <= bounds.get("at_most", value)
        and value >= bounds.get("at_least", value)
        and ("under" not in bounds or value < bounds["under"])
        and ("over" not in bounds or value > bounds["over"])
    )


def _sums(figures: Facts) -> dict[str, int | None]:
    return {"deposit": figures.amount("deposit"), "monthly_rent": figures.amount("rent", "monthly_rent")}


def _rise(text: str, known: Mapping[str, Any]) -> float | None:
    """How much more is asked for in percent: told as a rate, or as the calculator read both sums."""
    for rate in find_rates(text):
        after = text[rate.span[1] : rate.span[1] + 4].strip()
        if rate.value.unit == "%" and not after.startswith(_BOUND):
            return float(rate.value.percent)
    for need in known.get("figure_requests") or ():
        if need["calculator"] == "increase_cap" and need["inputs"].get("asked_rate"):
            return 100 * float(need["inputs"]["asked_rate"])
    return None


def _counted(items: Sequence[Morpheme]) -> Iterator[tuple[float, str, int]]:
    """Numbers with the unit after them and where they stand."""
    for place, (one, unit) in enumerate(pairwise(items)):
        if one.tag in ("SN", "NR", "MM") and unit.tag.startswith("N"):
            count = _COUNTS.get(one.form) or parse_number(one.form)
            if count:
                yield float(count), unit.form, place


def _near(items: Sequence[Morpheme], units: frozenset[str] | set[str], said: frozenset[str]) -> float | None:
    """The number of such units next to one of the words."""
    for count, unit, place in _counted(items):
        around = items[max(0, place - _WINDOW) : place + _WINDOW]
        if unit in units and any(item.form in said for item in around):
            return count
    return None


def _months_left(items: Sequence[Morpheme], figures: Facts, known: Mapping[str, Any], today: date) -> float | None:
    """Months until the lease ends: counted ("만기 한 달 전"), or from the day it ends."""
    for count, unit, place in _counted(items):
        after = {item.form for item in items[place + 2 : place + 5]}
        if unit in ("달", "개월") and after & _BEFORE and any(item.form in ("만기", "만료") for item in items):
            return count
    end = figures.lease_end if any(item.form in ("만기", "만료", "끝나") for item in items) else None
    if end is None and known.get("contract_end"):
        end = date.fromisoformat(str(known["contract_end"]))
    return round((end - today).days / 30.4, 1) if end and end > today else None
