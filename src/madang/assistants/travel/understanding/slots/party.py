"""How many people, and who."""

import re
from dataclasses import replace

from madang.assistants.travel.understanding.slots.child_corrections import regroup
from madang.assistants.travel.understanding.slots.masks import PERSON, masked
from madang.assistants.travel.understanding.slots.party_changes import GROWN, coming_and_going, group_moved
from madang.assistants.travel.understanding.slots.roster import named_people
from madang.assistants.travel.understanding.slots.slot_update import Draft
from madang.text.numbers import parse_number
from madang.text.people import People, find_people

_BARE = re.compile(
    r"\s*(?:총\s?|한\s?)?(?P<count>\d{1,3}|하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉|열|혼자)\s*(?:이요|요|이에요|입니다|이서|이|정도|인|쯤)?[\s.!~?]*"
)
_NUMBERS = ("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_WORDS = {word: count for count, word in enumerate(_NUMBERS, 1)} | {"혼자": 1}
_HONEYMOON = re.compile(r"신혼\s?여행|신행|허니문|커플\s?여행")
_ONE_PARENT = re.compile(r"싱글\s?(?:맘|대디|파파)|(?:엄마|아빠|저|나)\s?혼자(?:서)?\s?(?:애|아이|데리고)")
_COUPLES = re.compile(r"(?<![가-힣])(?P<count>두|세|네|다섯|여섯|[2-5])\s?(?:쌍의?\s?)?(?:부부|커플)(?!\s?당)")
_BIG_PARTY = re.compile(
    r"(?P<count>(?:열|스물|서른|마흔|쉰)(?:하나|한|둘|두|셋|세|넷|네|다섯|여섯|일곱|여덟|아홉)?)\s?(?:명|분|사람|인(?!당))"
)
_HEADCOUNT = re.compile(
    r"(?:인원|일행|사람)(?:은|는|이|수는?)?\s?:?\s?(?:총\s?)?(?P<count>\d{1,2})(?![\d만]|\s?(?:박|일|월|만))"
)
_CHILD_WORDS = re.compile(r"소아|미성년자?|꼬마")
_DIGITS = re.compile(r"[\s\d,.!~]*(?:이요|요|만|정도)?[\s.!~?]*")
_RATE = re.compile(
    r"(?:1\s?인|일인|한\s?명|한\s?사람|1명)(?=\s?(?:당|에)?\s?\d{2,})|(?:커플|부부|가족)\s?(?:당|마다)|(?:1\s?인|일인|한\s?명|한\s?사람|1명)\s?기준"
)
_STANDING = re.compile(r"(?<![가-힣])(?P<count>둘|셋|넷|다섯|여섯|일곱)이(?:고|구|며|라|니까|에요|예요)")
_BARE_BETWEEN = re.compile(
    r"(?<![가-힣])(?<!□\s)(?P<count>둘|셋|넷|다섯|여섯)(?=\s(?:\d{2,}|예산|총|인당|두당|합|다\s?해|[일이삼사오육칠팔구]?[십백]))"
)
_BESIDES_ME = re.compile(
    r"(?<![가-힣])(?:나|저)\s?(?:빼고|말고|제외하고|외에)\s?(?P<count>\d(?=\s?명)|하나|둘|셋|넷|다섯|(?:한|두|세|네|다섯|여섯)(?=\s?(?:명|분|사람)))"
)
_JUST_ME = re.compile(r"\s*(?:저|나|제)\s?(?:만|뿐|하나|요|랑\s?(?:강아지|고양이|반려)|$)")
_SOME_OF_THEM = re.compile(r"(?:은|는)\s|\s(?:다|모두)\s")
_ONE_OF_THEM = re.compile(r"(?:이|가)\s")
_AMONG = re.compile(r"(?:그|이)\s?중|중에?\s?(?:한|두|하나|둘|\d)")
_HOUSE = re.compile(
    r"(?<![가-힣])(?:(?P<ours>우리|저희)|[가-힣]{1,4}네|처가(?:댁|집)?|처갓집|시댁|친정|외가|본가|큰집|작은집)\s?(?:식구들?|가족들?|집)?(?:이|가)?\s?"
    r"(?:(?P<count>하나|둘|셋|넷|다섯|여섯|일곱|\d)(?!\s?[박만월일])|(?P<couple>부부|내외))"
)
_TWO = 2
_SHORT = 10


# 애가 열이 나는데: a fever is no ten.
_FEVER = re.compile(r"열(?=[이은도]?\s?(?:나|났|난|있|높|올|펄|심|안\s?내|내려))")


def read_people(text: str, draft: Draft, pending: str | None) -> None:
    """num_people, adults, children and infants; a change (둘은 빠진대요) is applied to what was known."""
    text = _FEVER.sub("□", _RATE.sub("□", _CHILD_WORDS.sub("아이", text)))
    if (pending != "num_people" and _DIGITS.fullmatch(text)) or regroup(text, draft):
        return
    if whole := _said_whole(text):
        _store(draft, People(whole), grown=False)
        return
    change = coming_and_going(text, draft)
    if change and draft.get("num_people"):
        _move(draft, change, group_moved(text))
        return
    party = _party(text, pending, draft.get("num_people"))
    if party.total is None:
        party = replace(party, total=_counted(text, pending))
    if party != People():
        _store(draft, party, GROWN.search(text) is not None)


def _said_whole(text: str) -> int | None:
    """나 빼고 셋, 열두 명: numbers that leave no doubt."""
    if besides := _BESIDES_ME.search(text):
        return int(parse_number(besides["count"]) or 0) + 1
    big = _BIG_PARTY.search(text)
    return int(parse_number(big["count"]) or 0) if big else None


def _counted(text: str, pending: str | None) -> int | None:
    """A number that can only be the party's, by its place or by the question it answers."""
    if match := _HEADCOUNT.search(text):
        return int(match["count"])
    if match := _STANDING.search(text) or _BARE_BETWEEN.search(text):
        return _WORDS[match["count"]]
    if pending == "num_people" and (match := _BARE.fullmatch(text)):
        return _WORDS.get(match["count"]) or int(match["count"])
    return 1 if (pending == "num_people" or len(text) < _SHORT) and _JUST_ME.match(text) else None


def _party(text: str, pending: str | None, known: int | None) -> People:
    """The party a message describes: who is named, and the numbers said for all of them or for the adults."""
    if houses := _houses(text):
        return People(houses)
    if couples := _COUPLES.search(text):
        return People(2 * int(parse_number(couples["count"]) or 0))
    roster = named_people(text, pending == "num_people")
    among = _AMONG.search(text)
    plain = masked(text, roster.spans, PERSON)
    found = [
        item.value
        for item in find_people(plain)
        if item.value.delta is None
        and not (known and (item.value.total or 0) < known and _SOME_OF_THEM.match(plain, item.span[1]))
        and not (known and known > 1 and item.value.total == 1 and _ONE_OF_THEM.match(plain, item.span[1]))
        and not (among and item.span[0] >= among.start() and item.value.total and not item.value.children)
    ]
    totals = [people.total for people in found if people.total is not None and people.adults is None]
    adults = [people.adults for people in found if people.adults is not None]
    children = roster.children + sum(people.children or 0 for people in found)
    infants = roster.infants + sum(people.infants or 0 for people in found)
    young = children + infants
    party = People(None, None, children or None, infants or None)
    if totals and young >= totals[-1]:
        return replace(party, adults=totals[-1], total=totals[-1] + young)
    if totals:
        return replace(party, total=totals[-1])
    grown = adults[-1] if adults else roster.grown
    if adults and roster.grown and not GROWN.search(text):
        grown = max(adults[-1], roster.grown)
    if not grown and _HONEYMOON.search(text):
        grown = 2
    if not grown and young and _ONE_PARENT.search(text):
        grown = 1
    if not grown or roster.open:
        return party
    return replace(party, adults=grown if young or adults else None, total=grown + young)


def _houses(text: str) -> int | None:
    """처갓집 식구 넷에 우리 식구 셋: households are added up."""
    found = list(_HOUSE.finditer(text))
    if len(found) < _TWO or all(match["ours"] or match["couple"] for match in found):
        return None
    return sum(2 if match["couple"] else int(parse_number(match["count"]) or 0) for match in found)


def _move(draft: Draft, change: int, group: str | None) -> None:
    draft.cues.add("correction")
    if not draft.put_number("num_people", draft.get("num_people") + change):
        return
    if group and (draft.get(group) or change > 0):
        draft.set(group, max(0, (draft.get(group) or 0) + change) or None)
    _rest(draft, draft.get("num_people"), always=draft.get("adults") is not None)


def _store(draft: Draft, party: People, grown: bool) -> None:
    before = draft.get("num_people")
    if party.total is not None and not draft.put_number("num_people", party.total):
        return
    if before is not None and party.total not in (None, before):
        draft.cues.add("correction")
    total = draft.get("num_people")
    young = (draft.get("children") or 0) + (draft.get("infants") or 0)
    adults_only = grown and party.adults == party.total and not (party.children or party.infants)
    if young and adults_only and party.adults and draft.put_number("num_people", party.adults + young):
        draft.set("adults", party.adults)
        return
    children, infants = party.children, party.infants
    if children is None and infants is None:
        if party.adults is not None and party.total == party.adults and grown:
            draft.set("adults", party.adults)
        if party.total is not None and (draft.get("children") or draft.get("infants")):
            _rest(draft, total)
        return
    draft.set("children", children or (None if party.adults is not None else draft.get("children")))
    draft.set("infants", infants or (None if party.adults is not None else draft.get("infants")))
    _rest(draft, total)


def _rest(draft: Draft, total: int | None, *, always: bool = True) -> None:
    """The adults are those who are neither children nor infants."""
    young = (draft.get("children") or 0) + (draft.get("infants") or 0)
    if total is None or not (always or young):
        return
    if young < total:
        draft.set("adults", total - young)
    else:
        for name in ("children", "infants", "adults"):
            draft.set(name, None)
