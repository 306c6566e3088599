"""Runs on threads: create, wait, stream, join, list, cancel, delete."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from langgraph_sdk import schema
from starlette.responses import StreamingResponse

from madang.errors import InvalidInput, NotFound
from madang.runtime import Runtime
from madang.runtime.streams import RunStream
from madang.server.identity import Identity, OwnThread, TheRuntime, Who, authorise_run
from madang.server.rest.events import STREAM
from madang.server.sdk.bodies import RunCreateStateful, RunsCancel, StreamMode
from madang.server.sdk.encoding import DONE, EventStream, Json
from madang.server.sdk.rebuilding import rebuilt
from madang.server.sdk.shapes import RUN_STATUS, STORED_STATUS, run_shape, selected
from madang.server.sdk.starting import Position, Started, end_of, start_run
from madang.server.sdk.streaming import Reader, event_stream, run_headers, until_disconnect, waiting_body
from madang.server.unfinished import TurnStream
from madang.state.nesting import NestedTooDeeply, read_json
from madang.store.runs import Run

router = APIRouter()
THREAD = "/threads/{thread_id}/runs"
PAGE = 1000
Action = Annotated[str, Query(pattern="^(interrupt|rollback)$")]
Mode = Annotated[list[str] | None, Query()]
LastEventId = Annotated[str | None, Header()]


async def own_run(thread_id: str, run_id: str, who: Who, runtime: TheRuntime) -> Run:
    """The run named in the path, if it is the caller's and on that thread. Raises `NotFound`."""
    run = await authorise_run(runtime, who, run_id)
    if run.session_id != thread_id:
        raise NotFound(f"no run {run_id!r}", run_id=run_id)
    return run


OwnRun = Annotated[Run, Depends(own_run)]


def heartbeat_of(request: Request) -> float:
    heartbeat: float = request.app.state.options.heartbeat
    return heartbeat


@router.post(THREAD, response_model=schema.Run)
async def create(thread_id: str, given: RunCreateStateful, runtime: TheRuntime, who: Who) -> Json:
    started = await start_run(runtime, who, thread_id, given)
    place = run_headers(started.run, stateless=False, ending="join")["Content-Location"]
    return Json(run_shape(started.run), headers={"Content-Location": place})


@router.post(THREAD + "/wait", response_model=Any)
async def wait(
    thread_id: str, given: RunCreateStateful, runtime: TheRuntime, who: Who, request: Request
) -> StreamingResponse:
    run = (await start_run(runtime, who, thread_id, given, watched="never")).run
    body = waiting_body(runtime, run, heartbeat_of(request))
    return TurnStream(
        until_disconnect(runtime, run, body, cancel=given.on_disconnect == "cancel"),
        media_type="application/json",
        headers=run_headers(run, stateless=False, ending="join"),
    )


@router.post(THREAD + "/stream", response_class=EventStream, responses=STREAM)
async def stream(
    thread_id: str, given: RunCreateStateful, runtime: TheRuntime, who: Who, request: Request
) -> StreamingResponse:
    started = await start_run(runtime, who, thread_id, given, watched="now")
    pieces = aiter(Reader(runtime, started, given.stream_mode or ["values"], heartbeat_of(request)))
    return event_stream(
        until_disconnect(runtime, started.run, pieces, cancel=given.on_disconnect == "cancel"),
        run_headers(started.run, stateless=False, ending="stream"),
    )


@router.get(THREAD, response_model=list[schema.Run])
async def list_runs(
    session: OwnThread,
    runtime: TheRuntime,
    limit: Annotated[int, Query(ge=1, le=1000)] = 10,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    status: str | None = None,
    select: Annotated[list[str] | None, Query()] = None,
) -> Json:
    """Runs, newest first."""
    if status is not None and status not in STORED_STATUS:
        raise InvalidInput(f"status: {status!r} is not one of {', '.join(STORED_STATUS)}", field="status")
    found: list[Run] = []
    cursor: str | None = None
    while len(found) < offset + limit:
        page = await runtime.runs.list(session.session_id, limit=min(PAGE, offset + limit), cursor=cursor)
        found += [run for run in page.items if status in (None, RUN_STATUS[run.status])]
        cursor = page.next_cursor
        if cursor is None:
            break
    return Json([selected(run_shape(run), select) for run in found[offset : offset + limit]])


@router.get(THREAD + "/{run_id}", response_model=schema.Run)
async def get(run: OwnRun) -> Json:
    return Json(run_shape(run))


@router.get(THREAD + "/{run_id}/join", response_model=Any)
async def join(run: OwnRun, runtime: TheRuntime, request: Request) -> StreamingResponse:
    """The final state, once there is one."""
    headers = run_headers(run, stateless=False, ending="join")
    body = waiting_body(runtime, run, heartbeat_of(request))
    return TurnStream(body, media_type="application/json", headers=headers)


@router.get(THREAD + "/{run_id}/stream", response_class=EventStream, responses=STREAM)
async def join_stream(
    run: OwnRun,
    runtime: TheRuntime,
    request: Request,
    stream_mode: Mode = None,
    cancel_on_disconnect: bool = False,
    last_event_id: LastEventId = None,
) -> StreamingResponse:
    """What the run streams from now on; after a number, if its stream is resumable."""
    pieces = await joined(runtime, run, stream_mode, last_event_id, heartbeat_of(request))
    return event_stream(
        until_disconnect(runtime, run, pieces, cancel=cancel_on_disconnect),
        run_headers(run, stateless=False, ending="stream"),
    )


async def joined(
    runtime: Runtime, run: Run, modes: list[str] | None, last_event_id: str | None, heartbeat: float
) -> AsyncIterator[bytes]:
    """A reading of a run's stream that begins in the middle. Raises `InvalidInput`."""
    asked = read_modes(modes) or list(run.options.client_modes or ["values"])
    return aiter(Reader(runtime, await found(runtime, run, last_event_id), asked, heartbeat))


async def found(runtime: Runtime, run: Run, last_event_id: str | None) -> Started:
    """Where a client that joins a run goes on: in its stream, in what its checkpoints tell, or at its end."""
    stream = runtime.streams.find(run.run_id)
    if run.status in ("queued", "running"):
        stream = stream or await runtime.listen(run)
        return Started(run, stream, read_position(last_event_id, stream))
    if not last_event_id:
        return Started(run)
    if stream is None or not stream.resumable:
        stream = await rebuilt(runtime, run)
    return Started(run, stream, read_position(last_event_id, stream)) if stream is not None else Started(run)


def read_modes(given: list[str] | None) -> list[str]:
    """Stream modes from a query: repeated, separated by commas, or as a JSON list. Raises `InvalidInput`."""
    named: list[str] = []
    for text in given or ():
        try:
            parsed = read_json(text) if text.startswith(("[", '"')) else text.split(",")
        except NestedTooDeeply:
            raise
        except ValueError:
            parsed = [text]
        named += [str(name) for name in (parsed if isinstance(parsed, list) else [parsed])]
    unknown = [name for name in named if name and name not in get_args(StreamMode)]
    if unknown:
        raise InvalidInput(f"stream_mode: no mode {unknown[0]!r}", field="stream_mode")
    return [name for name in named if name]


def read_position(last_event_id: str | None, stream: RunStream) -> Position:
    """After which event a client goes on: the last one without an id, none at all for `-1`.

    An id of another process's stream begins at the beginning: what came before isn't kept, what is here wasn't seen.
    """
    if not last_event_id:
        return end_of(stream)
    key, _, place = last_event_id.rpartition("-")
    part, _, event = place.partition(".")
    if key != stream.key or not (part.isdecimal() and event.isdecimal()):
        return (0, 0)
    return (int(part), int(event))


@router.post(THREAD + "/{run_id}/cancel", status_code=202, responses=DONE)
async def cancel(run: OwnRun, runtime: TheRuntime, wait: bool = False, action: Action = "interrupt") -> Response:
    """Stop a run; with `rollback`, forget it and what it did. 202 at once, or 204 when it is done."""
    task = runtime.in_background(stop(runtime, run.run_id, action))
    if wait:
        await task
    return Response(status_code=204 if wait else 202)


async def stop(runtime: Runtime, run_id: str, action: str) -> None:
    """Cancel a run, or roll it back."""
    if action == "rollback":
        await runtime.rollback(run_id)
    else:
        await runtime.cancel(run_id)


@router.post("/runs/cancel", status_code=204)
async def cancel_many(given: RunsCancel, runtime: TheRuntime, who: Who, action: Action = "interrupt") -> Response:
    """Stop several runs, named one by one or by their status. Raises `NotFound` if one isn't the caller's."""
    for run in await _meant(runtime, who, given):
        await stop(runtime, run.run_id, action)
    return Response(status_code=204)


async def _meant(runtime: Runtime, who: Identity, given: RunsCancel) -> list[Run]:
    if given.run_ids:
        named = [await authorise_run(runtime, who, run_id) for run_id in dict.fromkeys(given.run_ids)]
        return [run for run in named if given.thread_id in (None, run.session_id)]
    if given.status is None:
        raise InvalidInput("run_ids or status: say which runs to cancel", field="run_ids")
    wanted = {"pending": ("queued",), "running": ("running",)}.get(given.status, ("queued", "running"))
    found: list[Run] = []
    for status in wanted:
        for run in (await runtime.runs.list(given.thread_id, status=status, limit=PAGE)).items:
            try:
                found.append(await authorise_run(runtime, who, run.run_id))
            except NotFound:
                continue
    return found


@router.delete(THREAD + "/{run_id}", status_code=204)
async def delete(run: OwnRun, runtime: TheRuntime) -> Response:
    """Forget a run that is over."""
    await runtime.runs.delete(run.run_id)
    return Response(status_code=204)
