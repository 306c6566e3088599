"""Calls of a model after corrections, beside a hand-written LangGraph supervisor that does the same work.

Six model-using agents in a chain and a fan (the shape of a travel or report assistant), a table of corrections, each
changing one input. The supervisor is what such graphs look like by hand: one node an agent, the state passed along,
every turn from the start. Ours is a declared assistant on the kit: a step whose inputs are unchanged is refilled.
Tokens are estimated from what each call would send: the fields it reads.
"""

import asyncio
import json
from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from bench import Row
from madang.graph import (
    Answer,
    Assistant,
    AssistantState,
    Context,
    Reads,
    StepRequest,
    TurnContext,
    Understanding,
    Writes,
    agent,
    build,
)
from madang.llm import estimate_tokens
from madang.state.fields import Turn

INPUTS = ("city", "nights", "people", "budget", "style", "diet")
FIRST = {"city": "오사카", "nights": 3, "people": 2, "budget": 2_000_000, "style": "맛집", "diet": "없음"}
CORRECTIONS: list[dict[str, Any]] = [
    {"nights": 4}, {"budget": 1_500_000}, {"diet": "채식"}, {"style": "휴양"}, {"people": 3}, {"city": "후쿠오카"},
    {"diet": "알레르기"}, {"budget": 3_000_000}, {"style": "쇼핑"}, {"nights": 2},
]  # fmt: skip
READS: dict[str, tuple[str, ...]] = {
    "flights": ("city", "people"),
    "hotels": ("city", "nights", "people"),
    "food": ("city", "diet"),
    "days": ("city", "nights", "style"),
    "costs": ("flights", "hotels", "budget"),
    "plan": ("days", "food", "costs"),
}
PROMPT = "당신은 여행 전문가입니다. 아래 조건으로 결과를 한 문단으로 쓰세요. " * 12


@dataclass
class Spent:
    """Calls and tokens of a model that only counts."""

    calls: int = 0
    tokens: int = 0

    def ask(self, name: str, given: dict[str, Any]) -> str:
        sent = PROMPT + json.dumps(given, ensure_ascii=False)
        self.calls += 1
        said = f"{name}: " + "·".join(str(value)[:60] for value in given.values())
        self.tokens += estimate_tokens(sent) + estimate_tokens(said)
        return said


def by_hand(spent: Spent) -> Any:
    """The supervisor as one writes it: agents in order, each reads the state."""

    class State(TypedDict, total=False):
        city: str
        nights: int
        people: int
        budget: int
        style: str
        diet: str
        flights: str
        hotels: str
        food: str
        days: str
        costs: str
        plan: str

    graph = StateGraph(State)
    before = START
    for name, reads in READS.items():

        def work(state: State, name: str = name, reads: tuple[str, ...] = reads) -> dict[str, str]:
            return {name: spent.ask(name, {field: state.get(field) for field in reads})}

        graph.add_node(name, work)
        graph.add_edge(before, name)
        before = name
    graph.add_edge(before, END)
    return graph.compile(checkpointer=InMemorySaver())


class Trip(AssistantState, total=False):
    city: str
    nights: int
    people: int
    budget: int
    style: str
    diet: str
    flights: Annotated[str | None, Turn(None)]
    hotels: Annotated[str | None, Turn(None)]
    food: Annotated[str | None, Turn(None)]
    days: Annotated[str | None, Turn(None)]
    costs: Annotated[str | None, Turn(None)]
    plan_text: Annotated[str | None, Turn(None)]


class FlightsRequest(Reads):
    city: str
    people: int


class FlightsResult(Writes):
    flights: str


class HotelsRequest(Reads):
    city: str
    nights: int
    people: int


class HotelsResult(Writes):
    hotels: str


class FoodRequest(Reads):
    city: str
    diet: str


class FoodResult(Writes):
    food: str


class DaysRequest(Reads):
    city: str
    nights: int
    style: str


class DaysResult(Writes):
    days: str


class CostsRequest(Reads):
    flights: str
    hotels: str
    budget: int


class CostsResult(Writes):
    costs: str


class PlanRequest(Reads):
    days: str
    food: str
    costs: str


class PlanResult(Writes):
    plan_text: str


def given(request: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(request, name) for name in names}


@agent(task="항공", model=True)
async def flights(request: FlightsRequest, ctx: Context[Spent]) -> FlightsResult:
    return {"flights": ctx.services.ask("flights", given(request, "city", "people"))}


@agent(task="숙소", model=True)
async def hotels(request: HotelsRequest, ctx: Context[Spent]) -> HotelsResult:
    return {"hotels": ctx.services.ask("hotels", given(request, "city", "nights", "people"))}


@agent(task="음식", model=True)
async def food(request: FoodRequest, ctx: Context[Spent]) -> FoodResult:
    return {"food": ctx.services.ask("food", given(request, "city", "diet"))}


@agent(task="일정", model=True)
async def days(request: DaysRequest, ctx: Context[Spent]) -> DaysResult:
    return {"days": ctx.services.ask("days", given(request, "city", "nights", "style"))}


@agent(task="비용", model=True)
async def costs(request: CostsRequest, ctx: Context[Spent]) -> CostsResult:
    return {"costs": ctx.services.ask("costs", given(request, "flights", "hotels", "budget"))}


@agent(task="계획", model=True)
async def plan(request: PlanRequest, ctx: Context[Spent]) -> PlanResult:
    return {"plan_text": ctx.services.ask("plan", given(request, "days", "food", "costs"))}


async def understand(state: Trip, _ctx: TurnContext[Spent]) -> Understanding:
    return Understanding(update=json.loads(state["query"]), steps=[StepRequest("plan")], intent="plan")


async def respond(state: Trip, _ctx: TurnContext[Spent]) -> Answer:
    return Answer(answer=state["plan_text"] or "")


ON_KIT: Assistant[Trip, Spent] = Assistant(
    name="trip", title="여행", state=Trip, agents=(flights, hotels, food, days, costs, plan), understand=understand,
    respond=respond, inputs=INPUTS,
)  # fmt: skip


async def measured() -> tuple[Spent, Spent, Counter[str]]:
    """Both over the same corrections: the calls after the first plan, and whether the plans agree."""
    hand, ours, same = Spent(), Spent(), Counter[str]()
    supervisor, graph = by_hand(hand), build(ON_KIT, InMemorySaver())
    where: Any = {"configurable": {"thread_id": "trip"}}
    known: dict[str, Any] = {}
    for number, change in enumerate([FIRST, *CORRECTIONS]):
        known |= change
        if number == 1:
            hand.calls = hand.tokens = ours.calls = ours.tokens = 0
        left = await supervisor.ainvoke(dict(known), where)
        text = json.dumps(change, ensure_ascii=False)
        turn = {"query": text, "session_id": "t", "request_id": f"r{number}", "messages": [HumanMessage(text)]}
        right = await graph.ainvoke(turn, where, context=TurnContext(today=date(2026, 11, 18), services=ours))
        same["plans that agree"] += left["plan"] == right["plan_text"]
    return hand, ours, same


def model_reuse() -> list[Row]:
    """The share of calls and tokens after corrections that reuse saves."""
    hand, ours, same = asyncio.run(measured())
    note = f"{len(CORRECTIONS)} corrections, {same['plans that agree']} of {len(CORRECTIONS) + 1} plans the same"
    peer = "hand-written supervisor"
    return [
        Row(measure="model calls after corrections", value=ours.calls, peer=peer, peer_value=hand.calls, note=note),
        Row(measure="tokens after corrections", value=ours.tokens, peer=peer, peer_value=hand.tokens, note=note),
    ]


SUITES = {"model-reuse": model_reuse}
