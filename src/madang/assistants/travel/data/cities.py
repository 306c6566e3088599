"""The supported cities and their places, one JSON file a city, read once."""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from madang.assistants.travel.state.results import Tier
from madang.errors import NotFound

Setting = Literal["indoor", "outdoor"]


@dataclass(frozen=True)
class Place:
    """Somewhere to visit. Opening times are minutes after midnight, the fee is in the city's currency."""

    name: str
    lat: float
    lon: float
    category: str
    minutes: int
    fee: int
    setting: Setting
    opens: int
    closes: int
    area: str
    appeal: int
    kids: bool
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class City:
    """A supported city with everything the experts need to know about it."""

    name: str
    english: str
    aliases: tuple[str, ...]
    country: str
    region: str
    lat: float
    lon: float
    timezone: str
    airports: tuple[str, ...]
    currency: str
    transfer_minutes: int
    lodging: dict[Tier, int]
    food_per_day: int
    transit_per_day: int
    seasons: dict[str, str]
    places: tuple[Place, ...]

    @property
    def domestic(self) -> bool:
        return self.country == "한국"

    def place(self, name: str) -> Place | None:
        """The place with that name or alias."""
        wanted = name.replace(" ", "").lower()
        for place in self.places:
            if any(wanted == known.replace(" ", "").lower() for known in (place.name, *place.aliases)):
                return place
        return None


def minutes_of(clock: str) -> int:
    """Minutes after midnight of "09:30"; "24:00" is 1440."""
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


@lru_cache(maxsize=1)
def all_cities() -> dict[str, City]:
    """Every supported city by its Korean name."""
    folder = files(__package__) / "cities"
    found = [_city(json.loads(entry.read_text("utf-8"))) for entry in folder.iterdir() if entry.name.endswith(".json")]
    return {city.name: city for city in sorted(found, key=lambda city: city.name)}


def load_city(name: str) -> City:
    """The city of that Korean name.

    Raises NotFound for a city that isn't supported.
    """
    try:
        return all_cities()[name]
    except KeyError:
        raise NotFound(f"지원하지 않는 도시입니다: {name}", city=name) from None


@lru_cache(maxsize=1)
def regions() -> dict[str, dict[str, list[str]]]:
    """Countries and regions that must be narrowed to a city: their aliases and the cities to choose from."""
    found: dict[str, dict[str, list[str]]] = json.loads((files(__package__) / "regions.json").read_text("utf-8"))
    return found


def _city(raw: dict[str, Any]) -> City:
    return City(
        name=raw["name"],
        english=raw["english"],
        aliases=tuple(raw["aliases"]),
        country=raw["country"],
        region=raw["region"],
        lat=raw["lat"],
        lon=raw["lon"],
        timezone=raw["timezone"],
        airports=tuple(raw["airports"]),
        currency=raw["currency"],
        transfer_minutes=raw["transfer_minutes"],
        lodging=raw["lodging_won_per_room"],
        food_per_day=raw["food_won_per_day"],
        transit_per_day=raw["transit_won_per_day"],
        seasons=raw["seasons"],
        places=tuple(_place(dict(zip(raw["columns"], row, strict=True))) for row in raw["places"]),
    )


def _place(raw: dict[str, Any]) -> Place:
    return Place(
        **{
            **raw,
            "opens": minutes_of(raw["opens"]),
            "closes": minutes_of(raw["closes"]),
            "aliases": tuple(raw["aliases"]),
        }
    )
