"""`StateTransition`: a task's or team's state as it moves on."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from madang.errors import FieldProblem, InvalidState
from madang.state.clock import now_iso, seconds_between
from madang.state.patterns import redact_text

logger = logging.getLogger(__name__)


class StateTransition:
    """The seeds' transitions. Each returns a new state and leaves what it was given as it was."""

    @staticmethod
    def update_status(state: Mapping[str, Any], new_status: str) -> dict[str, Any]:
        """The state with its new status, logged. Raises `InvalidState` for a status that isn't a word."""
        if not isinstance(new_status, str) or not new_status:
            raise InvalidState([FieldProblem("status", f"{new_status!r} is not a status")])
        logger.info("status changed", extra={"old_status": state.get("status", "unknown"), "new_status": new_status})
        return {**state, "status": new_status}

    @staticmethod
    def record_error(state: Mapping[str, Any], error: str | BaseException, where: str | None = None) -> dict[str, Any]:
        """The state in error, with `{timestamp, error, where}` at the end of its `error_log`.

        `where` is the phase or agent the state names, unless given.
        """
        text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        place = where or next((state[key] for key in ("current_phase", "team_name", "agent") if state.get(key)), None)
        entry = {"timestamp": now_iso(), "error": text, "where": place}
        logger.error("error recorded", extra={"error": redact_text(text), "where": place})
        return {**state, "error": text, "status": "error", "error_log": [*(state.get("error_log") or []), entry]}

    @staticmethod
    def mark_completed(state: Mapping[str, Any], result: Any = None) -> dict[str, Any]:
        """The state completed, with `end_time` and, if it knows its `start_time`, `execution_time` in seconds.

        `start_time` may be a datetime or ISO text. Raises `InvalidState` if it is neither.
        """
        end = now_iso()
        changed: dict[str, Any] = {**state, "status": "completed", "end_time": end}
        if result is not None:
            changed["result"] = result
        if state.get("start_time"):
            changed["execution_time"] = _seconds(state["start_time"], end)
            if "total_execution_time" in state:
                changed["total_execution_time"] = changed["execution_time"]
        logger.info("task completed", extra={"execution_time": changed.get("execution_time")})
        return changed


def _seconds(start: str | datetime, end: str) -> float:
    try:
        return seconds_between(start, end)
    except (TypeError, ValueError):
        raise InvalidState([FieldProblem("start_time", f"{start!r} is not a time", "ISO-8601")]) from None
