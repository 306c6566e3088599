"""Events are frozen, typed and JSON-serialisable, and their wire form holds all of them."""

import json
from dataclasses import FrozenInstanceError

import pytest

from madang import events

SAMPLES: list[events.Event] = [
    events.Connected(assistant="homes", last_seq=3),
    events.PlanningStart(message="계획"),
    events.DataReuseNotification(steps=[{"step_id": "step_0"}], message="유지"),
    events.PlanReady(
        intent="legal_consult",
        confidence=0.9,
        execution_steps=[],
        execution_strategy="sequential",
        estimated_total_time=None,
    ),
    events.ExecutionStart(execution_steps=[]),
    events.TodoUpdated(execution_steps=[]),
    events.Token(text="네"),
    events.Response(response_type="answer", answer="네", data={"x": 1}),
    events.WorkflowInterrupted(interrupts=[{"interrupt_id": "a", "kind": "approval"}]),
    events.Error(error="internal", message="오류"),
    events.Cancelled(message="취소"),
    events.ThreadEvent(method="lifecycle", namespace=[], data={"event": "running"}),
]


def test_every_event_has_a_sample() -> None:
    assert {type(sample) for sample in SAMPLES} == set(events.type_names.values())


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: str(event.type))
def test_the_wire_form(event: events.Event) -> None:
    frame = events.to_wire(event, seq=7, session_id="s", request_id="r", timestamp="2026-01-01T00:00:00+09:00")
    assert list(frame)[:5] == ["type", "seq", "session_id", "request_id", "timestamp"]
    assert json.loads(json.dumps(frame)) == {**frame, **event.payload()}
    with pytest.raises(FrozenInstanceError):
        event.type = "other"  # type: ignore[misc]
