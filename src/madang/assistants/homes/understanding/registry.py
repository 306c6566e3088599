"""The agents by name, as the seeds list them."""

from collections.abc import Iterable

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
