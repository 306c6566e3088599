"""The events that follow from a state. Pure: the same state always implies the same events under the same keys,
so appending what is missing after a crash neither loses nor repeats any."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from madang.events import (
    Cancelled,
    DataReuseNotification,
    Event,
    ExecutionStart,
    PlanningStart,
    PlanReady,
    Response,
    TodoUpdated,
    WorkflowInterrupted,
)
from madang.graph.assistant import Assistant
from madang.state.steps import TERMINAL_STEPS, ExecutionStepState
from madang.texts import say

State = Mapping[str, Any]
Keyed = tuple[str, Event]


def turn_events(
    assistant: Assistant, state: State, reached: Mapping[str, int], logged: Collection[str] = ()
) -> Iterator[Keyed]:
    """Every event of the present turn that the state implies so far, in the order of CONTRACT.md.

    `reached` is how far steps that run have said to be, which is in no checkpoint. What is `logged` by its key is left
    out where that saves making it.
    """
    language = state.get("language")
    if "planning_start" not in logged:
        yield "planning_start", PlanningStart(message=say("planning", language))
    plan = state.get("plan")
    if plan and plan["request_id"] == state.get("request_id"):
        steps = with_progress(assistant.steps(state), reached)
        if steps:
            yield from _planned(plan, steps, state, logged)
            yield from _step_events(steps, plan["reused"], logged)
    response = assistant.response(state)
    if response is not None and _answered(state):
        yield "response", response_event(response)


def _planned(
    plan: Mapping[str, Any], steps: list[ExecutionStepState], state: State, logged: Collection[str]
) -> Iterator[Keyed]:
    if "execution_start" in logged:
        return
    shown = summaries(steps)
    kept = [step for step in shown if step["step_id"] in plan["reused"]]
    if kept:
        message = say("reused", state.get("language"), tasks=", ".join(step["task"] for step in kept))
        yield "data_reuse_notification", DataReuseNotification(steps=kept, message=message)
    yield (
        "plan_ready",
        PlanReady(
            intent=plan["intent"],
            confidence=plan["confidence"],
            execution_steps=shown,
            execution_strategy=plan["strategy"],
            estimated_total_time=plan["estimated_total_time"],
            reading=state.get("reading"),
        ),
    )
    if any(step["status"] != "pending" and step["step_id"] not in plan["reused"] for step in steps):
        yield "execution_start", ExecutionStart(execution_steps=shown)


def _step_events(steps: list[ExecutionStepState], kept: list[str], logged: Collection[str]) -> Iterator[Keyed]:
    keys = [
        f"{step['step_id']}:{status}"
        for step in steps
        if step["status"] != "pending" and step["step_id"] not in kept
        for status in _passed(step)
    ]
    if fresh := [key for key in keys if key not in logged]:
        event = TodoUpdated(execution_steps=summaries(steps))
        yield from ((key, event) for key in fresh)


def _passed(step: ExecutionStepState) -> Iterator[str]:
    """The statuses that a step has had since it was pending."""
    if step["started_at"]:
        yield "in_progress"
    if step["status"] in TERMINAL_STEPS:
        yield step["status"]


def _answered(state: State) -> bool:
    """The response is given once its message is in the conversation, not while planning has only prepared it."""
    messages = list(state.get("messages") or ())
    said = (getattr(messages[-1], "id", None) or "") if messages else ""
    return said.startswith(f"{state.get('request_id', '')}:answer")


def response_event(response: Mapping[str, Any]) -> Response:
    """A stored response as the event clients get."""
    return Response(
        response_type=response["type"],
        answer=response["answer"],
        structured_data=response["structured_data"],
        teams_used=response["teams_used"],
        data=response["data"],
    )


def interrupted(interrupts: list[dict[str, Any]]) -> Keyed:
    """The event of a run that waits for the user."""
    key = "interrupted:" + ",".join(sorted(item["interrupt_id"] for item in interrupts))
    return key, WorkflowInterrupted(interrupts=interrupts)


def cancelled(why: str, kept: Mapping[str, Any] | None = None, language: str | None = None) -> Keyed:
    """The event of a run that ends before its answer: `cancelled`, or `abandoned` for another question."""
    return why, Cancelled(message=say(why, language), kept=dict(kept or {}))


def with_progress(steps: list[ExecutionStepState], reached: Mapping[str, int]) -> list[ExecutionStepState]:
    """The steps, those that run as far as they have said to be."""
    return [
        {**step, "progress_percentage": max(step["progress_percentage"], reached.get(step["step_id"], 0))}
        if step["status"] == "in_progress"
        else step
        for step in steps
    ]


def summaries(steps: list[ExecutionStepState]) -> list[dict[str, Any]]:
    """Steps as shown: their result is already a summary."""
    return [dict(step) for step in steps]
