"""Coordinator: three plans, each the sum of its items, and the one to take."""

from dataclasses import replace

from madang.assistants.travel.agents.budget_manager import BudgetRequest
from madang.assistants.travel.data.estimates import as_of
from madang.assistants.travel.data.sources import COSTS
from madang.assistants.travel.services import TravelServices
from madang.assistants.travel.state.requests import OriginRequest
from madang.assistants.travel.state.results import Accommodation, BudgetBreakdown, Mode, Recommendation, TripPlan
from madang.assistants.travel.tools.affordable_changes import changes_for
from madang.assistants.travel.tools.plans import make_plans
from madang.graph import Context, Writes, agent


class PlanRequest(BudgetRequest, OriginRequest):
    preferred_airline: str | None
    direct_only: bool | None
    accommodation_preference: Accommodation | None
    transport: Mode | None
    no_transport: list[Mode] | None
    budget_breakdown: BudgetBreakdown


class PlanResult(Writes):
    final_plans: list[TripPlan]
    recommendation: Recommendation


@agent(team="planning", task="플랜 구성", description="세 가지 플랜과 추천", data=("estimates",))
async def coordinator(request: PlanRequest, ctx: Context[TravelServices]) -> PlanResult:
    inputs = request.inputs
    plans, chosen = make_plans(inputs)
    trip = replace(
        request.trip,
        asked=request.asked,
        origin=request.start,
        airline=request.preferred_airline,
        direct_only=bool(request.direct_only),
        accommodation=request.accommodation_preference,
        by=request.transport,
        not_by=tuple(request.no_transport or ()),
    )
    changes = [] if chosen["fits"] else changes_for(trip, inputs, chosen)
    ctx.source("final_plans", tool="make_plans", source=COSTS, as_of=as_of())
    savings = request.budget_breakdown["savings"]
    return {"final_plans": plans, "recommendation": {**chosen, "changes": changes, "savings": savings}}
