"""The return on a home that is bought to be let."""

from typing import Any

from madang.assistants.homes.state.paths import ANALYSIS_TEAM, RAW
from madang.assistants.homes.understanding import figure_needs
from madang.graph import AgentContext, View, agent


@agent(
    **ANALYSIS_TEAM,
    reads=("figure_requests",),
    writes=(f"{RAW}.roi_calculation",),
    task="수익률 분석",
    description="임대 투자 수익률",
    timeout=15,
)
async def roi_analysis(asked: View, ctx: AgentContext) -> dict[str, Any]:
    need = next(n for n in asked.figure_requests if n["calculator"] == "roi" and not n["missing"])
    worked = figure_needs.run(need)
    net, initial = worked.values["yearly_net"], worked.values["initial_cost"]
    payback = round(float(initial or 0) / float(net), 1) if net and float(net) > 0 else None
    ctx.source("roi_calculation", tool="RoiCalculator", source="입력값")
    return {
        "roi_calculation": {
            "estimated_roi": float(worked.values["roi"] or 0.0),
            "payback_period": payback,
            "calculation": worked.as_dict(),
        }
    }
