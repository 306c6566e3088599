"""Who comes, told in English: two adults and one kid (6), me and my husband, family of four with kids 5 and 8."""

import re
from collections.abc import Callable
from typing import Any

from madang.assistants.travel.state.travel_state import PEOPLE
from madang.graph.reading import Heard
from madang.text.clauses import Span

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(_NUMBERS)})"
_WHOLE = re.compile(rf"\b(?:family|group|party)\sof\s(?P<count>{_COUNT})\b", re.IGNORECASE)
_FRIENDS = re.compile(
    rf"\b(?:with|and)\s(?:my\s)?(?P<count>{_COUNT})\s(?:friends|colleagues|others|sisters|brothers)\b", re.IGNORECASE
)
_GROUP = re.compile(rf"(?<![\d/])\b(?P<count>{_COUNT})\s(?:girls|boys|guys|women|men|ladies)\b", re.IGNORECASE)
_ALONE = re.compile(r"\b(?:alone|solo|by myself|just me|on my own)\b", re.IGNORECASE)
_COUPLE = re.compile(r"\b(?:a couple\b(?!\sof)|couple,|as a couple|newlyweds|honeymoon)", re.IGNORECASE)
_PARENTS = re.compile(r"\b(?P<beside>with|and)?\s?my parents(?:-in-law)?\b", re.IGNORECASE)
_ONE_MORE = re.compile(
    r"\b(?:my|with (?:a|an|my))\s(?:\w+\s)?(?:wife|husband|boyfriend|girlfriend|partner|fianc[eé]e?|mom|mum|mother|dad"
    r"|father|sister|brother|friend|grandma|grandpa|grandmother|grandfather|aunt|uncle|colleague|boss)(?:-in-law)?\b",
    re.IGNORECASE,
)
_CHILD = re.compile(
    r"\b(?:my|our|a|with a)\s(?:(?:\d{1,2}|\w+)[\s-](?:year|yr|month)s?[\s-]old\s?)?"
    r"(?P<who>son|daughter|kid|child|toddler|baby|infant|grandson|granddaughter|(?<=old\s)|(?<=old)\b)",
    re.IGNORECASE,
)
_AGES = re.compile(
    r"\b(?:kids?|children|child|sons?|daughters?)\s?(?:\(|,|aged?|of|are|is)?\s?(?:aged?\s)?"
    r"(?P<ages>\d{1,2}(?:\s?(?:,|and|&)\s?\d{1,2})*)\s?\)?(?!\s?(?:nights?|days?|people|adults))",
    re.IGNORECASE,
)
_OLD = re.compile(r"(?P<age>\d{1,2})[\s-]?(?:(?P<months>months?|mo)|years?|yrs?|yo)[\s-]?old\b", re.IGNORECASE)
_BESIDE = re.compile(r"\s?(?:,|and|plus|\+|&)\s", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:joins?|joining|coming too|can't come|cannot come|drops? out|one of)\b", re.IGNORECASE)
_BABY_YEARS, _GROWN_YEARS = 2, 19


def read_party(heard: Heard, passed: Callable[[Span], bool]) -> dict[str, Any]:
    """num_people, with adults, children and infants where they are told apart; nothing when someone joins or leaves."""
    text = heard.message.text
    counted = [one for one in heard.message.of("people") if one.words.isascii() and not passed(one.span)]
    if _CHANGES.search(text):
        return {}
    total = max((one.value.total or 0 for one in counted if one.value.adults is None), default=0)
    adults = sum(one.value.adults or 0 for one in counted)
    children = sum(one.value.children or 0 for one in counted)
    infants = sum(one.value.infants or 0 for one in counted)
    children, infants, grown = _young(text, children, infants)
    if whole := _WHOLE.search(text):
        total = _number(whole["count"])
    elif total and any(one.value.total == total and _BESIDE.match(text, one.span[1]) for one in counted):
        adults, total = adults + total, 0
    if not total and not adults:
        adults = _named(text, young=bool(children or infants)) + grown
    if total:
        adults = max(0, total - children - infants)
    people = adults + children + infants
    if not adults or people not in PEOPLE:
        return {}
    told = {"adults": adults, "children": children or None, "infants": infants or None} if children or infants else {}
    return {"num_people": people, **told}


def _young(text: str, children: int, infants: int) -> tuple[int, int, int]:
    """Children, infants and grown-up sons and daughters, by the ages that are told."""
    ages = [int(age) for match in _AGES.finditer(text) for age in re.findall(r"\d+", match["ages"])]
    if not ages:
        ages = [int(match["age"]) if not match["months"] else int(match["age"]) // 12 for match in _OLD.finditer(text)]
    grown = sum(age >= _GROWN_YEARS for age in ages)
    if ages and not children and not infants:
        babies = sum(age < _BABY_YEARS for age in ages)
        return len(ages) - babies - grown, babies, 0
    if not ages and not children and not infants and (match := _CHILD.search(text)):
        baby = match["who"].lower() in ("baby", "infant")
        return int(not baby), int(baby), 0
    return children, infants, 0


def _named(text: str, *, young: bool) -> int:
    """Grown-ups that are named beside who writes, who comes along."""
    if _ALONE.search(text) and not young:
        return 1
    if match := _FRIENDS.search(text):
        return _number(match["count"]) + 1
    if match := _GROUP.search(text):
        return _number(match["count"])
    if _COUPLE.search(text):
        return 2
    parents = _PARENTS.search(text)
    others = len(_ONE_MORE.findall(text)) + (2 if parents else 0)
    if parents and others == 2 and not parents["beside"]:
        return 2
    return others + 1 if others else (2 if young and re.search(r"\b(?:we|our|us)\b", text, re.IGNORECASE) else 0)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.index(word.lower()) + 1
