"""A conversation with the travel assistant over LangGraph's in-memory saver, with its expert calls counted."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from madang.assistants.travel.graph import assistant
from madang.assistants.travel.services import TravelServices
from madang.graph import TurnContext, build

TODAY = date(2026, 11, 16)
OSAKA = "오사카 3박4일 둘이 200만원, 맛집이랑 관광 위주로"


class Traveller:
    """One traveller; `say` is a turn."""

    def __init__(self, *, today: date = TODAY, models: Any = None, services: Any = None, **context: Any) -> None:
        self.graph = build(assistant, InMemorySaver())
        self.config: RunnableConfig = {"configurable": {"thread_id": "trip"}}
        self.models, self.services = models, services or TravelServices()
        self.context = context
        self.today = today
        self.turns = 0

    async def say(self, text: str) -> dict[str, Any]:
        self.turns += 1
        given = {
            "query": text,
            "session_id": "trip",
            "request_id": f"r{self.turns}",
            "messages": [HumanMessage(text)],
        }
        context = TurnContext(today=self.today, services=self.services, models=self.models, **self.context)
        state = await self.graph.ainvoke(given, self.config, context=context, durability="sync")
        return dict(state)

    async def here(self) -> RunnableConfig:
        """Where the conversation is: with this as its `config` it goes on from there again."""
        return (await self.graph.aget_state(self.config)).config

    async def talk(self, *texts: str) -> dict[str, Any]:
        state: dict[str, Any] = {}
        for text in texts:
            state = await self.say(text)
        return state


def ran(state: Mapping[str, Any]) -> set[str]:
    """The experts that worked in the last turn."""
    return {step["agent"] for step in state["execution_steps"] if step["status"] == "completed"}


def kept(state: Mapping[str, Any]) -> set[str]:
    """The experts whose results were kept."""
    return {step["agent"] for step in state["execution_steps"] if step.get("reused")}
