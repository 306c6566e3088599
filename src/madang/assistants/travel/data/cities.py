"""The supported cities and their places, one JSON file a city, read once."""

import json
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from madang.assistants.travel.data.opening import closed_on
from madang.assistants.travel.state.results import Tier
from madang.errors import NotFound

Setting = Literal["indoor", "outdoor"]
Reserve = Literal["required", "advised"]
Access = Literal["easy", "partly", "hard"]


@dataclass(frozen=True)
class Place:
    """Somewhere to visit. Opening times are minutes after midnight, the fee is in the city's currency.

    `closed` are days of the week, dates or holidays, `months` the season when it opens only in one, `access` how it is
    with a wheelchair or a pram. What is None or empty we don't know, except that most places have no season.
    """

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
    closed: tuple[str, ...] | None = None
    months: tuple[int, ...] = ()
    last_entry: int | None = None
    reserve: Reserve | None = None
    access: Access | None = None
    note: str = ""

    def closed_on(self, day: date) -> bool:
        """Whether we know that it is shut on that day."""
        return closed_on(day, self.closed or (), self.months)


@dataclass(frozen=True)
class Eatery:
    """A restaurant, or a street or market to eat in. What suits a diet is in `diets`; hours are None where unknown."""

    name: str
    lat: float
    lon: float
    kind: Literal["restaurant", "street"]
    dishes: str
    diets: tuple[str, ...]
    area: str
    opens: int | None
    closes: int | None
    closed: tuple[str, ...] | None

    def closed_on(self, day: date) -> bool:
        """Whether we know that it is shut on that day."""
        return closed_on(day, self.closed or ())


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
    eateries: tuple[Eatery, ...]
    source: str
    as_of: str

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
        places=tuple(_place(_row(raw["columns"], row), raw["details"]) for row in raw["places"]),
        eateries=tuple(_eatery(_row(raw["eat_columns"], row)) for row in raw["eat"]),
        source=raw["source"],
        as_of=raw["as_of"],
    )


def _row(columns: list[str], row: list[Any]) -> dict[str, Any]:
    return dict(zip(columns, row, strict=True))


def _place(raw: dict[str, Any], details: dict[str, dict[str, Any]]) -> Place:
    more = details.get(raw["name"], {})
    if (raw["opens"], raw["closes"]) == ("00:00", "24:00"):
        more = {"closed": [], **more}
    return Place(
        **{
            **raw,
            **more,
            "opens": minutes_of(raw["opens"]),
            "closes": minutes_of(raw["closes"]),
            "aliases": tuple(raw["aliases"]),
            "closed": tuple(more["closed"]) if "closed" in more else None,
            "months": tuple(more.get("months", ())),
            "last_entry": minutes_of(more["last_entry"]) if "last_entry" in more else None,
        }
    )


def _eatery(raw: dict[str, Any]) -> Eatery:
    hours = [minutes_of(raw[end]) if raw[end] else None for end in ("opens", "closes")]
    closed = None if raw["closed"] is None else tuple(raw["closed"])
    return Eatery(**{**raw, "diets": tuple(raw["diets"]), "opens": hours[0], "closes": hours[1], "closed": closed})
