"""Where to have a meal: somewhere to eat within a walk of where one is then, else the area itself."""

from collections.abc import Iterator

from madang.assistants.travel.data.cities import City, load_city
from madang.assistants.travel.state.results import Meal
from madang.assistants.travel.tools.hotels import best_area
from madang.assistants.travel.tools.itinerary.model import Window, clock
from madang.assistants.travel.tools.itinerary.movement import WALK_KM, Located, road_km
from madang.assistants.travel.tools.itinerary.schedule import MealTime

_SAME_KM = 0.3


def meals_of(window: Window, taken: tuple[MealTime, ...], diet: tuple[str, ...], eaten: set[str]) -> list[Meal]:
    """The meals of a day with their places; somewhere not yet `eaten` at on this trip, to which it is added."""
    city = load_city(window.city)
    meals: list[Meal] = []
    for meal in taken:
        spot: Located = meal.near or window.base
        near = [
            (away, name)
            for name, where in _tables(city, meal, window, diet)
            if name not in eaten and (away := road_km(spot, where)) <= WALK_KM and not _had_there(where, city, eaten)
        ]
        if near:
            place = min(near)[1]
            eaten.add(place)
        else:
            place = f"{meal.near.area} 일대" if meal.near else f"숙소 근처({best_area(city)[0]})"
        meals.append({"kind": meal.kind, "start": clock(meal.start), "end": clock(meal.end), "place": place})
    return meals


def _had_there(where: Located, city: City, eaten: set[str]) -> bool:
    """Whether it is a street or market that the trip goes to anyway, under another name."""
    return any(
        place.category == "맛집" and place.name in eaten and road_km(place, where) <= _SAME_KM for place in city.places
    )


def _tables(city: City, meal: MealTime, window: Window, diet: tuple[str, ...]) -> Iterator[tuple[str, Located]]:
    """Restaurants, streets and markets that serve then; with a diet only those known to suit it."""
    for eatery in city.eateries:
        opens, closes = eatery.opens or 0, eatery.closes or 24 * 60
        suits = {*diet} <= {*eatery.diets}
        if suits and opens <= meal.start and meal.end <= closes and not eatery.closed_on(window.date):
            yield eatery.name, eatery
    for place in city.places if not diet else ():
        serves = place.category == "맛집" and place.opens <= meal.start and meal.end <= place.closes
        if serves and not place.closed_on(window.date):
            yield place.name, place
