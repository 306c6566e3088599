"""What the English of a message says of a trip: its days, its nights, who comes, where from, a sum for each."""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from madang.assistants.travel.data.cues import cue
from madang.assistants.travel.data.estimates import in_won
from madang.assistants.travel.state.travel_state import NIGHTS
from madang.assistants.travel.understanding.english_party import read_party
from madang.assistants.travel.understanding.told import is_question
from madang.graph.reading import Heard
from madang.text.clauses import Span
from madang.text.message import Value

_UNTIL = re.compile(r"\s*(?:-|–|~|to|until|till|through|and (?:back|return(?:ing|s)?)(?: on)?)\s*", re.IGNORECASE)
_BACK = re.compile(r"(?:back|return(?:ing|s)?|home|until|till|by)\s(?:on\s|by\s|in\s)?(?:the\s)?$", re.IGNORECASE)
_FROM_NOW = re.compile(r"\bin\s$", re.IGNORECASE)
_NO_STAY = re.compile(r"[\s-](?:old|before|after|ago|visa|pass|ticket)\b", re.IGNORECASE)
_THERE = re.compile(r"\s(?:in|at)\s$", re.IGNORECASE)
_EACH = re.compile(r"\s?(?:each|per\s(?:person|head)|a\s(?:person|head)|pp)\b", re.IGNORECASE)
_BARE_EACH = re.compile(r"(?<![\d,.$€£])(?P<sum>\d[\d,]*)\s?(?P<thousand>k)?\s(?:each|per person|pp)\b", re.IGNORECASE)
_LEAST_EACH = 10_000
_NEAR = 24


def read_english(heard: Heard, known: Mapping[str, Any]) -> dict[str, Any]:
    """Slots that the English of a message fills. What a question names is no part of a trip that has a goal."""
    found = {**_stay(heard, known), **read_party(heard, lambda span: _passed(heard, known, span)), **_each(heard)}
    if found.get("duration", 1) not in NIGHTS:
        del found["duration"]
    return found


def _passed(heard: Heard, known: Mapping[str, Any], span: Span) -> bool:
    """Whether words are only asked about."""
    act = heard.act_at(span[0])
    return bool(known.get("destination")) and act is not None and is_question(heard, act)


def _english(heard: Heard, known: Mapping[str, Any], kind: str) -> Iterator[Value]:
    for value in heard.message.of(kind):
        if value.words.isascii() and any(map(str.isalpha, value.words)) and not _passed(heard, known, value.span):
            yield value


def _stay(heard: Heard, known: Mapping[str, Any]) -> dict[str, Any]:
    """Departure or the time it lies in, and the nights."""
    found = _nights(heard, known)
    days = [one for one in _english(heard, known, "date") if not _of_something_else(heard, one)]
    text, depart = heard.message.text, None
    for at, value in enumerate(days):
        span = value.value
        leads = days[at + 1] if at + 1 < len(days) else None
        until = leads and _UNTIL.fullmatch(text[value.span[1] : leads.span[0]]) and leads.value.start > span.start
        if _BACK.search(text[max(0, value.span[0] - _NEAR) : value.span[0]]) or (at and depart and span.days == 1):
            start = depart or known.get("depart_date")
            if start and span.start.isoformat() > start:
                found["duration"] = (span.start - span.start.fromisoformat(start)).days
        elif span.kind == "weekend":
            nights = found.setdefault("duration", 1)
            depart = (span.start - timedelta(days=1 if nights == 2 else 0)).isoformat()
        elif span.kind in ("day", "range") or until:
            depart = span.start.isoformat()
            if span.kind == "range":
                found["duration"] = span.days - 1
            elif leads and until:
                found["duration"] = (leads.value.start - span.start).days
        elif depart is None:
            found["depart_window"] = {"from": span.start.isoformat(), "to": span.end.isoformat()}
    if depart:
        found |= {"depart_date": depart, "depart_window": None}
    elif found.get("depart_window"):
        found["depart_date"] = None
    return found


def _of_something_else(heard: Heard, value: Value) -> bool:
    clause = next((one for one in heard.message.clauses if one[0] <= value.span[0] < one[1]), value.span)
    return cue("not_travel_days").search(heard.message.text[slice(*clause)]) is not None


def _nights(heard: Heard, known: Mapping[str, Any]) -> dict[str, Any]:
    """Nights in all; said city by city they are also those of each."""
    text = heard.message.text
    said = [(one.span, int(one.value.nights)) for one in _english(heard, known, "nights") if one.value.nights]
    if not said:
        for one in _english(heard, known, "duration"):
            days = int(one.value.days + 7 * one.value.weeks)
            aside = _FROM_NOW.search(text[: one.span[0]]) or _NO_STAY.match(text, one.span[1])
            if days > 1 and not aside:
                return {"duration": days - 1}
        return {}
    cities = {value.span[0]: value.value.name for value in heard.message.of("city")}
    shares = {
        cities[start]: nights
        for span, nights in said
        for start in cities
        if start > span[1] and _THERE.fullmatch(text[span[1] : start])
    }
    if len(said) > 1 and len(shares) == len(said):
        return {"duration": sum(shares.values()), "city_nights": shares}
    return {"duration": said[-1][1]}


def _each(heard: Heard) -> dict[str, Any]:
    text = heard.message.text
    for value in heard.message.of("money"):
        if _EACH.match(text, value.span[1]):
            money = value.value
            won = money.won if money.currency == "KRW" else in_won(money.amount or 0, money.currency)
            return {"budget_amount": won, "budget_basis": "per_person"}
    if match := _BARE_EACH.search(text):
        won = int(match["sum"].replace(",", "")) * (1000 if match["thousand"] else 1)
        return {"budget_amount": won, "budget_basis": "per_person"} if won >= _LEAST_EACH else {}
    return {}
