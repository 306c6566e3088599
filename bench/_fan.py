"""The assistant that benchmarks run: three agents beside each other, one that needs them all."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
)

TEAMS = ("search", "analysis", "document")


class Search(Writes):
    search: dict[str, Any]


class Analysis(Writes):
    analysis: dict[str, Any]


class Document(Writes):
    document: dict[str, Any]


class Report(Writes):
    report: str


class FanState(AssistantState, Search, Analysis, Document, Report, total=False):
    topic: str


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


@agent(task="search", team="search")
async def search_team(topic: str, ctx: Context[Diary]) -> Search:
    ctx.services.note("search_team")
    return {"search": {"topic": topic}}


@agent(task="analysis", team="analysis")
async def analysis_team(topic: str, ctx: Context[Diary]) -> Analysis:
    ctx.services.note("analysis_team")
    return {"analysis": {"topic": topic}}


@agent(task="document", team="document")
async def document_team(topic: str, ctx: Context[Diary]) -> Document:
    ctx.services.note("document_team")
    return {"document": {"topic": topic}}


class Found(Reads):
    search: dict[str, Any]
    analysis: dict[str, Any]
    document: dict[str, Any]


@agent(task="report", team="report")
async def reporter(_found: Found, ctx: Context[Diary]) -> Report:
    ctx.services.note("reporter")
    return {"report": ",".join(sorted(TEAMS))}


async def understand(state: Mapping[str, Any], _context: TurnContext) -> Understanding:
    return Understanding(update={"topic": state["query"]}, steps=[StepRequest("reporter")], intent="fan")


async def respond(state: Mapping[str, Any], _context: TurnContext) -> Answer:
    return Answer(answer=f"{state['topic']}: {state['report']}")


assistant = Assistant(
    name="fan",
    title="fan",
    state=FanState,
    agents=(search_team, analysis_team, document_team, reporter),
    understand=understand,
    respond=respond,
    inputs=("topic",),
)
