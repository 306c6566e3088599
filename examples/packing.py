"""A complete assistant: a forecast, a list that needs it, and an answer."""

from typing import Any

from madang import Answer, Assistant, AssistantState, StepRequest, Understanding, agent

CLIMATE = {"제주": 16, "서울": 12, "삿포로": 5}


class Packing(AssistantState, total=False):
    city: str
    weather: str
    items: list[str]


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


parts: dict[str, Any] = {"agents": (forecast, pack), "understand": understand, "respond": respond}
assistant = Assistant(name="packing", title="짐 싸기", state=Packing, inputs=("city",), **parts)
