"""Which hours of which day may be used, and in which city."""

from datetime import date, datetime, timedelta

from madang.assistants.travel.data.cities import City, all_cities
from madang.assistants.travel.data.rates import estimates
from madang.assistants.travel.data.world import locate
from madang.assistants.travel.tools.ground import between_cities
from madang.assistants.travel.tools.hotels import best_area
from madang.assistants.travel.tools.itinerary.model import ItineraryRequest, Pace, Point, Shares, Window

_HOURS: dict[Pace, tuple[int, int, int]] = {
    "relaxed": (10 * 60, 20 * 60, 4),
    "normal": (9 * 60, 21 * 60, 6),
    "packed": (8 * 60 + 30, 22 * 60, 8),
}
EARLIER_STARTS = (7 * 60 + 30, 6 * 60 + 15, 5 * 60)
LATEST_END = 23 * 60 + 30
_SETTLE = 45


def split_nights(nights: int, cities: int) -> list[int]:
    """Nights for each city, as even as can be, the first ones longer; none when there are more cities than nights."""
    return [nights // cities + (1 if at < nights % cities else 0) for at in range(cities)]


def stays(destinations: tuple[str, ...], nights: int, shares: Shares = ()) -> list[tuple[str, int]]:
    """The cities slept in with their nights; cities beyond the nights are left out.

    `shares` are the nights asked for in some of the cities, as long as they leave one for each of the others.
    """
    said = {city: count for city, count in shares if city in destinations}
    others = [city for city in destinations if city not in said]
    left = nights - sum(said.values())
    if not said or left < len(others) or (left and not others):
        said, others, left = {}, list(destinations), nights
    split = dict(zip(others, split_nights(left, len(others)), strict=True)) if others else {}
    return [(city, count) for city in destinations if (count := {**said, **split}[city])]


def day_windows(request: ItineraryRequest) -> list[Window]:
    """A window for each day, arrival and departure days cut by their flights and moves between cities."""
    plan: list[tuple[str, str | None]] = []
    for at, (city, nights) in enumerate(stays(request.destinations, request.nights, request.shares)):
        before = plan[-1][0] if at else None
        plan += [(city, before if night == 0 else None) for night in range(nights)]
    plan.append((plan[-1][0], None))
    paces = dict(request.day_paces)
    return [
        _window(request, at, city, came_from, paces.get(at + 1, request.pace))
        for at, (city, came_from) in enumerate(plan)
    ]


def _window(request: ItineraryRequest, at: int, city: str, came_from: str | None, pace: Pace) -> Window:
    start, end, stops = _HOURS[pace]
    day = request.depart + timedelta(days=at)
    if came_from:
        start = 9 * 60 + between_cities(locate(came_from), locate(city))[1] + _SETTLE
    transfer = locate(city).transfer_minutes if request.by_air else 20
    if request.arrive_at:
        start = _arrival(request.arrive_at, day, start, transfer, end)
    if at == request.nights and request.leave_at:
        end = min(end, _departure(request, day, transfer))
    return Window(at + 1, day, city, start, max(start, end), base_of(city), stops, pace)


def _arrival(arrive_at: str, day: date, start: int, transfer: int, end: int) -> int:
    moment = datetime.fromisoformat(arrive_at)
    if moment.date() > day:
        return end
    if moment.date() < day:
        return start
    return max(start, moment.hour * 60 + moment.minute + transfer + _SETTLE)


def _departure(request: ItineraryRequest, day: date, transfer: int) -> int:
    moment = datetime.fromisoformat(request.leave_at or "")
    if moment.date() > day:
        return 24 * 60
    domestic = locate(request.destinations[-1]).domestic
    table = estimates()["flight"]
    lead = int(table["airport_lead_domestic_minutes"] if domestic else table["airport_lead_minutes"])
    return moment.hour * 60 + moment.minute - transfer - (lead if request.by_air else 20)


def base_of(name: str) -> Point:
    """Where one sleeps: the centre of the city's best area."""
    city: City | None = all_cities().get(name)
    if city is None:
        spot = locate(name)
        return Point(spot.lat, spot.lon)
    return Point(*best_area(city)[1:])
