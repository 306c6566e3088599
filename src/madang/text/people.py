"""How many people: 셋이, 성인 3 유아 1, 장모님까지 넷, 애 둘, 둘은 빠진대요."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from madang.text.numbers import parse_number
from madang.text.parsed import Parsed, make, on_folded, outside, without_overlaps


@dataclass(frozen=True)
class People:
    """A party. What was not said is `None`; `delta` is a change to a number said earlier (둘은 빠진대요: -2)."""

    total: int | None = None
    adults: int | None = None
    children: int | None = None
    infants: int | None = None
    delta: int | None = None


Group = Literal["adults", "children", "infants"]

_WORD = r"하나|한|둘|두|셋|세|서|넷|네|너|다섯|여섯|일곱|여덟|여덜|아홉|열"
_COUNT = rf"(?:\d{{1,3}}|{_WORD})"
_STAND = r"(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|여덜|아홉|열|\d{1,2})"
_MEMBER = (
    r"(?:명|(?<![\d\s])분(?!기|간|의|거리|정도)|(?<=[가-힣]\s)분(?!기|간|의|거리|정도)|사람|인(?!당|실|용"
    r"|승|치|분|덕|천|정|상|기))"
)
_NOT_PEOPLE = r"(?!\s?당|\s?실|[용승]|\s?이상\s?고장)"
_GROUPS: dict[Group, str] = {
    "adults": r"성인|어른|대인|부모|할머니\s?할아버지",
    "children": (
        r"초등학생|초등생|초딩|중학생|중딩|고등학생|고딩|아이들?|애들?|아동|어린이|소인|자녀|딸|아들|꼬맹이"
        r"|미취학|청소년|학생"
    ),
    "infants": r"유아|영아|아기|애기|갓난아기|갓난쟁이|돌쟁이|신생아|베이비",
}
_GROUP_RE = re.compile(
    "|".join(rf"(?P<{name}>{words})" for name, words in _GROUPS.items()).join(
        (r"(?:(?<![가-힣])|(?<=[둘셋넷섯명분인])|(?<=하나))(?:", ")")
    )
    + (
        rf"\s?(?P<particle>가|이|는|은|만)?\s?(?P<count>{_COUNT})(?!\s?[살세]\b|\s?[살세]짜리|\d|학년|월|박"
        rf"|일)\s?(?:명|분|인|사람)?"
    )
)
_COUPLE = re.compile(r"(?:우리|저희)?\s?(?:신혼\s?부부|(?<![가-힣])부부|커플|연인)(?:끼리|여행)?")
_COUPLES = re.compile(r"(?:부부|커플)\s?(?P<count>두|세|네|\d)\s?쌍|(?P<other>두|세|네|\d)\s?(?:쌍|커플)")
_SPOUSE = re.compile(
    r"(?:와이프|아내|남편|신랑|신부|집사람|여자\s?친구|남자\s?친구|여친|남친|애인)(?:랑|이랑|하고|와|과)"
)
_ALONE = re.compile(r"(?<![가-힣])(?:나\s?|저\s?)?(?:혼자|홀로|혼행|나홀로|솔로)")
_FAMILY = re.compile(
    rf"(?P<a>{_COUNT})\s?인\s?가족|(?P<b>{_COUNT})\s?식구|가족\s?(?P<c>{_STAND})(?:이서|이|명)?(?![가-힣\d월박])"
)
_MEMBERS = re.compile(
    rf"(?<![\d.,])(?:(?P<low>\d{{1,2}})\s?[~-]\s?)?(?P<count>{_COUNT}|서너|두세|두어|대여섯|네다섯"
    rf"|너댓)\s?{_MEMBER}{_NOT_PEOPLE}"
)
_TOGETHER = re.compile(
    r"(?<![가-힣\d])(?P<count>하나|둘|셋|넷|다섯|여섯|일곱|여덟|여덜|아홉|열)(?P<tail>이서|이(?=\s|$|요|서"
    r"|가|[,.!?])|서|끼리|이에요|이요|입니다|요|이고|이랑|(?=\s?(?:갈|가요|가려|간다|여행|$|[,.!?])))"
)
_INCLUDING = re.compile(
    r"(?:까지|포함|해서|모시고|합쳐서?|이렇게|랑|하고|다\s?해서|더해서?|총|전부|모두)\s?(?:총|다|전부|모두)?\s?"
    rf"(?P<count>{_STAND})(?:이서|이(?=$|\s|요|에요|서)|명|(?![가-힣\d/.만억천~-]|\s?(?:박|일|월|만|평|시|층)))"
)
_KIN = (
    r"(?:엄마|아빠|어머니|아버지|장모님?|장인어른|시어머니|시아버지|동생|친구|언니|오빠|누나|형|할머니"
    r"|할아버지|이모|고모|남편|아내|와이프|딸|아들)"
)
_FRIENDS = re.compile(
    rf"(?:친구들?|동료들?|동기들?|후배들?|선배들?|언니들?|자매들?)\s?(?P<count>{_COUNT})\s?(?:명"
    rf"|분)?(?:이랑|랑|하고|과|와)(?![가-힣])"
)
_SEXES = re.compile(
    rf"(?:남자|남성|남)\s?(?P<a>{_STAND})\s?명?[\s,]*(?:여자|여성|여)\s?(?P<b>{_STAND})(?:\s?명)?|(?:여자"
    rf"|여성|여)\s?(?P<c>{_STAND})\s?명?[\s,]*(?:남자|남성|남)\s?(?P<d>{_STAND})(?:\s?명)?"
)
_PAIR = re.compile(r"(?<![가-힣])(?:모녀|부자|모자|부녀|자매|형제|남매)(?=\s?(?:여행|끼리|가|간|둘|$))")
_PARENTS = re.compile(
    rf"부모님(?:이랑|하고|과|\s?모시고)(?!\s?(?:저\s?)?(?:다\s?)?(?:{_STAND}(?![월일박/.\d]|\s?[월일박])|{_COUNT}\s?명"
    rf"|이렇게))(?:\s?저(?:희)?(?![가-힣]))?"
)
_WITH_CHILD = re.compile(
    r"(?<![가-힣])(?:(?P<infants>애기|아기|갓난아기)|(?P<children>아이|애|초등학생|초등생|초딩|딸"
    r"|아들))\s?(?:데리고|동반)"
)
_ONLY = re.compile(r"\s*(?P<count>[1-9]|1\d|20)\s?[.!]?\s*")
_VAGUE = {"서너": (3, 4), "두세": (2, 3), "두어": (2, 3), "대여섯": (5, 6), "네다섯": (4, 5), "너댓": (4, 5)}

_SUBJECT = rf"(?P<count>{_COUNT})\s?(?:명|분|사람)?\s?(?:은|는|이|가|도)?\s?"
_LEAVE = r"(?:빠[지진질져졌]|못\s?[가간갈온오와]|안\s?[가간갈온오와]|빼|제외|취소|줄[어었]|불참|덜|포기)"
_JOIN = r"(?:더|추가|늘[어었]|합류|플러스|같이\s?간대|온대|껴|끼)"
_LEAVE_RE = re.compile(rf"(?<![가-힣\d]){_SUBJECT}{_LEAVE}[가-힣]*")
_JOIN_RE = re.compile(rf"(?<![가-힣\d]){_SUBJECT}{_JOIN}[가-힣]*")
_KIN_LEAVES_RE = re.compile(rf"{_KIN}(?:은|는|이|가|님은|님이)?\s?{_LEAVE}[가-힣]*")
_ALSO_RE = re.compile(
    r"(?:엄마|아빠|어머니|아버지|장모님|장인어른|시어머니|시아버지|동생|친구|언니|오빠|누나|형|할머니|이모"
    r"|고모|남편|아내|와이프)도\s?(?:같이\s?|함께\s?)?(?:간대|가신대|온대|오신대|가기로|가요|갈|합류|추가"
    r"|데려|모시고)[가-힣]*"
)


def find_people(text: str) -> list[Parsed[People]]:
    """Parties in order of appearance; what is said together (성인 2 아이 1, 부부랑 애 둘) is one party.

    Numbers that belong to prices and rooms (두당 90, 1인당, 4인실) are not people.
    """
    return on_folded(text, _find)


def _find(text: str) -> list[Parsed[People]]:
    changes = _changes(text)
    found = outside([*_groups(text), *_parties(text)], [item.span for item in changes])
    return sorted([*changes, *_merge(text, without_overlaps(found))], key=lambda item: item.span)


def _changes(text: str) -> list[Parsed[People]]:
    found = []
    for pattern, sign in ((_LEAVE_RE, -1), (_JOIN_RE, 1)):
        for match in pattern.finditer(text):
            count = parse_number(match["count"])
            if count and count <= 50:
                found.append(make(text, *match.span(), People(delta=sign * int(count)), 0.9))
    found += [make(text, *match.span(), People(delta=1), 0.75) for match in _ALSO_RE.finditer(text)]
    found += [make(text, *match.span(), People(delta=-1), 0.75) for match in _KIN_LEAVES_RE.finditer(text)]
    return without_overlaps(found)


def _groups(text: str) -> list[Parsed[People]]:
    found = []
    for match in _GROUP_RE.finditer(text):
        count = parse_number(match["count"])
        name = match.lastgroup if match.lastgroup in _GROUPS else next(key for key in _GROUPS if match[key])
        if count is not None and count <= 100:
            found.append(make(text, *match.span(), replace(People(), **{name: int(count)}), 0.92))
    return found


def _parties(text: str) -> list[Parsed[People]]:
    found = [make(text, *match.span(), People(1), 0.9) for match in _ALONE.finditer(text)]
    couples: tuple[tuple[re.Pattern[str], People, float], ...] = (
        (_COUPLE, People(2, 2), 0.9),
        (_SPOUSE, People(2, 2), 0.7),
        (_PAIR, People(2), 0.7),
    )
    for pattern, people, sure in couples:
        found += [make(text, *match.span(), people, sure) for match in pattern.finditer(text)]
    for match in _PARENTS.finditer(text):
        found.append(make(text, *match.span(), People(3, 3), 0.55, (People(3, 3), People(4))))
    for match in _FAMILY.finditer(text):
        found += _counted(text, match, match["a"] or match["b"] or match["c"], 0.95)
    for match in _MEMBERS.finditer(text):
        found += _members(text, match)
    for pattern, sure in ((_TOGETHER, 0.9), (_INCLUDING, 0.85)):
        for match in pattern.finditer(text):
            found += _counted(text, match, match["count"], sure)
    alone = _ONLY.fullmatch(text)
    if alone:
        found += _counted(text, alone, alone["count"], 0.4)
    return [*found, *_companies(text)]


def _companies(text: str) -> list[Parsed[People]]:
    """Parties that take a sum: couples by the pair, friends and the speaker, men and women, a child taken along."""
    found = []
    for match in _COUPLES.finditer(text):
        pairs = int(parse_number(match["count"] or match["other"]) or 0)
        found.append(make(text, *match.span(), People(2 * pairs, 2 * pairs), 0.9))
    for match in _FRIENDS.finditer(text):
        count = int(parse_number(match["count"]) or 0)
        found.append(make(text, *match.span(), People(count + 1), 0.6, (People(count + 1), People(count))))
    for match in _SEXES.finditer(text):
        one, two = (int(parse_number(match[a] or match[b]) or 0) for a, b in (("a", "c"), ("b", "d")))
        found.append(make(text, *match.span(), People(one + two), 0.85))
    for match in _WITH_CHILD.finditer(text):
        infants = match["infants"] is not None
        found.append(make(text, *match.span(), People(infants=1) if infants else People(children=1), 0.55))
    return found


def _members(text: str, match: re.Match[str]) -> list[Parsed[People]]:
    word = match["count"]
    if word in _VAGUE or match["low"]:
        low, high = _VAGUE.get(word, (int(match["low"] or 0), int(parse_number(word) or 0)))
        readings = [People(high), People(low)]
        return [make(text, *match.span(), readings[0], 0.6, readings)]
    return _counted(text, match, word, 0.95)


def _counted(text: str, match: re.Match[str], word: str, confidence: float) -> list[Parsed[People]]:
    count = parse_number(word)
    if not count or not 0 < count <= 500:
        return []
    return [make(text, *match.span(), People(int(count)), confidence)]


_LINK = re.compile(r"[\s,+&·]*(?:이?랑|와|과|하고|에|이고|그리고|데리고|모시고|명|그리고)?[\s,+&·]*")


def _merge(text: str, found: list[Parsed[People]]) -> list[Parsed[People]]:
    merged: list[Parsed[People]] = []
    for item in found:
        joined = _join(text, merged[-1], item) if merged else None
        if joined:
            merged[-1] = joined
        else:
            merged.append(item)
    return [replace(item, value=_summed(item.value)) for item in merged]


def _join(text: str, left: Parsed[People], right: Parsed[People]) -> Parsed[People] | None:
    between = text[left.span[1] : right.span[0]]
    if len(between) > 10 or not _LINK.fullmatch(between):
        return None
    one, two = left.value, right.value
    if two.total is not None and two.adults is None and one.total is not None:
        return make(text, left.span[0], right.span[1], People(two.total), max(left.confidence, right.confidence))
    clash = any(getattr(one, name) is not None and getattr(two, name) is not None for name in _GROUPS)
    if clash or (two.total is not None and one.total is not None):
        return None
    both = {name: getattr(one, name) if getattr(one, name) is not None else getattr(two, name) for name in _GROUPS}
    whole = None if one.total is None or two.total is None else one.total
    if one.adults is None and one.total is not None:
        whole = one.total
    if two.adults is None and two.total is not None:
        whole = two.total
    return make(text, left.span[0], right.span[1], People(whole, **both), min(left.confidence, right.confidence))


def _summed(people: People) -> People:
    """The total follows when the adults are known; children alone leave it open."""
    if people.total is None and people.adults is not None:
        return replace(people, total=people.adults + (people.children or 0) + (people.infants or 0))
    return people
