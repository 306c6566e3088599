"""`StateOptimizer`: a session's state kept within bounds."""

from collections.abc import Mapping
from typing import Any

from madang.errors import InvalidInput
from madang.state.clock import parse_time
from madang.state.size import trim_messages


class StateOptimizer:
    """Keeps the latest messages and agent results. The bounds may be given, or set by a subclass."""

    MAX_MESSAGE_HISTORY = 50
    MAX_AGENT_RESULTS = 100

    def __init__(self, max_message_history: int | None = None, max_agent_results: int | None = None) -> None:
        self.max_messages = self.MAX_MESSAGE_HISTORY if max_message_history is None else max_message_history
        self.max_results = self.MAX_AGENT_RESULTS if max_agent_results is None else max_agent_results
        if self.max_messages < 1 or self.max_results < 1:
            raise InvalidInput("at least one message and one agent result must be kept")

    def optimize_state(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """A copy of the state with its latest messages and agent results; tasks that still run are kept first."""
        optimized = dict(state)
        if len(state.get("messages") or ()) > self.max_messages:
            optimized["messages"] = state["messages"][-self.max_messages :]
        agents = state.get("agent_states") or {}
        if len(agents) > self.max_results:
            latest = sorted(agents, key=lambda task: _ended(agents[task]), reverse=True)[: self.max_results]
            kept = set(latest)
            optimized["agent_states"] = {task: agent for task, agent in agents.items() if task in kept}
        return optimized

    def removals(self, state: Mapping[str, Any]) -> list[Any]:
        """`RemoveMessage`s for a graph whose `messages` are under `add_messages`."""
        return trim_messages(state.get("messages") or [], self.max_messages)


def _ended(agent: Mapping[str, Any]) -> tuple[bool, float]:
    end = agent.get("end_time")
    if not end:
        return True, 0.0
    try:
        return False, parse_time(end).timestamp()
    except (TypeError, ValueError):
        return False, 0.0
