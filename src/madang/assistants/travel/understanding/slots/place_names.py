"""The places of the trip's cities that a message names."""

import re
from collections import Counter
from functools import lru_cache

from madang.assistants.travel.data.cities import all_cities, load_city
from madang.assistants.travel.data.words import word_set
from madang.assistants.travel.understanding.slots.city_names import Mention
from madang.text.gazetteer import Gazetteer

_SHORTEST = 3


@lru_cache(maxsize=64)
def _places(cities: tuple[str, ...]) -> Gazetteer[tuple[str, bool]]:
    pairs: list[tuple[str, tuple[str, bool]]] = []
    generic = word_set("generic_places")
    for city in cities:
        names = {city, *load_city(city).aliases}
        places = load_city(city).places
        surfaces = [(surface, place.name) for place in places for surface in (place.name, *place.aliases)]
        taken = Counter(short for place in places for short in _short_names(place.name, city))
        # 해운대 says Busan to a stranger and a beach to who goes there
        heads = {alias for alias in names - {city} if any(place.name.startswith(f"{alias} ") for place in places)}
        known = {surface for surface, _ in surfaces} | (names - heads)
        surfaces += [
            (short, place.name)
            for place in places
            for short in _short_names(place.name, city)
            if taken[short] == 1 and short not in known
        ]
        pairs += [
            (surface, (name, surface.replace(" ", "") in generic))
            for surface, name in surfaces
            if surface not in names or surface in heads
        ]
    return Gazetteer(pairs)


_KIND = re.compile(
    r"(?:해수욕장|해변|비치|공원|시장|야시장|박물관|미술관|거리|카페거리|전망대|사원|신사|궁전|대성당|성당|광장"
    r"|올드타운|당일 크루즈"
    r"|크루즈|케이블카|투어|테마파크|놀이공원|폭포|폭포공원|수족관|동물원|온천|지질공원|운하|마켓|쇼핑센터|스파|호수|섬|뮤지컬|빌딩|센터|축제)"
)


def _short_names(name: str, city: str) -> set[str]:
    """해운대 for 해운대 해수욕장, 한옥마을 for 전주 한옥마을: what is left when the kind or the city goes unsaid."""
    head, _, rest = name.partition(" ")
    found = set()
    if rest and head != city and len(head) >= _SHORTEST and _KIND.fullmatch(rest):
        found.add(head)
    if head == city and len(rest.replace(" ", "")) > _SHORTEST and not _KIND.fullmatch(rest):
        found.add(rest)
    return found


def find_places(text: str, cities: tuple[str, ...]) -> list[Mention]:
    """Places of those cities that the message names."""
    supported = tuple(city for city in cities if city in all_cities())
    if not supported:
        return []
    found = _places(supported).find(text)
    return [Mention("place", item.value[0], *item.span, item.value[1]) for item in found if item.confidence >= 0.75]
