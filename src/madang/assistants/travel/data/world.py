"""Anywhere one may start from or go to: supported cities first, then cities known only by airport and country."""

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from madang.assistants.travel.data.cities import City, all_cities
from madang.assistants.travel.data.estimates import estimates
from madang.assistants.travel.state.results import Tier
from madang.errors import NotFound

EARTH_KM = 6371.0


@dataclass(frozen=True)
class Location:
    """A city as a traveller's start or goal."""

    name: str
    country: str
    lat: float
    lon: float
    timezone: str
    airport: str | None
    transfer_minutes: int = 45

    @property
    def domestic(self) -> bool:
        return self.country == "한국"


@dataclass(frozen=True)
class Costs:
    """What a day there costs, standard tier, in won; lodging is a room-night by tier."""

    lodging: dict[Tier, int]
    food: int
    transit: int


@lru_cache(maxsize=1)
def other_cities() -> dict[str, dict[str, Any]]:
    """Cities we know by name, airport and country only."""
    found: dict[str, dict[str, Any]] = json.loads((files(__package__) / "other_cities.json").read_text("utf-8"))
    return found


@lru_cache(maxsize=1)
def _airports() -> dict[str, dict[str, Any]]:
    import airportsdata

    return {code: dict(row) for code, row in airportsdata.load("IATA").items()}


def airport_timezone(code: str) -> str:
    """The zone of an airport by its IATA code.

    Raises NotFound for a code nobody has.
    """
    row = _airports().get(code)
    if row is None:
        raise NotFound(f"모르는 공항입니다: {code}", airport=code)
    return str(row["tz"])


@lru_cache(maxsize=256)
def locate(name: str) -> Location:
    """Where that city is.

    Raises NotFound for a name that is neither supported nor known.
    """
    if name in ("김포", "인천"):
        seoul = all_cities()["서울"]
        return Location(name, "한국", seoul.lat, seoul.lon, seoul.timezone, {"김포": "GMP", "인천": "ICN"}[name])
    if city := all_cities().get(name):
        return _of_city(city)
    row = other_cities().get(name)
    if row is None:
        raise NotFound(f"모르는 도시입니다: {name}", city=name)
    if not row["airport"]:
        return Location(name, row["country"], row["lat"], row["lon"], "Asia/Seoul", None)
    airport = _airports()[row["airport"]]
    return Location(name, row["country"], airport["lat"], airport["lon"], airport["tz"], row["airport"])


def _of_city(city: City) -> Location:
    airport = city.airports[0] if city.airports else None
    return Location(city.name, city.country, city.lat, city.lon, city.timezone, airport, city.transfer_minutes)


def costs_of(name: str) -> Costs:
    """Daily costs of a supported city, or of its country for any other."""
    if city := all_cities().get(name):
        return Costs(city.lodging, city.food_per_day, city.transit_per_day)
    table = estimates()["country"]
    row = table.get(locate(name).country, table["*"])
    standard = int(row["lodging"])
    lodging: dict[Tier, int] = {"budget": standard // 2, "standard": standard, "premium": standard * 5 // 2}
    return Costs(lodging, int(row["food"]), int(row["transit"]))


def distance_km(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Great-circle distance."""
    first, second = math.radians(lat1), math.radians(lat2)
    half_lat = math.sin((second - first) / 2) ** 2
    half_lon = math.sin(math.radians(lon2 - lon1) / 2) ** 2
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(half_lat + math.cos(first) * math.cos(second) * half_lon)))


def distance_between(first: Location, second: Location) -> float:
    """Great-circle distance between two cities."""
    return distance_km(first.lat, first.lon, second.lat, second.lon)


def nearest_supported(name: str, count: int = 3) -> list[str]:
    """The supported cities nearest to a known one, nearest first; for one abroad only cities abroad."""
    spot = locate(name)
    offered = [city for city in all_cities().values() if spot.domestic or not city.domestic]
    ranked = sorted(offered, key=lambda city: distance_km(spot.lat, spot.lon, city.lat, city.lon))
    return [city.name for city in ranked if city.name != name][:count]
