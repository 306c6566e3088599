"""What a turn gives back: the object of `madang ask --json` and `POST …/messages?wait=true`."""

from typing import Any, TypedDict

from langchain_core.messages import BaseMessage, convert_to_openai_messages

from madang.runtime.served_graph import ServedGraph
from madang.store.runs import Run


class Outcome(TypedDict):
    """One turn, complete."""

    session_id: str
    request_id: str
    assistant: str
    status: str
    response: dict[str, Any] | None
    state: dict[str, Any]
    events: list[dict[str, Any]]


def outcome_of(
    run: Run,
    served: ServedGraph,
    values: dict[str, Any],
    interrupts: list[dict[str, Any]],
    events: list[dict[str, Any]],
) -> Outcome:
    """The outcome of a run that has ended or waits for answers to `interrupts`."""
    response = served.response(values)
    if run.status == "interrupted":
        response = question_response(interrupts)
    elif run.status != "completed":
        response = None
    return Outcome(
        session_id=run.session_id,
        request_id=run.request_id or "",
        assistant=run.assistant or "",
        status=run.status,
        response=response,
        state=plain(values),
        events=events,
    )


def question_response(interrupts: list[dict[str, Any]]) -> dict[str, Any]:
    """A pending question in the form of a response."""
    return {
        "type": (interrupts[0].get("kind") if interrupts else None) or "clarification",
        "answer": "\n".join(str(item.get("question") or item.get("value") or "") for item in interrupts),
        "structured_data": {"interrupts": interrupts},
        "teams_used": [],
        "data": {},
    }


def plain(value: Any) -> Any:
    """State values as JSON has them; messages as `{role, content}`."""
    if isinstance(value, BaseMessage):
        message = convert_to_openai_messages(value)
        return {**message, "id": value.id} if isinstance(message, dict) else message
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items() if k != "__interrupt__"}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return str(value)
