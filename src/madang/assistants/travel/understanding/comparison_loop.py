"""Where a model may look further in `travel`: cities, days and plans compared, a trip that must fit its budget."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from pydantic import BaseModel, Field

from madang.assistants.travel.data.facts import topics
from madang.assistants.travel.data.world import locate
from madang.assistants.travel.state.results import Accommodation, AskedQuestion
from madang.assistants.travel.state.travel_state import NIGHTS
from madang.assistants.travel.understanding.model_plan import COMPARED, OF_CITY, OF_PLACE, GuideQuestion
from madang.errors import NotFound
from madang.graph import StepRequest
from madang.graph.model import Choice, Loop, Tool, asked_for

State = Mapping[str, Any]
_YEAR = timedelta(days=366)


class EstimateArguments(BaseModel):
    city: str = Field(max_length=40)
    nights: int
    departs: str = Field(max_length=10, description="YYYY-MM-DD")
    lodging: Accommodation | None


def weighs(state: State) -> bool:
    """Whether cities are compared, or a plan that was ordered goes beyond its budget."""
    asked = asked_for(state)
    named = list(state.get("asked") or ())
    if any(COMPARED in one["topics"] for one in named):
        return True
    if "ask_which" in asked and any(len(set(one["cities"])) > 1 for one in named):
        return True
    planned = any(step["agent"] == "coordinator" for step in state.get("execution_steps") or ())
    chosen = state.get("recommendation")
    return planned and bool(asked & {"order", "change"}) and chosen is not None and not chosen["fits"]


def step(choice: Choice) -> StepRequest | None:
    """A step for what a model chose: cities that we know, days that lie ahead, topics that there are."""
    given = choice.arguments
    if choice.agent == "guide_lookup":
        known = [name for name in given["topics"] if name in topics() or name in (COMPARED, OF_CITY, OF_PLACE)]
        question = AskedQuestion(words=given["question"], topics=known, cities=given["cities"], places=given["places"])
        return StepRequest(choice.agent, arguments={"question": question}) if known else None
    try:
        locate(given["city"])
        departs = date.fromisoformat(given["departs"])
    except (NotFound, ValueError):
        return None
    today: date = choice.context.today
    if given["nights"] not in NIGHTS or not today <= departs <= today + _YEAR:
        return None
    return StepRequest(choice.agent, arguments=given)


def reference(_services: Any) -> str:
    """The topics that a lookup may be about."""
    listed = ", ".join(f"{name}({topic.title})" for name, topic in topics().items())
    return f"### 주제 (guide_lookup)\n{listed}, compare(두 도시 견주기), city(도시 소개), place(명소)"


LOOP = Loop(
    when=weighs,
    tools=(
        Tool("trip_estimate", "다른 도시·날짜·기간·숙소면 얼마인지 볼 때. 경우마다 하나씩.", EstimateArguments),
        Tool("guide_lookup", "견주는 도시의 날씨·거리·볼거리 같은 것을 볼 때. 주제를 고른다.", GuideQuestion),
    ),
    step=step,
    reference=reference,
)
