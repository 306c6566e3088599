"""Events are made once: of what the log holds nothing is made again."""

from typing import Any

import pytest

from bench._fan import assistant
from madang.events import PlanReady, TodoUpdated
from madang.runtime import turn_events as module
from madang.runtime.turn_events import turn_events


def step(number: int, status: str, started: str | None) -> dict[str, Any]:
    return {
        "step_id": f"step_{number}",
        "agent": "reporter",
        "task": "report",
        "status": status,
        "started_at": started,
        "progress_percentage": 0,
    }


def state(*steps: dict[str, Any]) -> dict[str, Any]:
    plan = {
        "request_id": "r", "reused": [], "intent": "fan", "confidence": 1.0, "strategy": "parallel",
        "estimated_total_time": None,
    }  # fmt: skip
    return {"request_id": "r", "plan": plan, "execution_steps": list(steps)}


def test_what_is_logged_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counting(kind: type[Any]) -> Any:
        def make(**fields: Any) -> Any:
            made.append(kind.__name__)
            return kind(**fields)

        return make

    monkeypatch.setattr(module, "TodoUpdated", counting(TodoUpdated))
    monkeypatch.setattr(module, "PlanReady", counting(PlanReady))
    begun = state(step(0, "in_progress", "t"), step(1, "in_progress", "t"), step(2, "pending", None))
    first = dict(turn_events(assistant, begun, {}))
    assert list(first) == [
        "planning_start",
        "plan_ready",
        "execution_start",
        "step_0:in_progress",
        "step_1:in_progress",
    ]
    assert made == ["PlanReady", "TodoUpdated"]
    made.clear()
    assert dict(turn_events(assistant, begun, {}, first)) == {}
    assert made == []
    on = state(step(0, "completed", "t"), step(1, "in_progress", "t"), step(2, "pending", None))
    assert list(dict(turn_events(assistant, on, {}, first))) == ["step_0:completed"]
    assert made == ["TodoUpdated"]
