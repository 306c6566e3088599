"""The figures a message asks for, and what of its sums they are made of."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.understanding.figure_needs import read_needs, with_inputs
from madang.assistants.homes.understanding.form import inputs_from
from madang.assistants.homes.understanding.inquiry import Inquiry
from madang.assistants.homes.understanding.questions import asked_in
from madang.assistants.homes.understanding.routing import HEARD, LONG, asks_for_figure
from madang.graph.reading import Heard, overlap
from madang.text.money import find_money

State = Mapping[str, Any]
_FIGURES = re.compile(r"\d|월세|보증금|전세|임대료|차임|인상|만기|통보|갱신")


def wanted_figures(inquiry: Inquiry) -> list[FigureNeed]:
    """The figures that are asked for. Whether someone must pay is no question how much; a shop's rules are a shop's."""
    needs = inquiry.needs
    asked = inquiry.asked
    if asked and not inquiry.inherited and not asks_for_figure(asked) and max(one.sure for one in asked) >= HEARD:
        needs = [need for need in needs if _goes_by_rule(need, inquiry) or _of_risk(need)]
    if inquiry.known.get("lease_kind") != "shop":
        return needs
    return [
        {**need, "inputs": {**need["inputs"], "kind": "shop"}}
        if any(item.name == "kind" for item in calculator(need["calculator"]).inputs)
        else need
        for need in needs
    ]


def without_rises(needs: Sequence[FigureNeed], said: Sequence[str]) -> list[FigureNeed]:
    """The figures without those made of what is asked for on top: "3천 올려달래요" is no deposit."""
    rises = {
        int(item.value.won)
        for text in said
        for item in find_money(text, "housing")
        if any(word in text[item.span[1] : item.span[1] + 6] for word in ("올려", "올리", "올린", "인상", "더 "))
    }
    return [need for need in needs if not {need["inputs"].get(name) for name in ("deposit", "monthly_rent")} & rises]


def figures_of_story(state: State, inquiry: Inquiry, today: date) -> list[FigureNeed]:
    """The one figure that "얼마나 받을 수 있어요?" asks for after a story which gives everything it needs."""
    story = state.get("story") or []
    if inquiry.inherited or not story or not asks_for_figure(inquiry.asked) or not inquiry.asked[0].says_little:
        return []
    words = " ".join([*story, state["query"]])
    needs = read_needs(words, today, inquiry.known, words)
    return needs if len(needs) == 1 and not needs[0]["missing"] else []


def _goes_by_rule(need: FigureNeed, inquiry: Inquiry) -> bool:
    """Whether the law's rule answers with figures beside it: only where the question or what was told gives any."""
    said = " ".join([*inquiry.told, *(one.text for one in inquiry.asked)])
    return calculator(need["calculator"]).rule_suffices and bool(_FIGURES.search(said))


def _of_risk(need: FigureNeed) -> bool:
    return calculator(need["calculator"]).subject == "risk"


def figure_words(heard: Heard) -> str | None:
    """The words that ask, with those that tell of a rise; None where all of the message may ask for a figure."""
    asked = asked_in(heard)
    if not asked or asks_for_figure(asked) or max(one.sure for one in asked) < HEARD:
        return None
    text = heard.message.text
    if len(text) <= LONG:
        return text
    rises = heard.roles_of("old_rent", "new_rent", "old_deposit", "new_deposit")
    told = [text[slice(*span)] for span in heard.message.clauses if any(overlap(r.span, span) for r in rises)]
    return " ".join([*told, *(one.text for one in asked)])


def risen(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The sums that a rise was read from: what is asked for instead of what is paid now."""
    if inputs.get("asked_rate") is None:
        return {}
    factor = 1 + float(inputs["asked_rate"])
    sums = (("deposit", "lease_facts.new_deposit"), ("monthly_rent", "lease_facts.new_rent"))
    return {path: round(inputs[name] * factor) for name, path in sums if inputs.get(name)}


def with_form_values(need: FigureNeed, values: Mapping[str, Any]) -> FigureNeed:
    """A calculation with those of its inputs that the form has set."""
    given: dict[str, Any] = {}
    for path, value in values.items():
        place, _, name = path.rpartition(".")
        (given.setdefault(place, {}) if place else given)[name] = value
    return with_inputs({**need, "missing": []}, inputs_from(need["calculator"], given))
