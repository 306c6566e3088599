"""The names a traveller may mention: cities, regions, airlines, places."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from madang.assistants.travel.data.cities import all_cities, regions
from madang.assistants.travel.data.words import airlines
from madang.assistants.travel.data.world import other_cities
from madang.text.gazetteer import Gazetteer
from madang.text.parsed import Parsed

NameKind = Literal["city", "region", "airline", "place"]


@dataclass(frozen=True)
class Named:
    """What a name stands for."""

    kind: NameKind
    name: str


@dataclass(frozen=True)
class Mention:
    """A name in a message and where it stands. `generic` names of places (야시장, 서핑) are ordinary words too."""

    kind: NameKind
    name: str
    start: int
    end: int
    generic: bool = False

    @property
    def span(self) -> tuple[int, int]:
        return self.start, self.end


@lru_cache(maxsize=1)
def region_cities() -> dict[str, list[str]]:
    """Regions and countries with the cities one may choose from, countries without a supported city included."""
    found = {name: row["cities"] for name, row in regions().items()}
    for name, row in other_cities().items():
        if row["country"] not in regions() and row["country"] != name:
            found.setdefault(row["country"], []).append(name)
    return {name: list(cities) for name, cities in found.items() if name not in all_cities()}


@lru_cache(maxsize=1)
def korean_cities() -> frozenset[str]:
    """Cities one may set out from."""
    supported = {city.name for city in all_cities().values() if city.domestic}
    return frozenset(supported | {name for name, row in other_cities().items() if row["country"] == "한국"} | {"김포"})


@lru_cache(maxsize=1)
def _gazetteer() -> Gazetteer[Named]:
    pairs: list[tuple[str, Named]] = []
    for airline, aliases in airlines().items():
        pairs += [(surface, Named("airline", airline)) for surface in (airline, *aliases)]
    for city in all_cities().values():
        pairs += [(surface, Named("city", city.name)) for surface in (city.name, *city.aliases)]
    known = set(region_cities()) | set(regions())
    for name, row in other_cities().items():
        surfaces = [name, *(alias for alias in row["aliases"] if alias not in known)]
        pairs += [(surface, Named("city", name)) for surface in surfaces]
    pairs.append(("김포", Named("city", "김포")))
    for region in region_cities():
        aliases = regions()[region]["aliases"] if region in regions() else []
        pairs += [(surface, Named("region", region)) for surface in (region, *aliases)]
    return Gazetteer(pairs)


_NUMBER_BEFORE = re.compile(r"\d\s?(?:만\s?)?원?\s?$")
_GOES = re.compile(r"^(?:으로|로|도|이나|랑|까지)(?![가-힣])|바꿔|바꿀|갈래|가자|추가|갈게")
_SURE, _TYPO = 0.8, 0.7
_GUAM = re.compile(r"(?<![가-힣])괌(?=$|[^가-힣]|으로|에|이|은|을|도|여행|갈|가|행|섬)")
# Names that are ordinary words too: they count as a city only beside a word of going or in a list of cities.
_ORDINARY = {
    "나라",
    "공주",
    "동해",
    "남해",
    "부여",
    "고성",
    "파주",
    "고아",
    "피지",
    "리우",
    "니스",
    "클락",
    "인도",
    "퍼스",
    "완도",
    "진주",
    "무안",
}
_TRAVELS = re.compile(
    r"\s?(?:시|시내)?(?:로|으로|에|를|을|도)?\s?(?:여행|가|갈|갔|놀러|[1-9일이삼사오]\s?박|당일)|\s?(?:랑|하고|이랑|와|,|→|-)"
)
_NARA = re.compile(r"\s?(?:사슴|공원|당일|여행|역|시내|로\s?(?:가|갈)|[1-9]\s?박)")
_NEAR_NARA = frozenset({"오사카", "교토"})
_TOO = re.compile(r"도\s?(?:가|갈|들|추가|넣|보)")
_COUNTRY_BEFORE = re.compile(r"(?:어느|어떤|무슨|다른|우리|이|그|여러|딴|먼|가까운|따뜻한|더운|추운|선진|유럽)\s?$")
# 나하고 is no Naha
_ME_TOO = re.compile(r"나하고(?![가-힣])")
# 세부 일정 is no Cebu
_IN_DETAIL = re.compile(r"세부\s?(?:일정|계획|사항|내용|적|정보|코스|스케줄|견적)")
_DROPPED = re.compile(r"\s?(?:은|는|도)?\s?(?:됐|빼|제외|안\s?가|말고|패스|취소|뺄|스킵|관두|필요|포기|안\s?갈)")


def find_names(text: str, known: tuple[str, ...] = ()) -> list[Mention]:
    """Cities, regions and airlines in order of appearance. `known` are the cities already spoken of."""
    found = [
        Mention(item.value.kind, item.value.name, *item.span)
        for item in _gazetteer().find(text)
        if item.confidence >= _SURE or (_likely_typo(item) and _placed(text, item, known))
    ]
    found += [Mention("city", "괌", *match.span()) for match in _GUAM.finditer(text)]
    found.sort(key=lambda mention: mention.start)
    return [mention for mention in found if _meant(text, mention, found, known)]


def find_names_anywhere(run: str) -> set[str]:
    """Surfaces of three letters or more that stand anywhere in a run of letters."""
    return {surface for surface in _long_surfaces() if surface in run}


@lru_cache(maxsize=1)
def _long_surfaces() -> frozenset[str]:
    cities = [(city.name, *city.aliases) for city in all_cities().values()]
    cities += [(name, *row["aliases"]) for name, row in other_cities().items()]
    for city in all_cities().values():
        cities += [(place.name, *place.aliases) for place in city.places]
    return frozenset(surface for names in cities for surface in names if len(surface) >= 3 and surface.isalpha())


def _placed(text: str, item: Parsed[Named], known: tuple[str, ...]) -> bool:
    """A guess must not follow a number (150 사이고) nor quietly replace a city that is known."""
    if _NUMBER_BEFORE.search(text[: item.span[0]]):
        return False
    return not known or _GOES.search(text[item.span[1] :]) is not None


def _likely_typo(item: Parsed[Named]) -> bool:
    """Only long names of cities are worth guessing: 온천 is no 인천, 가려다가 no 가루다."""
    long = len(item.text) >= 3 and len(item.value.name) >= 3
    return item.value.kind == "city" and item.confidence >= _TYPO and long


def _meant(text: str, mention: Mention, found: list[Mention], known: tuple[str, ...]) -> bool:
    if _ME_TOO.match(text, mention.start) or _IN_DETAIL.match(text, mention.start):
        return False
    if mention.name not in _ORDINARY:
        return True
    before, after = text[: mention.start], text[mention.end :]
    if _COUNTRY_BEFORE.search(before):
        return False
    if mention.name in known and _DROPPED.match(after):
        return True
    beside = any(other.kind == "city" and other.name not in _ORDINARY for other in found)
    alone = not before.strip() and len(after.strip()) <= 3
    if mention.name == "나라" and {*known} & _NEAR_NARA and _TOO.match(after):
        return True
    near = _NARA if mention.name == "나라" else _TRAVELS
    return beside or alone or near.match(after) is not None
