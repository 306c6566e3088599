"""What changed from one state to the next, as a monitor and as a log line."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from madang.state.clock import now_iso
from madang.state.redaction import redact
from madang.state.reducers import freeze

logger = logging.getLogger(__name__)

State = Mapping[str, Any]


class StateMonitor:
    """The seeds' monitor."""

    def track_state_changes(self, old_state: State, new_state: State) -> dict[str, Any]:
        """Phase, agents, progress, new errors and newly completed tasks, between two states of one session.

        Errors and tasks are named by their id, or given whole if they have none. Absent fields count as empty.
        """
        old_phase, new_phase = old_state.get("current_phase"), new_state.get("current_phase")
        return {
            "timestamp": now_iso(),
            "phase_transition": {"from": old_phase, "to": new_phase} if old_phase != new_phase else None,
            "agent_changes": _agent_changes(old_state, new_state),
            "progress_delta": _number(new_state, "progress_percentage") - _number(old_state, "progress_percentage"),
            "new_errors": _new(old_state.get("errors"), new_state.get("errors"), "id"),
            "completed_tasks": _new(_completed(old_state), _completed(new_state), "task_id"),
        }


def log_state_change(
    node_name: str, before: State, after: State, *, state_type: type | None = None
) -> dict[str, dict[str, Any]]:
    """Logs the fields of `after` that differ from `before`, redacted, and returns exactly what it logged."""
    changes = {
        key: {"before": before.get(key), "after": value} for key, value in after.items() if before.get(key) != value
    }
    # Redacted as fields, so that what the type declares sensitive is recognised by its name.
    old = redact({key: change["before"] for key, change in changes.items()}, state_type=state_type)
    new = redact({key: change["after"] for key, change in changes.items()}, state_type=state_type)
    shown = {key: {"before": old[key], "after": new[key]} for key in new}
    if shown:
        logger.info("[%s] State changes: %s", node_name, shown, extra={"node": node_name, "changes": shown})
    return shown


def _agent_changes(old_state: State, new_state: State) -> list[dict[str, Any]]:
    changes: list[dict[str, Any]] = []
    old_agent, new_agent = old_state.get("current_agent"), new_state.get("current_agent")
    if old_agent != new_agent:
        changes.append({"change": "current_agent", "from": old_agent, "to": new_agent})
    old, new = old_state.get("agent_states") or {}, new_state.get("agent_states") or {}
    for task in [*new, *(task for task in old if task not in new)]:
        before, after = old.get(task), new.get(task)
        if before == after:
            continue
        change = "added" if before is None else "removed" if after is None else "updated"
        present = after or before or {}
        agent = present.get("agent") or present.get("agent_name") or task
        changes.append({"change": change, "task_id": task, "agent": agent, "fields": _differing(before, after)})
    return changes


def _differing(before: State | None, after: State | None) -> list[str]:
    old, new = before or {}, after or {}
    return sorted(key for key in old.keys() | new.keys() if key not in old or key not in new or old[key] != new[key])


def _completed(state: State) -> Sequence[Any]:
    return (state.get("execution_manager_state") or {}).get("completed_tasks") or []


def _new(old: Sequence[Any] | None, new: Sequence[Any] | None, key: str) -> list[Any]:
    """What is in `new` more often than in `old`; items without an id are compared whole."""
    left = Counter(freeze(_name(item, key)) for item in old or ())
    found = []
    for item in new or ():
        name = _name(item, key)
        left[freeze(name)] -= 1
        if left[freeze(name)] < 0:
            found.append(name)
    return found


def _name(item: Any, key: str) -> Any:
    return item[key] if isinstance(item, Mapping) and item.get(key) is not None else item


def _number(state: State, field: str) -> float:
    return state.get(field) or 0
