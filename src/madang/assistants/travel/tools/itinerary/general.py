"""A plan for a city we have no places for: blocks of the day, and no invented names."""

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.data.world import locate, nearest_supported
from madang.assistants.travel.tools.itinerary.model import Day, ItineraryPlan, ItineraryRequest, Visit, Window, clock
from madang.assistants.travel.tools.itinerary.windows import day_windows
from madang.assistants.travel.tools.particles import topic

_BLOCKS = (
    ("오전: 도심과 대표 명소 걷기", "관광", 150, False, 9 * 60 + 30),
    ("오후: 박물관이나 시장", "문화", 120, True, 14 * 60),
    ("저녁: 현지 음식과 야경", "맛집", 120, True, 18 * 60),
)
_GAP = 30


def general_plan(request: ItineraryRequest) -> ItineraryPlan:
    """Days in blocks that fit their hours, marked as general, with the nearest supported cities named."""
    unknown = [name for name in request.destinations if name not in all_cities()]
    notes = [
        f"{topic(name)} 상세 명소 자료가 없습니다. {locate(name).country} 기준 비용과 거리로 계산한 일반 계획이며, "
        f"자료가 있는 가까운 도시는 {', '.join(nearest_supported(name))}입니다."
        for name in unknown
    ]
    notes += [f"{name}: 위치를 몰라 시간을 정하지 못했습니다" for name in request.must_visit]
    days = [_day(window) for window in day_windows(request)]
    summary = f"{'·'.join(request.destinations)} {request.nights}박 {request.nights + 1}일 일반 계획"
    return ItineraryPlan(
        days=days, summary=summary, notes=notes, is_general=True, left_out=list(request.must_visit), reasoning=notes[0]
    )


def _day(window: Window) -> Day:
    visits: list[Visit] = []
    now = window.start
    for name, category, minutes, inside, usual in _BLOCKS:
        now = max(now, usual)
        if now + minutes <= window.end:
            visits.append(
                Visit(
                    name, category, clock(now), clock(now + minutes), minutes, None,
                    window.base.lat, window.base.lon, inside, 0, 0.0, "일반 계획",
                )
            )  # fmt: skip
            now += minutes + _GAP
    return Day(
        day=window.day,
        date=window.date.isoformat(),
        city=window.city,
        title="일반 계획",
        window=(clock(window.start), clock(window.end)),
        places=visits,
        meals=[],
        rain_alternative=[visit for visit in visits if visit.indoor],
        moving_minutes=0,
        visiting_minutes=sum(visit.minutes for visit in visits),
        km=0.0,
        pace=window.pace,
    )
