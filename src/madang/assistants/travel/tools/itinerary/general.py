"""A plan for a city we have no places for: blocks of the day, and no invented names."""

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.world import locate, nearest_supported
from madang.assistants.travel.state.results import Itinerary, ItineraryDay, ItineraryOptimization, Visit
from madang.assistants.travel.tools.itinerary.model import ItineraryQuery, Window, clock
from madang.assistants.travel.tools.itinerary.windows import day_windows, move_of
from madang.text.particles import with_topic

_BLOCKS = (
    ("오전: 도심과 대표 명소 걷기", "관광", 150, False, 9 * 60 + 30),
    ("오후: 박물관이나 시장", "문화", 120, True, 14 * 60),
    ("저녁: 현지 음식과 야경", "맛집", 120, True, 18 * 60),
)
_GAP = 30


def general_plan(query: ItineraryQuery) -> tuple[Itinerary, ItineraryOptimization]:
    """Days in blocks that fit their hours, marked as general, with the nearest supported cities named."""
    unknown = [name for name in query.cities if name not in all_cities()]
    notes = [
        f"{with_topic(name)} 상세 명소 자료가 없습니다. "
        f"{locate(name).country} 기준 비용과 거리로 계산한 일반 계획이며, "
        f"자료가 있는 가까운 도시는 {', '.join(nearest_supported(name))}입니다."
        for name in unknown
    ]
    notes += [f"{name}: 위치를 몰라 시간을 정하지 못했습니다" for name in query.must_visit]
    summary = f"{'·'.join(query.cities)} {query.nights}박 {query.nights + 1}일 일반 계획"
    days = [_day(window) for window in day_windows(query)]
    plan: Itinerary = {
        "type": query.tier,
        "days": days,
        "summary": summary,
        "notes": notes,
        "is_general": True,
    }
    return plan, {
        "total_travel_minutes": 0,
        "total_travel_km": 0.0,
        "unordered_travel_minutes": 0,
        "unordered_travel_km": 0.0,
        "left_out": list(query.must_visit),
        "reasoning": notes[0],
    }


def _day(window: Window) -> ItineraryDay:
    visits: list[Visit] = []
    now = window.start
    for name, category, minutes, inside, usual in _BLOCKS:
        now = max(now, usual)
        if now + minutes <= window.end:
            visits.append(
                {
                    "name": name,
                    "category": category,
                    "start": clock(now),
                    "end": clock(now + minutes),
                    "minutes": minutes,
                    "fee": None,
                    "latitude": window.base.lat,
                    "longitude": window.base.lon,
                    "indoor": inside,
                    "travel_minutes": 0,
                    "travel_km": 0.0,
                    "note": "일반 계획",
                }
            )
            now += minutes + _GAP
    return {
        "day": window.day,
        "date": window.date.isoformat(),
        "city": window.city,
        "title": "일반 계획",
        "window": [clock(window.start), clock(window.end)],
        "places": visits,
        "meals": [],
        "move": move_of(window),
        "rain_alternative": [visit for visit in visits if visit["indoor"]],
        "moving_minutes": 0,
        "visiting_minutes": sum(visit["minutes"] for visit in visits),
        "km": 0.0,
        "pace": window.pace,
    }
