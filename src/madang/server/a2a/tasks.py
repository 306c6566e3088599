"""Our turns as A2A's tasks, and what is said in them as its messages and artifacts. Pure."""

from collections.abc import Mapping
from typing import Any

import orjson
from a2a.types.a2a_pb2 import (
    Artifact,
    Message,
    Part,
    Role,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Value

from madang.runtime.outcome import question_response
from madang.runtime.state_json import dumps
from madang.store.runs import Run

ANSWER = "answer"
STATES = {
    "queued": TaskState.TASK_STATE_SUBMITTED,
    "running": TaskState.TASK_STATE_WORKING,
    "interrupted": TaskState.TASK_STATE_INPUT_REQUIRED,
    "completed": TaskState.TASK_STATE_COMPLETED,
    "failed": TaskState.TASK_STATE_FAILED,
    "cancelled": TaskState.TASK_STATE_CANCELED,
}
LAST = {
    "response": "completed",
    "workflow_interrupted": "interrupted",
    "error": "failed",
    "cancelled": "cancelled",
}
"""By the last event of a turn how its run stands then."""


def task_of(run: Run, frames: Mapping[str, Mapping[str, Any]]) -> Task:
    """The task of a run, with what its last events said."""
    last = next((frames[kind] for kind in LAST if LAST[kind] == run.status and kind in frames), None)
    task = Task(id=run.run_id, context_id=run.session_id, status=_status(run, run.status, last))
    if run.status == "completed" and "response" in frames:
        task.artifacts.append(answer(frames["response"]))
    return task


def status_update(run: Run, status: str, frame: Mapping[str, Any] | None = None) -> TaskStatusUpdateEvent:
    """How a task stands now."""
    return TaskStatusUpdateEvent(task_id=run.run_id, context_id=run.session_id, status=_status(run, status, frame))


def piece(run: Run, text: str, *, append: bool) -> TaskArtifactUpdateEvent:
    """A piece of the answer as it is streamed."""
    artifact = Artifact(artifact_id=ANSWER, parts=[Part(text=text)])
    return TaskArtifactUpdateEvent(task_id=run.run_id, context_id=run.session_id, artifact=artifact, append=append)


def whole(run: Run, frame: Mapping[str, Any]) -> TaskArtifactUpdateEvent:
    """The answer in the end, in the place of its pieces."""
    return TaskArtifactUpdateEvent(
        task_id=run.run_id, context_id=run.session_id, artifact=answer(frame), append=False, last_chunk=True
    )


def answer(frame: Mapping[str, Any]) -> Artifact:
    """A response: its text, and its structured data beside it."""
    parts = [Part(text=frame["answer"] or "…")]
    if frame["structured_data"]:
        parts.append(Part(data=_value(frame["structured_data"]), media_type="application/json"))
    return Artifact(artifact_id=ANSWER, name=str(frame["response_type"]), parts=parts)


def _status(run: Run, status: str, frame: Mapping[str, Any] | None) -> TaskStatus:
    made = TaskStatus(state=STATES[status])
    made.timestamp.GetCurrentTime()
    if frame is not None and (said := _said(status, frame)):
        parts = [Part(text=said)]
        if status == "interrupted":
            parts.append(Part(data=_value({"interrupts": frame["interrupts"]}), media_type="application/json"))
        message = Message(message_id=f"{run.run_id}:{status}", role=Role.ROLE_AGENT, parts=parts)
        message.context_id, message.task_id = run.session_id, run.run_id
        made.message.CopyFrom(message)
    return made


def _said(status: str, frame: Mapping[str, Any]) -> str:
    if status == "interrupted":
        return str(question_response(list(frame["interrupts"]))["answer"] or "…")
    return str(frame.get("message") or "") if status in ("failed", "cancelled") else ""


def _value(data: Any) -> Value:
    return ParseDict(orjson.loads(dumps(data)), Value())
