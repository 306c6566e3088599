"""How many people, and who."""

import re
from dataclasses import replace

from madang.assistants.travel.tools.slots.update import Draft
from madang.text.numbers import parse_number
from madang.text.people import People, find_people

_BARE = re.compile(
    r"\s*(?:총\s?|한\s?)?(?P<count>\d{1,3}|하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉|열|혼자)\s*(?:이요|요|이에요|입니다|이서|이|정도|인|쯤)?[\s.!~?]*"
)
_NUMBERS = ("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_WORDS = {word: count for count, word in enumerate(_NUMBERS, 1)} | {"혼자": 1}
_RELATIVE = (
    r"친정\s?엄마|친정\s?어머니|시엄마|외할머니|형부|처제|처남|사촌|막내|큰딸|작은딸|큰아들|엄마|아빠|어머니|아버지|장모님|장인어른|시어머니|시아버지|동생|언니|오빠|누나|형|할머니|할아버지|이모|고모|삼촌|"
    r"남편|신랑|아내|와이프|집사람|여친|남친|여자\s?친구|남자\s?친구|애인|친구|동료|선배|후배|룸메|딸|아들|조카"
)
_WITH_ONE = re.compile(rf"(?<![가-힣])(?P<who>{_RELATIVE})(?:이랑|랑|하고|와|과)(?!\s?(?:\d|둘|셋|넷|다섯|여섯|저\s))")
_WITH_PARENTS = re.compile(r"부모님\s?(?:두\s?분\s?)?(?:이랑|랑|하고|과)|부모님(?:을)?\s?(?:두\s?분\s?)?모시고")
_WITH_FRIENDS = re.compile(
    r"(?:친구|동료|후배|선배|동생|형제)들?\s?(?P<count>둘|셋|넷|다섯|여섯|(?:두|세|네|다섯|여섯|\d)\s?명)(?:이랑|랑|하고|과)"
)
_HONEYMOON = re.compile(r"신혼\s?여행|신행|허니문|커플\s?여행")
_BABY_AGE = re.compile(r"(?P<months>\d{1,2})\s?개월|돌쟁이|한\s?살|1살|갓난")
_CHILD_AGE = re.compile(
    r"(?<![가-힣\d])(?:(?P<years>\d{1,2})|(?P<word>두|세|네|다섯|여섯|일곱|여덟|아홉|열))\s?살(?:짜리|배기|된)?\s?(?P<who>아들|딸|아이|애|조카|꼬마)?(?:\s?(?P<count>하나|둘|한\s?명|두\s?명|1명|2명))?"
)
_SCHOOL_CHILD = re.compile(
    r"(?:아들|딸|아이|애|조카)(?:은|는|이|가)?\s?(?:지금\s?|이제\s?)?(?:초등|유치원|어린이집|중학|중[1-3]|고[1-3]|초[1-6]|\d{1,2}\s?(?:살|학년)|[두세네]\s?살|다섯\s?살)"
)
_ALSO = re.compile(rf"(?P<who>{_RELATIVE})도\s?(?:요|같이|함께|포함|추가|데려|넣어|갈|간대|가신대|올|온대|가기로)")
_JOINING = re.compile(
    rf"(?:{_RELATIVE})\s?(?P<count>하나|한\s?명|둘|두\s?명|셋|세\s?명|[1-3]\s?명)?\s?(?:이|가|도)?\s?(?:더\s?)?(?:(?:같이|함께)\s?(?:가|간|갈)|합류|추가)"
)
_BIG_PARTY = re.compile(
    r"(?P<count>(?:열|스물|서른|마흔|쉰)(?:하나|한|둘|두|셋|세|넷|네|다섯|여섯|일곱|여덟|아홉)?)\s?(?:명|분|사람|인(?!당))"
)
_HEADCOUNT = re.compile(
    r"(?:인원|일행|사람)(?:은|는|이|수는?)?\s?:?\s?(?:총\s?)?(?P<count>\d{1,2})(?![\d만]|\s?(?:박|일|월|만))"
)
_NOT_COMING = re.compile(
    rf"(?P<who>{_RELATIVE})(?:이|가|은|는)?\s?(?:같이\s?)?(?:못|안)\s?[가간갈온오올]|(?:{_RELATIVE})[은는이가]?\s?(?:빠진|빠져|빠질)"
)
_SELF_SAID = re.compile(r"모시고|(?<![가-힣])(?:저|나)(?:까지|랑|도|하고|포함)")
_SELF = {"나", "저", "본인"}
_MEMBER = rf"(?:{_RELATIVE}|나|저|본인)"
_LISTED = re.compile(
    rf"(?<![가-힣]){_MEMBER}(?:(?:\s?[,+&]\s?|\s|이랑\s?|랑\s?|하고\s?){_MEMBER}(?=$|[^가-힣]|이랑|랑|하고|까지|이렇게))+"
)
_GROWN = re.compile(r"성인|어른|대인")
_CHILD_WORDS = re.compile(r"소아|미성년자?|꼬마")
_YOUNG = re.compile(r"아이|애(?!인)|초등|어린이|아들|딸|조카|아기|유아")
_NUMBER_SAID = re.compile(r"\d\s?(?:명|인|식구)|하나|둘|셋|넷|다섯|명|식구")
_DIGITS = re.compile(r"[\s\d,.!~]*(?:이요|요|만|정도)?[\s.!~?]*")
_RATE = re.compile(r"(?:1\s?인|일인|한\s?명|한\s?사람|1명)(?=\s?(?:당|에)?\s?\d{2,})")
_STANDING = re.compile(r"(?<![가-힣])(?P<count>둘|셋|넷|다섯|여섯|일곱)이(?:고|구|며|라|니까|에요|예요)")
_COUNTER = re.compile(r"명$")
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


def read_people(text: str, draft: Draft, pending: str | None) -> None:
    """num_people, adults, children and infants; a change (둘은 빠진대요) is applied to what was known."""
    text = _RATE.sub("□", _CHILD_WORDS.sub("아이", text))
    if pending != "num_people" and _DIGITS.fullmatch(text):
        return
    if big := _BIG_PARTY.search(text):
        _store(draft, People(int(parse_number(big["count"]) or 0)), grown=False)
        return
    found = [item.value for item in find_people(text)]
    change = sum(people.delta or 0 for people in found)
    if not found and draft.get("num_people"):
        change = len({match["who"] for match in _ALSO.finditer(text)})
        change -= len({match["who"] for match in _NOT_COMING.finditer(text)})
    if draft.get("num_people") and (match := _JOINING.search(text)):
        found, change = [], _COUNTS.get((match["count"] or "하나").replace(" ", ""), 1)
    if change and draft.get("num_people"):
        _move(draft, change, _YOUNG.search(text) is not None)
        return
    party = _sum([people for people in found if people.delta is None])
    party = _aged(text, _accompanied(text, party))
    if party.total is None and (match := _HEADCOUNT.search(text)):
        party = replace(party, total=int(match["count"]))
    if party.total is None and (match := _STANDING.search(text)):
        party = replace(party, total=_WORDS[match["count"]])
    if party.total is None and pending == "num_people" and (match := _BARE.fullmatch(text)):
        party = replace(party, total=_WORDS.get(match["count"]) or int(match["count"]))
    if party != People():
        _store(draft, party, _GROWN.search(text) is not None)


def _sum(found: list[People]) -> People:
    """Parties said apart in one message: children add up, the last total that names no group wins."""
    if not found:
        return People()
    totals = [people.total for people in found if people.total is not None and not (people.children or people.infants)]
    plain = [people.total for people in found if people.total is not None and people.adults is None]
    adults = [people.adults for people in found if people.adults is not None]
    children = [people.children for people in found if people.children is not None]
    infants = [people.infants for people in found if people.infants is not None]
    party = People(None, adults[-1] if adults else None, _added(children), _added(infants))
    young = (party.children or 0) + (party.infants or 0)
    if plain and young >= plain[-1]:
        # 와이프랑 저랑 초등생 둘: the two who were counted are the adults
        return replace(party, adults=plain[-1], total=plain[-1] + young)
    if plain:
        return replace(party, total=plain[-1])
    if party.adults is not None:
        return replace(party, total=party.adults + young)
    return replace(party, total=totals[-1] if totals else None)


def _added(counts: list[int]) -> int | None:
    return sum(counts) if counts else None


def _accompanied(text: str, party: People) -> People:
    """엄마랑 is two people though no number is said; 친구 둘이랑 three."""
    if match := _WITH_FRIENDS.search(text):
        return replace(party, total=int(parse_number(_COUNTER.sub("", match["count"]).strip()) or 1) + 1)
    if party.total == 2 and re.search(r"부모님\s?두\s?분", text) and _SELF_SAID.search(text):
        return replace(party, total=3)
    listed = _listed(text)
    if listed and (party.total is None or (listed > party.total and not _NUMBER_SAID.search(text))):
        babies = len(re.findall(r"[,\s]\s?(?:아기|애기)(?![가-힣])", text)) if party.infants is None else 0
        return replace(party, total=listed + babies, adults=None, infants=babies or party.infants)
    if party.total is not None:
        return party
    adults = None
    if _WITH_PARENTS.search(text):
        adults = 3
    elif match := _WITH_ONE.search(text):
        others = {found["who"] for found in _WITH_ONE.finditer(text)} - {"딸", "아들", "조카"}
        adults = 1 + len(others) if others else None
    elif _HONEYMOON.search(text):
        adults = 2
    if adults is None:
        return party
    young = (party.children or 0) + (party.infants or 0)
    return replace(party, total=adults + young, adults=adults if young else None)


def _listed(text: str) -> int | None:
    """엄마, 아빠, 나, 동생: everyone named, and the speaker."""
    match = _LISTED.search(text)
    return len(set(re.findall(_MEMBER, match.group())) - _SELF) + 1 if match else None


def _aged(text: str, party: People) -> People:
    """A child with an age and no other number: 다섯 살 아들. Under two years is an infant."""
    baby = _BABY_AGE.search(text)
    if baby and (not baby["months"] or int(baby["months"]) < 24) and party.children and not party.infants:
        return replace(party, children=None, infants=party.children)
    if party.children is not None or party.infants is not None:
        return party
    young = 0
    for match in _CHILD_AGE.finditer(text):
        if match["who"] and int(match["years"] or 0) < 19:
            young += _COUNTS.get((match["count"] or "하나").replace(" ", ""), 1)
    if not young and _SCHOOL_CHILD.search(text):
        young = 1
    if not young:
        return party
    total = party.total + young if party.total is not None and party.adults is not None else party.total
    return replace(party, children=young, total=total)


def _move(draft: Draft, change: int, young: bool) -> None:
    draft.cues.add("correction")
    if not draft.put_number("num_people", draft.get("num_people") + change):
        return
    if young and (draft.get("children") or change > 0):
        draft.set("children", max(0, (draft.get("children") or 0) + change) or None)
    _rest(draft, draft.get("num_people"), always=draft.get("adults") is not None)


def _store(draft: Draft, party: People, grown: bool) -> None:
    before = draft.get("num_people")
    if party.total is not None and not draft.put_number("num_people", party.total):
        return
    if before is not None and party.total not in (None, before):
        draft.cues.add("correction")
    total = draft.get("num_people")
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
