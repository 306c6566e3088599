"""Korean regions: provinces, cities and districts, neighbourhoods and stations, with the names people use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, TypedDict

from madang.text.data import load
from madang.text.gazetteer import Gazetteer
from madang.text.parsed import Parsed
from madang.text.particles import ONLY_PARTICLES

__all__ = ["Gazetteer", "Region", "all_regions", "find_regions"]


@dataclass(frozen=True)
class Region:
    """A place. `sido` is its province or metropolis, `sigungu` its city or district (its own name if it is one)."""

    name: str
    kind: Literal["sido", "sigungu", "neighbourhood", "station"]
    sido: str
    sigungu: str | None = None


class _Table(TypedDict):
    sido: dict[str, list[str]]
    sigungu: dict[str, list[str]]
    districts: dict[str, list[str]]
    neighbourhoods: dict[str, list[str]]
    stations: dict[str, list[str]]
    aliases: dict[str, list[str]]
    weak: list[str]


# A weak name is also an everyday word: it counts only beside a word of housing or after a larger region.
_HOUSING = re.compile(
    r"[\s,:]{0,2}(?:시|구|동|역|쪽|근처|일대|지역|전세|월세|보증금|매매|시세|아파트|원룸|투룸|오피스텔|빌라|집|매물"
    r"|부동산|땅|상가|신도시|여행|한옥|지점|출장|에\s?사는|에서\s?살|살고|인데|은\?|는\?|에서\s?(?:보증금|전세|월세|자취)|(?:에서|에)\s?(?:원룸|투룸|빌라|집))"
)

# 시흥 배곧 원룸: a neighbourhood that is not in the table stands between.
_HOUSING_NEXT = re.compile(r"시?\s[가-힣]{2,5}\s(?:원룸|투룸|아파트|오피스텔|빌라|상가|점포|다가구|다세대|주택)")

# 보증금 이천 is twenty million, not a city.
_ALSO_NUMBERS = frozenset({"이천", "사천"})
_SUM_WORD = re.compile(r"(?:보증금|전세금?|월세|매매가?|권리금|대출|억|예산)(?:은|는|이|을|로)?\s?$")


_SHORT = 40  # longer messages aren't a place alone


def _table() -> _Table:
    table: _Table = load("regions")
    return table


@lru_cache(maxsize=1)
def all_regions() -> tuple[Region, ...]:
    """Every region known, larger ones first."""
    table = _table()
    found = [Region(name, "sido", name) for name in table["sido"]]
    cities = [Region(name, "sigungu", sido, name) for sido, names in table["sigungu"].items() for name in names]
    inside = {city.name: city for city in cities if city.name in table["districts"]}
    districts = [
        Region(name, "sigungu", inside[city].sido, name) for city, names in table["districts"].items() for name in names
    ]
    found += [*cities, *districts]
    owners = {f"{region.name}@{region.sido}": region for region in found} | {
        region.name: region for region in found[::-1]
    }
    for key, names in table["neighbourhoods"].items():
        found += [Region(name, "neighbourhood", owners[key].sido, owners[key].name) for name in names]
    for key, names in table["stations"].items():
        found += [Region(name, "station", owners[key].sido, owners[key].name) for name in names]
    return tuple(found)


@lru_cache(maxsize=1)
def _gazetteer() -> Gazetteer[Region]:
    return Gazetteer(_surfaces())


def _surfaces() -> Iterator[tuple[str, Region]]:
    table = _table()
    by_name: dict[str, list[Region]] = {}
    for region in all_regions():
        by_name.setdefault(region.name, []).append(region)
        yield region.name, region
        if region.name.endswith("입구역"):
            yield region.name.removesuffix("역"), region
    for sido, words in table["sido"].items():
        yield from ((word, by_name[sido][0]) for word in words)
    for word, names in table["aliases"].items():
        yield from ((word, region) for name in names for region in by_name[name])
    for word, names in _short_names().items():
        yield from ((word, region) for name in names for region in by_name[name])


@lru_cache(maxsize=1)
def _short_names() -> dict[str, list[str]]:
    """Cities and counties without 시 or 군 (충주, 가평), where the table has no such name of its own."""
    table = _table()
    known = {*table["aliases"], *(word for words in table["sido"].values() for word in words)}
    names = [name for group in table["sigungu"].values() for name in group if name[-1] in "시군" and len(name) > 2]
    return {name[:-1]: [name] for name in names if name[:-1] not in known}


@lru_cache(maxsize=1)
def _weak() -> frozenset[str]:
    return frozenset({*_table()["weak"], *_short_names()})


def find_regions(text: str, typos: bool = True) -> list[Parsed[Region]]:
    """Regions in order of appearance. A name that exists in several provinces carries every reading; a province
    named before it decides (부산 중구). Everyday words that are also places (동작, 구리, 이천) count only in a
    sentence about a place: before a word of housing, beside another region or alone."""
    named = _gazetteer().find(text, typos)
    found: list[Parsed[Region]] = []
    sido: str | None = None
    for index, item in enumerate(named):
        settled = _settle(item, sido)
        if item.text in _weak() and not _is_place(text, named, index):
            continue
        found.append(settled)
        sido = settled.value.name if settled.value.kind == "sido" else sido
    return found


def _settle(item: Parsed[Region], sido: str | None) -> Parsed[Region]:
    inside = [region for region in item.readings if region.sido == sido]
    return replace(item, value=inside[0], readings=(), confidence=0.95) if inside else item


def _ends_with_particles(rest: str) -> bool:
    return ONLY_PARTICLES.fullmatch(rest.strip().rstrip("?!. ")) is not None


def _is_place(text: str, named: list[Parsed[Region]], index: int) -> bool:
    start, end = named[index].span
    if text[start:end] in _ALSO_NUMBERS and _SUM_WORD.search(text, max(0, start - 8), start):
        return False
    before = text[named[index - 1].span[1] : start] if index else None
    beside = before is not None and not before.strip(" ,/·") and len(before) < 3
    follows = index + 1 < len(named) and not text[end : named[index + 1].span[0]].strip(" ,/·")
    alone = len(text) < _SHORT and not text[:start].strip() and _ends_with_particles(text[end:])
    if beside or follows or alone or _HOUSING.match(text, end):
        return True
    return text[start:end] not in _ALSO_NUMBERS and _HOUSING_NEXT.match(text, end) is not None
