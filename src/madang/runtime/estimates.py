"""How long each agent takes and what a turn costs: the median of earlier runs, never a guess."""

from collections import defaultdict, deque
from collections.abc import Mapping
from statistics import median
from typing import Any

from madang.llm.accounting import counted, totals
from madang.state.steps import ExecutionStepState
from madang.store.runs import Runs

KEPT = 50


class Estimates:
    """Medians by assistant and agent, read once from the finished runs and kept up to date."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._times: dict[str, dict[str, deque[float]]] = {}
        self._costs: dict[str, deque[float]] = {}

    async def of(self, assistant: str) -> dict[str, float]:
        """Seconds by agent; an agent that never ran is not in it."""
        await self._read(assistant)
        return {agent: median(times) for agent, times in self._times[assistant].items() if times}

    async def cost_of(self, assistant: str) -> float | None:
        """What a turn with a model has cost (USD); none if there was none."""
        await self._read(assistant)
        return median(self._costs[assistant]) if self._costs[assistant] else None

    def learn(self, assistant: str, timings: Mapping[str, float], usage: Any = None) -> None:
        """A run has ended: remember how long its steps took, and what its models cost."""
        if assistant in self._times:
            self._add(assistant, timings, usage)

    async def _read(self, assistant: str) -> None:
        if assistant in self._times:
            return
        self._times[assistant], self._costs[assistant] = defaultdict(lambda: deque(maxlen=KEPT)), deque(maxlen=KEPT)
        for run in reversed(await self._runs.lately_completed(assistant)):
            if isinstance(run.result, Mapping):
                self._add(assistant, run.result.get("timings") or {}, run.usage)

    def _add(self, assistant: str, timings: Mapping[str, Any], usage: Any) -> None:
        for agent, seconds in timings.items():
            self._times[assistant][agent].append(float(seconds))
        account = counted(usage)
        cost = totals(account)["cost_usd"] if account else None
        if cost is not None:
            self._costs[assistant].append(cost)


def timings_of(steps: list[ExecutionStepState]) -> dict[str, float]:
    """Seconds by agent of the steps that really ran."""
    return {
        step["agent"]: seconds
        for step in steps
        if step["status"] == "completed" and (seconds := step.get("execution_time")) is not None
    }
