"""The order of events for each kind of plan, compared with what is written here."""

from typing import Any

import pytest

from madang.graph import Assistant, StepRequest, TurnContext, Understanding
from tests.support.runtimes import new_session, open_trip, say
from tests.support.trip_assistant import understand

SEQUENTIAL = [
    "planning_start",
    "plan_ready sequential flight:pending",
    "execution_start flight:in_progress",
    "todo_updated flight:in_progress",
    "todo_updated flight:completed",
    "token",
    "response",
]
PARALLEL = [
    "planning_start",
    "plan_ready parallel flight:pending hotel:pending",
    "execution_start flight:in_progress hotel:in_progress",
    "todo_updated flight:in_progress hotel:in_progress",
    "todo_updated flight:in_progress hotel:in_progress",
    "todo_updated flight:completed hotel:in_progress",
    "todo_updated flight:completed hotel:completed",
    "token",
    "response",
]
REUSED = [
    "planning_start",
    "data_reuse_notification",
    "plan_ready parallel flight:skipped hotel:skipped",
    "token",
    "response",
]
FAILING = [
    "planning_start",
    "plan_ready sequential flight:pending",
    "execution_start flight:in_progress",
    "todo_updated flight:in_progress",
    "todo_updated flight:failed",
    "token",
    "response",
]


def asking_for(*agents: str) -> Any:
    async def only(state: Any, context: TurnContext) -> Understanding:
        understood = await understand(state, context)
        steps = [StepRequest(agent) for agent in agents]
        return Understanding(update=understood.update, steps=steps, intent="trip", confidence=0.8)

    return only


def lines(outcome: dict[str, Any]) -> list[str]:
    """Each event in a line: type, strategy, steps."""
    shown = []
    for event in outcome["events"]:
        steps = [f"{step['agent']}:{step['status']}" for step in event.get("execution_steps", ())]
        shown.append(" ".join(filter(None, [event["type"], event.get("execution_strategy"), *steps])))
    return shown


@pytest.mark.parametrize(
    ("agents", "turns", "faults", "expected"),
    [
        (("flight",), 1, {}, SEQUENTIAL),
        (("flight", "hotel"), 1, {}, PARALLEL),
        (("flight", "hotel"), 2, {}, REUSED),
        (("flight",), 1, {"flight": OSError("점검")}, FAILING),
    ],
    ids=["sequential", "parallel", "reused", "failing"],
)
async def test_events_in_order(
    db_url: str, agents: tuple[str, ...], turns: int, faults: dict[str, Exception], expected: list[str]
) -> None:
    async with open_trip(db_url, understand=asking_for(*agents)) as runtime:
        runtime.served["trip"].services.faults = faults
        session = await new_session(runtime)
        for _ in range(turns):
            outcome = await say(runtime, session, "오사카 3")
    seen = lines(outcome)
    if agents == ("flight", "hotel") and turns == 1:
        # Which of two beside each other ends first is not given.
        other = "todo_updated flight:in_progress hotel:completed"
        seen = ["todo_updated flight:completed hotel:in_progress" if line == other else line for line in seen]
    assert seen == expected


def test_an_assistant_is_described_by_its_contract() -> None:
    assert {"name", "title", "state", "agents", "understand", "respond"} <= set(Assistant.__dataclass_fields__)
