"""What the `workers` suite runs: an assistant that is quick, and a graph that waits for a model most of the time."""

import asyncio
from dataclasses import replace
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from bench._fan import Diary, assistant

STEPS, SECONDS = 3, 0.2


class Waiting(TypedDict, total=False):
    query: str
    steps: int


async def step(state: Waiting) -> Waiting:
    await asyncio.sleep(SECONDS)
    return {"steps": state.get("steps", 0) + 1}


def _graph() -> Any:
    built: Any = StateGraph(Waiting)
    names = [f"step{number}" for number in range(STEPS)]
    for name in names:
        built.add_node(name, step)
    for before, after in zip([START, *names], [*names, END], strict=True):
        built.add_edge(before, after)
    return built


graph = _graph()
fan = replace(assistant, services=lambda _deployment: Diary())
