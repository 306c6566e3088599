"""What to do on a rainy day: the day's indoor places stay, its outdoor ones are swapped."""

from collections.abc import Sequence

from madang.assistants.travel.data.cities import Place, load_city
from madang.assistants.travel.tools.itinerary.model import ItineraryQuery, Window, indoor
from madang.assistants.travel.tools.itinerary.schedule import DaySchedule
from madang.assistants.travel.tools.itinerary.selection import DayPlan, value
from madang.assistants.travel.tools.itinerary.visit_order import best_order


def rain_order(window: Window, places: Sequence[Place], query: ItineraryQuery, used: set[str]) -> DaySchedule | None:
    """An indoor version of the day, feasible in the same hours; None when nothing needs swapping or nothing fits."""
    if all(indoor(place) for place in places):
        return None
    currency = load_city(window.city).currency
    dry = DayPlan(window, [])
    for place in places:
        if indoor(place):
            dry.accept(place)
    spare = [
        place
        for place in load_city(window.city).places
        if indoor(place) and place.name not in used and query.wanted(place)
    ]
    spare.sort(key=lambda place: (dry.added(place)[0] - value(place, query, currency) / 2, place.name))
    for place in spare:
        if len(dry.order) >= len(places):
            break
        dry.accept(place)
    return best_order(window, dry.order) if dry.order else None
