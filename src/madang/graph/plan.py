"""The plan is a graph, derived: a step depends on the steps that write what it reads."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Literal

from madang.errors import InvalidAssistant
from madang.graph.agent import Agent, overlaps
from madang.state.steps import TERMINAL_STEPS, ExecutionStepState, new_step

Strategy = Literal["sequential", "parallel", "pipeline"]


@dataclass(frozen=True)
class StepRequest:
    """An agent that a plan should run, with what to show for it."""

    agent: str
    description: str = ""
    task: str = ""

    def as_dict(self) -> dict[str, str]:
        return {"agent": self.agent, "description": self.description, "task": self.task}


@dataclass(frozen=True)
class Plan:
    """Steps in an order that respects their dependencies, and what follows from the graph."""

    steps: list[ExecutionStepState]
    strategy: Strategy
    parallel_groups: list[list[str]] | None
    estimated_total_time: float | None


def writers(agents: Iterable[Agent], path: str) -> list[Agent]:
    """The agents that write `path` or something inside or around it; fallbacks are not writers of their own."""
    agents = list(agents)
    stand_ins = {agent.fallback for agent in agents}
    return [a for a in agents if a.name not in stand_ins and any(overlaps(path, written) for written in a.writes)]


def dependencies(agents: Sequence[Agent]) -> dict[str, set[str]]:
    """For each agent the agents that write what it reads. Raises `InvalidAssistant` for a cycle, naming it."""
    graph = {
        agent.name: {w.name for path in agent.reads for w in writers(agents, path) if w.name != agent.name}
        for agent in agents
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise InvalidAssistant(f"agents wait for each other: {' → '.join(error.args[1])}") from None
    return graph


def close(agents: Mapping[str, Agent], requests: Sequence[StepRequest]) -> list[StepRequest]:
    """The requests with the agents added that write what they need. Raises `InvalidAssistant` for an unknown agent."""
    wanted = {request.agent: request for request in requests}
    queue = list(wanted)
    while queue:
        name = queue.pop()
        if name not in agents:
            raise InvalidAssistant(f"the plan names an agent that does not exist: {name!r}", agent=name)
        for path in agents[name].reads:
            if path in agents[name].optional:
                continue
            for writer in writers(agents.values(), path):
                if writer.name not in wanted:
                    wanted[writer.name] = StepRequest(writer.name)
                    queue.append(writer.name)
    return list(wanted.values())


def build_plan(
    agents: Mapping[str, Agent],
    requests: Sequence[StepRequest],
    estimates: Mapping[str, float],
    *,
    first: int = 0,
) -> Plan:
    """The plan for `requests`. Steps are numbered from `first`; the estimate is None until every agent was timed."""
    requests = close(agents, requests)
    by_name = {request.agent: request for request in requests}
    chosen = [agents[name] for name in by_name]
    graph = dependencies(chosen)
    order = levels(graph, list(by_name))
    ids = {name: f"step_{first + i}" for i, name in enumerate(name for level in order for name in level)}
    steps = [step_for(agents[name], by_name[name], ids[name], sorted(ids[d] for d in graph[name])) for name in ids]
    groups = [[ids[name] for name in level] for level in order]
    strategy: Strategy
    if all(len(group) == 1 for group in groups):
        strategy = "sequential"
    else:
        strategy = "parallel" if len(groups) == 1 else "pipeline"
    known = all(name in estimates for name in ids)
    total = sum(max(estimates[name] for name in level) for level in order) if known else None
    return Plan(steps, strategy, None if strategy == "sequential" else groups, total)


def levels(graph: Mapping[str, set[str]], order: Sequence[str]) -> list[list[str]]:
    """Agents grouped so that each group needs only the groups before it, in the given order within a group."""
    sorter = TopologicalSorter(graph)
    sorter.prepare()
    groups: list[list[str]] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=order.index)
        groups.append(ready)
        sorter.done(*ready)
    return groups


def step_for(agent: Agent, request: StepRequest, step_id: str, depends_on: list[str]) -> ExecutionStepState:
    """A pending step for `agent`."""
    return new_step(
        step_id,
        step_type=agent.step_type,
        agent_name=agent.agent_name,
        team=agent.team,
        task=request.task or agent.task,
        description=request.description or agent.description or agent.task,
        agent=agent.name,
        depends_on=depends_on,
    )


def ready(steps: Sequence[ExecutionStepState]) -> list[ExecutionStepState]:
    """The pending steps whose dependencies are all terminal."""
    terminal = {step["step_id"] for step in steps if step["status"] in TERMINAL_STEPS}
    return [s for s in steps if s["status"] == "pending" and terminal.issuperset(s.get("depends_on", ()))]
