"""Where a model may look further in `homes`: questions that weigh one thing against another."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from madang.assistants.homes.data.judgement_rules import load_rules
from madang.assistants.homes.tools.regions import resolve_region
from madang.assistants.homes.understanding.form import KINDS
from madang.assistants.homes.understanding.model_plan import (
    Figure,
    JudgementArguments,
    calculator_lines,
    figure_need,
    rule_lines,
)
from madang.errors import NotFound
from madang.graph import StepRequest
from madang.graph.model import Choice, Loop, Tool, asked_for

State = Mapping[str, Any]


class PriceArguments(BaseModel):
    region: str = Field(max_length=40, description="시·군·구 이름")
    deal_type: Literal["sale", "jeonse", "monthly_rent"]
    area_m2: float | None
    property_type: Literal[tuple(name for name, _ in KINDS)] | None  # type: ignore[valid-type]


def weighs(state: State) -> bool:
    """Whether the message asks which, or wants one thing worked out for several cases."""
    if "ask_which" in asked_for(state):
        return True
    steps = (state.get("understood") or {}).get("steps") or ()
    figures = [one for step in steps for one in step["arguments"].get("figures") or ()]
    return any(count > 1 for count in Counter(one["calculator"] for one in figures).values())


def step(choice: Choice) -> StepRequest | None:
    """A step for what a model chose: figures that are known, rules and regions that exist."""
    given = choice.arguments
    match choice.agent:
        case "further_calculation":
            need = figure_need(given, choice.state, choice.context.today, choice.knows)
            return None if need["missing"] else StepRequest(choice.agent, arguments={"figure": need})
        case "judgement":
            known = {rule.id for rule in load_rules()}
            rules = [one for one in given["rules"] if one["rule"] in known]
            return StepRequest(choice.agent, arguments={"rules": rules}) if rules else None
        case _:
            return _prices(choice)


def _prices(choice: Choice) -> StepRequest | None:
    try:
        resolve_region(choice.arguments["region"])
    except NotFound:
        return None
    area = choice.arguments["area_m2"]
    return (
        None if area is not None and not choice.knows(area) else StepRequest(choice.agent, arguments=choice.arguments)
    )


LOOP = Loop(
    when=weighs,
    tools=(
        Tool("further_calculation", "견줄 금액을 하나씩. 같은 계산기를 조건마다 따로 부른다.", Figure),
        Tool("judgement", "어느 쪽이 되는지 판단 규칙으로 가를 때. 꼭 맞는 규칙만 고른다.", JudgementArguments),
        Tool("further_prices", "견줄 지역이나 거래(매매·전세·월세)의 시세를 볼 때.", PriceArguments),
    ),
    step=step,
    reference=lambda _services: "\n".join([*calculator_lines("further_calculation"), "", *rule_lines()]),
)
