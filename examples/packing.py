"""A complete assistant: two agents beside each other, a list that needs both, and an answer."""

from typing import Annotated, Any

from madang import Answer, Assistant, StepRequest, TurnState, Understanding, agent
from madang.state.fields import Turn
from madang.state.reducers import merge_steps

CLIMATE = {"제주": 16, "서울": 12, "삿포로": 5}


class Packing(TurnState, total=False):
    city: str
    weather: str
    items: list[str]
    execution_steps: Annotated[list[dict[str, Any]], Turn(list), merge_steps]
    response: Annotated[dict[str, Any] | None, Turn(None)]


@agent(reads=("city",), writes=("weather",), task="날씨 확인")
async def forecast(trip: Any, _ctx: Any) -> dict[str, Any]:
    return {"weather": "쌀쌀함" if CLIMATE[trip.city] < 14 else "온화함"}


@agent(reads=("weather", "city"), writes=("items",), task="짐 목록")
async def pack(trip: Any, _ctx: Any) -> dict[str, Any]:
    return {"items": ["여권" if trip.city == "삿포로" else "신분증", "코트" if trip.weather == "쌀쌀함" else "셔츠"]}


async def understand(state: Any, _ctx: Any) -> Understanding:
    city = next((name for name in CLIMATE if name in state["query"]), None)
    if city is None:
        return Understanding(answer=Answer(type="clarification", answer=f"어디로 가세요? ({', '.join(CLIMATE)})"))
    return Understanding(update={"city": city}, steps=[StepRequest("pack")], intent="pack", confidence=0.9)


async def respond(state: Any, _ctx: Any) -> Answer:
    return Answer(answer=f"{state['city']}: {', '.join(state['items'])}")


assistant = Assistant(
    name="packing",
    title="짐 싸기",
    state=Packing,
    agents=(forecast, pack),
    understand=understand,
    respond=respond,
    inputs=("city",),
)
