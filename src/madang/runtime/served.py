"""What the runtime runs: an assistant, or any compiled LangGraph graph."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from madang.errors import NotFound
from madang.graph.assistant import Assistant


@dataclass(frozen=True)
class Served:
    """One graph under its name. `assistant` is None for a graph that isn't ours; `services` are its tools."""

    name: str
    graph: Any
    assistant: Assistant | None = None
    services: Any = None


def find_served(served: Mapping[str, Served], name: str | None) -> Served:
    """The graph under that name. Raises `NotFound`, naming the ones there are."""
    if name is None or name not in served:
        raise NotFound(f"no assistant {name!r}; there are {', '.join(sorted(served)) or 'none'}", assistant=name)
    return served[name]
