"""LangGraph's configs: of a run, and of a session that is looked at."""

from collections.abc import Mapping
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from madang.store.runs import Run

RECURSION_LIMIT = 200
USER = "langgraph_auth_user_id"
FENCE = "__madang_fence"
BETWEEN_TURNS = "__madang_between_turns"


class RunUser(dict[str, Any]):
    """Whose run it is, as LangGraph's server tells its graphs."""

    is_authenticated = True
    permissions: tuple[str, ...] = ()

    def __init__(self, identity: str) -> None:
        super().__init__(identity=identity, display_name=identity, is_authenticated=True, permissions=[])
        self.identity = self.display_name = identity


def run_config(run: Run) -> dict[str, Any]:
    """The config of a run that is running: its writes are refused once it is gone or superseded."""
    given = run.options.config
    named = {"thread_id": run.session_id, "run_id": run.run_id}
    user = given.get("configurable", {}).get(USER)
    whose = {"langgraph_auth_user": RunUser(user), "user_id": user} if user is not None else {}
    about = {"graph_id": run.assistant, "assistant_id": assistant_id(run)}
    return {
        **({"tags": given["tags"]} if "tags" in given else {}),
        "recursion_limit": given.get("recursion_limit") or RECURSION_LIMIT,
        # Names with two underscores are not for nodes and metadata.
        "configurable": {**run.options.configurable, **whose, **about, **named, FENCE: run.fence},
        "metadata": {**(given.get("metadata") or {}), **run.metadata, **about, **named},
    }


def assistant_id(run: Run) -> str:
    """The id of the assistant that a run is of: one that a client made, or the graph's own."""
    return str(run.options.assistant_id or graph_assistant_id(run.assistant or ""))


def graph_assistant_id(name: str) -> str:
    """The id of the assistant that each graph is: always the same for the same name."""
    return str(uuid5(NAMESPACE_URL, f"urn:madang:assistant:{name}"))


def thread_config(session_id: str, place: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The config of a session, now or at the checkpoint that `place` names."""
    return {"configurable": {**(place or {}), "thread_id": session_id}}


def between_turns(session_id: str, place: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """`thread_config` for a write from outside: it is refused while a turn is under way."""
    return thread_config(session_id, {**(place or {}), BETWEEN_TURNS: True})
