"""Itinerary Planner: days grouped by area, ordered by the way between places, with an answer to rain."""

from typing import Any

from madang.assistants.travel.agents.trip_facts import WHEN, WHERE, cities_of, depart_of, recommended
from madang.assistants.travel.tools.itinerary.model import ItineraryRequest
from madang.assistants.travel.tools.itinerary.planner import plan_itinerary
from madang.graph import AgentContext, View, agent


@agent(
    team="planning",
    reads=(
        *WHERE, *WHEN, "travel_style", "pace", "must_visit_places", "children", "infants", "day_paces", "avoid_places",
        "flight_options", "flight_analysis",
    ),
    writes=("itinerary", "itinerary_optimization"),
    task="일정 계획",
    description="동선과 여는 시간에 맞춘 날짜별 일정",
    timeout=30,
    data=("cities",),
)  # fmt: skip
async def itinerary_planner(trip: View, ctx: AgentContext) -> dict[str, Any]:
    flight = recommended(trip.flight_options or [], trip.flight_analysis)
    request = ItineraryRequest(
        destinations=cities_of(trip),
        depart=depart_of(trip),
        nights=trip.duration,
        styles=tuple(trip.travel_style or ()),
        pace=trip.pace or "normal",
        must_visit=tuple(trip.must_visit_places or ()),
        kids=bool(trip.children or trip.infants),
        arrive_at=flight["outbound"]["arrive_at"] if flight else None,
        leave_at=flight["inbound"]["depart_at"] if flight else None,
        by_air=flight is not None and flight["mode"] == "flight",
        day_paces=tuple((int(day), pace) for day, pace in sorted((trip.day_paces or {}).items())),
        avoid=tuple(trip.avoid_places or ()),
    )
    plan = plan_itinerary(request)
    ctx.source("itinerary", tool="plan_itinerary", source="cities", note="장소 정보는 자체 정리한 자료입니다")
    return {"itinerary": plan.itinerary(), "itinerary_optimization": plan.optimization()}
