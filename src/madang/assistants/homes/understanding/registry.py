"""The agents by name, as the seeds list them."""

from collections.abc import Iterable
from typing import Any

from madang.graph import Agent


class AgentRegistry:
    """What agents there are, of which team, and whether they may be planned. Thin over the kit's declarations."""

    def __init__(self, agents: Iterable[Agent] | None = None, *, disabled: Iterable[str] = ()) -> None:
        from madang.assistants.homes.agents import AGENTS

        self._agents = {agent.name: agent for agent in (AGENTS if agents is None else agents)}
        self._disabled = frozenset(disabled)

    def list_agents(self, enabled_only: bool = True) -> list[str]:
        """Names in the order of declaration."""
        return [name for name in self._agents if not enabled_only or name not in self._disabled]

    def list_teams(self) -> list[str]:
        return list(dict.fromkeys(agent.team for agent in self._agents.values()))

    def get_agent(self, name: str) -> Agent:
        """The declaration. Raises `NotFound`."""
        if name not in self._agents:
            from madang.errors import NotFound

            raise NotFound(f"no agent {name!r}", agent=name)
        return self._agents[name]

    def describe(self, name: str) -> dict[str, Any]:
        """An agent's team, task, reads and writes. Raises `NotFound`."""
        agent = self.get_agent(name)
        return {
            "name": agent.name,
            "team": agent.team,
            "agent_name": agent.agent_name,
            "task": agent.task,
            "reads": list(agent.reads),
            "writes": list(agent.writes),
            "enabled": name not in self._disabled,
        }
