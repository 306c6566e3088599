"""A run's stream as server-sent events, and its final state as a body that takes its time."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from starlette.responses import StreamingResponse

from madang.errors import NotFound
from madang.runtime import Runtime
from madang.runtime.served_graph import ServedGraph
from madang.runtime.state_json import dumps
from madang.runtime.streams import Part, RunStream
from madang.server.sdk.encoding import EventStream
from madang.server.sdk.shapes import RUN_STATUS, interrupt_shape
from madang.server.sdk.starting import Started
from madang.server.sdk.translating import Translator
from madang.server.unfinished import Unfinished
from madang.state.steps import TERMINAL_RUNS
from madang.store.runs import Run

STILL = TERMINAL_RUNS | {"interrupted"}
GONE = {"error": "NotFound", "message": "the run was deleted"}
HEARTBEAT = b": heartbeat\n\n"
# A run of another process streams there: how often, in seconds, to see whether it is over.
ELSEWHERE = 1.0


def run_headers(run: Run, *, stateless: bool, ending: str) -> dict[str, str]:
    """Where the run is, and where a client that lost the connection goes on."""
    place = f"/runs/{quote(run.run_id, safe='')}"
    if not stateless:
        place = f"/threads/{quote(run.session_id, safe='')}{place}"
    return {"Content-Location": place, "Location": f"{place}/{ending}", "Cache-Control": "no-store"}


def sse(event: str, data: Any, event_id: str | None = None) -> bytes:
    """One server-sent event."""
    last = f"id: {event_id}\n".encode() if event_id is not None else b""
    name = event.replace("\n", " ").replace("\r", " ")
    return b"event: " + name.encode() + b"\ndata: " + dumps(data) + b"\n" + last + b"\n"


class Reader:
    """One client's reading of one run's stream.

    `thread`: it is part of the stream of a whole thread, which goes on after the run; every event has an id.
    """

    def __init__(
        self, runtime: Runtime, started: Started, modes: Collection[str], heartbeat: float, *, thread: bool = False
    ) -> None:
        self._runtime = runtime
        self._run = started.run
        self.stream = started.stream
        self.seen = 0
        self._after = started.after
        self._heartbeat = heartbeat
        self._modes = modes
        self._thread = thread
        self._served = runtime.served.get(started.run.assistant or "")
        self._translator = Translator(started.run, modes, self._served)
        self._showed_values = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (stream := self.stream) is not None:
            for part in stream.after(self.seen):
                known = max(self.seen, self._after[0])
                if part.number > known + 1:
                    async for piece in self._gap(part.number - 1 - known):
                        yield piece
                self.seen = part.number
                for piece in self._pieces(part, stream):
                    yield piece
            if stream.ended and self.seen >= stream.last:
                break
            await stream.wait(self.seen, self._heartbeat if self._here() else min(self._heartbeat, ELSEWHERE))
            if stream.last == self.seen and not stream.ended:
                if await self._is_still():
                    await self._runtime.catch_up(self._run.run_id)
                    if stream.last == self.seen:
                        break
                yield HEARTBEAT
        if not self._here():
            self._runtime.streams.end(self._run.run_id)
        async for piece in self._ending():
            yield piece

    def _here(self) -> bool:
        return self._runtime.runner.has(self._run.run_id)

    def _pieces(self, part: Part, stream: RunStream) -> Iterator[bytes]:
        """The part's events that the client hasn't seen. The id of each says which part it is of, and which event."""
        self._showed_values |= part.mode == "values" and not part.namespace
        for place, (name, data) in enumerate(self._translator.events(part), start=1):
            if (part.number, place) > self._after:
                yield sse(name, data, self._id(f"{stream.key}-{part.number}.{place}", kept=stream.resumable))

    def _id(self, place: str, *, kept: bool) -> str | None:
        if self._thread:
            return f"{self._run.run_id}/{place}"
        return place if kept else None

    async def _gap(self, missed: int) -> AsyncIterator[bytes]:
        """Parts that aren't kept any more: the client is told how many, and where the state stands instead."""
        yield sse("metadata", {"run_id": self._run.run_id, "attempt": self._run.attempts, "missed": missed})
        if "values" in self._modes:
            yield sse("values", await final_values(self._runtime, self._run))

    async def _is_still(self) -> bool:
        try:
            return (await self._runtime.runs.get(self._run.run_id, self._run.session_id)).status in STILL
        except NotFound:
            return True

    async def _ending(self) -> AsyncIterator[bytes]:
        try:
            while (run := await settled(self._runtime, self._run.run_id, self._heartbeat)) is None:
                if self._runtime.leaving.begun:
                    raise Unfinished
                yield HEARTBEAT
        except NotFound:
            yield sse("error", GONE)
            return
        if not self._showed_values and "values" in self._modes:
            yield sse("values", await final_values(self._runtime, run))
        if run.status == "failed":
            yield sse("error", error_of(run, self._served))
        over = {"run_id": run.run_id, "status": RUN_STATUS[run.status]}
        if self._thread:
            yield sse(
                "metadata", {**over, "status": "run_done", "run_status": over["status"]}, self._id("end", kept=True)
            )
        else:
            yield sse("end", over)


async def settled(runtime: Runtime, run_id: str, seconds: float) -> Run | None:
    """The run, if it ends or waits within that time and before the server ends. Raises `NotFound`."""
    return await runtime.leaving.before(runtime.wait(run_id), seconds)


def error_of(run: Run, served: ServedGraph | None) -> dict[str, Any]:
    """Why a run failed; the inside of our assistants stays inside."""
    error: Mapping[str, Any] = run.error or {}
    message = served.failure_shown(error) if served is not None else error.get("message")
    return {"error": error.get("type") or "Error", "message": message}


async def final_values(runtime: Runtime, run: Run) -> Any:
    """The state that a run has led to, with what it waits for, or why it failed."""
    served = runtime.served.get(run.assistant or "")
    if served is None:
        return None
    if run.status == "failed":
        return {"__error__": error_of(run, served)}
    snapshot = await served.snapshot(run.session_id)
    if not snapshot.values and await runtime.sessions.find(run.session_id) is None:
        return {"__error__": GONE}
    values = served.output(snapshot.values)
    if snapshot.interrupts:
        known = values if isinstance(values, Mapping) else {}
        return {**known, "__interrupt__": [interrupt_shape(i) for i in snapshot.interrupts]}
    return values


async def waiting_body(runtime: Runtime, run: Run, heartbeat: float) -> AsyncIterator[bytes]:
    """White space until the run has ended or waits, then its final state. Raises `Unfinished`."""
    try:
        while (over := await settled(runtime, run.run_id, heartbeat)) is None:
            if runtime.leaving.begun:
                raise Unfinished
            yield b"\n"
        yield dumps(await final_values(runtime, over))
    except NotFound:
        yield dumps({"__error__": GONE})


def until_disconnect(
    runtime: Runtime, run: Run, pieces: AsyncIterator[bytes], *, cancel: bool, released: asyncio.Event | None = None
) -> AsyncIterator[bytes]:
    """`pieces`; with `cancel`, a client that leaves before the end stops the run; a server that ends doesn't."""

    async def passed_on() -> AsyncIterator[bytes]:
        complete = False
        try:
            async for piece in pieces:
                yield piece
            complete = True
        finally:
            stays = not runtime.leaving.begun
            if cancel and stays and not complete:
                runtime.in_background(runtime.cancel(run.run_id))
            if released is not None and (complete or stays):
                released.set()

    return passed_on()


def event_stream(pieces: AsyncIterator[bytes], headers: dict[str, str]) -> StreamingResponse:
    """A response of server-sent events."""
    return EventStream(pieces, headers={**headers, "X-Accel-Buffering": "no"})
