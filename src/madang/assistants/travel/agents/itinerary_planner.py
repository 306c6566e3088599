"""Itinerary Planner: days grouped by area, ordered by the way between places, with an answer to rain."""

from datetime import date
from typing import Any

from madang.assistants.travel.answering.sources import PLACES
from madang.assistants.travel.data.rates import as_of
from madang.assistants.travel.state.trip_facts import STAYS, WHEN, cities_of, slots_of
from madang.assistants.travel.tools.itinerary.model import ItineraryRequest
from madang.assistants.travel.tools.itinerary.planner import plan_itinerary
from madang.assistants.travel.tools.requests import shares_of
from madang.graph import AgentContext, View, agent


@agent(
    team="planning",
    reads=(
        *STAYS, *WHEN, "travel_style", "pace", "must_visit_places", "children", "infants",
        "day_paces", "avoid_places", "flight_times",
    ),
    writes=("itinerary", "itinerary_optimization"),
    task="일정 계획",
    description="동선과 여는 시간에 맞춘 날짜별 일정",
    timeout=30,
    data=("cities",),
)  # fmt: skip
async def itinerary_planner(trip: View, ctx: AgentContext) -> dict[str, Any]:
    plan = plan_itinerary(_request(trip))
    ctx.source(
        "itinerary", tool="plan_itinerary", source=PLACES, as_of=as_of(), note="장소 정보는 자체 정리한 자료입니다"
    )
    return {"itinerary": plan.itinerary(), "itinerary_optimization": plan.optimization()}


def _request(trip: View) -> ItineraryRequest:
    slots, times = slots_of(trip), trip.flight_times
    return ItineraryRequest(
        destinations=cities_of(slots),
        depart=date.fromisoformat(slots["depart_date"]),
        nights=trip.duration,
        styles=tuple(trip.travel_style or ()),
        pace=trip.pace or "normal",
        must_visit=tuple(trip.must_visit_places or ()),
        kids=bool(trip.children or trip.infants),
        arrive_at=times["arrive_at"],
        leave_at=times["leave_at"],
        by_air=times["by_air"],
        day_paces=tuple((int(day), pace) for day, pace in sorted((trip.day_paces or {}).items())),
        avoid=tuple(trip.avoid_places or ()),
        shares=shares_of(slots),
    )
