"""All seeds: the classes that serve every assistant, called as the seeds call them."""

import copy
import json
import logging
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from madang.assistants.homes.state import StateManager
from madang.assistants.travel.state import create_initial_state
from madang.state import (
    StateInspector,
    StateMonitor,
    StateOptimizer,
    StateSecurityManager,
    StateTransition,
    log_state_change,
)
from madang.state.encryption import Keyring

SHARED = StateManager.create_shared_state("전세금 5% 인상 가능해?", "ws_abc123")


def test_a_team_goes_from_running_to_completed(caplog: pytest.LogCaptureFixture) -> None:
    """Seeds 000 (4.4) and 001 (development guide, step 4)."""
    state = StateManager.create_initial_team_state("search", SHARED)
    untouched = copy.deepcopy(state)
    with caplog.at_level(logging.INFO):
        running = StateTransition.update_status(state, "running")
        done = StateTransition.mark_completed(
            {**running, "start_time": datetime.now(UTC) - timedelta(seconds=2)}, result={"total_results": 1}
        )
    assert running["status"] == "running"
    assert done["status"] == "completed"
    assert done["result"] == {"total_results": 1}
    assert done["execution_time"] >= 2
    assert datetime.fromisoformat(done["end_time"]).tzinfo is not None
    assert state == untouched
    assert len(caplog.records) >= 2


def test_times_may_be_text_and_an_unknown_start_gives_no_duration() -> None:
    state = StateManager.create_initial_team_state("search", SHARED)
    started = {**state, "start_time": "2025-10-20T14:30:00+09:00"}
    assert StateTransition.mark_completed(started)["execution_time"] > 0
    assert "execution_time" not in StateTransition.mark_completed(state)


def test_an_error_is_recorded_with_time_and_place() -> None:
    state = StateManager.create_initial_team_state("analysis", SHARED)
    failed = StateTransition.record_error(StateTransition.record_error(state, "첫 번째"), "Database connection timeout")
    assert (failed["status"], failed["error"]) == ("error", "Database connection timeout")
    assert [entry["error"] for entry in failed["error_log"]] == ["첫 번째", "Database connection timeout"]
    assert failed["error_log"][0].keys() == {"timestamp", "error", "where"}
    assert "error_log" not in state


def test_the_monitor_tells_what_changed() -> None:
    """Seed 002, monitoring."""
    old = {"current_phase": "planning", "progress_percentage": 10.0, "errors": [{"id": "e1"}]}
    new = {"current_phase": "executing", "progress_percentage": 35.0, "errors": [{"id": "e1"}, {"id": "e2"}]}
    changes = StateMonitor().track_state_changes(old, new)
    assert changes["phase_transition"] == {"from": "planning", "to": "executing"}
    assert changes["progress_delta"] == 25.0
    assert changes["new_errors"] == ["e2"]
    assert StateMonitor().track_state_changes(old, old)["phase_transition"] is None


def test_the_optimizer_keeps_the_latest() -> None:
    """Seed 002, performance."""
    state = {
        "messages": [{"role": "user", "content": str(number)} for number in range(60)],
        "agent_states": {
            f"task_{number:03}": {"end_time": f"2025-01-10T09:{number // 60:02}:{number % 60:02}+09:00"}
            for number in range(120)
        },
    }
    untouched = copy.deepcopy(state)
    optimized = StateOptimizer().optimize_state(state)
    assert [message["content"] for message in optimized["messages"]] == [str(number) for number in range(10, 60)]
    assert set(optimized["agent_states"]) == {f"task_{number:03}" for number in range(20, 120)}
    assert state == untouched


def test_sensitive_fields_are_masked_for_logs_and_encrypted_for_keeping() -> None:
    """Seed 002, security."""
    state = {"user_id": "u1", "query": "매출", "personal_info": {"phone": "010-1234-5678"}}
    untouched = copy.deepcopy(state)
    manager = StateSecurityManager(Keyring({"k1": b"0" * 32}))
    shown = json.dumps(manager.sanitize_state_for_logging(state), ensure_ascii=False)
    assert "u1" not in shown
    assert "1234" not in shown
    assert "매출" in shown
    kept = manager.encrypt_sensitive_fields(state)
    assert kept["query"] == "매출"
    assert "010-1234-5678" not in json.dumps(kept)
    assert manager.decrypt_sensitive_fields(kept) == state == untouched


def test_a_change_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Seed 004, 6.1."""
    before = create_initial_state("s")
    with caplog.at_level(logging.INFO):
        log_state_change("info_collector", before, {**before, "destination": "오사카"})
        log_state_change("info_collector", before, before)
    (record,) = caplog.records
    assert "info_collector" in record.getMessage()
    assert "오사카" in record.getMessage()
    assert "budget" not in record.getMessage()


def test_the_inspector_follows_a_field() -> None:
    """Seed 004, 6.2."""
    inspector = StateInspector()
    state = cast(dict[str, Any], create_initial_state("s"))
    inspector.track("start", state)
    state["destination"] = "오사카"
    inspector.track("info_collector", state)
    assert inspector.get_field_history("destination") == [
        {"node": "start", "value": None},
        {"node": "info_collector", "value": "오사카"},
    ]
    shown = inspector.visualize("terminal")
    assert "info_collector" in shown
    assert "오사카" in shown
