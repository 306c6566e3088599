"""How long each agent takes: the median of earlier runs, never a guess."""

from collections import defaultdict, deque
from collections.abc import Mapping
from statistics import median
from typing import Any

from madang.state.steps import ExecutionStepState
from madang.store.runs import Runs

KEPT = 50


class Estimates:
    """Medians by assistant and agent, read once from the finished runs and kept up to date."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._times: dict[str, dict[str, deque[float]]] = {}

    async def of(self, assistant: str) -> dict[str, float]:
        """Seconds by agent; an agent that never ran is not in it."""
        if assistant not in self._times:
            self._times[assistant] = defaultdict(lambda: deque(maxlen=KEPT))
            page = await self._runs.list(status="completed", limit=200)
            for run in reversed(page.items):
                if run.assistant == assistant and isinstance(run.result, Mapping):
                    self._add(assistant, run.result.get("timings") or {})
        return {agent: median(times) for agent, times in self._times[assistant].items() if times}

    def learn(self, assistant: str, timings: Mapping[str, float]) -> None:
        """A run has ended: remember how long its steps took."""
        if assistant in self._times:
            self._add(assistant, timings)

    def _add(self, assistant: str, timings: Mapping[str, Any]) -> None:
        for agent, seconds in timings.items():
            self._times[assistant][agent].append(float(seconds))


def timings_of(steps: list[ExecutionStepState]) -> dict[str, float]:
    """Seconds by agent of the steps that really ran."""
    return {
        step["agent"]: seconds
        for step in steps
        if step["status"] == "completed" and (seconds := step.get("execution_time")) is not None
    }
