"""Where to, and from where."""

import re
from datetime import date

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.words import patterns, word_set
from madang.assistants.travel.data.world import locate, nearest_supported
from madang.assistants.travel.tools.particles import together, topic, toward
from madang.assistants.travel.tools.slots.names import Mention, find_names, find_places, korean_cities, region_cities
from madang.assistants.travel.tools.slots.update import Draft, Question
from madang.text.dates import find_dates, find_nights
from madang.text.normalise import closest
from madang.text.people import find_people

_ORIGIN_AFTER = re.compile(
    r"\s?(?:국제)?(?:공항)?\s?(?:에서|서|발|에)?\s?(?:출발(?!일|은|날)|떠나|비행기\s?타|타고\s?(?:갈|가)|출국|사는데|살아|살고|사는|거주|사람)"
    r"|에서\s?(?:KTX|ktx|SRT|srt|기차|버스|비행기|고속버스|차|자차|배)(?:로|를|을)?\s?(?:타|출발|갈|가)"
    r"|\s?(?:국제)?공항(?:에서|으로|이요|요|\s?이용)|에서\s?(?:갈|가려|가는|가요|갑니다|간다|가고)"
)
_ORIGIN_BEFORE = re.compile(r"(?:출발지(?:는|가|:)?|출발은|출발\s?공항은?|출발\s?도시는?|출발:)\s?$")
_FROM_AFTER = re.compile(r"에서\s?(?!\s?(?:\d|[일이삼사오두세네]\s?박|하루|이틀|놀|먹|자고|묵|쇼핑|관광|쉬))")
_DROP_AFTER = re.compile(
    r"\s?보다(?:는|도)?\s|\s?(?:은|는|도|이|가|을|를|만)?\s?(?:그냥\s?|이제\s?)?(?:됐|빼|뺄|뺍|제외|안\s?가|안\s?갈|취소|패스|관두|관둘|필요\s?없|별로|싫|삭제|스킵|포기|말고|말구|아니고|아니라|대신|안\s?할|없애|지워|(?:다음에|담에|나중에)(?:\s?(?:가|갈|할|하|요)|$|[\s.!~]))"
)
_SWAPPED = re.compile(r"에서\s?\S{2,8}(?:으로|로)\s?(?:바꿔|바꿀|바꾸|변경|수정)")
_ALMOST = re.compile(r"[^,.]{0,14}(?:려다가?|려다\s?말고|[려까]고?\s?했는데|려고\s?하다가)\s")
_DROP_LATER = re.compile(r"\s?(?:은|는|도)\s.{0,14}(?:빼|제외|안\s?갈|안\s?가|취소|포기|패스)")
_ADD_AFTER = re.compile(
    r"\s?(?:도|까지)(?![가-힣]*\s?(?:괜찮|좋긴|생각))|\s?(?:을|를)?\s?(?:당일치기\s?|하루\s?|\d박\s?(?:정도\s?)?)?(?:로\s?|더\s?)?(?:추가|넣|붙여|들러|들렀|들르|거쳐|경유|껴|끼워|포함)"
)
_OR = re.compile(
    r"갈까.{1,8}갈까|할까.{1,8}할까|혹은|또는|중에|중\s?어디|아니면|\bvs\b|이나\s|중에서|둘\s?중|할지|고민|좋을까|나을까|나은가|어디가\s|어느\s?(?:쪽|게|데|곳)|골라"
)
_ASKS = re.compile(r"\?|어때|어떨까|어떤가|나을까|좋을까|좋아요\?|추천")
_GOING = re.compile(
    r"(?P<name>[가-힣A-Za-z]{2,12})\s?(?:여행|가고\s?싶|가고싶|갈래|갈게|갈거|갈\s?거|가려|갈려|가볼까|가자|떠나|놀러|가보고)"
)
_BARE = re.compile(
    r"\s*(?P<name>[가-힣A-Za-z]{2,12}?)\s*(?:이요|요|으로|로|갈래요|갈래|가고싶어요|입니다|이에요|예요|할래요|할게요)?[\s.!~]*$"
)
_ENDING = re.compile(r"(?:으로|로|에서|에|을|를|은|는|이나|이랑|랑|이요|요)$")
_NO_CITY = re.compile(
    r"(?:러|려고|려구|게|곳|데|여행|끼리|처럼|같이|다가|면서|서|고|지|래|까|요|다|크루즈|투어|일정|계획|코스|예산|숙소|항공|비행기|기차)$|^(?:안|못|꼭|좀|더|또)"
)
_DECIDED = re.compile(
    r"\s?(?:으로|로)\s?(?:정했|정할|결정|하기로|할게|할래|갈게|갈래|가기로|가자|가려|낙점|확정|골랐|마음)"
)
_ONLY_AFTER = re.compile(r"\s?만\s?(?:갈|가|할|하|볼|보|다녀|있|돌|찍|남|으로|[1-9]\s?박|이요|요|$|[.!~])")
_BEEN = re.compile(
    r"(?:에|은|는|도|를|을|이|가)?\s?(?:[가-힣]{1,5}\s)?(?:다녀왔|다녀온|갔다\s?왔|갔다\s?온|갔다와서|가\s?봤|가본|갔었|갔던|갔는데|갔거든|갔어|갔음|갔다(?=$|[.!?,])|많이\s?갔)"
)
_WONDERED = re.compile(r"도\s?(?:갈까|가볼까|들를까|갈지|가는\s?건|넣을까)")
_ALL_OF_THEM = re.compile(
    r"(?:둘|셋|넷|모두|전부|다)\s?다?\s?(?:가려|갈|가고|가자|가기|가보|들르|돌|볼|가요|갑니다)|둘\s?다|셋\s?다"
)
_TOPIC = re.compile(r"\s?(?:은|는|에서|에선)(?![가-힣])")
_TOWARDS = re.compile(r"(?:으로|로)(?![가-힣])|이?요[\s.!~]*$")
_ORDER = re.compile(r"먼저|순서|순으로|그\s?다음|첫\s?번째|반대로|거꾸로")
_NIGHTS = re.compile(r"\d\s?박|하루|이틀")
_REPLACES = re.compile(r"바꿔|바꿀|바꾸|변경|말고|대신|할게|할래|갈래|갈게|가자|정했|결정|하자|해\s?줘|해\s?주")
_EITHER_AFTER = re.compile(r"(?:이나|나)\s|\s?(?:or|vs)\s")
_AIRPORT_CITIES = ("인천", "김포", "김해", "무안")
_NEARLY = 0.8
_LONG, _HEAD = 5, 3


def read_destinations(text: str, draft: Draft, pending: str | None) -> list[Mention]:
    """Destination, destinations and origin; returns the names found so that other readers leave them alone."""
    known = tuple(_current(draft))
    names = [mention for mention in find_names(text, known) if not _part_of_city(text, mention, known)]
    names += _cut_short(text, names, known)
    if not names and pending == "destination":
        names = _mistyped(text)
    cities = [mention for mention in names if mention.kind == "city"]
    going, origin, dropped = _roles(text, cities, pending, known)
    if origin:
        draft.set("origin", origin.name)
    if dropped:
        draft.cues.add("removal")
    regions = [mention for mention in names if mention.kind == "region"]
    if regions and len(going) == 1 and _OR.search(text):
        _choose_between(draft, going[0], regions[0])
        return names
    _settle(text, draft, going, dropped)
    if regions and not going and not (_current(draft) and _ASKS.search(text)):
        _narrow(text, draft, _region_meant(text, regions))
    return names


def _part_of_city(text: str, mention: Mention, known: tuple[str, ...]) -> bool:
    """해운대, once the trip goes to Busan: the place, not the city again."""
    if mention.kind != "city" or mention.name not in known or text[mention.start : mention.end] == mention.name:
        return False
    return any(place.start <= mention.start < place.end for place in find_places(text, (mention.name,)))


def _cut_short(text: str, names: list[Mention], known: tuple[str, ...]) -> list[Mention]:
    """쿠알라는 뺄게요: a long name of the trip by its beginning."""
    said = {mention.name for mention in names}
    heads = [(name, text.find(name[:_HEAD])) for name in known if len(name) >= _LONG and name not in said]
    return [Mention("city", name, at, at + _HEAD, _NEARLY) for name, at in heads if at >= 0]


def _mistyped(text: str) -> list[Mention]:
    """방꼭: an answer of one short word that is nearly a city."""
    match = _BARE.fullmatch(text)
    if match is None or match["name"] in word_set("not_cities"):
        return []
    if any(pattern.search(match["name"]) for pattern in patterns("styles").values()):
        return []
    near = closest(match["name"], all_cities(), _NEARLY)
    return [Mention("city", near, *match.span("name"), _NEARLY)] if near else []


def _roles(
    text: str, cities: list[Mention], pending: str | None, known: tuple[str, ...]
) -> tuple[list[Mention], Mention | None, list[str]]:
    going: list[Mention] = []
    dropped: list[str] = []
    origin: Mention | None = None
    korean = korean_cities()
    for mention in cities:
        after = text[mention.end :]
        later = any(other.start > mention.end for other in cities)
        if later and (_SWAPPED.match(after) or _ALMOST.match(after)):
            dropped.append(mention.name)
        elif _is_origin(text, mention, pending) or (later and mention.name in korean and _FROM_AFTER.match(after)):
            origin = mention
        elif _DROP_AFTER.match(after) or (mention.name in known and len(cities) == 1 and _DROP_LATER.match(after)):
            dropped.append(mention.name)
        elif _BEEN.match(after) or (len(cities) > 1 and _WONDERED.match(after)):
            continue
        elif known and mention.name not in known and mention.name in korean and _FROM_AFTER.match(after):
            origin = mention
        elif mention.name not in _AIRPORT_CITIES or "여행" in after:
            going.append(mention)
    return going, origin, dropped


def _is_origin(text: str, mention: Mention, pending: str | None) -> bool:
    if pending == "origin":
        return True
    return bool(_ORIGIN_AFTER.match(text, mention.end) or _ORIGIN_BEFORE.search(text[: mention.start]))


def _settle(text: str, draft: Draft, going: list[Mention], dropped: list[str]) -> None:
    current = [name for name in _current(draft) if name not in dropped]
    said = _chosen(text, draft, going)
    only = [mention.name for mention in going if _ONLY_AFTER.match(text, mention.end)]
    if only:
        _store(draft, only[-1:])
        return
    if len(current) > 1 and said and set(said) <= set(current) and not dropped and set(said) != set(current):
        if _ORDER.search(text):
            _store(draft, [*said, *(name for name in current if name not in said)])
            return
        if all(_TOPIC.match(text, mention.end) for mention in going):
            return
        if not (_REPLACES.search(text) or any(_TOWARDS.match(text, mention.end) for mention in going)):
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
        draft.questions.append(Question("destination", f"{'·'.join(said)} 중 어디로 갈까요?", "ambiguous", tuple(said)))
        return []
    return said


def _after(text: str, draft: Draft, going: list[Mention], dropped: list[str], said: list[str]) -> list[str]:
    """The cities of the trip then: those said added to, or in the place of, those known."""
    current = [name for name in _current(draft) if name not in dropped]
    if len(said) > 1 and set(said) == set(current) and not _ORDER.search(text) and _NIGHTS.search(text):
        return current
    added = bool(current) and any(_ADD_AFTER.match(text, mention.end) for mention in going)
    swapped = bool(dropped) and len(_current(draft)) > 1
    if said and (swapped or (added and not dropped)):
        return current + [name for name in said if name not in current]
    return said or current


def _choose_between(draft: Draft, city: Mention, region: Mention) -> None:
    choices = (city.name, *(name for name in region_cities()[region.name] if name != city.name))
    asked = f"{together(city.name)} {region.name} 중 어디로 갈까요? {', '.join(choices[:6])} 중에서 골라 주세요."
    draft.questions.append(Question("destination", asked, "ambiguous", choices))


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


def _current(draft: Draft) -> list[str]:
    several = draft.get("destinations")
    if several:
        return list(several)
    return [draft.get("destination")] if draft.get("destination") else []


def _region_meant(text: str, regions: list[Mention]) -> Mention:
    """유럽은 멀고 동남아로: the one said with a direction, else the first that isn't set aside."""
    towards = [region for region in regions if _TOWARDS.match(text, region.end)]
    kept = [region for region in regions if not _TOPIC.match(text, region.end)]
    return (towards or kept or regions)[0]


def _narrow(text: str, draft: Draft, region: Mention) -> None:
    if _DROP_AFTER.match(text, region.end):
        return
    choices = tuple(region_cities()[region.name])
    current = _current(draft)
    if current and (set(current) & set(choices) or not re.search(r"바꿔|바꾸|변경|말고|갈래|가고", text)):
        return
    if len(choices) == 1:
        asked = f"{region.name}에서는 {toward(choices[0])} 잡을까요?"
    else:
        asked = f"{region.name} 어느 도시로 갈까요? {', '.join(choices[:6])} 중에서 골라 주세요."
    draft.questions.append(Question("destination", asked, "narrow", choices))


def refuse_unknown(text: str, draft: Draft, names: list[Mention], today: date, pending: str | None) -> None:
    """Say so when a message can only mean a city, and it is none we know. Read last, when nothing else fits."""
    if names or _current(draft) or draft.questions:
        return
    match = _GOING.search(text)
    if match is None and pending == "destination" and draft.changes() == ({}, ()):
        match = _BARE.fullmatch(text)
    if match is None:
        return
    name = _ENDING.sub("", match["name"])
    if len(name) >= 2 and _could_be_city(name, today):
        draft.refuse("destination", f"{topic(name)} 제가 아는 도시가 아닙니다", "지원 도시나 알려진 도시 이름")


def _could_be_city(name: str, today: date) -> bool:
    if name in word_set("not_cities") or _NO_CITY.search(name):
        return False
    if any(pattern.search(name) for pattern in patterns("styles").values()):
        return False
    return not (find_dates(name, today) or find_nights(name) or find_people(name))


def honest_note(city: str) -> str | None:
    """What to tell about a city without places of its own; None for a supported one."""
    if city in all_cities():
        return None
    near = ", ".join(nearest_supported(city))
    return (
        f"{topic(city)} 상세 명소 자료가 없어 {locate(city).country} 기준의 일반 계획으로 안내합니다. "
        f"자료가 있는 가까운 도시는 {near}입니다."
    )
