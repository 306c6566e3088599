"""The stream of a whole thread: one run after another, and what is written to its state, as long as someone listens."""

import asyncio
from collections.abc import AsyncIterator, Collection
from typing import Annotated, Any, get_args
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import StreamingResponse

from madang.errors import InvalidInput
from madang.runtime import Runtime
from madang.runtime.hub import Subscription
from madang.runtime.streams import Follower
from madang.server.identity import OwnThread, TheRuntime
from madang.server.rest.events import STREAM
from madang.server.sdk.bodies import ThreadStreamMode
from madang.server.sdk.encoding import EventStream
from madang.server.sdk.runs import LastEventId, found, heartbeat_of
from madang.server.sdk.starting import Started
from madang.server.sdk.streaming import HEARTBEAT, Reader, event_stream, sse
from madang.store.runs import Run
from madang.store.sessions import Session

router = APIRouter()
PAGE = 100
OPEN = ("queued", "running")
# What a turn of the other surface streams.
TURN_MODES = ("values", "custom", "messages-tuple")


@router.get("/threads/{thread_id}/stream", response_class=EventStream, responses=STREAM)
async def join_stream(
    session: OwnThread,
    runtime: TheRuntime,
    request: Request,
    stream_mode: Annotated[list[str] | None, Query()] = None,
    last_event_id: LastEventId = None,
) -> StreamingResponse:
    """Everything that happens in the thread from now on, or after an event; `-1` begins with its last run."""
    modes = [name for text in stream_mode or () for name in text.split(",") if name] or ["run_modes"]
    for unknown in set(modes) - set(get_args(ThreadStreamMode)):
        raise InvalidInput(f"stream_mode: no mode {unknown!r} for threads", field="stream_mode")
    following = Following(runtime, session, modes, heartbeat_of(request))
    # Clients that lose the connection go on there by themselves, after the last event that they saw.
    place = f"/threads/{quote(session.session_id, safe='')}/stream?stream_mode={','.join(modes)}"
    return event_stream(following.pieces(last_event_id), {"Location": place, "Cache-Control": "no-store"})


class Following:
    """One client's reading of one thread."""

    def __init__(self, runtime: Runtime, session: Session, modes: Collection[str], heartbeat: float) -> None:
        self._runtime = runtime
        self._session_id = session.session_id
        self._last_seq = session.last_seq
        self._modes = modes
        self._heartbeat = heartbeat
        self._seen: Run | None = None
        self._reader: Reader | None = None
        self._begun: dict[str, Started] = {}

    async def pieces(self, last_event_id: str | None) -> AsyncIterator[bytes]:
        """Server-sent events until the client leaves, the thread is deleted or the server stops."""
        subscription = self._runtime.hub.subscribe(self._session_id, self._last_seq)
        try:
            async with self._runtime.watching(self._session_id, "parts"):
                with self._runtime.streams.following(self._session_id) as follower:
                    started = await self._first(last_event_id)
                    yield HEARTBEAT
                    while not self._runtime.closing:
                        for update in self._told(follower):
                            yield sse("state_update", update)
                        started = started or await self._next()
                        if started is not None:
                            async for piece in self._read(started):
                                yield piece
                            started = None
                        elif not await self._is_there():
                            return
                        elif not await self._news(follower, subscription):
                            yield HEARTBEAT
        finally:
            self._runtime.hub.unsubscribe(subscription)

    def _read(self, started: Started) -> AsyncIterator[bytes]:
        run = started.run
        modes: Collection[str] = ()
        if "run_modes" in self._modes:
            asked = run.options.client_modes
            modes = TURN_MODES if asked is None else asked or ("values",)
        self._seen = run
        self._reader = Reader(self._runtime, started, modes, self._heartbeat, thread=True)
        return aiter(self._reader)

    def _told(self, follower: Follower) -> list[Any]:
        """What was written to the state; runs that have begun are noted with their streams."""
        updates = []
        for note in follower.take():
            if isinstance(note, Started):
                self._begun[note.run.run_id] = note
            elif "state_update" in self._modes:
                updates.append(note)
        return updates

    async def _first(self, last_event_id: str | None) -> Started | None:
        """Where a client goes on that has been here before; otherwise with what is open now."""
        runs = await self._newest_first()
        if not last_event_id:
            open_now = [place for place, run in enumerate(runs) if run.status in OPEN]
            before = runs[open_now[-1] + 1 :] if open_now else runs
            self._seen = before[0] if before else None
            return await found(self._runtime, runs[open_now[-1]], None) if open_now else None
        run_id, _, place = last_event_id.rpartition("/")
        known = next((run for run in runs if run.run_id == run_id), runs[0] if runs else None)
        self._seen = known
        if known is None or (place == "end" and known.run_id == run_id):
            return None
        return await found(self._runtime, known, place)

    async def _newest_first(self) -> list[Run]:
        return (await self._runtime.runs.list(self._session_id, limit=PAGE)).items

    async def _next(self) -> Started | None:
        """The oldest run that hasn't been shown, or the last one if it goes on after a question."""
        last, newer = self._seen, None
        for run in await self._newest_first():
            if last is not None and run.run_id == last.run_id and run.status in OPEN and newer is None:
                return await self._going_on(run)
            if last is not None and (run.created_at, run.run_id) <= (last.created_at, last.run_id):
                break
            newer = run
        if newer is None:
            return None
        return self._begun.pop(newer.run_id, None) or await found(self._runtime, newer, "-1")

    async def _going_on(self, run: Run) -> Started:
        stream = await self._runtime.listen(run)
        same = self._reader is not None and self._reader.stream is stream
        return Started(run, stream, (self._reader.seen + 1, 0) if same and self._reader is not None else (0, 0))

    async def _news(self, follower: Follower, subscription: Subscription) -> bool:
        """Wait for something to happen in the thread, for as long as a stream may be silent."""
        waiting = [asyncio.ensure_future(follower.wait()), asyncio.ensure_future(subscription.wait())]
        try:
            done, _ = await asyncio.wait(waiting, timeout=self._heartbeat, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
        return bool(done)

    async def _is_there(self) -> bool:
        return await self._runtime.sessions.find(self._session_id) is not None
