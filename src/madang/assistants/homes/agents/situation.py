"""The situation a question is about: its answer, what to do, and what the told days and sums make of it."""

from datetime import date
from typing import Annotated

from madang.assistants.homes.services import HomesServices
from madang.assistants.homes.state.conversation import SituationRequest
from madang.assistants.homes.state.results import SituationAnswer
from madang.assistants.homes.tools.situation_figures import worked_out
from madang.assistants.homes.tools.situations import SituationTool
from madang.graph import At, Context, Reads, Writes, agent
from madang.threads import in_thread


class SituationWanted(Reads):
    situation_requests: list[SituationRequest]
    said: list[str] | None
    language: str | None


class SituationFound(Writes):
    situations: Annotated[list[SituationAnswer], At("situations")]


@agent(
    team="search",
    agent_name="search_team",
    task="상황에 맞는 답 찾기",
    description="물어본 상황의 답과 할 일을 찾음",
    timeout=30,
    data=("situations",),
)
async def situation(wanted: SituationWanted, ctx: Context[HomesServices]) -> SituationFound:
    found = await in_thread(_answers, wanted, ctx.services.situations, ctx.today)
    ctx.source(
        "situations",
        tool="SituationTool",
        source="; ".join(dict.fromkeys(name for item in found for name in item["sources"])) or None,
        as_of=max((item["as_of"] for item in found), default=None),
    )
    return {"situations": found}


def _answers(wanted: SituationWanted, tool: SituationTool, today: date) -> list[SituationAnswer]:
    return [
        _answer(request, key, tool, wanted, today)
        for request in wanted.situation_requests
        for key in (request["found"][:1] if request["clear"] else request["found"][:2])
    ]


def _answer(
    request: SituationRequest, key: str, tool: SituationTool, wanted: SituationWanted, today: date
) -> SituationAnswer:
    one = tool.find(key)
    if one is None:
        raise KeyError(key)
    english = wanted.language == "en" and bool(one.english)
    return {
        "question": request["question"],
        "situation": one.id,
        "title": one.title,
        "answer": one.english if english else one.answer,
        "figures": worked_out(one.figures, wanted.said or [], today) if request["clear"] else [],
        "steps": [] if english else list(one.steps),
        "ask": None if english else one.ask or None,
        "sources": list(one.law),
        "clear": request["clear"],
        "as_of": one.as_of,
    }
