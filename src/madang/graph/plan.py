"""The plan is a graph, derived: a step depends on the steps that write what it reads."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any, Literal

from madang.errors import InvalidAssistant
from madang.graph.agent import Agent, overlaps
from madang.graph.fingerprint import digest
from madang.state.steps import TERMINAL_STEPS, ExecutionStepState, new_step, transition_step
from madang.texts import say

Strategy = Literal["sequential", "parallel", "pipeline"]


@dataclass(frozen=True)
class StepRequest:
    """An agent that a plan should run, with its arguments and what to show for it."""

    agent: str
    description: str = ""
    task: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        shown = {"agent": self.agent, "description": self.description, "task": self.task}
        return {**shown, "arguments": dict(self.arguments)} if self.arguments else shown


@dataclass(frozen=True)
class Plan:
    """Steps in an order that respects their dependencies, and what follows from the graph."""

    steps: list[ExecutionStepState]
    strategy: Strategy
    parallel_groups: list[list[str]] | None
    estimated_total_time: float | None


def step_key(agent: str, arguments: Mapping[str, Any] | None) -> str:
    """What tells one piece of work from another: the agent, and its arguments if it has any."""
    return f"{agent}:{digest(dict(arguments))[:12]}" if arguments else agent


def key_of(step: ExecutionStepState) -> str:
    return step_key(step["agent"], step.get("arguments"))


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


def close(agents: Mapping[str, Agent], requests: Sequence[StepRequest]) -> dict[str, StepRequest]:
    """The requests by key, the same one once, with the agents added that write what they need.

    Raises `InvalidAssistant` for an unknown agent, `InvalidState` for arguments that don't fit, and for an agent that
    is needed and can't run without an argument.
    """
    wanted: dict[str, StepRequest] = {}
    queue = list(requests)
    while queue:
        request = queue.pop(0)
        agent = agents.get(request.agent)
        if agent is None:
            raise InvalidAssistant(
                f"the plan names an agent that does not exist: {request.agent!r}", agent=request.agent
            )
        arguments = agent.checked_arguments(request.arguments)
        key = step_key(agent.name, arguments)
        if key in wanted:
            continue
        wanted[key] = StepRequest(agent.name, request.description, request.task, arguments)
        planned = {one.agent for one in (*wanted.values(), *queue)}
        for path in agent.reads:
            if path not in agent.optional:
                queue += [
                    StepRequest(writer.name) for writer in writers(agents.values(), path) if writer.name not in planned
                ]
    return wanted


def build_plan(
    agents: Mapping[str, Agent],
    requests: Sequence[StepRequest],
    estimates: Mapping[str, float],
    *,
    before: Sequence[ExecutionStepState] = (),
    language: str | None = None,
) -> Plan:
    """The plan for `requests`, after the steps that the turn has already. The estimate is None until every agent was
    timed. A step beyond the runs that its agent declares is skipped, and says so."""
    done = {key_of(step) for step in before if step["status"] == "completed"}
    # What accumulates would be added twice.
    wanted = {k: r for k, r in close(agents, requests).items() if agents[r.agent].runs == 1 or k not in done}
    needs = dependencies([agents[name] for name in dict.fromkeys(r.agent for r in wanted.values())])
    graph = {
        key: {other for other, r in wanted.items() if r.agent in needs[request.agent]}
        for key, request in wanted.items()
    }
    order = levels(graph, list(wanted))
    ids = {key: f"step_{len(before) + i}" for i, key in enumerate(key for level in order for key in level)}
    ran = Counter(step["agent"] for step in before)
    steps: list[ExecutionStepState] = []
    for key, step_id in ids.items():
        agent = agents[wanted[key].agent]
        step = step_for(agent, wanted[key], step_id, sorted(ids[d] for d in graph[key]))
        repeated = any(key_of(earlier) == key for earlier in before)
        ran[agent.name] += not repeated
        if ran[agent.name] > agent.runs and agent.arguments and not repeated:
            step = transition_step(step, "skipped", error=say("too_many_runs", language, runs=agent.runs))
        steps.append({**step, "attempts": 1} if repeated else step)
    return _described(steps, [[ids[key] for key in level] for level in order], estimates)


def _described(steps: list[ExecutionStepState], groups: list[list[str]], estimates: Mapping[str, float]) -> Plan:
    strategy: Strategy
    if all(len(group) == 1 for group in groups):
        strategy = "sequential"
    else:
        strategy = "parallel" if len(groups) == 1 else "pipeline"
    agents = {step["step_id"]: step["agent"] for step in steps}
    known = all(name in estimates for name in agents.values())
    total = sum(max(estimates[agents[one]] for one in group) for group in groups) if known else None
    return Plan(steps, strategy, None if strategy == "sequential" else groups, total)


def levels(graph: Mapping[str, set[str]], order: Sequence[str]) -> list[list[str]]:
    """Keys grouped so that each group needs only the groups before it, in the given order within a group."""
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
        **({"arguments": dict(request.arguments)} if request.arguments else {}),
    )


def ready(steps: Sequence[ExecutionStepState]) -> list[ExecutionStepState]:
    """The pending steps whose dependencies are all terminal."""
    terminal = {step["step_id"] for step in steps if step["status"] in TERMINAL_STEPS}
    return [s for s in steps if s["status"] == "pending" and terminal.issuperset(s.get("depends_on", ()))]
