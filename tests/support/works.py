"""A conversation with `works` over LangGraph's in-memory saver."""

from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from madang.assistants.works.graph import assistant
from madang.assistants.works.services import WorksServices
from madang.graph import Deployment, TurnContext, build
from tests.support.company import TODAY, warehouse_at


class Talk:
    """Says things and gives back the state; an interrupt is answered by saying the answer."""

    def __init__(self, folder: Path, company_id: str = "sample", **context: Any) -> None:
        warehouse_at(folder / "works")
        self.services = WorksServices(Deployment(data_dir=folder))
        self.graph = build(assistant, InMemorySaver())
        self.config: RunnableConfig = {"configurable": {"thread_id": "talk"}}
        self.company_id = company_id
        self.turns = 0
        self.models: Any = None
        self.save_document: Any = None
        self.context = context

    async def say(self, text: str) -> dict[str, Any]:
        snapshot = await self.graph.aget_state(self.config)
        if snapshot.interrupts:
            return await self.answer(text)
        self.turns += 1
        given = {
            "query": text,
            "session_id": "talk",
            "request_id": f"r{self.turns}",
            "messages": [HumanMessage(text)],
        }
        return await self._run(given)

    async def answer(self, value: Any) -> dict[str, Any]:
        """Answer every question that waits with a value."""
        snapshot = await self.graph.aget_state(self.config)
        return await self._run(Command(resume={i.id: value for i in snapshot.interrupts}))

    async def _run(self, given: Any) -> dict[str, Any]:
        context = TurnContext(
            today=TODAY,
            services=self.services,
            company_id=self.company_id,
            user_id=7,
            models=self.models,
            save_document=self.save_document,
            **self.context,
        )
        state = await self.graph.ainvoke(given, self.config, context=context, durability="sync")
        return dict(state)

    async def asked(self) -> list[str]:
        """The questions that wait for an answer."""
        snapshot = await self.graph.aget_state(self.config)
        return [str(i.value["question"]) for i in snapshot.interrupts]


def agents_of(state: dict[str, Any]) -> list[str]:
    return [step["agent"] for step in state["execution_steps"]]
