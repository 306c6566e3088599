"""Where to, and from where."""

import re

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.understanding.slots.city_names import Mention, find_names
from madang.assistants.travel.understanding.slots.city_roles import TOPIC, TOWARDS, current_cities, roles
from madang.assistants.travel.understanding.slots.regions import choose_between, narrow, region_meant
from madang.assistants.travel.understanding.slots.slot_update import Draft, SlotQuestion
from madang.assistants.travel.understanding.slots.unknown_cities import cut_short, inside_place, mistyped, part_of_city

_ADD_AFTER = re.compile(
    r"\s?(?:은|는|도)?\s?당일\s?(?:치기|로|코스)|\s?(?:도|까지)(?![가-힣]*\s?(?:괜찮|좋긴|생각))|\s?(?:을|를)?\s?(?:당일치기\s?|하루\s?|\d박\s?(?:정도\s?)?)?(?:로\s?|더\s?)?(?:추가|넣|붙여|들러|들렀|들르|거쳐|경유|껴|끼워|포함)"
)
_OR = re.compile(
    r"갈까.{1,8}갈까|할까.{1,8}할까|혹은|또는|중에|중\s?어디|아니면|\bvs\b|이나\s|중에서|둘\s?중|할지|고민|좋을까|나을까|나은가|어디가\s|어느\s?(?:쪽|게|데|곳)|골라"
)
_ASKS = re.compile(r"\?|어때|어떨까|어떤가|나을까|좋을까|좋아요\?|추천")
_DECIDED = re.compile(
    r"\s?(?:으로|로)\s?(?:정했|정할|결정|하기로|할게|할래|갈게|갈래|가기로|가자|가려|낙점|확정|골랐|마음)"
)
_ONLY_AFTER = re.compile(r"\s?만\s?(?:갈|가|할|하|볼|보|다녀|있|돌|찍|남|으로|[1-9]\s?박|이요|요|$|[.!~])")
_ALL_OF_THEM = re.compile(
    r"(?:둘|셋|넷|모두|전부|다)\s?다?\s?(?:가려|갈|가고|가자|가기|가보|들르|돌|볼|가요|갑니다)|둘\s?다|셋\s?다"
)
_ORDER = re.compile(r"먼저|순서|순으로|그\s?다음|첫\s?번째|반대로|거꾸로")
_NIGHTS = re.compile(r"\d\s?박|하루|이틀")
_REPLACES = re.compile(r"바꿔|바꿀|바꾸|변경|말고|대신|할게|할래|갈래|갈게|가자|정했|결정|하자|해\s?줘|해\s?주")
_EITHER_AFTER = re.compile(r"(?:이나|나)\s|\s?(?:or|vs)\s")


def read_destinations(text: str, draft: Draft, pending: str | None) -> list[Mention]:
    """Destination, destinations and origin; returns the names found so that other readers leave them alone."""
    known = tuple(current_cities(draft))
    names = [mention for mention in find_names(text, known) if not part_of_city(text, mention, known)]
    names = [mention for mention in names if not inside_place(text, mention, names, known)]
    names += cut_short(text, names, known)
    if not names and pending == "destination":
        names = mistyped(text)
    cities = [mention for mention in names if mention.kind == "city"]
    going, origin, dropped = roles(text, cities, pending, known)
    if origin:
        draft.set("origin", origin.name)
    if dropped:
        draft.cues.add("removal")
    regions = [mention for mention in names if mention.kind == "region"]
    if regions and len(going) == 1 and _OR.search(text):
        choose_between(draft, going[0], regions[0])
        return names
    _settle(text, draft, going, dropped)
    if regions and not going and not (current_cities(draft) and _ASKS.search(text)):
        narrow(text, draft, region_meant(text, regions))
    return names


def _settle(text: str, draft: Draft, going: list[Mention], dropped: list[str]) -> None:
    current = [name for name in current_cities(draft) if name not in dropped]
    said = _chosen(text, draft, going)
    only = [mention.name for mention in going if _ONLY_AFTER.match(text, mention.end)]
    if only:
        _store(draft, only[-1:])
        return
    if len(current) > 1 and said and set(said) <= set(current) and not dropped and set(said) != set(current):
        if _ORDER.search(text):
            _store(draft, [*said, *(name for name in current if name not in said)])
            return
        if all(TOPIC.match(text, mention.end) for mention in going):
            return
        if not (_REPLACES.search(text) or any(TOWARDS.match(text, mention.end) for mention in going)):
            return
    if said and current and _only_asking(text, said, current):
        said = []
    if said or dropped:
        _store(draft, _after(text, draft, going, dropped, said))


def _chosen(text: str, draft: Draft, going: list[Mention]) -> list[str]:
    """The cities a message settles on: of alternatives the one decided for, or none and a question."""
    said = list(dict.fromkeys(mention.name for mention in going))
    decided = [mention.name for mention in going if _DECIDED.match(text, mention.end)]
    if len(said) > 1 and decided and _OR.search(text):
        said = decided[-1:]
    answered = [mention.name for mention in going if mention.start > text.rfind("?") >= 0]
    if len(said) > 1 and len(set(answered)) == 1:
        said = answered[:1]
    every = _ALL_OF_THEM.search(text) is not None
    either = not every and any(_EITHER_AFTER.match(text, mention.end) for mention in going[:-1])
    if len(said) > 1 and not every and (either or _OR.search(text)):
        draft.questions.append(
            SlotQuestion("destination", f"{'·'.join(said)} 중 어디로 갈까요?", "ambiguous", tuple(said))
        )
        return []
    return said


def _after(text: str, draft: Draft, going: list[Mention], dropped: list[str], said: list[str]) -> list[str]:
    """The cities of the trip then: those said added to, or in the place of, those known."""
    current = [name for name in current_cities(draft) if name not in dropped]
    if len(said) > 1 and set(said) == set(current) and not _ORDER.search(text) and _NIGHTS.search(text):
        return current
    added = bool(current) and any(_ADD_AFTER.match(text, mention.end) for mention in going)
    swapped = bool(dropped) and len(current_cities(draft)) > 1
    if said and (swapped or (added and not dropped)):
        return current + [name for name in said if name not in current]
    return said or current


def _only_asking(text: str, said: list[str], current: list[str]) -> bool:
    return bool(_ASKS.search(text)) and not set(said) & set(current) and not re.search(r"바꿔|바꾸|변경|말고", text)


def _store(draft: Draft, cities: list[str]) -> None:
    draft.set("destination", cities[0] if cities else None)
    draft.set("destinations", cities if len(cities) > 1 else None)
    before = draft.before.get("destination")
    if before and before not in cities:
        draft.cues.add("correction")
        draft.set("must_visit_places", _kept_places(draft.get("must_visit_places") or [], cities))


def _kept_places(places: list[str], cities: list[str]) -> list[str]:
    known = {place.name for name in cities if name in all_cities() for place in all_cities()[name].places}
    return [place for place in places if place in known]
