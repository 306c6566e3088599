"""Factories of graphs: what they are called with, and what becomes of what they give."""

import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from typing import Any

from langgraph.store.memory import InMemoryStore
from langgraph_sdk.runtime import _ExecutionRuntime, _ReadRuntime

POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)


def execution_runtime(config: Mapping[str, Any], store: Any, context: Any) -> Any:
    """What LangGraph's server tells a factory that is called for a run."""
    user = (config.get("configurable") or {}).get("langgraph_auth_user")
    return _ExecutionRuntime(access_context="threads.create_run", user=user, store=store, context=context)


def reading_runtime(store: Any = None) -> Any:
    """What it tells one whose graph is only looked at."""
    return _ReadRuntime(access_context="assistants.read", user=None, store=store or InMemoryStore())


@asynccontextmanager
async def made(factory: Callable[..., Any], config: Mapping[str, Any], runtime: Any = None) -> AsyncIterator[Any]:
    """What a factory makes: called with what it takes; awaited, or entered as a context, if need be."""
    given = factory(**_arguments(factory, config, runtime or reading_runtime()))
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


def takes_config(factory: Callable[..., Any]) -> bool:
    """Whether what a factory makes depends on the run."""
    return bool(_parameters(factory))


def _arguments(factory: Callable[..., Any], config: Mapping[str, Any], runtime: Any) -> dict[str, Any]:
    """The config and the server's runtime, each for the parameter that takes it."""
    return {one.name: runtime if _takes_runtime(one) else config for one in _parameters(factory)}


def _takes_runtime(parameter: inspect.Parameter) -> bool:
    named = parameter.annotation if isinstance(parameter.annotation, str) else str(parameter.annotation)
    return "ServerRuntime" in named or (parameter.annotation is inspect.Parameter.empty and parameter.name == "runtime")


def _parameters(factory: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        taken = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one for one in taken if one.kind in POSITIONAL and one.default is inspect.Parameter.empty]
