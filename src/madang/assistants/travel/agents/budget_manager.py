"""Budget Manager: what the trip costs in the plan that the budget carries, what remains, where to save."""

from typing import Any

from madang.assistants.travel.answering.sources import COSTS
from madang.assistants.travel.data.rates import as_of
from madang.assistants.travel.tools.budget import breakdown
from madang.assistants.travel.tools.plan_choice import READS, inputs_of, settle
from madang.graph import AgentContext, View, agent


@agent(
    team="planning",
    reads=READS,
    writes=("budget_breakdown",),
    task="예산 분석",
    description="항목별 비용과 남거나 모자라는 돈",
    data=("estimates",),
)
async def budget_manager(trip: View, ctx: AgentContext) -> dict[str, Any]:
    inputs = inputs_of(trip, ctx.today)
    plans, chosen = settle(inputs, trip.flight_tier, trip.hotel_tier)
    plan = next(plan for plan in plans if plan.type == chosen.type)
    ctx.source("budget_breakdown", tool="breakdown", source=COSTS, as_of=as_of())
    return {"budget_breakdown": breakdown(plan.items, trip.budget, inputs.party).as_dict()}
