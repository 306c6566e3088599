"""LangGraph's configs: of a run, and of a session that is looked at."""

from collections.abc import Mapping
from typing import Any

from madang.store.runs import Run

RECURSION_LIMIT = 200


def run_config(run: Run) -> dict[str, Any]:
    """The config of a run that is running: its writes are refused once it is gone or superseded."""
    given = run.options.config
    ours = {"thread_id": run.session_id, "run_id": run.run_id, "fence": run.fence}
    return {
        **({"tags": given["tags"]} if "tags" in given else {}),
        "recursion_limit": given.get("recursion_limit") or RECURSION_LIMIT,
        "configurable": {**run.options.configurable, **ours},
        "metadata": {**run.metadata, "run_id": run.run_id},
    }


def thread_config(session_id: str, place: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The config of a session, now or at the checkpoint that `place` names."""
    return {"configurable": {**(place or {}), "thread_id": session_id}}
