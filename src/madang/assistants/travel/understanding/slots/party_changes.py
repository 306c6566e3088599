"""Who joins and who leaves: 둘은 빠진대요, 친구 하나 더, 시부모님은 못 가신대요."""

import re

from madang.assistants.travel.understanding.slots.people_words import ADULT_KIN, CHILD_KIN
from madang.assistants.travel.understanding.slots.slot_update import Draft
from madang.text.people import find_people

_RELATIVE = rf"{ADULT_KIN}|{CHILD_KIN}"
_ALSO = re.compile(
    rf"(?P<who>(?P<pair>(?:시|친정\s?)?부모님|장인\s?장모님?|(?:{_RELATIVE})네?\s?부부)|{_RELATIVE})(?:분들)?도\s?(?:요|같이|함께|포함|추가|데려|넣어|갈|간대|가신대|올|온대|가기로)"
)
_JOINING = re.compile(
    rf"(?:{_RELATIVE})\s?(?P<count>하나|한\s?명|둘|두\s?명|셋|세\s?명|[1-3]\s?명)?\s?(?:이|가|도)?\s?(?:더\s?)?(?:(?:같이|함께)\s?(?:가|간|갈)|합류|추가)"
)
_NOT_COMING = re.compile(
    rf"(?P<who>(?P<pair>(?:시|친정\s?|외)?(?:조)?부모님|장인\s?장모님?|(?:{_RELATIVE})네?\s?부부)|{_RELATIVE})(?:들)?(?:이|가|은|는)?\s?"
    r"(?:[^,.]{0,12}\s)?(?:(?:못|안)\s?[가간갈온오올](?!\s?[봤본])|빠[지진져질]|빼고|제외)"
)
GROWN = re.compile(r"성인|어른|대인")
_BABY = re.compile(r"아기|애기|유아|영아|돌쟁이|갓난")
_YOUNG = re.compile(r"아이|애(?!인)|초등|어린이|아들|딸|조카|아기|유아|(?:첫|둘|셋)째(?!\s?(?:주|날))|막내|큰애|작은애")
_MAYBE = re.compile(r"(?:빠질|갈|올|못\s?갈|늘|줄|추가될|합류할)\s?(?:수도|지도|까\s?말까|듯\s?말)")
_COUNTS = {
    "하나": 1,
    "한명": 1,
    "1명": 1,
    "둘": 2,
    "두명": 2,
    "2명": 2,
    "셋": 3,
    "세명": 3,
    "넷": 4,
    "네명": 4,
    "다섯": 5,
}


def coming_and_going(text: str, draft: Draft) -> int:
    """By how many the party grows or shrinks: 둘은 빠진대요, 시부모님은 못 가신대요."""
    found = [item.value for item in find_people(text)]
    change = 0 if _MAYBE.search(text) else sum(people.delta or 0 for people in found)
    totals = [people.total for people in found if people.total and people.adults is None]
    if change and totals and not _children_left(text, draft, change, totals[-1]):
        change = 0
    if not found and draft.get("num_people"):
        change = _named(_ALSO, text) - _named(_NOT_COMING, text)
    if draft.get("num_people") and (match := _JOINING.search(text)):
        change = _COUNTS.get((match["count"] or "하나").replace(" ", ""), 1)
    return change


def _named(pattern: re.Pattern[str], text: str) -> int:
    return sum({match["who"]: 2 if match["pair"] else 1 for match in pattern.finditer(text)}.values())


def _children_left(text: str, draft: Draft, change: int, said: int) -> bool:
    """애 하나가 빠져서 둘이에요: the number left is the children's, not the party's."""
    group = group_moved(text)
    return group is not None and (draft.get(group) or 0) + change == said


def group_moved(text: str) -> str | None:
    """Who joins or leaves: 애 말고 어른 하나 더 is about a grown-up."""
    if GROWN.search(text):
        return None
    return "infants" if _BABY.search(text) else "children" if _YOUNG.search(text) else None
