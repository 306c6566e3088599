"""The return on a home that is bought to be let."""

from typing import Annotated

from madang.assistants.homes.agents.calculation import FigureRequest
from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.paths import RAW
from madang.assistants.homes.state.results import RoiCalculation
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.understanding import figure_needs
from madang.graph import At, Context, Writes, agent


class Return(Writes):
    roi_calculation: Annotated[RoiCalculation, At(f"{RAW}.roi_calculation")]


@agent(team="analysis", agent_name="analysis_team", task="수익률 분석", description="임대 투자 수익률", timeout=15)
async def roi_analysis(asked: FigureRequest, ctx: Context[HomesServices]) -> Return:
    needs = (need for need in asked.figure_requests if calculator(need["calculator"]).subject == "return")
    worked = figure_needs.run(next(need for need in needs if not need["missing"]))
    net, initial = float(worked.values["yearly_net"] or 0), float(worked.values["initial_cost"] or 0)
    ctx.source("roi_calculation", tool="RoiCalculator", source="입력값")
    return {
        "roi_calculation": {
            "estimated_roi": float(worked.values["roi"] or 0.0),
            "payback_period": round(initial / net, 1) if net > 0 else None,
            "calculation": worked.as_record(),
        }
    }
