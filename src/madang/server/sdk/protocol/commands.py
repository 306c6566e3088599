"""Commands of the thread protocol: each by its name, its parameters checked, its result as the protocol has it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from madang.errors import (
    AccessDenied,
    Conflict,
    InvalidInput,
    MadangError,
    NotFound,
    RateLimited,
    Unauthenticated,
)
from madang.events import ThreadEvent
from madang.runtime import Runtime, conversations
from madang.runtime.run_config import thread_config
from madang.runtime.state_json import plain
from madang.server.identity import Identity, authorise
from madang.server.sdk.protocol.bodies import (
    Fork,
    GetTree,
    Inject,
    ListCheckpoints,
    ProtocolCommand,
    ProtocolEventStreamRequest,
    Reconnect,
    Respond,
    RunStart,
    StateGet,
    Unsubscribe,
)
from madang.server.sdk.starting import start_run
from madang.store.columns import new_id
from madang.store.sessions import Session

Result = dict[str, Any]
# What an error is called there; anything else is unknown to it.
CODES: dict[type[MadangError], str] = {
    NotFound: "invalid_argument",
    InvalidInput: "invalid_argument",
    Conflict: "invalid_argument",
    Unauthenticated: "permission_denied",
    AccessDenied: "permission_denied",
    RateLimited: "permission_denied",
}


class CommandError(MadangError):
    """A command that can't be carried out, under the protocol's own code."""

    def __init__(self, error: str, message: str) -> None:
        super().__init__(message)
        self.error = error


@dataclass(frozen=True)
class Caller:
    """Whose command it is, and on which thread."""

    runtime: Runtime
    who: Identity
    thread_id: str

    async def session(self) -> Session:
        """The caller's thread. Raises `NotFound`."""
        return await authorise(self.runtime, self.who, self.thread_id)


async def carried_out(caller: Caller, command: ProtocolCommand) -> dict[str, Any]:
    """The answer to a command. Raises `NotFound` if the thread isn't the caller's and the command doesn't make it."""
    known: Session | None = None
    try:
        known = await caller.session()
    except NotFound:
        if command.method != "run.start":
            raise
    # Before the command: what comes of it has a higher number.
    applied = {"applied_through_seq": known.last_seq if known is not None else 0}
    try:
        if command.method not in COMMANDS:
            raise CommandError("unknown_command", f"no command {command.method!r}")
        body, carry_out = COMMANDS[command.method]
        result = await carry_out(caller, _checked(body, command.params))
    except MadangError as error:
        return {"type": "error", "id": command.id, "error": code_of(error), "message": error.message}
    return {"type": "success", "id": command.id, "result": plain(result), "meta": applied}


def code_of(error: MadangError) -> str:
    """The protocol's word for an error."""
    if isinstance(error, CommandError):
        return error.error
    return next((code for kind, code in CODES.items() if isinstance(error, kind)), "unknown_error")


def _checked(body: type[BaseModel], params: dict[str, Any]) -> Any:
    try:
        return body.model_validate(params)
    except ValidationError as error:
        found = error.errors()[0]
        place = ".".join(map(str, found["loc"]))
        raise CommandError("invalid_argument", f"{place}: {found['msg']}") from error


async def run_start(caller: Caller, given: RunStart) -> Result:
    """A run on the thread, which is made if there is none."""
    started = await start_run(caller.runtime, caller.who, caller.thread_id, given.as_run(), watched="protocol")
    return {"run_id": started.run.run_id}


async def respond(caller: Caller, given: Respond) -> Result:
    """Answers to what the thread waits for."""
    session = await caller.session()
    pending = {item["interrupt_id"] for item in await conversations.questions(caller.runtime, session)}
    unknown = sorted(set(given.answers) - pending)
    if unknown or not given.answers:
        raise CommandError("no_such_interrupt", f"no such pending question: {', '.join(unknown) or 'none given'}")
    run = given.as_run(session.assistant or "")
    started = await start_run(caller.runtime, caller.who, caller.thread_id, run, watched="protocol")
    return {"run_id": started.run.run_id}


async def inject(caller: Caller, given: Inject) -> Result:
    """A message put into the state, without a run."""
    session = await caller.session()
    served = conversations.graph_of(caller.runtime, session)
    if not served.steerable or "messages" not in getattr(served.graph, "channels", {}):
        raise CommandError("not_supported", f"{served.name!r} takes messages by run.start only")
    if await conversations.questions(caller.runtime, session):
        raise CommandError("invalid_argument", "the thread waits for an answer: input.respond gives it")
    await conversations.update(caller.runtime, session, {"messages": [given.message.model_dump(exclude_none=True)]})
    return {}


async def tree(caller: Caller, given: GetTree) -> Result:
    """The graphs of a run, the thread's last one unless another is named, and how each of them stands."""
    newest = (await caller.runtime.runs.list(caller.thread_id, limit=100)).items
    run = next((run for run in newest if given.run_id in (None, run.run_id)), None)
    if run is None:
        raise CommandError("no_such_run", "no such run in this thread")
    nodes: dict[tuple[str, ...], Result] = {}
    for frame in await caller.runtime.events.of_run(caller.thread_id, run.run_id):
        if frame["type"] == ThreadEvent.type and frame["method"] == "lifecycle":
            namespace, data = tuple(frame["namespace"]), frame["data"]
            node = nodes.setdefault(namespace, {"namespace": list(namespace), "children": []})
            node |= {"status": data["event"], "graph_name": data["graph_name"]}
    root = nodes.setdefault((), {"namespace": [], "status": "started", "graph_name": run.assistant, "children": []})
    for namespace, node in nodes.items():
        if namespace:
            nodes.get(namespace[:-1], root)["children"].append(node)
    return {"tree": root}


async def state_get(caller: Caller, given: StateGet) -> Result:
    """The state of the thread, or of a graph inside it."""
    session = await caller.session()
    place = {"checkpoint_ns": "|".join(given.namespace)} if given.namespace else None
    try:
        found = await conversations.snapshot(caller.runtime, session, place)
    except (MadangError, ValueError) as error:
        raise CommandError("no_such_namespace", str(error)) from error
    values = found.values
    if given.keys is not None and isinstance(values, dict):
        values = {key: values[key] for key in given.keys if key in values}
    named = found.config["configurable"].get("checkpoint_id")
    return {"values": values, **({"checkpoint": {"id": named}} if named else {})}


async def list_checkpoints(caller: Caller, given: ListCheckpoints) -> Result:
    """Checkpoints, newest first; those before one if it is named."""
    session = await caller.session()
    graph = conversations.graph_of(caller.runtime, session).graph
    within = {"checkpoint_ns": "|".join(given.namespace)}
    before = thread_config(session.session_id, {**within, "checkpoint_id": given.before}) if given.before else None
    found = graph.aget_state_history(thread_config(session.session_id, within), before=before, limit=given.limit)
    return {"checkpoints": [_summary(snapshot) async for snapshot in found]}


def _summary(snapshot: Any) -> Result:
    metadata = snapshot.metadata or {}
    return {
        "id": snapshot.config["configurable"]["checkpoint_id"],
        "timestamp": snapshot.created_at,
        "step": metadata.get("step"),
        "metadata": {"source": metadata.get("source"), "run_id": metadata.get("run_id"), "next": list(snapshot.next)},
    }


async def fork(caller: Caller, given: Fork) -> Result:
    """A run that goes on from a checkpoint: a branch of the same thread."""
    session = await caller.session()
    try:
        await conversations.snapshot(caller.runtime, session, {"checkpoint_id": given.checkpoint_id})
    except NotFound as error:
        raise CommandError("no_such_checkpoint", error.message) from error
    run = given.as_run(session.assistant or "")
    started = await start_run(caller.runtime, caller.who, caller.thread_id, run, watched="protocol")
    return {"run_id": started.run.run_id, "thread_id": caller.thread_id}


async def subscribe(_caller: Caller, _given: ProtocolEventStreamRequest) -> Result:
    """A name for a subscription. What it asks for comes over a stream of events, or over the socket that asks."""
    return {"subscription_id": new_id(), "replayed_events": 0}


async def unsubscribe(_caller: Caller, _given: Unsubscribe) -> Result:
    """Subscriptions of streams end with them."""
    return {}


async def reconnect(caller: Caller, given: Reconnect) -> Result:
    """Whether what was missed is still there: it is, the log keeps it; how much it was."""
    session = await caller.session()
    seen = (given.last_event_id or "").rpartition(":")[2]
    missed = session.last_seq - int(seen) if seen.isdecimal() else session.last_seq
    return {"restored": True, "missed_events": max(0, missed)}


COMMANDS: dict[str, tuple[type[BaseModel], Callable[[Caller, Any], Awaitable[Result]]]] = {
    "run.start": (RunStart, run_start),
    "input.respond": (Respond, respond),
    "input.inject": (Inject, inject),
    "agent.getTree": (GetTree, tree),
    "state.get": (StateGet, state_get),
    "state.listCheckpoints": (ListCheckpoints, list_checkpoints),
    "state.fork": (Fork, fork),
    "subscription.subscribe": (ProtocolEventStreamRequest, subscribe),
    "subscription.unsubscribe": (Unsubscribe, unsubscribe),
    "subscription.reconnect": (Reconnect, reconnect),
}
