"""Pieces of the answer and progress while a turn runs; what was streamed is kept when it is cancelled."""

import asyncio
from typing import Any

from madang.graph import Answer, TurnContext
from madang.runtime import Runtime, TurnRequest
from tests.support.runtimes import Gate, new_session, open_trip, say


async def frames_until(runtime: Runtime, session: str, kind: str) -> list[dict[str, Any]]:
    seen = []
    async for frame in runtime.hub.follow(session, 0):
        seen.append(frame)
        if frame["type"] == kind:
            break
    return seen


class Talker:
    """Streams one sentence, then waits until the test lets it go on."""

    def __init__(self) -> None:
        self.open = asyncio.Event()

    async def respond(self, _state: Any, ctx: TurnContext) -> Answer:
        ctx.token("첫 문장입니다. ")
        await self.open.wait()
        ctx.token("끝.")
        return Answer(answer="첫 문장입니다. 끝.", data={"streamed": True})


async def test_what_was_streamed_is_kept_and_marked_when_cancelled(db_url: str) -> None:
    talker = Talker()
    async with open_trip(db_url, respond=talker.respond) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        await frames_until(runtime, session, "token")
        assert (await runtime.cancel(run.run_id)).status == "cancelled"
        last = (await runtime.messages.list(session)).items[-1]
        assert (last.role, last.content) == ("assistant", "첫 문장입니다. ")
        assert last.structured_data == {"cancelled": True}
        outcome = await runtime.outcome(run.run_id)
        assert outcome["events"][-1]["kept"]["streamed"] == "첫 문장입니다. "
        assert outcome["events"][-1]["kept"]["steps"] == ["step_0", "step_1", "step_2", "step_3"]
        assert outcome["state"]["messages"][-1]["content"] == "첫 문장입니다. "


async def test_an_answer_recovered_begins_again(db_url: str) -> None:
    talker = Talker()
    async with open_trip(db_url, respond=talker.respond) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        await frames_until(runtime, session, "token")
        await runtime.close(grace=0)
    talker.open.set()
    async with open_trip(db_url, respond=talker.respond) as later:
        await later.recovery.recover()
        outcome = await later.outcome(run.run_id)
    tokens = [event for event in outcome["events"] if event["type"] == "token"]
    assert [token["restart"] for token in tokens] == [False, True]
    assert tokens[-1]["text"] == "첫 문장입니다. 끝."
    assert [event["type"] for event in outcome["events"]].count("response") == 1


async def test_progress_is_shown_while_a_step_runs(db_url: str) -> None:
    gate = Gate()
    agents = gate.agent()
    original = agents[0].function

    async def reporting(view: Any, ctx: Any) -> Any:
        ctx.progress(40, "절반쯤")
        return await original(view, ctx)

    object.__setattr__(agents[0], "function", reporting)
    async with open_trip(db_url, agents=agents) as runtime:
        session = await new_session(runtime)
        run = await runtime.start(session, TurnRequest(text="오사카 3"))
        async for frame in runtime.hub.follow(session, 0):
            if any(step["progress_percentage"] == 40 for step in frame.get("execution_steps", ())):
                break
        gate.open.set()
        assert (await runtime.outcome(run.run_id))["status"] == "completed"


async def test_small_pieces_are_told_together(db_url: str) -> None:
    async def chatty(_state: Any, ctx: TurnContext) -> Answer:
        for letter in "가나다라마바사":
            ctx.token(letter)
        return Answer(answer="가나다라마바사", data={"streamed": True})

    async with open_trip(db_url, respond=chatty) as runtime:
        outcome = await say(runtime, await new_session(runtime), "오사카 3")
    tokens = [event["text"] for event in outcome["events"] if event["type"] == "token"]
    assert tokens == ["가나다라마바사"]
