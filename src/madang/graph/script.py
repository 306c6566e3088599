"""An assistant asked from a script, in process: no server, nothing stored."""

import asyncio
import sys
from datetime import date
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from madang.graph.assistant import Assistant
from madang.graph.build import build
from madang.graph.context import TurnContext


async def ask(assistant: Assistant, text: str, context: TurnContext) -> dict[str, Any]:
    """The response to one message of a new conversation. Raises `InvalidAssistant`."""
    graph = build(assistant, InMemorySaver())
    given = {"query": text, "session_id": "script", "request_id": "1", "messages": [HumanMessage(text)]}
    state = await graph.ainvoke(given, {"configurable": {"thread_id": "script"}}, context=context)
    return assistant.response(state) or {"answer": "", "questions": state["questions"]}


def main(assistant: Assistant, module: str) -> None:
    """`main(assistant, __name__)` lets `python my_assistant.py TEXT` ask it; an import of the module asks nothing."""
    if module == "__main__":
        text = " ".join(sys.argv[1:]) or sys.stdin.read()
        response = asyncio.run(ask(assistant, text, TurnContext(today=date.today())))  # noqa: DTZ011
        sys.stdout.write(response["answer"] + "\n")
