"""What English words say of a trip: who comes, how many nights, a sum for each."""

import re
from typing import Any

_COUNT = r"(?P<count>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)"
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PARTY = re.compile(
    rf"(?<![\d/])\b{_COUNT}\s(?:of us|people|persons|adults|girls|boys|guys|women|men|travell?ers)\b", re.IGNORECASE
)
_FRIENDS = re.compile(rf"\bwith\s(?:my\s)?{_COUNT}\s(?:friends|colleagues|others)\b", re.IGNORECASE)
_ALONE = re.compile(r"\b(?:alone|solo|by myself|just me)\b", re.IGNORECASE)
_PARENTS = re.compile(r"\bmy parents\b", re.IGNORECASE)
_NIGHTS = re.compile(rf"\b{_COUNT}\snights?\b", re.IGNORECASE)
_DAYS = re.compile(rf"\b{_COUNT}\s?-?days?\b", re.IGNORECASE)
_EACH = re.compile(
    r"(?<![\d,])(?P<sum>\d[\d,]*)\s?(?P<thousand>k)?\s?(?:won|krw)?\s?(?:each|per person|pp)\b", re.IGNORECASE
)
_LONGEST, _MOST = 14, 10


def read_english(text: str) -> dict[str, Any]:
    """Slots that the English of a message fills."""
    found: dict[str, Any] = {}
    if match := _NIGHTS.search(text):
        found["duration"] = _number(match["count"])
    elif match := _DAYS.search(text):
        found["duration"] = _number(match["count"]) - 1
    if match := _FRIENDS.search(text):
        found["num_people"] = _number(match["count"]) + 1
    elif match := _PARTY.search(text):
        found["num_people"] = _number(match["count"])
    elif _ALONE.search(text):
        found["num_people"] = 1
    elif _PARENTS.search(text):
        found["num_people"] = 2
    if match := _EACH.search(text):
        amount = int(match["sum"].replace(",", "")) * (1000 if match["thousand"] else 1)
        found |= {"budget_amount": amount, "budget_basis": "per_person"}
    if not 0 < found.get("duration", 1) <= _LONGEST:
        del found["duration"]
    if found.get("num_people", 1) > _MOST:
        del found["num_people"]
    return found


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _WORDS.index(word.lower()) + 1
