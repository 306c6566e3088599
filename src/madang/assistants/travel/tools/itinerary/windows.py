"""Which hours of which day may be used, and in which city."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from madang.assistants.travel.data.cities import City, all_cities
from madang.assistants.travel.data.estimates import estimates, rounded_won
from madang.assistants.travel.data.world import locate
from madang.assistants.travel.state.results import Move, Pace
from madang.assistants.travel.tools.ground import between_cities
from madang.assistants.travel.tools.hotels import best_area
from madang.assistants.travel.tools.itinerary.model import CityMove, ItineraryQuery, Point, Window, clock

_HOURS: dict[Pace, tuple[int, int, int]] = {
    "relaxed": (10 * 60, 20 * 60, 4),
    "normal": (9 * 60, 21 * 60, 6),
    "packed": (8 * 60 + 30, 22 * 60, 8),
}
EARLIER_STARTS = (7 * 60 + 30, 6 * 60 + 15, 5 * 60)
LATEST_END = 23 * 60 + 30
_SETTLE = 45
_CHECK_OUT = time(9)


def day_windows(query: ItineraryQuery) -> list[Window]:
    """A window for each day, arrival and departure days cut by their flights and moves between cities."""
    plan: list[tuple[str, str | None]] = []
    for at, (city, nights) in enumerate(query.stays):
        before = plan[-1][0] if at else None
        plan += [(city, before if night == 0 else None) for night in range(nights)]
    plan.append((plan[-1][0], None))
    paces = dict(query.day_paces)
    windows: list[Window] = []
    for at, (city, came_from) in enumerate(plan):
        earlier = windows[-1].move if windows else None
        still_on_the_way = earlier.end - 24 * 60 if earlier else 0
        windows.append(_window(query, at, city, came_from, paces.get(at + 1, query.pace), still_on_the_way))
    return windows


def _window(query: ItineraryQuery, at: int, city: str, came_from: str | None, pace: Pace, on_the_way: int) -> Window:
    start, end, stops = _HOURS[pace]
    if on_the_way > 0:
        start = max(start, on_the_way + _SETTLE)
    day = query.depart + timedelta(days=at)
    move = city_move(came_from, city, day) if came_from else None
    if move:
        start, end = max(start, move.end + _SETTLE), max(end, move.end)
    transfer = locate(city).transfer_minutes if query.by_air else 20
    if query.arrive_at:
        start = _arrival(query.arrive_at, day, start, transfer, end)
    if at == query.nights and query.leave_at:
        end = min(end, _departure(query, day, transfer))
    if query.outings:
        stops = min(stops, query.outings)
    capped = query.outings is not None
    return Window(at + 1, day, city, start, max(start, end), base_of(city), stops, pace, query.rests, capped, move)


def city_move(origin: str, goal: str, day: date) -> CityMove:
    """From lodging to lodging after breakfast; a flight takes the ways to and from the airports and the wait too."""
    start, end = locate(origin), locate(goal)
    mode, minutes, fare = between_cities(start, end)
    if mode == "flight":
        minutes += start.transfer_minutes + _airport_lead(start.domestic and end.domestic) + end.transfer_minutes
    leaves = datetime.combine(day, _CHECK_OUT, ZoneInfo(start.timezone))
    arrives = leaves.astimezone(ZoneInfo("UTC")) + timedelta(minutes=minutes)
    local = arrives.astimezone(ZoneInfo(end.timezone)).replace(tzinfo=None)
    at = round((local - datetime.combine(day, time())).total_seconds() / 60)
    return CityMove(origin, mode, 9 * 60, at, minutes, rounded_won(fare))


def move_of(window: Window) -> Move | None:
    """The move of a day as the plan shows it."""
    if window.move is None:
        return None
    return {
        "origin": window.move.origin,
        "destination": window.city,
        "mode": window.move.mode,
        "start": clock(window.move.start),
        "end": clock(window.move.end),
        "minutes": window.move.minutes,
        "fare": window.move.fare,
    }


def _airport_lead(domestic: bool) -> int:
    table = estimates()["flight"]
    return int(table["airport_lead_domestic_minutes"] if domestic else table["airport_lead_minutes"])


def _arrival(arrive_at: str, day: date, start: int, transfer: int, end: int) -> int:
    moment = datetime.fromisoformat(arrive_at)
    if moment.date() > day:
        return end
    if moment.date() < day:
        return start
    return max(start, moment.hour * 60 + moment.minute + transfer + _SETTLE)


def _departure(query: ItineraryQuery, day: date, transfer: int) -> int:
    moment = datetime.fromisoformat(query.leave_at or "")
    if moment.date() > day:
        return 24 * 60
    lead = _airport_lead(locate(query.cities[-1]).domestic) if query.by_air else 20
    return moment.hour * 60 + moment.minute - transfer - lead


def base_of(name: str) -> Point:
    """Where one sleeps: the centre of the city's best area."""
    city: City | None = all_cities().get(name)
    if city is None:
        spot = locate(name)
        return Point(spot.lat, spot.lon)
    return Point(*best_area(city)[1:])
