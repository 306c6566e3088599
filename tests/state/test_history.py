"""History: of one field, and the inspector that shows a state node by node."""

import copy
import sys
from contextlib import nullcontext
from types import ModuleType
from typing import Any

import pytest

from madang.errors import ConfigurationError, InvalidInput
from madang.state.history import FieldChange, StateInspector, field_history
from tests.support.declared import Sample

STATES: list[dict[str, Any]] = [
    {"plan": {}},
    {"plan": {"nights": 3}},
    {"plan": {"nights": 3}, "other": 1},
    {"plan": {"nights": True}},
    {"plan": None},
]


def test_only_changes() -> None:
    assert field_history(STATES, "plan.nights") == [
        FieldChange(1, "1", "added", 3),
        FieldChange(3, "3", "changed", True, 3),
        FieldChange(4, "4", "removed", previous=True),
    ]
    labelled = [(f"node {index}", state) for index, state in enumerate(STATES)]
    assert [change.label for change in field_history(labelled, "plan.nights")] == ["node 1", "node 3", "node 4"]
    assert field_history(STATES, "nothing") == []
    with pytest.raises(InvalidInput):
        field_history(STATES, "a..b")


@pytest.fixture
def inspector() -> StateInspector:
    found = StateInspector(Sample)
    state: dict[str, Any] = {
        "destination": None,
        "user_id": 4711,
        "steps": [{"step_id": "step_0", "status": "pending"}],
    }
    found.track("collect", state)
    state["destination"] = "오사카 [bold]010-1234-5678[/bold]"
    state["steps"][0]["status"] = "completed"
    before = copy.deepcopy(state)
    found.track("search", state)
    found.track("idle", state)
    assert state == before
    return found


def test_snapshots_are_not_reached_by_later_changes(inspector: StateInspector) -> None:
    assert [snapshot["node"] for snapshot in inspector.history] == ["collect", "search", "idle"]
    assert [entry["value"] for entry in inspector.get_field_history("steps[step_0].status")] == [
        "pending",
        "completed",
        "completed",
    ]
    assert inspector.get_field_history("destination")[0] == {"node": "collect", "value": None}
    assert inspector.get_field_history("absent")[0]["value"] is None


@pytest.mark.parametrize("with_rich", [True, False])
def test_a_readable_rendering(inspector: StateInspector, with_rich: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not with_rich:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    shown = inspector.visualize()
    for part in ("State 변화 추적", "collect - ", "~ steps[step_0].status: ", '"pending" → "completed"', "변화 없음"):
        assert part in shown
    assert "[bold][전화번호][/bold]" in shown
    assert "4711" not in shown
    with pytest.raises(InvalidInput):
        inspector.visualize("paper")  # type: ignore[arg-type]


def test_without_streamlit(inspector: StateInspector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "streamlit", None)
    with pytest.raises(ConfigurationError, match="streamlit"):
        inspector.visualize("streamlit")


@pytest.mark.parametrize(("running", "target", "drawn"), [(True, None, 3), (False, None, 0), (False, "streamlit", 3)])
def test_in_streamlit(
    inspector: StateInspector, monkeypatch: pytest.MonkeyPatch, running: bool, target: Any, drawn: int
) -> None:
    states: list[Any] = []
    streamlit, runner = ModuleType("streamlit"), ModuleType("streamlit.runtime.scriptrunner")
    streamlit.write = lambda text: None  # type: ignore[attr-defined]
    streamlit.expander = lambda title: nullcontext()  # type: ignore[attr-defined]
    streamlit.json = states.append  # type: ignore[attr-defined]
    runner.get_script_run_ctx = lambda suppress_warning: object() if running else None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "streamlit", streamlit)
    monkeypatch.setitem(sys.modules, "streamlit.runtime.scriptrunner", runner)
    inspector.visualize(target)
    assert len(states) == drawn
    assert all(state["user_id"] == "***REDACTED***" for state in states)
