"""The seeds' classes over the pure functions: what they promise, and that they leave their arguments alone."""

import copy
import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

import madang.state
from madang.errors import ConfigurationError, DecryptionFailed, InvalidInput, InvalidState
from madang.state import (
    Keyring,
    StateInspector,
    StateMonitor,
    StateOptimizer,
    StateSecurityManager,
    StateTransition,
    log_state_change,
)
from madang.state.encryption import generate_key
from madang.state.reducers import add_messages
from tests.support.declared import Sample

RING = Keyring.parse(f"k1:{generate_key()}")

SESSION: dict[str, Any] = {
    "session_id": "s",
    "user_id": "u-1",
    "status": "processing",
    "start_time": "2026-01-02T03:04:05+09:00",
    "current_phase": "executing",
    "current_agent": "DataAnalysisAgent",
    "progress_percentage": 50.0,
    "error_log": [],
    "errors": [{"id": "e1", "message": "m"}, {"message": "no id"}, "text"],
    "messages": [{"role": "user", "content": "내 번호 010-1234-5678"}] * 60,
    "agent_states": {
        f"task_{n:03}": {"agent": "DataAnalysisAgent", "end_time": f"2026-01-01T00:{n % 60:02}:00+00:00", "n": n}
        for n in range(110)
    },
    "execution_manager_state": {"completed_tasks": [{"task_id": "task_001", "result": {"rows": [1]}}]},
    "nested": [{"personal_info": {"name": "홍길동"}, "passwords": None}],
}


@pytest.mark.parametrize(
    "call",
    [
        lambda state: StateTransition.update_status(state, "completed"),
        lambda state: StateTransition.record_error(state, "실패"),
        lambda state: StateTransition.mark_completed(state, {"n": 1}),
        lambda state: StateMonitor().track_state_changes(state, {**state, "current_phase": "completed"}),
        lambda state: StateInspector().track("node", state),
        lambda state: StateOptimizer().optimize_state(state),
        lambda state: StateOptimizer().removals(state),
        lambda state: StateSecurityManager().sanitize_state_for_logging(state),
        lambda state: StateSecurityManager(RING).encrypt_sensitive_fields(state),
        lambda state: log_state_change("node", {}, state),
    ],
)
def test_none_changes_its_argument(call: Callable[[Any], Any]) -> None:
    state = copy.deepcopy(SESSION)
    result = call(state)
    assert state == SESSION
    assert result is not state


def test_status_and_errors() -> None:
    state = StateTransition.record_error({"status": "processing", "current_phase": "planning"}, "DB 연결 실패")
    state = StateTransition.record_error(state, TimeoutError("느림"), where="search")
    assert (state["status"], state["error"]) == ("error", "TimeoutError: 느림")
    assert [(entry["error"], entry["where"]) for entry in state["error_log"]] == [
        ("DB 연결 실패", "planning"),
        ("TimeoutError: 느림", "search"),
    ]
    assert all(set(entry) == {"timestamp", "error", "where"} for entry in state["error_log"])
    assert datetime.fromisoformat(state["error_log"][0]["timestamp"]).tzinfo is not None
    assert StateTransition.update_status({}, "processing") == {"status": "processing"}
    with pytest.raises(InvalidState):
        StateTransition.update_status({}, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("zone", [UTC, None])
def test_completion_takes_both_forms_of_time(as_text: bool, zone: Any) -> None:
    begun = (datetime.now(UTC) - timedelta(seconds=90)).replace(tzinfo=zone)
    state = {"start_time": begun.isoformat() if as_text else begun, "total_execution_time": None}
    done = StateTransition.mark_completed(state, result=0)
    assert (done["status"], done["result"]) == ("completed", 0)
    assert 90 <= done["execution_time"] < 3600
    assert done["total_execution_time"] == done["execution_time"]
    assert isinstance(done["end_time"], str)


def test_completion_without_or_with_a_wrong_start() -> None:
    assert "execution_time" not in StateTransition.mark_completed({})
    with pytest.raises(InvalidState, match="start_time"):
        StateTransition.mark_completed({"start_time": "어제"})


def test_monitor_computes_every_key() -> None:
    new = copy.deepcopy(SESSION)
    new.update(current_phase="completed", progress_percentage=100.0, current_agent=None)
    new["errors"] += [{"id": "e2"}, {"message": "no id"}, {"message": "other"}]
    new["agent_states"]["task_001"]["n"] = -1
    new["agent_states"]["task_900"] = {"agent": "StorageDecisionAgent"}
    del new["agent_states"]["task_002"]
    new["execution_manager_state"]["completed_tasks"].append({"task_id": "task_900"})
    changes = StateMonitor().track_state_changes(SESSION, new)
    assert changes["phase_transition"] == {"from": "executing", "to": "completed"}
    assert changes["progress_delta"] == 50.0
    assert changes["new_errors"] == ["e2", {"message": "no id"}, {"message": "other"}]
    assert changes["completed_tasks"] == ["task_900"]
    assert changes["agent_changes"] == [
        {"change": "current_agent", "from": "DataAnalysisAgent", "to": None},
        {"change": "updated", "task_id": "task_001", "agent": "DataAnalysisAgent", "fields": ["n"]},
        {"change": "added", "task_id": "task_900", "agent": "StorageDecisionAgent", "fields": ["agent"]},
        {
            "change": "removed",
            "task_id": "task_002",
            "agent": "DataAnalysisAgent",
            "fields": ["agent", "end_time", "n"],
        },
    ]
    json.dumps(changes)


def test_monitor_of_bare_states() -> None:
    changes = StateMonitor().track_state_changes({}, {"agent_states": None, "execution_manager_state": None})
    del changes["timestamp"]
    assert changes == {
        "phase_transition": None,
        "agent_changes": [],
        "progress_delta": 0,
        "new_errors": [],
        "completed_tasks": [],
    }


def test_log_is_redacted(caplog: pytest.LogCaptureFixture) -> None:
    before = {"destination": None, "user_id": 1, "same": 1}
    after = {"destination": "오사카, 010-1234-5678", "user_id": 4711, "same": 1}
    with caplog.at_level(logging.INFO, logger="madang.state"):
        shown = log_state_change("collect", before, after, state_type=Sample)
        assert log_state_change("idle", after, after) == {}
    assert shown["destination"] == {"before": None, "after": "오사카, [전화번호]"}
    assert len(caplog.records) == 1
    assert "collect" in caplog.text
    assert "destination" in caplog.text
    assert "1234-5678" not in caplog.text
    assert "4711" not in caplog.text


def test_optimizer_keeps_the_latest_and_what_still_runs() -> None:
    state = copy.deepcopy(SESSION)
    state["agent_states"]["task_000"]["end_time"] = None
    small = StateOptimizer(max_agent_results=3).optimize_state(state)
    assert len(small["messages"]) == 50
    assert sorted(small["agent_states"]) == ["task_000", "task_058", "task_059"]
    assert len(StateOptimizer().optimize_state(state)["agent_states"]) == 100
    assert StateOptimizer().optimize_state({}) == {}
    with pytest.raises(InvalidInput):
        StateOptimizer(max_message_history=0)


def test_optimizer_under_the_messages_reducer() -> None:
    messages = add_messages([], [HumanMessage(str(n)) for n in range(60)])
    left = add_messages(messages, StateOptimizer().removals({"messages": messages}))
    assert [message.content for message in left] == [str(n) for n in range(10, 60)]


def test_security_at_every_depth() -> None:
    shown = StateSecurityManager().sanitize_state_for_logging(SESSION)
    assert shown["user_id"] == "***REDACTED***"
    assert shown["nested"] == [{"personal_info": "***REDACTED***", "passwords": None}]
    assert shown["messages"][0]["content"] == "내 번호 [전화번호]"
    manager = StateSecurityManager(RING)
    hidden = manager.encrypt_sensitive_fields(SESSION)
    assert "홍길동" not in json.dumps(hidden, ensure_ascii=False)
    assert hidden["session_id"] == "s"
    assert manager.decrypt_sensitive_fields(hidden) == SESSION


def test_security_never_gives_what_is_not_authentic() -> None:
    manager = StateSecurityManager(RING, sensitive_fields=["a", "b"])
    hidden = manager.encrypt_sensitive_fields({"a": 1, "b": 2})
    with pytest.raises(DecryptionFailed):
        manager.decrypt_sensitive_fields({"a": hidden["b"], "b": hidden["a"]})
    with pytest.raises(DecryptionFailed):
        manager.decrypt_sensitive_fields({"a": "plain"})
    with pytest.raises(ConfigurationError):
        StateSecurityManager().encrypt_sensitive_fields({"user_id": 1})
    with pytest.raises(InvalidState):
        manager.encrypt_sensitive_fields({"a": print})


def test_exported_names_exist() -> None:
    assert madang.state.__all__ == sorted(madang.state.__all__)
    for name in madang.state.__all__:
        assert getattr(madang.state, name) is not None
    with pytest.raises(AttributeError):
        madang.state.nothing  # noqa: B018
