"""Itinerary Planner: days for each way there and back, grouped by area, ordered by the way between places."""

from madang.assistants.travel.data.cities import minutes_of
from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.sources import PLACES
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.requests import StaysRequest
from madang.assistants.travel.state.results import FlightTimes, Itinerary, ItineraryOptimization, Pace
from madang.assistants.travel.tools.itinerary import ItineraryQuery, plan_itinerary
from madang.assistants.travel.tools.itinerary.avoiding import avoided_categories, avoided_names
from madang.graph import Context, Writes, agent

_HARD_TO_WALK = frozenset({"오래 걷기 어려움", "심장·건강 주의", "임신", "계단 피하기", "휠체어"})
_FEW = 2  # places a day for who can't walk far


class ItineraryRequest(StaysRequest):
    travel_style: list[str] | None
    pace: Pace | None
    must_visit_places: list[str] | None
    children: int | None
    infants: int | None
    day_paces: dict[str, Pace] | None
    avoid_places: list[str] | None
    avoid: list[str] | None
    rest_times: list[str] | None
    outings_a_day: int | None
    access: list[str] | None
    diet: list[str] | None
    flight_times: list[FlightTimes]

    @property
    def unwanted(self) -> list[str]:
        """Things to be left out; who drinks nothing wants no bars."""
        return [*(self.avoid or ()), *(self.access or ()), *(["술"] if "술 제외" in (self.diet or ()) else ())]


class ItineraryResult(Writes):
    itineraries: list[Itinerary]
    itinerary_optimization: ItineraryOptimization


@agent(
    team="planning",
    task="일정 계획",
    description="동선과 여는 시간에 맞춘 날짜별 일정",
    timeout=30,
    version="2",
    data=("cities",),
)
async def itinerary_planner(request: ItineraryRequest, ctx: Context[TravelServices]) -> ItineraryResult:
    planned = [plan_itinerary(_query(request, times)) for times in request.flight_times]
    ctx.source(
        "itineraries", tool="plan_itinerary", source=PLACES, as_of=as_of(), note="장소 정보는 자체 정리한 자료입니다"
    )
    usual = next((gained for days, gained in planned if days["type"] == "standard"), planned[0][1])
    return {"itineraries": [days for days, _ in planned], "itinerary_optimization": usual}


def _query(request: ItineraryRequest, times: FlightTimes) -> ItineraryQuery:
    return ItineraryQuery(
        cities=request.cities,
        depart=request.departure,
        nights=request.nights,
        asked=request.asked,
        styles=tuple(request.travel_style or ()),
        pace=request.pace or ("relaxed" if _HARD_TO_WALK & {*(request.access or ())} else "normal"),
        must_visit=tuple(request.must_visit_places or ()),
        kids=bool(request.children or request.infants),
        tier=times["type"],
        arrive_at=times["arrive_at"],
        leave_at=times["leave_at"],
        by_air=times["by_air"],
        day_paces=tuple((int(day), pace) for day, pace in sorted((request.day_paces or {}).items())),
        avoid=(*(request.avoid_places or ()), *avoided_names(request.unwanted)),
        avoid_kinds=avoided_categories(request.avoid or ()),
        rests=tuple(_minutes(times) for times in request.rest_times or ()),
        diet=tuple(request.diet or ()),
        outings=request.outings_a_day or (_FEW if _HARD_TO_WALK & {*(request.access or ())} else None),
    )


def _minutes(times: str) -> tuple[int, int]:
    """Minutes after midnight of "13:00-15:00"."""
    start, _, end = times.partition("-")
    return minutes_of(start), minutes_of(end)
