"""Budget Manager: what the trip costs in the plan that the budget carries, what remains, where to save."""

from dataclasses import replace
from typing import Literal

from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.sources import COSTS
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.requests import StaysRequest, TripRequest
from madang.assistants.travel.state.results import Booked, BudgetBreakdown, FlightOption, HotelOption, Itinerary, Tier
from madang.assistants.travel.state.trip_facts import entrance_fees
from madang.assistants.travel.tools.budget import breakdown
from madang.assistants.travel.tools.plans import PlanInputs, make_plans
from madang.graph import Context, Writes, agent


class BudgetRequest(StaysRequest, TripRequest):
    flight_options: list[FlightOption]
    hotel_options: list[HotelOption]
    itineraries: list[Itinerary]
    budget: int | None
    budget_flexibility: Literal["strict", "flexible"] | None
    flight_tier: Tier | None
    hotel_tier: Tier | None
    booked: list[Booked] | None

    @property
    def inputs(self) -> PlanInputs:
        """What the plans are made from."""
        trip = replace(self.trip, asked=self.asked)
        return PlanInputs(
            flights=self.flight_options,
            hotels=self.hotel_options,
            entrance_fees={days["type"]: entrance_fees(days) for days in self.itineraries},
            stays=trip.stays,
            party=trip.party,
            budget=self.budget,
            flexibility=self.budget_flexibility,
            flight_tier=self.flight_tier,
            hotel_tier=self.hotel_tier,
            booked=tuple(self.booked or ()),
        )


class BudgetResult(Writes):
    budget_breakdown: BudgetBreakdown


@agent(team="planning", task="예산 분석", description="항목별 비용과 남거나 모자라는 돈", data=("estimates",))
async def budget_manager(request: BudgetRequest, ctx: Context[TravelServices]) -> BudgetResult:
    inputs = request.inputs
    plans, chosen = make_plans(inputs)
    plan = next(plan for plan in plans if plan["type"] == chosen["type"])
    ctx.source("budget_breakdown", tool="breakdown", source=COSTS, as_of=as_of())
    return {"budget_breakdown": breakdown(plan["items"], inputs.budget, inputs.party)}
