"""What the runtime runs: an assistant, or any compiled LangGraph graph."""

import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from madang.errors import NotFound
from madang.graph.assistant import Assistant
from madang.runtime.scoped import ScopedStore


@dataclass(frozen=True)
class Served:
    """One graph under its name. `assistant` is None for a graph that isn't ours; `services` are its tools.

    `make` is a graph's factory, asked for each run; `ready` gives what it makes its checkpointer and its store.
    """

    name: str
    graph: Any
    assistant: Assistant | None = None
    services: Any = None
    make: Callable[..., Any] | None = None
    ready: Callable[[Any], Any] | None = None

    @asynccontextmanager
    async def graph_for(self, config: Mapping[str, Any], user_id: int | None) -> AsyncIterator[Any]:
        """The graph of one run: what a factory makes of the run's config; with the user's own part of the store."""
        if self.assistant is not None:
            yield self.graph
            return
        if self.make is None or self.ready is None:
            yield _scoped(self.graph, user_id)
            return
        async with made(self.make, config) as graph:
            yield _scoped(self.ready(graph), user_id)


def _scoped(graph: Any, user_id: int | None) -> Any:
    return graph.copy({"store": ScopedStore(graph.store, user_id)}) if graph.store is not None else graph


@asynccontextmanager
async def made(make: Callable[..., Any], config: Mapping[str, Any]) -> AsyncIterator[Any]:
    """What a factory makes: called with the config if it takes one; awaited, or entered as a context, if need be."""
    given = make(config) if takes_config(make) else make()
    if inspect.isawaitable(given):
        given = await given
    if isinstance(given, AbstractAsyncContextManager):
        async with given as entered:
            yield entered
    elif isinstance(given, AbstractContextManager):
        with given as entered:
            yield entered
    else:
        yield given


def takes_config(make: Callable[..., Any]) -> bool:
    """Whether a factory takes the run's config."""
    try:
        return bool(inspect.signature(make).parameters)
    except (TypeError, ValueError):
        return False


def find_served(served: Mapping[str, Served], name: str | None) -> Served:
    """The graph under that name. Raises `NotFound`, naming the ones there are."""
    if name is None or name not in served:
        raise NotFound(f"no assistant {name!r}; there are {', '.join(sorted(served)) or 'none'}", assistant=name)
    return served[name]
