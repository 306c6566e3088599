"""AG-UI, which CopilotKit and others speak: a run is asked for, and its events are streamed."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

from ag_ui.core import (
    BaseEvent,
    CustomEvent,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)
from ag_ui.encoder import EventEncoder
from fastapi import APIRouter
from starlette.responses import StreamingResponse

from madang.errors import InvalidInput
from madang.events import TERMINAL, of_turn
from madang.runtime import Runtime, TurnRequest
from madang.runtime.client_input import last_human
from madang.runtime.outcome import question_response
from madang.runtime.served_graph import find_served
from madang.server.identity import TheRuntime, Who
from madang.server.rest.events import STREAM
from madang.server.turns import accept, before, client_session
from madang.server.unfinished import TurnStream, Unfinished
from madang.store.columns import check_id
from madang.store.runs import Run

router = APIRouter(tags=["AG-UI"])
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.post("/ag-ui/{assistant}", response_class=StreamingResponse, responses=STREAM)
async def run_agent(assistant: str, given: RunAgentInput, runtime: TheRuntime, who: Who) -> StreamingResponse:
    """A turn of the thread, which is made if there is none. The last message of the user is the question."""
    served = find_served(runtime.served, assistant)
    text = last_human([message.model_dump() for message in given.messages])
    if not text:
        raise InvalidInput("messages: the last one of the user is the question, and there is none", field="messages")
    session = await client_session(runtime, who, served, given.thread_id, by="ag-ui")
    run = await accept(runtime, session, TurnRequest(text=text, request_id=check_id(given.run_id, "run_id")))
    pieces = streamed(runtime, await before(runtime, session, run), run, given)
    return TurnStream(pieces, media_type="text/event-stream", headers=HEADERS)


async def streamed(runtime: Runtime, after: int, run: Run, given: RunAgentInput) -> AsyncIterator[str]:
    """The events of a run, from its beginning to its end. Raises `Unfinished`."""
    encoder, spoken = EventEncoder(), Spoken(run)
    yield encoder.encode(RunStartedEvent(thread_id=given.thread_id, run_id=given.run_id))
    frames: Any = runtime.hub.follow(run.session_id, after)
    last = ""
    async with aclosing(frames):
        async for frame in frames:
            if frame["request_id"] != run.request_id or not of_turn([frame]):
                continue
            for event in spoken.events(frame):
                yield encoder.encode(event)
            last = frame["type"]
            if last in TERMINAL:
                break
    if last not in TERMINAL:
        raise Unfinished
    if last in ("response", "workflow_interrupted"):
        yield encoder.encode(RunFinishedEvent(thread_id=given.thread_id, run_id=given.run_id))


class Spoken:
    """What a run has said so far: an answer is one message, which may begin again after a recovery."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._begun = 0
        self._open: str | None = None

    def events(self, frame: dict[str, Any]) -> Iterator[BaseEvent]:
        """What one of our events is there."""
        match frame["type"]:
            case "token":
                if frame["restart"]:
                    yield from self._end()
                yield from self._say(frame["text"])
            case "response":
                if not self._begun and frame["answer"]:
                    yield from self._say(frame["answer"])
                yield from self._end()
                yield CustomEvent(name="response", value=frame["structured_data"])
            case "workflow_interrupted":
                yield from self._end()
                yield from self._say(question_response(frame["interrupts"])["answer"] or "…")
                yield from self._end()
                yield CustomEvent(name="workflow_interrupted", value=frame["interrupts"])
            case "error" | "cancelled":
                yield from self._end()
                yield RunErrorEvent(message=frame["message"], code=frame.get("error", "cancelled"))
            case named:
                own = {name: value for name, value in frame.items() if name not in ("session_id", "timestamp")}
                yield CustomEvent(name=named, value=own)

    def _say(self, text: str) -> Iterator[BaseEvent]:
        if self._open is None:
            again = f":{self._begun}" if self._begun else ""
            self._open, self._begun = f"{self._run.request_id}:answer{again}", self._begun + 1
            yield TextMessageStartEvent(message_id=self._open, role="assistant")
        yield TextMessageContentEvent(message_id=self._open, delta=text)

    def _end(self) -> Iterator[BaseEvent]:
        if self._open is not None:
            yield TextMessageEndEvent(message_id=self._open)
            self._open = None
