"""The calculators a question asks for, run on what was read."""

from typing import Any

from madang.assistants.homes.state.paths import ANALYSIS_TEAM, RAW
from madang.assistants.homes.tools.calculators import calculator
from madang.assistants.homes.tools.calculators.calculation import Calculation
from madang.assistants.homes.understanding import figure_needs
from madang.errors import InvalidState
from madang.graph import AgentContext, View, agent


@agent(
    **ANALYSIS_TEAM,
    reads=("figure_requests",),
    writes=(f"{RAW}.legal_calculation",),
    task="금액·기한 계산",
    description="법정 한도와 금액을 식으로 계산",
    timeout=15,
    data=("policy",),
)
async def calculation(asked: View, ctx: AgentContext) -> dict[str, Any]:
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
    first = rules[0] if rules else None
    ctx.source(
        "legal_calculation", tool="calculators", source=first.source if first else None,
        as_of=max((rule.as_of for rule in rules), default=None),
    )  # fmt: skip
    return {"legal_calculation": [figure.as_dict() for figure in worked]}
