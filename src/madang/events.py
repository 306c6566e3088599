"""The events of a turn, as clients see them: frozen, typed, JSON-serialisable.

`to_wire` gives the frame of CONTRACT.md "WebSocket"; the event log stores that same form.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

type_names: dict[str, type["Event"]] = {}


@dataclass(frozen=True, kw_only=True)
class Event:
    """Base of all events. `type` is the frame's type."""

    type: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        type_names[cls.type] = cls

    def payload(self) -> dict[str, Any]:
        """The event's own fields."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, kw_only=True)
class Connected(Event):
    type = "connected"
    assistant: str
    last_seq: int
    running: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class PlanningStart(Event):
    type = "planning_start"
    message: str


@dataclass(frozen=True, kw_only=True)
class DataReuseNotification(Event):
    type = "data_reuse_notification"
    steps: list[dict[str, Any]]
    message: str


@dataclass(frozen=True, kw_only=True)
class PlanReady(Event):
    type = "plan_ready"
    intent: str
    confidence: float | None
    execution_steps: list[dict[str, Any]]
    execution_strategy: str
    estimated_total_time: float | None
    reading: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class ExecutionStart(Event):
    type = "execution_start"
    execution_steps: list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class TodoUpdated(Event):
    type = "todo_updated"
    execution_steps: list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Token(Event):
    type = "token"
    text: str
    restart: bool = False


@dataclass(frozen=True, kw_only=True)
class Response(Event):
    type = "response"
    response_type: str
    answer: str
    structured_data: dict[str, Any] = field(default_factory=dict)
    teams_used: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class WorkflowInterrupted(Event):
    type = "workflow_interrupted"
    interrupts: list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Error(Event):
    type = "error"
    error: str
    message: str


@dataclass(frozen=True, kw_only=True)
class Cancelled(Event):
    type = "cancelled"
    message: str
    kept: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ThreadEvent(Event):
    """An event of the LangGraph SDK's thread protocol. Only those who follow the thread by that protocol are told."""

    type = "thread_event"
    method: str
    namespace: list[str]
    data: Any
    node: str | None = None


TERMINAL = frozenset({"response", "workflow_interrupted", "error", "cancelled"})


def of_turn(frames: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The frames that belong to the turn itself, without those of the thread protocol."""
    return [frame for frame in frames if frame["type"] != ThreadEvent.type]


def to_wire(
    event: Event, *, seq: int | None, session_id: str, request_id: str | None, timestamp: str
) -> dict[str, Any]:
    """The frame for `event`: the envelope with the event's own fields beside it."""
    return {
        "type": event.type,
        "seq": seq,
        "session_id": session_id,
        "request_id": request_id,
        "timestamp": timestamp,
        **event.payload(),
    }
