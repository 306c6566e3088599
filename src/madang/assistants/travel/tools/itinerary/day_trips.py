"""Days out of the city: a long stay has one where there is a famous place within reach, a very long one two."""

from collections.abc import Iterator

from madang.assistants.travel.data.cities import City, Place
from madang.assistants.travel.data.world import distance_km

_FAR_KM = 15
_LONG_MINUTES = 210
_NO_OUTING = ("테마파크", "쇼핑")
_LONG_STAY, _VERY_LONG_STAY = 5, 9


def day_trips_due(nights: int) -> int:
    """How many days out a stay of so many nights has."""
    return (nights >= _LONG_STAY) + (nights >= _VERY_LONG_STAY)


def is_day_trip(city: City, place: Place) -> bool:
    """Whether a place is a day out: away from the city, and for most of a day."""
    far = distance_km(city.lat, city.lon, place.lat, place.lon) >= _FAR_KM
    return far and place.minutes >= _LONG_MINUTES and place.category not in _NO_OUTING


def is_outing(place: Place) -> bool:
    """Whether a record is a day in another town, and so no sight of the city itself."""
    return place.name.endswith("당일 여행")


def elsewhere_anyway(place: Place, cities: tuple[str, ...]) -> bool:
    """교토 당일 여행, of a trip that stays in Kyoto too."""
    return any(place.name.startswith(f"{name} 당일") for name in cities)


def famous(city: City) -> Iterator[Place]:
    return (place for place in city.places if is_day_trip(city, place) and place.appeal > 1)
