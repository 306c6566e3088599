"""Steps and runs: their form, their legal transitions, progress and summaries."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NotRequired, TypeVar, cast, get_args

from typing_extensions import TypedDict

from madang.errors import FieldProblem, IllegalTransition, InvalidState, NotFound
from madang.state.clock import now_iso, seconds_between

StepStatus = Literal["pending", "in_progress", "completed", "failed", "skipped"]
RunStatus = Literal["queued", "running", "interrupted", "completed", "failed", "cancelled"]

TERMINAL_STEPS: frozenset[str] = frozenset({"completed", "failed", "skipped"})
TERMINAL_RUNS: frozenset[str] = frozenset({"completed", "failed", "cancelled"})

Transitions = Mapping[str, frozenset[str]]

STEP_TRANSITIONS: Transitions = MappingProxyType(
    {
        "pending": frozenset({"in_progress", "skipped", "failed"}),
        "in_progress": frozenset({"in_progress", "completed", "failed", "skipped"}),
        **{status: frozenset() for status in TERMINAL_STEPS},
    }
)
RUN_TRANSITIONS: Transitions = MappingProxyType(
    {
        "queued": frozenset({"running", "cancelled"}),
        "running": frozenset({"queued", "interrupted", "completed", "failed", "cancelled"}),
        "interrupted": frozenset({"running", "cancelled"}),
        **{status: frozenset() for status in TERMINAL_RUNS},
    }
)

_TEXT_LIMIT = 120
_ENTRY_LIMIT = 20


class ExecutionStepState(TypedDict):
    """One item of the TODO list, as clients see it."""

    step_id: str
    step_type: str
    agent_name: str
    team: str
    task: str
    description: str
    status: StepStatus
    progress_percentage: int
    started_at: str | None
    completed_at: str | None
    result: dict[str, Any] | None
    error: str | None
    agent: NotRequired[str]
    depends_on: NotRequired[list[str]]
    reused: NotRequired[bool]
    attempts: NotRequired[int]
    arguments: NotRequired[dict[str, Any]]
    execution_time: NotRequired[float | None]


Step = TypeVar("Step", bound=Mapping[str, Any])


def check_transition(table: Transitions, old: str, new: str, what: str) -> None:
    """Raises `IllegalTransition` unless `table` lets `new` follow `old`; names `what` in the message."""
    if old not in table:
        raise IllegalTransition(f"{what}: unknown status {old!r}", old=old, new=new)
    if new not in table:
        raise IllegalTransition(f"{what}: unknown status {new!r}", old=old, new=new, allowed=sorted(table[old]))
    if new not in table[old]:
        allowed = ", ".join(sorted(table[old])) or "nothing: it is final"
        raise IllegalTransition(
            f"{what}: {old} can't become {new} (allowed: {allowed})", old=old, new=new, allowed=sorted(table[old])
        )


def check_run_transition(old: str, new: str) -> None:
    """Raises `IllegalTransition` unless a run may go from `old` to `new`."""
    check_transition(RUN_TRANSITIONS, old, new, "run")


def new_step(
    step_id: str, *, step_type: str, agent_name: str, team: str, task: str, description: str, **extra: Any
) -> ExecutionStepState:
    """A pending step. `extra` are the optional fields of `ExecutionStepState`; any other raises `InvalidState`."""
    unknown = extra.keys() - ExecutionStepState.__optional_keys__
    if unknown:
        raise InvalidState([FieldProblem(name, "not a field of a step") for name in sorted(unknown)])
    step = ExecutionStepState(
        step_id=step_id,
        step_type=step_type,
        agent_name=agent_name,
        team=team,
        task=task,
        description=description,
        status="pending",
        progress_percentage=0,
        started_at=None,
        completed_at=None,
        result=None,
        error=None,
    )
    return cast(ExecutionStepState, {**step, **extra})


def transition_step(
    step: Mapping[str, Any],
    status: str,
    *,
    progress: int | None = None,
    error: str | None = None,
    result: Mapping[str, Any] | None = None,
    now: str | None = None,
) -> ExecutionStepState:
    """The step in its new status, with times and progress kept right; `step` itself is left as it was.

    Raises `IllegalTransition`, or `InvalidState` for a progress that isn't a whole number from 0 to 100.
    """
    check_transition(STEP_TRANSITIONS, step["status"], status, f"step {step['step_id']}")
    moment = now or now_iso()
    changed = {**step, "status": status, "progress_percentage": _progress(step, status, progress)}
    if status == "in_progress" and step.get("started_at") is None:
        changed["started_at"] = moment
    if status in TERMINAL_STEPS:
        changed["completed_at"] = moment
        changed["execution_time"] = _seconds(step.get("started_at"), moment)
    if result is not None:
        changed["result"] = dict(result)
    if error is not None or status == "completed":
        changed["error"] = error
    return cast(ExecutionStepState, changed)


def update_step(
    steps: Sequence[Mapping[str, Any]],
    step_id: str,
    status: str,
    *,
    progress: int | None = None,
    error: str | None = None,
    result: Mapping[str, Any] | None = None,
    now: str | None = None,
) -> list[ExecutionStepState]:
    """The list with one step in its new status. Raises `NotFound` for an unknown id, else like `transition_step`."""
    if not any(step["step_id"] == step_id for step in steps):
        raise NotFound(f"no step {step_id!r}", step_id=step_id)
    return [
        transition_step(step, status, progress=progress, error=error, result=result, now=now)
        if step["step_id"] == step_id
        else cast(ExecutionStepState, step)
        for step in steps
    ]


def progress_of(steps: Sequence[Mapping[str, Any]]) -> float:
    """Terminal steps in percent of all; 0 when there are none."""
    return 100.0 * sum(step["status"] in TERMINAL_STEPS for step in steps) / len(steps) if steps else 0.0


def summarise(result: Any) -> dict[str, Any]:
    """A result in a few hundred bytes, for events and lists: what it holds and how much, never the whole of it."""
    if result is None:
        return {}
    if isinstance(result, str):
        return {"kind": "text", "length": len(result), "text": _short(result)}
    if isinstance(result, Mapping):
        return _summary_of_entries(result)
    if isinstance(result, Sequence | set | frozenset):
        return {"kind": "list", "count": len(result)}
    return {"kind": "value", "value": result} if isinstance(result, int | float) else {"kind": type(result).__name__}


def _summary_of_entries(result: Mapping[Any, Any]) -> dict[str, Any]:
    entries = [(_short(str(key)), value) for key, value in result.items()][:_ENTRY_LIMIT]
    summary: dict[str, Any] = {"kind": "object", "count": len(result), "keys": [key for key, _ in entries]}
    counts = {key: len(value) for key, value in entries if isinstance(value, Mapping | list | tuple | set)}
    values = {
        key: _short(value) if isinstance(value, str) else value
        for key, value in entries
        if value is None or isinstance(value, str | int | float)
    }
    return summary | ({"counts": counts} if counts else {}) | ({"values": values} if values else {})


def _short(text: str) -> str:
    return text if len(text) <= _TEXT_LIMIT else text[: _TEXT_LIMIT - 1] + "…"


def _seconds(start: str | None, end: str) -> float | None:
    """The time a step took; unknown if it never started or what is stored is no time."""
    try:
        return None if start is None else seconds_between(start, end)
    except ValueError:
        return None


def _progress(step: Mapping[str, Any], status: str, progress: int | None) -> int:
    if progress is not None and (
        isinstance(progress, bool) or not isinstance(progress, int) or not 0 <= progress <= 100
    ):
        raise InvalidState([FieldProblem("progress_percentage", f"{progress!r} is not a progress", "0 ~ 100")])
    if status == "completed":
        return 100
    return int(step.get("progress_percentage") or 0) if progress is None else progress


STEP_STATUSES: tuple[str, ...] = get_args(StepStatus)
RUN_STATUSES: tuple[str, ...] = get_args(RunStatus)
