"""What a conversation has told of a trip, for the blanks of a text that its writer reads before sending it.

Only a value that stands alone in its message counts, and the latest message that has one decides.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from madang.assistants.travel.understanding.hearing import message_of
from madang.text.message import Message

_LONGEST = 1_000
_MESSAGES = 8
_SEVERAL = 3
_DECIDING = {"date": "depart", "people": "people", "nights": "nights"}
_DAYS = frozenset({"day", "range", "week"})
# A weekday alone is any.
_TELLS_A_DAY = re.compile(r"\d|주|크리스마스|설|추석|연휴")
_LEAVES = re.compile(r"\s?(?:\(.\))?\s?.{0,6}?(?:출발|부터|떠나|체크인|출국|들어가)")
_FROM = re.compile(r"\s?(?:에서|서|발|출발|살|사는|거주|공항|역|터미널|.{0,9}출발)")
_RETURNS = re.compile(r"\s?(?:\(.\))?\s?.{0,4}?(?:도착|까지|귀국|돌아|체크아웃|나오|옴|와요)")


def told_facts(texts: Sequence[str], today: date) -> dict[str, Any]:
    """`depart` and `until` (dates), `nights`, `people`, `cities` and `each` (won a person), as far as they were told;
    `unclear`: the kinds of values that were told and say none of these. `texts` from first to last."""
    facts: dict[str, Any] = {}
    named: set[str] = set()
    for text in reversed(texts[-_MESSAGES:]):
        message = message_of(text[:_LONGEST], today)
        named |= {one.kind for one in message.values}
        for name, value in _facts_of(message).items():
            facts.setdefault(name, value)
    facts["unclear"] = [kind for kind, name in _DECIDING.items() if kind in named and name not in facts]
    if facts.get("depart") and facts.get("nights") and "until" not in facts:
        facts["until"] = facts["depart"] + timedelta(days=facts["nights"])
    if facts.get("depart") and facts.get("until") and "nights" not in facts:
        facts["nights"] = (facts["until"] - facts["depart"]).days
    return facts


def _facts_of(message: Message) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    facts |= _days_of(message)
    for kind, name, part in (("nights", "nights", "nights"), ("people", "people", "total")):
        found = {number for one in message.of(kind) if (number := getattr(one.value, part, None))}
        if len(found) == 1 or (kind == "people" and len(found) == 2 and 2 in found):  # 부부동반 열두 명
            facts[name] = max(found)
    cities = _goals(message)
    if 1 <= len(cities) <= _SEVERAL:
        facts["cities"] = cities
    each = {one.value.won for one in message.of("money") if one.value.per == "person" and one.value.won}
    return facts | ({"each": each.pop()} if len(each) == 1 else {})


def _days_of(message: Message) -> dict[str, Any]:
    """The day one leaves and the day one is back: those that are said to be, else the only one there is."""
    days = [one for one in message.of("date") if one.value.kind in _DAYS and one.value.start > message.today]
    days = [one for one in days if _TELLS_A_DAY.search(one.words)]
    leaving, back = ([one for one in days if said.match(message.text, one.span[1])] for said in (_LEAVES, _RETURNS))
    if leaving and back and leaving[0].value.start < back[-1].value.end:
        return {"depart": leaving[0].value.start, "until": back[-1].value.end}
    due = [one for one in days if one.value.kind == "day" and message.text.startswith("까지", one.span[1])]
    chosen = {(one.value.start, one.value.end) for one in leaving or days if one not in due}
    if len(chosen) != 1:
        return {}
    start, end = chosen.pop()
    return {"depart": start} | (
        {"until": end} if end and end > start and any(one.value.kind == "range" for one in days) else {}
    )


def _goals(message: Message) -> list[str]:
    """The cities that are named letter by letter and from which one does not leave."""
    plain = "".join(message.text.split())
    named = [one for one in message.of("city") if one.value.name in plain]
    return list(dict.fromkeys(one.value.name for one in named if not _FROM.match(message.text, one.span[1])))


def as_words(facts: Mapping[str, Any]) -> dict[str, str]:
    """The facts as the state keeps them."""
    told = {name: value for name, value in facts.items() if name != "unclear"}
    return {name: ",".join(value) if isinstance(value, list) else str(value) for name, value in told.items()}
