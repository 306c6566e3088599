"""Names that are nearly a city, part of one, or none we know."""

import re
from datetime import date

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.words import patterns, word_set
from madang.assistants.travel.understanding.slots.city_names import Mention
from madang.assistants.travel.understanding.slots.city_roles import current_cities
from madang.assistants.travel.understanding.slots.place_names import find_places
from madang.assistants.travel.understanding.slots.slot_update import Draft
from madang.text.dates import find_dates, find_nights
from madang.text.normalise import closest
from madang.text.particles import with_topic
from madang.text.people import find_people

_GOING = re.compile(
    r"(?P<name>[가-힣A-Za-z]{2,12})\s?(?:여행|가고\s?싶|가고싶|갈래|갈게|갈거|갈\s?거|가려|갈려|가볼까|가자|떠나|놀러|가보고)"
)
_BARE = re.compile(
    r"\s*(?P<name>[가-힣A-Za-z]{2,12}?)(?:\s*(?:이요|요|으로|로|갈래요|갈래|가고싶어요|입니다|이에요|예요|할래요|할게요))?[\s.!~]*"
)
_ENDING = re.compile(r"(?:으로|로|에서|에|을|를|은|는|이나|이랑|랑|이요|요)$")
_NO_CITY = re.compile(
    r"(?:러|려고|려구|게|곳|데|여행|끼리|처럼|같이|다가|면서|서|고|지|래|까|요|다|크루즈|투어|일정|계획|코스|예산|숙소|항공|비행기|기차)$|^(?:안|못|꼭|좀|더|또)"
)
_NEARLY = 0.8
_LONG, _HEAD = 5, 3


def part_of_city(text: str, mention: Mention, known: tuple[str, ...]) -> bool:
    """해운대, once the trip goes to Busan: the place, not the city again."""
    if mention.kind != "city" or mention.name not in known or text[mention.start : mention.end] == mention.name:
        return False
    return any(place.start <= mention.start < place.end for place in find_places(text, (mention.name,)))


def inside_place(text: str, mention: Mention, names: list[Mention], known: tuple[str, ...]) -> bool:
    """베네치아 광장 in Rome: a place of another city of the trip that bears this city's name."""
    others = {name.name for name in names if name.kind == "city"} | set(known)
    places = find_places(text, tuple(sorted(others - {mention.name})))
    return any(place.start <= mention.start and mention.end < place.end for place in places)


def cut_short(text: str, names: list[Mention], known: tuple[str, ...]) -> list[Mention]:
    """쿠알라는 뺄게요: a long name of the trip by its beginning."""
    said = {mention.name for mention in names}
    heads = [(name, text.find(name[:_HEAD])) for name in known if len(name) >= _LONG and name not in said]
    return [Mention("city", name, at, at + _HEAD) for name, at in heads if at >= 0]


def mistyped(text: str) -> list[Mention]:
    """방꼭: an answer of one short word that is nearly a city."""
    match = _BARE.fullmatch(text)
    if match is None or match["name"] in word_set("not_cities"):
        return []
    if any(pattern.search(match["name"]) for pattern in patterns("styles").values()):
        return []
    near = closest(match["name"], all_cities(), _NEARLY)
    return [Mention("city", near, *match.span("name"))] if near else []


def refuse_unknown(text: str, draft: Draft, names: list[Mention], today: date, pending: str | None) -> None:
    """Say so when a message can only mean a city, and it is none we know. Read last, when nothing else fits."""
    if names or current_cities(draft) or draft.questions:
        return
    match = _GOING.search(text)
    if match is None and pending == "destination" and draft.changes() == ({}, ()):
        match = _BARE.fullmatch(text)
    if match is None:
        return
    name = _ENDING.sub("", match["name"])
    if len(name) >= 2 and _could_be_city(name, today):
        draft.refuse("destination", f"{with_topic(name)} 제가 아는 도시가 아닙니다", "지원 도시나 알려진 도시 이름")


def _could_be_city(name: str, today: date) -> bool:
    if name in word_set("not_cities") or _NO_CITY.search(name):
        return False
    if any(pattern.search(name) for pattern in patterns("styles").values()):
        return False
    return not (find_dates(name, today) or find_nights(name) or find_people(name))
