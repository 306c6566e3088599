"""The itinerary planner."""

from collections.abc import Sequence

from madang.assistants.travel.data.cities import Place, all_cities, load_city, minutes_of
from madang.assistants.travel.data.estimates import in_won
from madang.assistants.travel.data.world import locate
from madang.assistants.travel.state.results import Itinerary, ItineraryDay, ItineraryOptimization, Visit
from madang.assistants.travel.tools.itinerary.eating import meals_of
from madang.assistants.travel.tools.itinerary.exchange import exchange
from madang.assistants.travel.tools.itinerary.general import general_day, general_notes, general_plan
from madang.assistants.travel.tools.itinerary.model import ItineraryQuery, Window, clock, indoor
from madang.assistants.travel.tools.itinerary.movement import road_km, tour_km, tour_minutes
from madang.assistants.travel.tools.itinerary.rain import rain_order
from madang.assistants.travel.tools.itinerary.schedule import DaySchedule, schedule
from madang.assistants.travel.tools.itinerary.selection import DayPlan, fill_days
from madang.assistants.travel.tools.itinerary.visit_order import best_order
from madang.assistants.travel.tools.itinerary.windows import day_windows, move_of
from madang.text.particles import with_topic

_LONG, _LITTLE = 300, 120
MUST_VISIT = "꼭 가고 싶다고 하신 곳"


def plan_itinerary(query: ItineraryQuery) -> tuple[Itinerary, ItineraryOptimization]:
    """A day-by-day plan: no place twice, every day feasible in time, must-visits in it or named in the notes.

    Days in a city without places of its own are general and said to be. Raises NotFound for an unknown city.
    """
    for name in query.cities:
        locate(name)
    windows = day_windows(query)
    known = [window for window in windows if window.city in all_cities()]
    if not known:
        return general_plan(query)
    filled, left = fill_days(known, query)
    exchange(filled)
    for day in filled:
        day.sleep_in()
    used = {place.name for day in filled for place in day.order}
    eaten = set(used)
    days = []
    for day in filled:
        timed = _order(day)
        rain = rain_order(day.window, [stop.place for stop in timed.stops], query, used)
        days.append(_day(day.window, timed, rain, query, eaten))
    days += [general_day(window, query) for window in windows if window.city not in all_cities()]
    return _plan(query, sorted(days, key=lambda day: day["day"]), filled, left)


def _order(day: DayPlan) -> DaySchedule:
    kept = schedule(day.window, day.order)
    best = best_order(day.window, day.order)
    if kept is None or (best is not None and best.cost <= kept.cost):
        kept = best
    return kept or DaySchedule((), (), 0, day.window.start)


def _day(
    window: Window, timed: DaySchedule, rain: DaySchedule | None, query: ItineraryQuery, eaten: set[str]
) -> ItineraryDay:
    places = [stop.place for stop in timed.stops]
    return {
        "day": window.day,
        "date": window.date.isoformat(),
        "city": window.city,
        "title": _title(window, places, query),
        "window": [clock(window.start), clock(window.end)],
        "places": _visits(window, timed, query),
        "meals": meals_of(window, timed.meals, query.diet, eaten),
        "move": move_of(window),
        "rain_alternative": _visits(window, rain, query) if rain else [],
        "moving_minutes": timed.moving,
        "visiting_minutes": sum(place.minutes for place in places),
        "km": tour_km(window.base, places),
        "pace": window.pace,
    }


def _visits(window: Window, timed: DaySchedule, query: ItineraryQuery) -> list[Visit]:
    currency = load_city(window.city).currency
    visits: list[Visit] = []
    at: Place | None = None
    for stop in timed.stops:
        place = stop.place
        visits.append(
            {
                "name": place.name,
                "category": place.category,
                "start": clock(stop.start),
                "end": clock(stop.end),
                "minutes": place.minutes,
                "fee": in_won(place.fee, currency),
                "latitude": place.lat,
                "longitude": place.lon,
                "indoor": indoor(place),
                "travel_minutes": stop.travel,
                "travel_km": round(road_km(at or window.base, place), 1),
                "note": MUST_VISIT if _is_must(place, query) else None,
            }
        )
        at = place
    return visits


def _is_must(place: Place, query: ItineraryQuery) -> bool:
    names = {place.name, *place.aliases}
    return any(name in names for name in query.must_visit)


def _title(window: Window, places: Sequence[Place], query: ItineraryQuery) -> str:
    areas = list(dict.fromkeys(place.area for place in places))[:2]
    where = "·".join(areas) if areas else window.city
    if window.day == 1:
        return f"도착, {where}" if places else "도착과 휴식"
    if window.day == query.nights + 1:
        return f"{where} 들렀다 출발" if places else "귀가"
    return f"{where} 둘러보기" if places else "이동과 휴식"


def _plan(
    query: ItineraryQuery, days: list[ItineraryDay], filled: list[DayPlan], left: dict[str, str]
) -> tuple[Itinerary, ItineraryOptimization]:
    moving, km = sum(day["moving_minutes"] for day in days), round(sum(day["km"] for day in days), 1)
    listed_minutes, listed_km = _listed(filled)
    visits = sum(len(day["places"]) for day in days if day["city"] in all_cities())
    slept = [city for city, _ in query.stays]
    notes = [*general_notes(query), *(f"{name}: {reason}" for name, reason in left.items())]
    notes += _free_days(days)
    notes += [f"{with_topic(city)} 숙박일이 모자라 뺐습니다" for city in query.cities if city not in slept]
    summary = f"{'·'.join(slept)} {query.nights}박 {query.nights + 1}일, {visits}곳, 이동 {_hours(moving)}"
    saved = f"이동을 {max(0, listed_minutes - moving)}분 줄였습니다."
    plan: Itinerary = {
        "type": query.tier,
        "days": days,
        "summary": summary,
        "notes": notes,
        "is_general": False,
    }
    return plan, {
        "total_travel_minutes": moving,
        "total_travel_km": km,
        "unordered_travel_minutes": listed_minutes,
        "unordered_travel_km": listed_km,
        "left_out": list(left),
        "reasoning": f"하루를 가까운 구역끼리 묶고 순서를 정해, 인기순으로 나열할 때보다 {saved}",
    }


def _free_days(days: list[ItineraryDay]) -> list[str]:
    """Long stays in small towns: days that are left free are said to be."""
    free = [
        day
        for day in days
        if day["city"] in all_cities() and _length(day) >= _LONG and day["visiting_minutes"] < _LITTLE
    ]
    if not free or all(day["pace"] == "relaxed" for day in days):
        return []
    which = ", ".join(f"{day['day']}일째" for day in free)
    return [f"갈 만한 곳을 다른 날에 다 넣어 {which}는 거의 비워 두었어요. 쉬거나 근교를 다녀오기 좋아요."]


def _length(day: ItineraryDay) -> int:
    start, end = map(minutes_of, day["window"])
    return end - start


def _hours(minutes: int) -> str:
    return f"{minutes // 60}시간 {minutes % 60}분"


def _listed(filled: list[DayPlan]) -> tuple[int, float]:
    """What the same places cost when they are merely listed by appeal and cut into days of the same length."""
    minutes, km = 0, 0.0
    for city in dict.fromkeys(day.window.city for day in filled):
        days = [day for day in filled if day.window.city == city]
        listed = sorted((place for day in days for place in day.order), key=lambda place: (-place.appeal, place.name))
        for day in days:
            chunk, listed = listed[: len(day.order)], listed[len(day.order) :]
            minutes += tour_minutes(day.window.base, chunk)
            km += tour_km(day.window.base, chunk)
    return minutes, round(km, 1)
