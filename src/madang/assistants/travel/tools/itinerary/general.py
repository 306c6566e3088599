"""Days in cities we have no places for: parts of the day by style and weather, and no invented names."""

from collections.abc import Sequence
from typing import Any

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.climate import month_of
from madang.assistants.travel.data.ways import table
from madang.assistants.travel.data.world import locate, nearest_supported
from madang.assistants.travel.state.results import Itinerary, ItineraryDay, ItineraryOptimization, Visit
from madang.assistants.travel.tools.itinerary.model import ItineraryQuery, Window, clock
from madang.assistants.travel.tools.itinerary.windows import day_windows, move_of
from madang.text.particles import with_topic

_PARTS = (
    ("morning", "오전", 150, 9 * 60 + 30),
    ("afternoon", "오후", 120, 14 * 60),
    ("evening", "저녁", 120, 18 * 60),
)
_GAP = 30
_HOT, _COLD, _WET = 28, 6, 14
_TROPICS = 23.5
_OFFERED = 3
_SEASONS = ("winter", "spring", "summer", "autumn")


def general_plan(query: ItineraryQuery) -> tuple[Itinerary, ItineraryOptimization]:
    """Days in parts that fit their hours, the styles and the weather, marked as general; nearest known cities named."""
    notes = general_notes(query)
    notes += [f"{name}: 위치를 몰라 시간을 정하지 못했습니다" for name in query.must_visit]
    summary = f"{'·'.join(query.cities)} {query.nights}박 {query.nights + 1}일 일반 계획"
    days = [general_day(window, query) for window in day_windows(query)]
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


def general_notes(query: ItineraryQuery) -> list[str]:
    """Which cities of the trip have no places of their own, and which near them have."""
    return [
        f"{with_topic(name)} 상세 명소 자료가 없습니다. "
        f"{locate(name).country} 기준 비용과 거리로 계산한 일반 계획이며, "
        f"자료가 있는 가까운 도시는 {', '.join(_others_near(name, query))}입니다."
        for name in query.cities
        if name not in all_cities()
    ]


def _others_near(name: str, query: ItineraryQuery) -> list[str]:
    """Not those that the trip goes to anyway."""
    near = nearest_supported(name, _OFFERED + len(query.cities))
    return [city for city in near if city not in query.cities][:_OFFERED]


def weather_of(city: str, month: int) -> frozenset[str]:
    """The season (none in the tropics) and hot, cold, wet, sea: by the climate that we know, else by the season."""
    lat = locate(city).lat
    at = month % 12 // 3 if lat > 0 else (month + 6) % 12 // 3
    season = {_SEASONS[at]} if abs(lat) > _TROPICS else set()
    known = month_of(city, month)
    if known is None:
        usual = {"winter": {"cold"}, "summer": {"hot"}}
        return frozenset(season | (usual.get(_SEASONS[at], set()) if season else {"hot"}))
    said = {"hot": known.high >= _HOT, "cold": known.high <= _COLD, "wet": known.rain >= _WET, "sea": known.sea}
    return frozenset(season | {name for name, holds in said.items() if holds})


def _block(part: str, window: Window, query: ItineraryQuery) -> dict[str, Any] | None:
    """What that part of the day is for: each style wished for in turn, then what suits everybody."""
    weather = weather_of(window.city, window.date.month)
    fitting = [
        row
        for row in table("general_days")["block"]
        if row["part"] == part
        and row["category"] not in query.avoid_kinds
        and (not row.get("when") or weather & {*row["when"]})
        and not weather & {*row.get("unless", ())}
    ]
    styles = (*query.styles, *(["아이"] if query.kids else ()))
    return _in_turn([row for row in fitting if row["style"] in styles], window.day) or _in_turn(
        [row for row in fitting if not row["style"]], window.day
    )


def _in_turn(rows: Sequence[dict[str, Any]], day: int) -> dict[str, Any] | None:
    return rows[(day - 1) % len(rows)] if rows else None


def general_day(window: Window, query: ItineraryQuery) -> ItineraryDay:
    """A day in parts, with the way that leads there."""
    visits: list[Visit] = []
    now = window.start
    for part, label, minutes, usual in _PARTS:
        now = max(now, usual)
        block = _block(part, window, query)
        if block and now + minutes <= window.end:
            visits.append(
                {
                    "name": f"{label}: {block['text']}",
                    "category": block["category"],
                    "start": clock(now),
                    "end": clock(now + minutes),
                    "minutes": minutes,
                    "fee": None,
                    "latitude": window.base.lat,
                    "longitude": window.base.lon,
                    "indoor": block["indoor"],
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
