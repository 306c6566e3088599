"""A small assistant that the kit's tests run: two searches beside each other, a plan that needs both."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any, TypedDict

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from madang.graph import (
    Agent,
    Answer,
    Ask,
    Assistant,
    At,
    Context,
    NeedsInput,
    Reads,
    StepRequest,
    TurnContext,
    TurnState,
    Understanding,
    Writes,
    agent,
    build,
)
from madang.graph.inputs import Input
from madang.state.fields import Range, Turn
from madang.state.reducers import merge_steps, merge_to_depth
from madang.state.steps import ExecutionStepState


class TripState(TurnState, total=False):
    city: str | None
    nights: int | None
    budget: int | None
    flights: list[str]
    results: Annotated[dict[str, Any], Turn(dict), merge_to_depth(2)]
    execution_steps: Annotated[list[ExecutionStepState], Turn(list), merge_steps]
    response: Annotated[dict[str, Any] | None, Turn(None)]


@dataclass
class Services:
    """What the test's agents reach: call counts, and what they should do wrong."""

    calls: Counter[str] = field(default_factory=Counter)
    faults: dict[str, Exception] = field(default_factory=dict)
    asks: set[str] = field(default_factory=set)
    data_versions: dict[str, str] = field(default_factory=dict)

    def called(self, name: str) -> None:
        self.calls[name] += 1
        if name in self.faults:
            raise self.faults[name]


class City(Reads):
    city: str


class Stay(City):
    nights: int


class Flights(Writes):
    flights: list[str]


class Hotels(Writes):
    hotels: Annotated[list[str], At("results.search.hotels")]


class Found(Reads):
    flights: list[str]
    hotels: Annotated[list[str], At("results.search.hotels")]


class Days(Writes):
    days: Annotated[list[str], At("results.plan.days")]


class Costs(Reads):
    days: Annotated[list[str], At("results.plan.days")]
    budget: int | None


class Total(Writes):
    total: Annotated[int, At("results.plan.total")]


@agent(task="항공 검색", team="search")
async def flight(trip: City, ctx: Context[Services]) -> Flights:
    ctx.services.called("flight")
    ctx.source("flights", tool="fares", source="estimate", as_of="2026-01-01")
    return {"flights": [f"{trip.city}행"]}


@agent(task="호텔 검색", team="search", fallback="hostel", data=("hotels",))
async def hotel(trip: Stay, ctx: Context[Services]) -> Hotels:
    ctx.services.called("hotel")
    return {"hotels": [f"{trip.city} 호텔 {trip.nights}박"]}


@agent(task="숙소 대체 검색", team="search")
async def hostel(trip: City, ctx: Context[Services]) -> Hotels:
    ctx.services.called("hostel")
    return {"hotels": [f"{trip.city} 호스텔"]}


@agent(task="일정", team="plan")
async def itinerary(trip: Found, ctx: Context[Services]) -> Days | NeedsInput:
    ctx.services.called("itinerary")
    if "itinerary" in ctx.services.asks and "ok" not in ctx.answers:
        return NeedsInput(questions=(Ask(id="ok", question="이대로 만들까요?", kind="approval", draft={"days": 3}),))
    return {"days": [*trip.flights, *trip.hotels]}


@agent(task="예산", team="plan")
async def money(trip: Costs, ctx: Context[Services]) -> Total:
    ctx.services.called("money")
    return {"total": len(trip.days) * 1000 + (trip.budget or 0)}


AGENTS: tuple[Agent, ...] = (flight, hotel, hostel, itinerary, money)


async def understand(state: Mapping[str, Any], _context: TurnContext) -> Understanding:
    """`오사카 3 100` is city, nights, budget; `money 3` asks for one agent; anything else is small talk."""
    words = state["query"].split()
    if state.get("form_input") and state.get("city") and state.get("nights"):
        return Understanding(steps=[StepRequest("money")], intent="trip")
    if len(words) < 2:
        return Understanding(answer=Answer(answer="어디로 가세요?", type="clarification"), intent="unclear")
    update = {"city": words[0], "nights": int(words[1]), "budget": int(words[2]) if len(words) > 2 else 0}
    return Understanding(update=update, steps=[StepRequest("money")], intent="trip", confidence=0.8)


async def respond(state: Mapping[str, Any], _context: TurnContext) -> Answer:
    return Answer(answer=f"합계 {state['results'].get('plan', {}).get('total')}")


FORM = (
    Input(path="city", title="도시"),
    Input(path="nights", title="숙박", kind="count", unit="박", limits=Range(1, 14, "박")),
    Input(path="budget", title="예산", kind="money", unit="원", limits=Range(0)),
)


ENGLISH = {
    "여행": "Trip",
    "도시": "City",
    "숙박": "Nights",
    "박": "",
    "예산": "Budget",
    "원": "won",
    "여행 짜기": "Plan",
}


def labels(label: str, language: str | None) -> str:
    return ENGLISH.get(label, label) if language == "en" else label


def trip_assistant(**changes: Any) -> Assistant:
    options: dict[str, Any] = {
        "name": "trip",
        "title": "여행",
        "state": TripState,
        "agents": AGENTS,
        "understand": understand,
        "respond": respond,
        "inputs": ("city", "nights", "budget"),
        "form": FORM,
        "tasks": {"plan": "여행 짜기"},
        "labels": labels,
    }
    return Assistant(**{**options, **changes})


class Talk:
    """A conversation with an assistant over LangGraph's in-memory saver."""

    def __init__(self, assistant: Assistant | None = None, services: Any = None) -> None:
        self.assistant = assistant or trip_assistant()
        self.services = Services() if services is None else services
        self.graph = build(self.assistant, InMemorySaver())
        self.config: RunnableConfig = {"configurable": {"thread_id": "talk"}}
        self.today = date(2026, 1, 1)
        self.turns = 0

    async def say(self, text: str, **more: Any) -> dict[str, Any]:
        """One turn; the call counts are those of this turn."""
        self.turns += 1
        given = {
            "query": text,
            "session_id": "talk",
            "request_id": f"r{self.turns}",
            "messages": [HumanMessage(text)],
            **more,
        }
        return await self.run(given)

    async def resume(self, value: Any) -> dict[str, Any]:
        return await self.run(Command(resume=value))

    async def run(self, given: Any) -> dict[str, Any]:
        if hasattr(self.services, "calls"):
            self.services.calls.clear()
        context = TurnContext(today=self.today, services=self.services)
        state = await self.graph.ainvoke(given, self.config, context=context, durability="sync")
        return dict(state)

    @property
    def called(self) -> dict[str, int]:
        return dict(self.services.calls)


def statuses(state: Mapping[str, Any]) -> dict[str, str]:
    """Agent → status, with `kept` for a step whose result was reused."""
    return {step["agent"]: "kept" if step.get("reused") else step["status"] for step in state["execution_steps"]}


def replaced(changed: Agent) -> tuple[Agent, ...]:
    """The assistant's agents, the one of the same name exchanged."""
    return tuple(changed if a.name == changed.name else a for a in AGENTS)


def declared(name: str, reads: dict[str, Any], writes: dict[str, Any], **options: Any) -> Agent:
    """An agent that reads and writes these paths, each with its type."""
    request: Any = type("Request", (Reads,), {"__annotations__": _at(reads)})
    result: Any = TypedDict("Result", _at(writes))  # type: ignore[misc]

    async def function(given: Any, ctx: Any) -> Any:
        return {}

    function.__annotations__ = {"given": request, "ctx": Context, "return": result}
    made: Agent = agent(name=name, task=name, **options)(function)
    return made


def _at(paths: dict[str, Any]) -> dict[str, Any]:
    return {path.rsplit(".", 1)[-1]: Annotated[hint, At(path)] for path, hint in paths.items()}
