"""The fields that the kit itself keeps in every assistant's state."""

from typing import Annotated, Any, Literal, NotRequired

from langchain_core.messages import AnyMessage
from typing_extensions import TypedDict

from madang.graph.reading import Reading
from madang.state.fields import Turn
from madang.state.reducers import add_messages, append, merge_by_id, merge_by_key, merge_steps
from madang.state.steps import ExecutionStepState


class Source(TypedDict, total=False):
    """Where a written field came from."""

    step_id: str
    agent: str
    request_id: str
    tool: str | None
    source: str | None
    as_of: str | None
    note: str | None


class StepRecord(TypedDict):
    """What is kept of a finished step, so that a later turn can tell whether it must run again.

    `writes` holds the digest of each value written. `parked` holds the values themselves while their fields are
    reset: a result is in its field or parked here, never in both. What an agent with several runs added to a field
    can't be told from the others' part there, so it stays parked.
    """

    agent: str
    arguments: NotRequired[dict[str, Any]]
    fingerprint: str
    step_id: str
    request_id: str
    completed_at: str
    execution_time: float
    writes: dict[str, str]
    sources: dict[str, Source]
    parked: dict[str, Any]


class Question(TypedDict):
    """Something a step needs from the user. `answered` turns true when `answer` has been given."""

    id: str
    kind: Literal["clarification", "approval"]
    question: str
    choices: list[str]
    draft: Any
    form: dict[str, Any] | None
    step_id: str
    field: str | None
    answered: bool
    answer: Any


class Pending(TypedDict, total=False):
    """What the last turn asked. `names` are the inputs that an answer fills; `then` is what a yes sets."""

    kind: str
    names: list[str]
    question: str
    choices: list[str]
    then: dict[str, Any]


class Failure(TypedDict):
    """A step that did not finish, and why."""

    step_id: str
    agent: str
    task: str
    error: str
    error_type: str


class ToolResult(TypedDict):
    """What a tool of an MCP server said: somebody else's words. `letters` is how long its answer was; `text` may be the
    beginning of it."""

    tool: str
    text: str
    letters: int
    as_of: str


class PlanSummary(TypedDict):
    """The plan of the turn `request_id`; the steps themselves are in the assistant's own field."""

    request_id: str
    intent: str
    confidence: float | None
    requests: list[dict[str, Any]]
    strategy: str
    parallel_groups: list[list[str]] | None
    estimated_total_time: float | None
    reused: list[str]


merge_questions = merge_by_id("id")


def add_usage(left: dict[str, Any] | None, right: dict[str, Any] | None) -> dict[str, Any]:
    """Counts added up at every depth; anything that isn't a number takes the later value."""
    total = dict(left or {})
    for name, value in (right or {}).items():
        before = total.get(name)
        if isinstance(value, dict):
            total[name] = add_usage(before if isinstance(before, dict) else None, value)
        elif isinstance(value, int | float) and isinstance(before, int | float):
            total[name] = before + value
        else:
            total[name] = value
    return total


class TurnState(TypedDict, total=False):
    """Base of an assistant's state. Conversation fields stay; fields marked `Turn` are reset by `initialize`."""

    schema_version: str
    session_id: str
    request_id: str
    query: str
    left_open: list[str]
    """Message and answers, in words, of a turn that a new message left at its question: "계속" goes on there."""
    rerun: bool
    form_input: dict[str, Any] | None
    language: str
    messages: Annotated[list[AnyMessage], add_messages]
    step_records: Annotated[dict[str, StepRecord], merge_by_key]
    provenance: Annotated[dict[str, Source], merge_by_key]
    questions: Annotated[list[Question], Turn(list), merge_questions]
    failures: Annotated[list[Failure], Turn(list), append]
    fallbacks: Annotated[list[dict[str, Any]], Turn(list), append]
    reading: Annotated[Reading | None, Turn(None)]
    understood: Annotated[dict[str, Any] | None, Turn(None)]
    pending: Pending | None
    plan: PlanSummary | None
    replans: Annotated[int, Turn(0)]
    rounds: Annotated[int, Turn(0)]
    tool_results: Annotated[list[ToolResult], Turn(list), append]
    tools_lost: Annotated[list[str], Turn(list), append]
    """Servers whose tools could not be had in this turn."""
    usage: Annotated[dict[str, Any], Turn(dict), add_usage]


class AssistantState(TurnState, total=False):
    """`TurnState` with steps and response where the kit looks for them unless told otherwise."""

    execution_steps: Annotated[list[ExecutionStepState], Turn(list), merge_steps]
    response: Annotated[dict[str, Any] | None, Turn(None)]
