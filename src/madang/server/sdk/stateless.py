"""Runs without a thread: each gets one of its own, which is deleted when the run is over unless it should be kept."""

import asyncio
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request
from langgraph_sdk import schema
from starlette.responses import StreamingResponse

from madang.errors import NotFound
from madang.runtime import Runtime
from madang.server.identity import Identity, OwnRun, TheRuntime, Who
from madang.server.rest.events import STREAM
from madang.server.sdk.assistants import graph_of
from madang.server.sdk.bodies import RunCreateStateless
from madang.server.sdk.encoding import EventStream, Json
from madang.server.sdk.run_options import Watched, check_offered
from madang.server.sdk.runs import LastEventId, Mode, heartbeat_of, joined
from madang.server.sdk.shapes import run_shape
from madang.server.sdk.starting import Started, start_run
from madang.server.sdk.streaming import Reader, event_stream, run_headers, until_disconnect, waiting_body
from madang.server.sdk.threads import create_thread
from madang.server.unfinished import TurnStream
from madang.store.runs import Run
from madang.store.webhooks import Webhooks

router = APIRouter(prefix="/runs")
MOST = 100
# How long after its end, in seconds, a result waits for its reader, and a background run for someone to join it.
READING, LINGERING = 600.0, 30.0


async def begin(
    runtime: Runtime, who: Identity, given: RunCreateStateless, *, watched: Watched = "later", kept: float = READING
) -> tuple[Started, asyncio.Event]:
    """A run on a thread of its own; set the event when its result has been read."""
    check_offered(given)
    served = await graph_of(runtime, who, given.assistant_id)
    passing = given.on_completion == "delete"
    session = await create_thread(runtime, who, None, {"graph_id": served.name}, passing=passing)
    read = asyncio.Event()
    try:
        started = await start_run(runtime, who, session.session_id, given, watched=watched)
    except BaseException:
        await runtime.sessions.delete(session.session_id)
        raise
    if passing:
        runtime.in_background(tidy(runtime, started.run, read, kept))
    return started, read


async def tidy(runtime: Runtime, run: Run, read: asyncio.Event, kept: float) -> None:
    """Delete a passing thread when its run is over and has been read. If this process ends before, it is swept."""
    with suppress(NotFound):
        await runtime.wait(run.run_id)
    # A client that left before it read anything will not say so.
    with suppress(TimeoutError):
        await asyncio.wait_for(read.wait(), kept)
    # Whoever is owed a call is told of a state that is still there.
    owed = Webhooks(runtime.db)
    for _ in range(int(READING)):
        if not await owed.pending(run.run_id, run.session_id):
            break
        await asyncio.sleep(1)
    await runtime.sessions.delete(run.session_id)


@router.post("", response_model=schema.Run)
async def create(given: RunCreateStateless, runtime: TheRuntime, who: Who) -> Json:
    started, _ = await begin(runtime, who, given, kept=LINGERING)
    place = run_headers(started.run, stateless=True, ending="join")["Content-Location"]
    return Json(run_shape(started.run), headers={"Content-Location": place})


@router.post("/batch", response_model=list[schema.Run])
async def batch(
    given: Annotated[list[RunCreateStateless], Body(max_length=MOST)], runtime: TheRuntime, who: Who
) -> Json:
    """Several runs at once; none is started if one can't be."""
    for one in given:
        check_offered(one)
        await graph_of(runtime, who, one.assistant_id)
    runs: list[dict[str, Any]] = []
    for one in given:
        started, _ = await begin(runtime, who, one, kept=LINGERING)
        runs.append(run_shape(started.run))
    return Json(runs)


@router.post("/wait", response_model=Any)
async def wait(given: RunCreateStateless, runtime: TheRuntime, who: Who, request: Request) -> StreamingResponse:
    started, read = await begin(runtime, who, given, watched="never")
    body = waiting_body(runtime, started.run, heartbeat_of(request))
    cancel = given.on_disconnect == "cancel"
    return TurnStream(
        until_disconnect(runtime, started.run, body, cancel=cancel, released=read),
        media_type="application/json",
        headers=run_headers(started.run, stateless=True, ending="join"),
    )


@router.post("/stream", response_class=EventStream, responses=STREAM)
async def stream(given: RunCreateStateless, runtime: TheRuntime, who: Who, request: Request) -> StreamingResponse:
    started, read = await begin(runtime, who, given, watched="now")
    pieces = aiter(Reader(runtime, started, given.stream_mode or ["values"], heartbeat_of(request)))
    cancel = given.on_disconnect == "cancel"
    return event_stream(
        until_disconnect(runtime, started.run, pieces, cancel=cancel, released=read),
        run_headers(started.run, stateless=True, ending="stream"),
    )


@router.get("/{run_id}/join", response_model=Any)
async def join(run: OwnRun, runtime: TheRuntime, request: Request) -> StreamingResponse:
    headers = run_headers(run, stateless=True, ending="join")
    body = waiting_body(runtime, run, heartbeat_of(request))
    return TurnStream(body, media_type="application/json", headers=headers)


@router.get("/{run_id}/stream", response_class=EventStream, responses=STREAM)
async def join_stream(
    run: OwnRun, runtime: TheRuntime, request: Request, stream_mode: Mode = None, last_event_id: LastEventId = None
) -> StreamingResponse:
    pieces = await joined(runtime, run, stream_mode, last_event_id, heartbeat_of(request))
    return event_stream(pieces, run_headers(run, stateless=True, ending="stream"))
