"""The assistant that is attacked: three searches beside each other, a report of them, and sometimes an approval.

Every answer can be told from its question alone, so that a checker knows what the state must hold.
"""

import asyncio
import os
import time
import zlib
from pathlib import Path

from langgraph.config import get_config

from madang.graph import (
    Answer,
    Ask,
    Assistant,
    AssistantState,
    Context,
    Deployment,
    NeedsInput,
    StepRequest,
    TurnContext,
    Understanding,
    Writes,
    agent,
)

DIARY = "NEMESIS_DIARY"
ASKS, SLOW = "ask", "slow"


class First(Writes):
    first: str


class Second(Writes):
    second: str


class Third(Writes):
    third: str


class Report(Writes):
    report: str


class Approval(Writes):
    approval: str


class Final(Writes):
    final: str


class Fan(AssistantState, First, Second, Third, Report, Approval, Final, total=False):
    topic: str


class Diary:
    """Where agents note that they start: a line each, appended at once, with the time as it really is."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def note(self, name: str, topic: str) -> None:
        # A copy of a conversation may do the same work of its own: whose it is belongs to it.
        session = get_config()["configurable"]["thread_id"]
        line = f"{time.clock_gettime(time.CLOCK_REALTIME):.6f}\t{os.getpid()}\t{session}\t{name}\t{topic}\n"
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(handle, line.encode())
        os.close(handle)


async def _search(name: str, topic: str, diary: Diary) -> str:
    diary.note(name, topic)
    await asyncio.sleep(zlib.crc32(f"{name}{topic}".encode()) % 40 / 100 + (1.5 if SLOW in topic else 0))
    return found_by(name, topic)


def found_by(name: str, topic: str) -> str:
    """What a search finds."""
    return f"{name}<{topic}>"


def reported(topic: str) -> str:
    """The report on a topic."""
    return "R[{}]".format("|".join(found_by(name, topic) for name in ("first", "second", "third")))


@agent(task="first")
async def first(topic: str, ctx: Context[Diary]) -> First:
    return {"first": await _search("first", topic, ctx.services)}


@agent(task="second")
async def second(topic: str, ctx: Context[Diary]) -> Second:
    return {"second": await _search("second", topic, ctx.services)}


@agent(task="third")
async def third(topic: str, ctx: Context[Diary]) -> Third:
    return {"third": await _search("third", topic, ctx.services)}


@agent(task="report")
async def reporter(first: str, second: str, third: str, topic: str, ctx: Context[Diary]) -> Report:
    ctx.services.note("reporter", topic)
    await asyncio.sleep(0.1)
    return {"report": f"R[{first}|{second}|{third}]"}


@agent(task="ask")
async def asker(topic: str, ctx: Context[Diary]) -> Approval | NeedsInput:
    if "go" not in ctx.answers:
        return NeedsInput(questions=(Ask(id="go", question=f"go on with {topic}?"),))
    ctx.services.note("asker", topic)
    return {"approval": str(ctx.answers["go"])}


@agent(task="final")
async def finisher(report: str, approval: str, topic: str, ctx: Context[Diary]) -> Final:
    ctx.services.note("finisher", topic)
    return {"final": f"F[{report}|{approval}]"}


async def understand(state: Fan, _ctx: TurnContext[Diary]) -> Understanding:
    goal = "finisher" if ASKS in state["query"].split() else "reporter"
    return Understanding(update={"topic": state["query"]}, steps=[StepRequest(goal)], intent="fan", confidence=1.0)


def answer_to(topic: str, report: str | None) -> str:
    """The words of an answer."""
    return f"ANS {topic} {report}"


async def respond(state: Fan, ctx: TurnContext[Diary]) -> Answer:
    text = answer_to(state["topic"], state.get("report"))
    for start in range(0, len(text), 40):
        ctx.token(text[start : start + 40])
        await asyncio.sleep(0.02)
    return Answer(answer=text)


def _diary(deployment: Deployment) -> Diary:
    return Diary(Path(deployment.environ[DIARY]))


assistant = Assistant(
    name="fan",
    title="fan",
    state=Fan,
    agents=(first, second, third, reporter, asker, finisher),
    understand=understand,
    respond=respond,
    inputs=("topic",),
    services=_diary,
)
