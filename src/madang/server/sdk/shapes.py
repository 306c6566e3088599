"""Runs, threads, states and assistants in the shapes and words of the LangGraph SDK. Pure."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from madang.runtime.run_config import assistant_id, graph_assistant_id
from madang.runtime.served_graph import ServedGraph
from madang.server.identity import LIFETIME, SERVER_ONLY
from madang.store.named_assistants import NamedAssistant
from madang.store.runs import Run
from madang.store.session_search import Standing
from madang.store.sessions import Session

RUN_STATUS = {
    "queued": "pending",
    "running": "running",
    "interrupted": "interrupted",
    "completed": "success",
    "failed": "error",
    "cancelled": "interrupted",
}
STORED_STATUS = {
    "pending": ("queued",),
    "running": ("running",),
    "success": ("completed",),
    "error": ("failed",),
    "interrupted": ("interrupted", "cancelled"),
    "timeout": (),
}
SHOWN_OPTIONS = ("config", "context", "command", "stream_subgraphs", "stream_resumable")
PLACE = ("thread_id", "checkpoint_ns", "checkpoint_id", "checkpoint_map")
SINCE = "2026-01-01T00:00:00+00:00"


def id_of(name: str) -> str:
    """The id of a served graph: always the same for the same name."""
    return graph_assistant_id(name)


def assistant_shape(served: ServedGraph) -> dict[str, Any]:
    return {
        "assistant_id": id_of(served.name),
        "graph_id": served.name,
        "name": served.name,
        "description": served.about.description or None,
        "config": {},
        "context": {},
        "metadata": {"created_by": "system"},
        "version": 1,
        "created_at": SINCE,
        "updated_at": SINCE,
    }


def named_shape(named: NamedAssistant) -> dict[str, Any]:
    return {
        "assistant_id": named.assistant_id,
        "graph_id": named.graph_id,
        "name": named.name,
        "description": named.description,
        "config": dict(named.config),
        "context": dict(named.context),
        "metadata": dict(named.metadata),
        "version": named.version,
        "created_at": named.created_at,
        "updated_at": named.updated_at,
    }


def run_shape(run: Run) -> dict[str, Any]:
    options = {name: value for name in SHOWN_OPTIONS if (value := getattr(run.options, name))}
    return {
        "run_id": run.run_id,
        "thread_id": run.session_id,
        "assistant_id": assistant_id(run),
        "created_at": run.created_at,
        "updated_at": run.updated_at,
        "status": RUN_STATUS[run.status],
        "metadata": {**run.metadata, "graph_id": run.assistant},
        "kwargs": {"input": run.input, "stream_mode": run.options.client_modes or None, **options},
        "multitask_strategy": run.multitask_strategy or "enqueue",
        "cancel_reason": "cancelled" if run.status == "cancelled" else None,
    }


def thread_metadata(session: Session) -> dict[str, Any]:
    """A session's metadata as clients know it: with its graph and its title."""
    shown = {name: value for name, value in session.metadata.items() if name not in SERVER_ONLY}
    if session.title:
        shown.setdefault("title", session.title)
    if session.assistant:
        shown |= {"graph_id": session.assistant, "assistant_id": id_of(session.assistant)}
    return shown


def ttl_shape(session: Session) -> dict[str, Any] | None:
    """How long a thread is kept, and until when if it isn't used before."""
    kept = session.metadata.get(LIFETIME)
    if not isinstance(kept, Mapping):
        return None
    until = datetime.fromisoformat(session.updated_at) + timedelta(minutes=kept["ttl"])
    return {"strategy": kept["strategy"], "ttl_minutes": kept["ttl"], "expires_at": until}


def standing_of(run_status: str | None) -> Standing:
    """How a thread stands, from its open run or its last one."""
    if run_status in ("queued", "running"):
        return "busy"
    return "error" if run_status == "failed" else "still"


def thread_status(standing: Standing, snapshot: Any | None) -> str:
    """A thread's status from how its runs stand and where its graph stands."""
    if standing != "still":
        return standing
    return "interrupted" if snapshot is not None and snapshot.next else "idle"


def thread_shape(session: Session, standing: Standing, snapshot: Any | None) -> dict[str, Any]:
    tasks = snapshot.tasks if snapshot is not None else ()
    return {
        "thread_id": session.session_id,
        "created_at": session.created_at,
        "updated_at": session.updated_at,
        "state_updated_at": (snapshot.created_at if snapshot is not None else None) or session.updated_at,
        "metadata": thread_metadata(session),
        "status": thread_status(standing, snapshot),
        "config": {},
        "values": (snapshot.values or None) if snapshot is not None else None,
        "interrupts": {task.id: [interrupt_shape(i) for i in task.interrupts] for task in tasks if task.interrupts},
        "error": None,
    }


def state_shape(snapshot: Any) -> dict[str, Any]:
    """LangGraph's snapshot as a thread state."""
    checkpoint, parent = place(snapshot.config), place(snapshot.parent_config)
    return {
        "values": snapshot.values,
        "next": list(snapshot.next),
        "tasks": [_task(task) for task in snapshot.tasks],
        "interrupts": [interrupt_shape(i) for i in snapshot.interrupts],
        "metadata": clean(snapshot.metadata),
        "created_at": snapshot.created_at,
        "checkpoint": checkpoint,
        "parent_checkpoint": parent,
        "checkpoint_id": checkpoint["checkpoint_id"] if checkpoint else None,
        "parent_checkpoint_id": parent["checkpoint_id"] if parent else None,
    }


def _task(task: Any) -> dict[str, Any]:
    nested = task.state
    inside = nested if isinstance(nested, Mapping) else getattr(nested, "config", None)
    return {
        "id": task.id,
        "name": task.name,
        "path": list(task.path),
        "error": repr(task.error) if isinstance(task.error, BaseException) else task.error,
        "interrupts": [interrupt_shape(i) for i in task.interrupts],
        "checkpoint": place(inside),
        "state": state_shape(nested) if hasattr(nested, "values") and hasattr(nested, "next") else None,
        "result": getattr(task, "result", None),
    }


def interrupt_shape(interrupt: Any) -> dict[str, Any]:
    if isinstance(interrupt, Mapping):
        return dict(interrupt)
    shape = {"id": interrupt.id, "value": interrupt.value}
    schema = getattr(interrupt, "response_schema", None)
    return {**shape, "response_schema": schema} if schema is not None else shape


def place(config: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Where a config points, as a checkpoint; nothing else that is in it."""
    if not config:
        return None
    given: Mapping[str, Any] = config.get("configurable") or {}
    found = {name: given.get(name) for name in PLACE}
    return {**found, "checkpoint_ns": found["checkpoint_ns"] or ""}


def clean(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """Metadata without what only the server needs."""
    return {name: value for name, value in (metadata or {}).items() if not name.startswith("__")}


def debug_shape(payload: Mapping[str, Any]) -> dict[str, Any]:
    """A checkpoint or a task as streamed: configs reduced to the places they name."""
    shown = dict(payload)
    for config, checkpoint in (("config", "checkpoint"), ("parent_config", "parent_checkpoint")):
        if config in shown:
            where = place(shown[config])
            shown[config] = {"configurable": where} if where else None
            shown[checkpoint] = where
    if "metadata" in shown:
        shown["metadata"] = clean(shown["metadata"])
    if isinstance(shown.get("tasks"), Iterable):
        shown["tasks"] = [_streamed_task(task) for task in shown["tasks"]]
    return shown


def _streamed_task(task: Mapping[str, Any]) -> dict[str, Any]:
    state = task.get("state")
    if isinstance(state, Mapping) and "configurable" in state:
        return {**task, "state": None, "checkpoint": place(state)}
    return dict(task)


def selected(shape: dict[str, Any], select: Iterable[str] | None) -> dict[str, Any]:
    """Only the fields asked for; `values.key` asks for one key of the values."""
    if not select:
        return shape
    kept: dict[str, Any] = {}
    for name in select:
        root, _, key = name.partition(".")
        if not key and root in shape:
            kept[root] = shape[root]
        elif root == "values" and isinstance(shape.get("values"), Mapping) and key in shape["values"]:
            kept.setdefault("values", {})[key] = shape["values"][key]
    return kept
