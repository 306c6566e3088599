"""How long it takes from one place to another within a city and its surroundings."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from madang.assistants.travel.data.world import distance_km

_DETOUR = 1.3
WALK_KM = 1.1
_WALK_KMH = 4.6
_CITY_KMH = 24.0
_CITY_KM = 15.0
_OUTSIDE_KMH = 70.0
_BOARDING = 10.0


class Located(Protocol):
    @property
    def lat(self) -> float: ...
    @property
    def lon(self) -> float: ...


def road_km(start: Located, end: Located) -> float:
    """Distance along streets."""
    return _km(start.lat, start.lon, end.lat, end.lon)


def move_minutes(start: Located, end: Located) -> int:
    """On foot when near, else by public transport; the same both ways."""
    return _minutes(start.lat, start.lon, end.lat, end.lon)


def tour_minutes(base: Located, stops: Sequence[Located]) -> int:
    """From the base through the stops in this order and back."""
    return sum(move_minutes(start, end) for start, end in pairwise(_round(base, stops)))


def tour_km(base: Located, stops: Sequence[Located]) -> float:
    """Length of that tour along streets."""
    return round(sum(road_km(start, end) for start, end in pairwise(_round(base, stops))), 1)


def _round(base: Located, stops: Sequence[Located]) -> list[Located]:
    return [base, *stops, base] if stops else []


@lru_cache(maxsize=20000)
def _km(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    if (lat1, lon1) > (lat2, lon2):
        return _km(lat2, lon2, lat1, lon1)
    return distance_km(lat1, lon1, lat2, lon2) * _DETOUR


@lru_cache(maxsize=20000)
def _minutes(lat1: float, lon1: float, lat2: float, lon2: float) -> int:
    km = _km(lat1, lon1, lat2, lon2)
    if km <= WALK_KM:
        return round(km / _WALK_KMH * 60)
    near, far = min(km, _CITY_KM), max(0.0, km - _CITY_KM)
    return round(_BOARDING + near / _CITY_KMH * 60 + far / _OUTSIDE_KMH * 60)
