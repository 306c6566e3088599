"""Which events a client is told, and how they look on the wire."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from madang.errors import MadangError
from madang.events import ThreadEvent
from madang.runtime import Runtime, conversations
from madang.runtime.state_json import plain
from madang.server.sdk.protocol.bodies import ProtocolEventStreamRequest
from madang.server.sdk.protocol.order import Place
from madang.state.clock import now_iso, parse_time, seconds_between
from madang.store.runs import Run
from madang.store.sessions import Session

Frame = dict[str, Any]
# How far back a client that names no number is told what was.
REPLAYED = 10_000
# What clients watch to learn how their own run ends, beside what they read of it.
WATCHED = {"lifecycle", "input"}
ENDS = ("completed", "failed", "interrupted")
# For how many seconds after its end a run is told to a watcher who may have started it and was not there yet.
JUST_ENDED = 30.0


def channel_of(frame: Frame) -> str:
    """The channel that an event belongs to; what nodes stream under a name has one of its own."""
    if frame["method"] == "input.requested":
        return "input"
    named = frame["data"].get("name") if frame["method"] == "custom" else None
    return f"custom:{named}" if named else str(frame["method"])


def wanted(frame: Frame, params: ProtocolEventStreamRequest) -> bool:
    """Whether a subscription asks for an event."""
    channel = channel_of(frame)
    if channel not in params.channels and not (channel.startswith("custom:") and "custom" in params.channels):
        return False
    if not params.namespaces:
        return True
    return any(_within(frame["namespace"], prefix, params.depth) for prefix in params.namespaces)


def _within(namespace: Sequence[str], prefix: Sequence[str], depth: int | None) -> bool:
    """Whether a namespace lies below a prefix; a part of the prefix without a task's id fits every task."""
    if len(prefix) > len(namespace) or (depth is not None and len(namespace) - len(prefix) > depth):
        return False
    return all(own in (given, given.partition(":")[0]) for own, given in zip(prefix, namespace, strict=False))


@asynccontextmanager
async def listening(runtime: Runtime, session_id: str) -> AsyncIterator[None]:
    """As long as it is open, runs of the thread log what is told here; one that is under way from now on."""
    async with runtime.watching(session_id, "thread"):
        with runtime.streams.watching(session_id):
            runtime.runner.watch(session_id)
            yield


async def events(
    runtime: Runtime, session: Session, params: ProtocolEventStreamRequest, place: Place
) -> AsyncIterator[dict[str, Any]]:
    """The thread's events after a number, each once and in order: first those of the log, then live.

    Somebody has to be `listening` before a client is told that it is subscribed.
    """
    place.watches = watches(params)
    since = params.since if params.since is not None else await _first(runtime, session, params)
    place.reach(since)
    async for frame in runtime.hub.follow(session.session_id, min(since, session.last_seq)):
        place.reach(max(since, frame["seq"]))
        told = frame["seq"] > since and frame["type"] == ThreadEvent.type and wanted(frame, params)
        event = await on_the_wire(runtime, session, frame) if told else None
        if event is not None:
            ended = _end(frame)
            if ended is not None:
                await place.before_end()
            if ended in ("completed", "failed"):
                runtime.streams.heard(session.session_id, frame["seq"])
            yield event


def watches(params: ProtocolEventStreamRequest) -> bool:
    """Whether a subscription only asks how runs end."""
    return set(params.channels) == WATCHED and not params.namespaces


def _end(frame: Frame) -> str | None:
    """How a run ended, if that is what an event tells."""
    root = frame["method"] == "lifecycle" and not frame["namespace"]
    return frame["data"]["event"] if root and frame["data"]["event"] in ENDS else None


async def _first(runtime: Runtime, session: Session, params: ProtocolEventStreamRequest) -> int:
    """After which number a client that names none is told.

    All of it, as LangGraph's server does. A watcher takes any end for that of its own run: it is told the open run, or
    one that has just ended and that nobody was told of.
    """
    if not watches(params):
        return max(0, session.last_seq - REPLAYED)
    newest = (await runtime.runs.list(session.session_id, limit=20)).items
    under_way = [run for run in newest if run.status in ("queued", "running")]
    run = under_way[-1] if under_way else newest[0] if newest and _may_be_its_own(newest[0]) else None
    told = await runtime.events.of_run(session.session_id, run.run_id, limit=1) if run is not None else []
    first = told[0]["seq"] - 1 if told else session.last_seq
    return max(first, runtime.streams.last_end(session.session_id))


def _may_be_its_own(run: Run) -> bool:
    return run.ended_at is None or seconds_between(run.ended_at, now_iso()) < JUST_ENDED


async def on_the_wire(runtime: Runtime, session: Session, frame: Frame) -> dict[str, Any] | None:
    """An event as clients read it; None for a state whose checkpoint isn't kept any more."""
    data = frame["data"]
    if frame["method"] == "values":
        data = await state_of(runtime, session, frame)
        if data is None:
            return None
    timestamp = int(parse_time(frame["timestamp"]).timestamp() * 1000)
    node = {"node": frame["node"]} if frame.get("node") else {}
    return {
        "type": "event",
        "event_id": f"{frame['session_id']}:{frame['seq']}",
        "seq": frame["seq"],
        "method": frame["method"],
        "params": {"namespace": frame["namespace"], "timestamp": timestamp, **node, "data": data},
    }


async def state_of(runtime: Runtime, session: Session, frame: Frame) -> Any:
    """The state that an event tells of."""
    checkpoint_id = frame["data"].get("checkpoint_id")
    if checkpoint_id is None:
        return frame["data"]["values"]
    namespace = tuple(frame["namespace"])
    recent = runtime.streams.recent.find((session.session_id, namespace, checkpoint_id))
    if recent is not None:
        return plain(recent)
    # A thread that the first run has just given its graph was read before it had one.
    now = session if session.assistant else await runtime.sessions.get(session.session_id)
    try:
        place = {"checkpoint_id": checkpoint_id, "checkpoint_ns": "|".join(namespace)}
        values = (await conversations.snapshot(runtime, now, place)).values
        return plain(values if namespace else conversations.graph_of(runtime, now).output(values))
    except MadangError:
        return None
