"""Coordinator: three plans, each the sum of its items, and the one to take."""

from typing import Any

from madang.assistants.travel.answering.sources import COSTS
from madang.assistants.travel.data.rates import as_of
from madang.assistants.travel.tools.plan_choice import READS, RESCUE_READS, changes_for, inputs_of, settle
from madang.graph import AgentContext, View, agent


@agent(
    team="planning",
    reads=(*READS, *RESCUE_READS, "budget_breakdown"),
    writes=("final_plans", "recommendation"),
    task="플랜 구성",
    description="세 가지 플랜과 추천",
    data=("estimates",),
)
async def coordinator(trip: View, ctx: AgentContext) -> dict[str, Any]:
    inputs = inputs_of(trip, ctx.today)
    plans, chosen = settle(inputs, trip.flight_tier, trip.hotel_tier)
    changes = [] if chosen.fits else changes_for(trip, ctx.today, inputs, chosen)
    ctx.source("final_plans", tool="make_plans", source=COSTS, as_of=as_of())
    return {
        "final_plans": [plan.as_dict() for plan in plans],
        "recommendation": {
            **chosen.as_dict(),
            "changes": [change.as_dict() for change in changes],
            "savings": trip.budget_breakdown["savings"],
        },
    }
