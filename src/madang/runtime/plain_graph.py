"""Any LangGraph graph as the runtime serves it: what it is asked and what it answers, where it talks in messages."""

from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints

from langchain_core.messages import AIMessage, HumanMessage, convert_to_messages
from pydantic import BaseModel
from typing_extensions import is_typeddict

from madang.errors import InvalidInput
from madang.graph.context import Write
from madang.runtime.client_input import last_human
from madang.runtime.environment import Environment
from madang.runtime.factories import execution_runtime, made
from madang.runtime.served_graph import About, Keyed, ServedGraph, Values
from madang.runtime.turn_events import response_event
from madang.runtime.user_store import UserStore
from madang.store.runs import Run
from madang.store.sessions import Session
from madang.store.turns import Reply

QUERY = {"query"}


class PlainGraph(ServedGraph):
    """A graph whose state is its own. A factory is asked for a graph in each run; `prepare` gives what it makes its
    checkpointer and its store."""

    def __init__(
        self,
        name: str,
        graph: Any,
        *,
        factory: Callable[..., Any] | None = None,
        prepare: Callable[[Any], Any] = lambda graph: graph,
    ) -> None:
        self.name, self.graph = name, graph
        self._factory, self._prepare = factory, prepare
        self.about = About(name)

    def read_input(self, given: Any) -> tuple[str, Mapping[str, Any] | None]:
        if given is None:
            return "", None
        if not isinstance(given, Mapping):
            return "", given
        self._check_messages(given.get("messages"))
        return last_human(given.get("messages")) or "", given

    def _check_messages(self, messages: Any) -> None:
        """Raises `InvalidInput` for messages that would leave the thread unreadable."""
        channel = getattr(self.graph, "channels", {}).get("messages")
        reducer = getattr(getattr(channel, "operator", None), "__name__", "")
        if messages is None or "add_messages" not in reducer:
            return
        try:
            convert_to_messages(messages if isinstance(messages, list) else [messages])
        except (ValueError, TypeError, NotImplementedError, KeyError, AttributeError) as error:
            said = str(error).partition("\n")[0]
            raise InvalidInput(f"input.messages: {said}", field="input.messages") from error

    def run_input(self, run: Run) -> Any:
        """A question is a human message, unless the graph has a field for queries."""
        given, channels = run.input, getattr(self.graph, "channels", {})
        if not isinstance(given, Mapping) or set(given) != QUERY or "query" in channels or "messages" not in channels:
            return given
        return {"messages": [HumanMessage(str(given["query"]), id=f"{run.request_id}:question")]}

    async def context(self, environment: Environment, run: Run, session: Session, write: Write) -> Any:
        schema = getattr(self.graph, "context_schema", None)
        # A context of which every field has a default is there, whether a client gives one or not.
        missing: dict[str, Any] | None = {} if schema is not None and buildable(schema) else None
        return self._known(run.options.context if run.options.context is not None else missing)

    def _known(self, given: Any) -> Any:
        """A context without keys that its type doesn't have."""
        schema = getattr(self.graph, "context_schema", None)
        names = fields_of(schema) if schema is not None else None
        if names is None or not isinstance(given, Mapping):
            return given
        return {name: value for name, value in given.items() if name in names}

    def context_from(self, configurable: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if getattr(self.graph, "context_schema", None) is None:
            return None
        return self._known({k: v for k, v in configurable.items() if not k.startswith("checkpoint_")}) or None

    @property
    def nodes(self) -> Collection[str] | None:
        return super().nodes if self._factory is None else None

    @asynccontextmanager
    async def for_run(self, config: Mapping[str, Any], owner: str, context: Any = None) -> AsyncIterator[Any]:
        """What the factory makes of the run's config, or the graph; with the user's own part of the store."""
        if self._factory is None:
            yield with_user_store(self.graph, owner)
            return
        store = UserStore(self.graph.store, owner) if self.graph.store is not None else None
        async with made(self._factory, config, execution_runtime(config, store, context)) as graph:
            yield with_user_store(self._prepare(graph), owner)

    async def edges(self) -> list[dict[str, Any]]:
        drawn = await self.graph.aget_graph()
        return [{"from": one.source, "to": one.target, "conditional": one.conditional} for one in drawn.edges]

    @property
    def output_keys(self) -> str | list[str] | None:
        keys = getattr(self.graph, "output_channels", None)
        return list(keys) if isinstance(keys, list | tuple) else keys

    def output(self, values: Any) -> Any:
        keys = self.output_keys
        if not isinstance(keys, list) or not isinstance(values, Mapping):
            return values
        return {name: value for name, value in values.items() if name in keys}

    def client_modes(self, modes: Collection[str]) -> set[str]:
        return {"messages" if mode.startswith("messages") else mode for mode in modes} | {"custom"}

    def run_modes(self, modes: Collection[str]) -> list[str]:
        # Its values tell how it ended, without a look at the database.
        return list(modes) if "values" in modes else [*modes, "values"]

    def ended_at(self, committed: Values, streamed: Any, *, may_stop: bool) -> dict[str, Any] | None:
        # What it streams is its output; where that isn't the whole state, the database has the rest.
        whole = isinstance(self.output_keys, list) and set(self.output_keys) == set(self.graph.stream_channels_list)
        ended = whole and not may_stop and isinstance(streamed, Mapping) and "__interrupt__" not in streamed
        return dict(streamed) if ended else None

    def events(
        self, run: Run, values: Values, reached: Mapping[str, int], *, ended: bool, logged: Collection[str] = ()
    ) -> Iterator[Keyed]:
        if ended:
            yield "response", response_event(self.response(values))

    def response(self, values: Values) -> dict[str, Any]:
        """The text of its last message, if that is its own."""
        messages = values.get("messages")
        last = messages[-1] if isinstance(messages, list) and messages else None
        answer = str(last.text) if isinstance(last, AIMessage) else ""
        return {"type": "answer", "answer": answer, "structured_data": {}, "teams_used": [], "data": {}}

    def reply(self, run: Run, values: Values) -> Reply | None:
        answer = self.response(values)["answer"]
        return Reply(answer, {"type": "answer"}) if answer else None


def fields_of(schema: Any) -> frozenset[str] | None:
    """The fields of a typed context; None if it isn't one that has fields."""
    if is_dataclass(schema):
        return frozenset(field.name for field in fields(schema))
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return frozenset(schema.model_fields)
    return frozenset(get_type_hints(schema)) if is_typeddict(schema) else None


def buildable(schema: Any) -> bool:
    """Whether a context can be made of nothing."""
    if is_dataclass(schema):
        return all(one.default is not MISSING or one.default_factory is not MISSING for one in fields(schema))
    if isinstance(schema, type) and issubclass(schema, BaseModel):
        return not any(one.is_required() for one in schema.model_fields.values())
    return False


def with_user_store(graph: Any, owner: str) -> Any:
    """The graph with the user's own part of the long-term store."""
    return graph.copy({"store": UserStore(graph.store, owner)}) if graph.store is not None else graph
