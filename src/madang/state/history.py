"""How one field, or a whole state, changed over a sequence of states."""

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from madang.errors import InvalidInput, NotFound
from madang.state.clock import now_iso
from madang.state.diff import diff
from madang.state.paths import get_path


@dataclass(frozen=True)
class FieldChange:
    """One change: at which state (its index and label) the field came to hold `value` instead of `previous`."""

    index: int
    label: str
    kind: Literal["added", "changed", "removed"]
    value: Any = None
    previous: Any = None


def field_history(states: Iterable[Any], path: str) -> list[FieldChange]:
    """The changes of the value at `path` over `states`, each a state or a pair of a label and a state.

    States without a change are left out. Raises `InvalidInput` for a malformed path.
    """
    changes: list[FieldChange] = []
    was_there, previous = False, None
    for index, entry in enumerate(states):
        label, state = entry if isinstance(entry, tuple) else (str(index), entry)
        is_there, value = _look(state, path)
        if is_there and not was_there:
            changes.append(FieldChange(index, label, "added", value))
        elif was_there and not is_there:
            changes.append(FieldChange(index, label, "removed", previous=previous))
        elif is_there and diff(previous, value):
            changes.append(FieldChange(index, label, "changed", value, previous))
        was_there, previous = is_there, value
    return changes


def _look(state: Any, path: str) -> tuple[bool, Any]:
    try:
        return True, get_path(state, path)
    except NotFound:
        return False, None


class StateInspector:
    """Snapshots of a state after each node, for looking at while developing.

    Snapshots are exact; `visualize` shows them redacted, also by what `state_type` declares sensitive.
    """

    def __init__(self, state_type: type | None = None) -> None:
        self.history: list[dict[str, Any]] = []
        self._state_type = state_type

    def track(self, node_name: str, state: Mapping[str, Any]) -> None:
        """Keeps a copy of the state that later changes don't reach."""
        self.history.append({"node": node_name, "timestamp": now_iso(), "state": copy.deepcopy(dict(state))})

    def get_field_history(self, field: str) -> list[dict[str, Any]]:
        """The field (or the value at a path) at every snapshot; `None` where it isn't there."""
        return [{"node": snapshot["node"], "value": _value(snapshot["state"], field)} for snapshot in self.history]

    def visualize(self, target: Literal["terminal", "streamlit"] | None = None) -> str:
        """The history as readable text; in a running Streamlit script, or if asked, drawn there too.

        Raises `ConfigurationError` if Streamlit is asked for and not installed.
        """
        from madang.state import rendering

        snapshots = rendering.shown(self.history, self._state_type)
        if target == "streamlit" or (target is None and rendering.in_streamlit()):
            rendering.draw_in_streamlit(snapshots)
        elif target not in (None, "terminal"):
            raise InvalidInput(f"can't draw for {target!r}: terminal or streamlit")
        return rendering.as_text(snapshots)


def _value(state: dict[str, Any], field: str) -> Any:
    return state[field] if field in state else _look(state, field)[1]
