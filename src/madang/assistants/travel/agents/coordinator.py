"""Coordinator: three plans, each the sum of its items, and the one to take."""

from typing import Any

from madang.assistants.travel.agents.budget_manager import COSTS, entrance_fees, hotel_total
from madang.assistants.travel.agents.trip_facts import (
    WHEN,
    WHERE,
    WHO,
    cities_of,
    depart_of,
    origin_of,
    party,
    stays_of,
)
from madang.assistants.travel.data.cities import TIERS
from madang.assistants.travel.tools.plans import PlanInputs, Priced, make_plans, recommend
from madang.assistants.travel.tools.rescue import Change, Trip, cheapest_total, smallest_changes
from madang.graph import AgentContext, View, agent


@agent(
    team="planning",
    reads=(
        *WHERE, *WHEN, *WHO, *COSTS, "budget", "budget_flexibility", "origin", "preferred_airline", "direct_only",
        "accommodation_preference", "flight_tier", "hotel_tier", "budget_breakdown",
    ),
    writes=("final_plans", "recommendation"),
    task="플랜 구성",
    description="세 가지 플랜과 추천",
    data=("estimates",),
)  # fmt: skip
async def coordinator(trip: View, ctx: AgentContext) -> dict[str, Any]:
    inputs = PlanInputs(
        flights=tuple(_flight(option) for option in trip.flight_options),
        hotels=tuple(_hotels(trip.hotel_options, tier) for tier in TIERS),
        entrance_per_adult=entrance_fees(trip.itinerary),
        stays=tuple(stays_of(trip)),
        party=party(trip),
        budget=trip.budget,
        flexibility=trip.budget_flexibility,
        flight_tier=trip.flight_tier,
        hotel_tier=trip.hotel_tier,
    )
    plans = make_plans(inputs)
    chosen = recommend(plans, inputs)
    changes = [] if chosen.fits or not trip.budget else _changes(trip)
    ctx.source("final_plans", tool="make_plans", source="flight_options, hotel_options, itinerary, estimates.toml")
    return {
        "final_plans": [plan.as_dict() for plan in plans],
        "recommendation": {**chosen.as_dict(), "changes": [change.as_dict() for change in changes]},
    }


def _changes(trip: View) -> list[Change]:
    """What would make the budget carry the trip; first of all a wish for a better flight or hotel taken back."""
    priced = _priced(trip)
    if (trip.flight_tier or trip.hotel_tier) and (total := cheapest_total(priced)) <= trip.budget:
        slots = {"flight_tier": None, "hotel_tier": None}
        return [Change("lodging", f"항공과 숙소를 알뜰 등급으로 되돌리면 {total:,}원에 가능합니다.", slots, total, 0.0)]
    return smallest_changes(priced, trip.budget)


def _flight(option: dict[str, Any]) -> Priced:
    label = (
        f"{option['airline']}"
        if option["airline"]
        else {"train": "기차", "bus": "고속버스"}.get(option["mode"], "교통")
    )
    return Priced(option["type"], option["price"], label, option["is_estimate"])


def _hotels(options: list[dict[str, Any]], tier: Any) -> Priced:
    names = [option["name"] for option in options if option["type"] == tier]
    estimated = any(option["is_estimate"] for option in options if option["type"] == tier)
    return Priced(tier, hotel_total(options, tier), " · ".join(dict.fromkeys(names)), estimated)


def _priced(trip: View) -> Trip:
    return Trip(
        origin=origin_of(trip),
        destinations=cities_of(trip),
        depart=depart_of(trip),
        nights=trip.duration,
        party=party(trip),
        accommodation=trip.accommodation_preference,
        airline=trip.preferred_airline,
        direct_only=bool(trip.direct_only),
        entrance_per_adult=entrance_fees(trip.itinerary),
    )
