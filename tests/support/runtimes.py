"""A runtime with the kit's small assistant, talking to it, and holding one of its agents."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from typing import Any

from madang.graph import Context, agent, build
from madang.runtime import Runtime, TurnRequest, conversations
from madang.runtime.assistant_graph import AssistantGraph
from madang.store import SessionSaver
from madang.store.database import Database
from tests.support.trip_assistant import City, Flights, Services, replaced, trip_assistant


@asynccontextmanager
async def open_trip(
    url: str,
    services: Any = None,
    *,
    lease: float = 30.0,
    keyring: Any = None,
    tools: Any = None,
    begins: bool = True,
    linked: bool = False,
    direct: str = "",
    **changes: Any,
) -> AsyncIterator[Runtime]:
    """A runtime that serves the trip assistant; `changes` replace parts of it.

    `linked`: it hears from others, past a pooler if `direct` leads there.
    """
    db = await Database.open(url, keyring=keyring)
    saver = SessionSaver(db)
    assistant = trip_assistant(**changes)
    served = AssistantGraph("trip", build(assistant, saver), assistant, Services() if services is None else services)
    runtime = Runtime(
        db, saver, {"trip": served}, today=lambda: date(2026, 1, 1), lease=lease, begins=begins, tools=tools
    )
    if linked:
        runtime.connect(direct or url)
    try:
        yield runtime
    finally:
        await runtime.close()
        await db.close()


async def say(runtime: Runtime, session_id: str, text: str, **options: Any) -> dict[str, Any]:
    run = await runtime.start(session_id, TurnRequest(text=text, **options))
    return dict(await runtime.outcome(run.run_id))


async def new_session(runtime: Runtime) -> str:
    return (await runtime.sessions.create(assistant="trip")).session_id


class Gate:
    """Lets a test hold an agent: `entered` is set when it runs, `open` lets it go on."""

    def __init__(self) -> None:
        self.entered, self.open = asyncio.Event(), asyncio.Event()

    def agent(self) -> Any:
        @agent(task="항공 검색", team="search")
        async def flight(trip: City, ctx: Context[Services]) -> Flights:
            ctx.services.called("flight")
            self.entered.set()
            await self.open.wait()
            return {"flights": [trip.city]}

        return replaced(flight)


async def questions(runtime: Runtime, session_id: str) -> list[dict[str, Any]]:
    """What a conversation waits for."""
    return await conversations.questions(runtime, await runtime.sessions.get(session_id))
