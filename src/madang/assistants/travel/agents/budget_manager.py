"""Budget Manager: what the recommended trip costs, what remains, where to save."""

from collections.abc import Mapping
from typing import Any

from madang.assistants.travel.agents.trip_facts import WHEN, WHERE, WHO, party, recommended, stays_of
from madang.assistants.travel.tools.budget import CostInputs, breakdown, cost_items
from madang.graph import AgentContext, View, agent

COSTS = ("flight_options", "flight_analysis", "hotel_options", "hotel_analysis", "itinerary")


@agent(
    team="planning",
    reads=(*WHERE, *WHEN, *WHO, *COSTS, "budget"),
    writes=("budget_breakdown",),
    task="예산 분석",
    description="항목별 비용과 남거나 모자라는 돈",
    data=("estimates",),
)
async def budget_manager(trip: View, ctx: AgentContext) -> dict[str, Any]:
    flight = recommended(trip.flight_options, trip.flight_analysis)
    tier = trip.hotel_analysis["recommendation"]
    inputs = CostInputs(
        flight_price=flight["price"] if flight else 0,
        hotel_price=hotel_total(trip.hotel_options, tier),
        entrance_per_adult=entrance_fees(trip.itinerary),
        stays=tuple(stays_of(trip)),
        party=party(trip),
        tier=tier,
        flights_estimated=bool(flight and flight["is_estimate"]),
        hotel_estimated=any(option["is_estimate"] for option in trip.hotel_options),
    )
    found = breakdown(cost_items(inputs), trip.budget, party(trip))
    ctx.source("budget_breakdown", tool="breakdown", source="flight_options, hotel_options, itinerary")
    return {"budget_breakdown": found.as_dict()}


def hotel_total(options: list[dict[str, Any]], tier: str) -> int:
    """The price of one tier in every city of the trip."""
    return sum(option["total_price"] for option in options if option["type"] == tier)


def entrance_fees(itinerary: Mapping[str, Any]) -> int:
    """Entrance fees of every stop, for one adult."""
    return sum(visit.get("fee") or 0 for day in itinerary.get("days", ()) for visit in day["places"])
