"""The calculators a question asks for, run on what was read."""

from typing import Annotated

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import FigureNeed
from madang.assistants.homes.state.paths import RAW
from madang.assistants.homes.state.results import CalculationRecord
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.calculators.calculation import Calculation
from madang.assistants.homes.understanding import figure_needs
from madang.errors import InvalidState
from madang.graph import At, Context, Reads, Writes, agent


class FigureRequest(Reads):
    figure_requests: list[FigureNeed]


class Calculated(Writes):
    legal_calculation: Annotated[list[CalculationRecord], At(f"{RAW}.legal_calculation")]


@agent(
    team="analysis",
    agent_name="analysis_team",
    task="금액·기한 계산",
    description="법정 한도와 금액을 식으로 계산",
    timeout=15,
    data=("policy",),
)
async def calculation(asked: FigureRequest, ctx: Context[HomesServices]) -> Calculated:
    wanted = [
        need
        for need in asked.figure_requests
        if not need["missing"] and calculator(need["calculator"]).subject in ("law", "loan")
    ]
    worked: list[Calculation] = []
    refused: list[InvalidState] = []
    for need in wanted:
        try:
            worked.append(figure_needs.run(need))
        except InvalidState as error:
            refused.append(error)
    if not worked and refused:
        raise refused[0]
    rules = [rule for figure in worked for rule in figure.rules]
    ctx.source(
        "legal_calculation",
        tool="calculators",
        source=rules[0]["source"] if rules else None,
        as_of=max((rule["as_of"] for rule in rules), default=None),
    )
    return {"legal_calculation": [figure.as_record() for figure in worked]}
