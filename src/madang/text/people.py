"""How many people: 셋이, 성인 3 유아 1, 장모님까지 넷, 애 둘, 둘은 빠진대요."""

import re
from dataclasses import dataclass, replace

from madang.text import people_words as words
from madang.text.numbers import parse_number
from madang.text.parsed import Parsed, make, on_folded, outside, without_overlaps

_COUNTED = re.compile(r"명|분|사람")


@dataclass(frozen=True)
class People:
    """A party. What was not said is `None`; `delta` is a change to a number said earlier (둘은 빠진대요: -2)."""

    total: int | None = None
    adults: int | None = None
    children: int | None = None
    infants: int | None = None
    delta: int | None = None


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
    for pattern, sign in ((words.LEAVE_RE, -1), (words.JOIN_RE, 1)):
        for match in pattern.finditer(text):
            count = parse_number(match["count"])
            if count and count <= (50 if _COUNTED.search(match.group()) else 9):
                found.append(make(text, *match.span(), People(delta=sign * int(count)), 0.9))
    found += [make(text, *match.span(), People(delta=1), 0.75) for match in words.ALSO_RE.finditer(text)]
    found += [make(text, *match.span(), People(delta=-1), 0.75) for match in words.KIN_LEAVES_RE.finditer(text)]
    return without_overlaps(found)


def _groups(text: str) -> list[Parsed[People]]:
    found = []
    for match in words.GROUP_RE.finditer(text):
        count = parse_number(match["count"])
        name = match.lastgroup if match.lastgroup in words.GROUPS else next(key for key in words.GROUPS if match[key])
        if count is not None and count <= 100:
            found.append(make(text, *match.span(), replace(People(), **{name: int(count)}), 0.92))
    return found


def _parties(text: str) -> list[Parsed[People]]:
    found = [make(text, *match.span(), People(1), 0.9) for match in words.ALONE.finditer(text)]
    couples: tuple[tuple[re.Pattern[str], People, float], ...] = (
        (words.COUPLE, People(2, 2), 0.9),
        (words.SPOUSE, People(2, 2), 0.7),
        (words.PAIR, People(2), 0.7),
    )
    for pattern, people, sure in couples:
        found += [make(text, *match.span(), people, sure) for match in pattern.finditer(text)]
    for match in words.PARENTS.finditer(text):
        found.append(make(text, *match.span(), People(3, 3), 0.55, (People(3, 3), People(4))))
    for match in words.FAMILY.finditer(text):
        found += _counted(text, match, match["a"] or match["b"] or match["c"], 0.95)
    for match in words.MEMBERS.finditer(text):
        found += _members(text, match)
    for pattern, sure in ((words.TOGETHER, 0.9), (words.INCLUDING, 0.85)):
        for match in pattern.finditer(text):
            found += _counted(text, match, match["count"], sure)
    for pattern in (words.SIBLINGS, words.PEERS, words.FROM_TO, words.HONOURED):
        for match in pattern.finditer(text):
            found += _counted(text, match, match["count"], 0.9)
    alone = words.ONLY.fullmatch(text)
    if alone:
        found += _counted(text, alone, alone["count"], 0.4)
    return [*found, *_companies(text)]


def _companies(text: str) -> list[Parsed[People]]:
    """Parties that take a sum: couples by the pair, friends and the speaker, men and women, a child taken along."""
    found = []
    for match in words.COUPLES.finditer(text):
        pairs = int(parse_number(match["count"] or match["other"]) or 0)
        found.append(make(text, *match.span(), People(2 * pairs, 2 * pairs), 0.9))
    for match in words.FRIENDS.finditer(text):
        count = int(parse_number(match["count"]) or 0)
        found.append(make(text, *match.span(), People(count + 1), 0.6, (People(count + 1), People(count))))
    for match in words.WITH_ME.finditer(text):
        count = int(parse_number(match["count"]) or 0)
        found.append(make(text, *match.span(), People(count + 1), 0.75))
    for match in words.LISTED_PEOPLE.finditer(text):
        found.append(make(text, *match.span(), *_called(match.group())))
    for match in words.SEXES.finditer(text):
        one, two = (int(parse_number(match[a] or match[b]) or 0) for a, b in (("a", "c"), ("b", "d")))
        found.append(make(text, *match.span(), People(one + two), 0.85))
    for match in words.WITH_CHILD.finditer(text):
        infants = match["infants"] is not None
        found.append(make(text, *match.span(), People(infants=1) if infants else People(children=1), 0.55))
    return found


def _called(call: str) -> tuple[People, float]:
    """엄마 아빠 나: three; 엄마랑 아빠랑: the speaker goes along too."""
    people = words.ONE_PERSON.findall(call)
    speaker = any(person in {"저", "나"} for person in people)
    return (People(len(people)), 0.65) if speaker else (People(len(people) + 1), 0.5)


def _members(text: str, match: re.Match[str]) -> list[Parsed[People]]:
    word = match["count"]
    if word in words.VAGUE or match["low"]:
        low, high = words.VAGUE.get(word, (int(match["low"] or 0), int(parse_number(word) or 0)))
        readings = [People(high), People(low)]
        return [make(text, *match.span(), readings[0], 0.6, readings)]
    return _counted(text, match, word, 0.95)


def _counted(text: str, match: re.Match[str], word: str, confidence: float) -> list[Parsed[People]]:
    count = parse_number(word)
    if not count or not 0 < count <= 500:
        return []
    return [make(text, *match.span(), People(int(count)), confidence)]


def _merge(text: str, found: list[Parsed[People]]) -> list[Parsed[People]]:
    merged: list[Parsed[People]] = []
    for item in found:
        joined = _join(text, merged[-1], item) if merged else None
        if joined:
            merged[-1] = joined
        else:
            merged.append(item)
    return [make(text, *item.span, _summed(item.value), item.confidence, item.readings) for item in merged]


def _join(text: str, left: Parsed[People], right: Parsed[People]) -> Parsed[People] | None:
    between = text[left.span[1] : right.span[0]]
    if len(between) > 10 or not words.LINK.fullmatch(between):
        return None
    one, two = left.value, right.value
    if two.total is not None and two.adults is None and one.total is not None:
        return _both(left, right, People(two.total), max(left.confidence, right.confidence))
    clash = any(getattr(one, name) is not None and getattr(two, name) is not None for name in words.GROUPS)
    if clash or (two.total is not None and one.total is not None):
        return None
    both = {name: getattr(one, name) if getattr(one, name) is not None else getattr(two, name) for name in words.GROUPS}
    whole = None if one.total is None or two.total is None else one.total
    if one.adults is None and one.total is not None:
        whole = one.total
    if two.adults is None and two.total is not None:
        whole = two.total
    return _both(left, right, People(whole, **both), min(left.confidence, right.confidence))


def _both(left: Parsed[People], right: Parsed[People], people: People, confidence: float) -> Parsed[People]:
    """Two parties that are one; its words are cut when nothing more joins, or a long list would be copied again and
    again."""
    return Parsed(people, (left.span[0], right.span[1]), "", confidence)


def _summed(people: People) -> People:
    """The total follows when the adults are known; children alone leave it open."""
    if people.total is None and people.adults is not None:
        return replace(people, total=people.adults + (people.children or 0) + (people.infants or 0))
    return people
