"""A complete assistant: a forecast, a list that needs it, and an answer. `python examples/packing.py 제주` asks it."""

from madang import Answer, Assistant, AssistantState, StepRequest, TurnContext, Understanding, Writes, agent, main


class Forecast(Writes):
    weather: str


class Luggage(Writes):
    items: list[str]


class Packing(AssistantState, Forecast, Luggage, total=False):
    city: str


@agent(task="날씨 확인")
async def forecast(city: str) -> Forecast:
    return {"weather": "온화함" if city == "제주" else "쌀쌀함"}


@agent(task="짐 목록")
async def pack(city: str, weather: str) -> Luggage:
    return {"items": ["여권" if city == "삿포로" else "신분증", "코트" if weather == "쌀쌀함" else "셔츠"]}


async def understand(state: Packing, _ctx: TurnContext) -> Understanding:
    city = next((name for name in ("제주", "서울", "삿포로") if name in state["query"]), None)
    where = Answer(type="clarification", answer="어디로 가세요? (제주, 서울, 삿포로)")
    return Understanding(update={"city": city}, steps=[StepRequest("pack")]) if city else Understanding(answer=where)


async def respond(state: Packing, _ctx: TurnContext) -> Answer:
    return Answer(answer=f"{state['city']}: {', '.join(state['items'])}")


assistant = Assistant("packing", "짐 싸기", Packing, (forecast, pack), understand, respond, inputs=("city",))
main(assistant, __name__)
