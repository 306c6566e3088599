"""The assistant that benchmarks run: three agents beside each other, one that needs them all."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from madang.graph import (
    Agent,
    AgentContext,
    Answer,
    Assistant,
    AssistantState,
    StepRequest,
    TurnContext,
    Understanding,
    View,
    agent,
)

TEAMS = ("search", "analysis", "document")


class FanState(AssistantState, total=False):
    topic: str
    search: dict[str, Any]
    analysis: dict[str, Any]
    document: dict[str, Any]
    report: str


class Diary:
    """Where agents note that they ran; one line each, appended at once."""

    data_versions: Mapping[str, str] = {}

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def note(self, name: str) -> None:
        if self._path is not None:
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(handle, f"{name}\n".encode())
            os.close(handle)


def _searcher(name: str) -> Agent:
    async def search(view: View, ctx: AgentContext) -> dict[str, Any]:
        ctx.services.note(f"{name}_team")
        return {name: {"topic": view.topic}}

    return agent(name=f"{name}_team", reads=("topic",), writes=(name,), task=name, team=name)(search)


@agent(reads=TEAMS, writes=("report",), task="report", team="report")
async def reporter(view: View, ctx: AgentContext) -> dict[str, Any]:
    ctx.services.note("reporter")
    return {"report": ",".join(sorted(view))}


async def understand(state: Mapping[str, Any], _context: TurnContext) -> Understanding:
    return Understanding(update={"topic": state["query"]}, steps=[StepRequest("reporter")], intent="fan")


async def respond(state: Mapping[str, Any], _context: TurnContext) -> Answer:
    return Answer(answer=f"{state['topic']}: {state['report']}")


assistant = Assistant(
    name="fan",
    title="fan",
    state=FanState,
    agents=(*(_searcher(name) for name in TEAMS), reporter),
    understand=understand,
    respond=respond,
    inputs=("topic",),
)
