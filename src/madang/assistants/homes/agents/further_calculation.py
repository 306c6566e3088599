"""One more figure, worked out while things are compared; its results accumulate."""

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.state.results import CalculationRecord
from madang.assistants.homes.understanding import figure_needs
from madang.graph import Argument, Context, Reads, Writes, agent


class FurtherFigureRequest(Reads):
    figure: Argument[FigureNeed]


class FurtherFigures(Writes):
    further_figures: list[CalculationRecord]


@agent(
    team="analysis",
    agent_name="analysis_team",
    task="견주어 볼 계산",
    description="견주는 데 필요한 금액을 하나 더 계산",
    timeout=15,
    data=("policy",),
    runs=12,
)
async def further_calculation(asked: FurtherFigureRequest, ctx: Context[HomesServices]) -> FurtherFigures:
    """Raises `InvalidState` for what the calculator refuses."""
    worked = figure_needs.run(asked.figure)
    ctx.source(
        "further_figures",
        tool="calculators",
        source=worked.rules[0]["source"] if worked.rules else None,
        as_of=max((rule["as_of"] for rule in worked.rules), default=None),
    )
    return {"further_figures": [worked.as_record()]}
