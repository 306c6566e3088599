"""Talking to the homes assistant in tests: one turn at a time over LangGraph's in-memory saver."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from madang.assistants.homes.graph import assistant
from madang.assistants.homes.services import HomesServices
from madang.graph import Agent, Assistant, TurnContext, build

TODAY = date(2026, 11, 16)
CLAUSES = """1. 임차인은 계약갱신요구권을 행사하지 않기로 한다.
2. 임대인은 매년 보증금을 10% 인상할 수 있다.
3. 보일러 등 주요 설비의 수리비는 모두 임차인이 부담한다.
4. 월세는 매월 말일에 임대인 계좌로 지급한다.
5. 임대인은 임차인의 동의 없이 집에 들어갈 수 없다."""


@cache
def services() -> HomesServices:
    """Shared by all tests: cutting the issue layer into words takes seconds."""
    return HomesServices()


def counted(agent: Agent, calls: Counter[str]) -> Agent:
    """The agent, counting how often its function really runs."""
    function = agent.function

    async def run(view: Any, ctx: Any) -> Any:
        calls[agent.name] += 1
        return await function(view, ctx)

    return replace(agent, function=run)


class Memory:
    """What is remembered of a user, as a test says it."""

    def __init__(self, preferences: dict[str, Any]) -> None:
        self.preferences = preferences
        self.kept: list[Mapping[str, Any]] = []

    async def load(self, _session_id: str, _query: str) -> dict[str, Any]:
        return {"loaded_memories": [], "user_preferences": self.preferences, "memory_load_time": "2026-11-16T00:00:00Z"}

    async def remember(self, _session_id: str, turn: Mapping[str, Any]) -> None:
        self.kept.append(turn)


class Talk:
    """A conversation. `calls` counts the agents that ran in the last turn."""

    def __init__(self, given: Assistant = assistant, **context: Any) -> None:
        self.calls: Counter[str] = Counter()
        counting = replace(given, agents=tuple(counted(agent, self.calls) for agent in given.agents))
        self.assistant = counting
        self.graph = build(counting, InMemorySaver())
        self.config: RunnableConfig = {"configurable": {"thread_id": "talk"}}
        self.written: list[dict[str, Any]] = []
        options: dict[str, Any] = {"today": TODAY, "services": services(), "write": self.written.append}
        self.context = TurnContext(**{**options, **context})
        self.turns = 0

    async def say(self, text: str) -> dict[str, Any]:
        self.turns += 1
        return await self._run(
            {
                "query": text,
                "session_id": "talk",
                "request_id": f"r{self.turns}",
                "messages": [HumanMessage(text, id=f"q{self.turns}")],
            }
        )

    async def fill(self, **values: Any) -> dict[str, Any]:
        """A turn without a message: inputs set in the form. A dot in a name is written as two underscores."""
        self.turns += 1
        given = {name.replace("__", "."): value for name, value in values.items()}
        turn = {"query": "", "session_id": "talk", "request_id": f"r{self.turns}", "messages": [], "form_input": given}
        return await self._run(turn)

    async def answer(self, value: Any) -> dict[str, Any]:
        """Answer what the turn waits for."""
        return await self._run(Command(resume=value))

    async def reply(self, text: str) -> dict[str, Any]:
        """Answer what the turn waits for with plain text, read as a surface reads it."""
        snapshot = await self.graph.aget_state(self.config)
        question: Any = {**snapshot.interrupts[0].value, "answered": False, "answer": None}
        value = self.assistant.read_answer(question, text, snapshot.values)
        assert value is not None, f"{text!r} does not answer {question['question']!r}"
        return await self.answer(value)

    async def pending(self) -> dict[str, Any]:
        """The one question that is waited for."""
        snapshot = await self.graph.aget_state(self.config)
        [interrupt] = snapshot.interrupts
        return dict(interrupt.value)

    async def _run(self, given: Any) -> dict[str, Any]:
        self.calls.clear()
        self.written.clear()
        return dict(await self.graph.ainvoke(given, self.config, context=self.context))


def steps(state: Mapping[str, Any]) -> dict[str, str]:
    """Agent → status, with `kept` for a step whose result was reused."""
    found = (state.get("planning_state") or {}).get("execution_steps") or []
    return {step["agent"]: "kept" if step.get("reused") else step["status"] for step in found}


def intent(state: Mapping[str, Any]) -> str:
    found: str = state["planning_state"]["analyzed_intent"]["intent_type"]
    return found


def response(state: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = state["final_response"]
    return found


def sources(state: Mapping[str, Any]) -> list[str]:
    found: list[str] = response(state)["structured_data"]["metadata"]["sources"]
    return found
