"""Plain graphs whose behaviour on a server is compared with that on LangGraph's own; they know neither."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from operator import or_
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_config, get_store, get_stream_writer
from langgraph.func import entrypoint
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime
from langgraph.types import interrupt
from langgraph_sdk.runtime import ServerRuntime
from typing_extensions import TypedDict


class Given(TypedDict, total=False):
    word: str


class Shown(TypedDict, total=False):
    word: str
    answer: str


class Whole(Shown, total=False):
    secret: str
    steps: int


class Hidden(TypedDict, total=False):
    private: str


def first(state: Given) -> Hidden:
    return {"private": f"private {state.get('word')}"}


def second(state: Hidden) -> Whole:
    return {"secret": state["private"], "answer": f"answer to {state['private']}", "steps": 1}


def schemas_builder() -> Any:
    """An input schema, an output schema, a channel of the state that is not shown, and a private one."""
    built: Any = StateGraph(Whole, input_schema=Given, output_schema=Shown)
    built.add_node("first", first).add_node("second", second)
    return built.add_edge(START, "first").add_edge("first", "second").add_edge("second", END)


schemas = schemas_builder().compile()


class Seen(TypedDict, total=False):
    word: str
    seen: dict[str, Any]
    messages: Annotated[list[AnyMessage], add_messages]


@dataclass
class Manner:
    tone: str = "plain"
    loud: bool = False


async def look(state: Seen, runtime: Runtime[Manner]) -> Seen:
    """What a node sees of its run."""
    config = get_config()
    metadata, configurable = dict(config.get("metadata") or {}), dict(config.get("configurable") or {})
    info = runtime.server_info
    visible = sorted(name for name in configurable if not name.startswith("__"))
    named = {} if info is None else {"graph_id": info.graph_id, "assistant_id": bool(info.assistant_id)}
    user = None if info is None or info.user is None else info.user.identity
    return {
        "seen": {
            "metadata": {name: metadata.get(name) for name in ("graph_id", "mine", "from_config")},
            "has": sorted(set(metadata) & {"assistant_id", "run_id", "thread_id", "graph_id"}),
            "configurable": visible,
            "context": None if runtime.context is None else vars(runtime.context),
            "server_info": named,
            "user": user,
            "tags": sorted(tag for tag in config.get("tags") or () if not tag.startswith("graph:")),
            "limit": config.get("recursion_limit"),
        }
    }


looking = (
    StateGraph(Seen, context_schema=Manner)
    .add_node("look", look)
    .add_edge(START, "look")
    .add_edge("look", END)
    .compile()
)


async def speak(state: Seen) -> Seen:
    if state.get("word") == "fail":
        raise ValueError("the word was fail")
    get_stream_writer()({"said": state.get("word")})
    return {"messages": [AIMessage(f"you said {state.get('word')}", id=f"answer-{state.get('word')}")]}


async def ask(state: Seen) -> Seen:
    if state.get("word") == "ask":
        return {"word": str(interrupt({"question": "really?"}))}
    return {}


talking = (
    StateGraph(Seen)
    .add_node("speak", speak)
    .add_node("ask", ask)
    .add_edge(START, "speak")
    .add_edge("speak", "ask")
    .add_edge("ask", END)
    .compile()
)


@entrypoint()
async def shout(text: str) -> str:
    return text.upper()


@entrypoint()
async def confirm(number: int) -> dict[str, Any]:
    answer = interrupt({"number": number})
    return {"number": number, "answer": answer}


@entrypoint()
async def counted(number: int, *, previous: int | None = None) -> Any:
    total = number + (previous or 0)
    return entrypoint.final(value=total, save=total)


def configured(config: RunnableConfig) -> Any:
    """A factory that looks at the run's config."""
    word = (config.get("configurable") or {}).get("word", "nothing")

    async def say(state: Seen) -> Seen:
        return {"seen": {"word": word}}

    return StateGraph(Seen).add_node("say", say).add_edge(START, "say").add_edge("say", END)


def served(config: RunnableConfig, runtime: ServerRuntime[Any]) -> Any:
    """A factory that looks at what the server tells it."""
    told = {"access": runtime.access_context, "runs": runtime.execution_runtime is not None, "user": bool(runtime.user)}
    has_store = runtime.store is not None

    async def say(state: Seen) -> Seen:
        return {"seen": {**told, "store": has_store}}

    return StateGraph(Seen).add_node("say", say).add_edge(START, "say").add_edge("say", END)


@asynccontextmanager
async def entered(config: RunnableConfig) -> AsyncIterator[Any]:
    """A factory that opens something for each run."""
    opened = ["open"]

    async def say(state: Seen) -> Seen:
        return {"seen": {"opened": list(opened)}}

    yield StateGraph(Seen).add_node("say", say).add_edge(START, "say").add_edge("say", END).compile()
    opened.clear()


async def keep(state: Seen) -> Seen:
    store = get_store()
    known = await store.aget(("words",), "last")
    await store.aput(("words",), "last", {"word": state.get("word")})
    return {"seen": {"before": known.value if known else None}}


keeping = StateGraph(Seen).add_node("keep", keep).add_edge(START, "keep").add_edge("keep", END).compile()


class Panel(TypedDict, total=False):
    word: str
    said: Annotated[dict[str, str], or_]
    messages: Annotated[list[AnyMessage], add_messages]


def asking(name: str) -> Any:
    async def ask_for(state: Panel) -> Panel:
        return {"said": {name: str(interrupt(name))}}

    return ask_for


def panel_builder() -> Any:
    """Three questions at once, one of them asked by a graph inside, which speaks first."""
    inner: Any = StateGraph(Panel).add_node("speak", speak).add_node("name", asking("name"))
    inner.add_edge(START, "speak").add_edge("speak", "name").add_edge("name", END)
    built: Any = StateGraph(Panel).add_node("inner", inner.compile())
    built.add_edge(START, "inner").add_edge("inner", END)
    for name in ("age", "town"):
        built.add_node(name, asking(name)).add_edge(START, name).add_edge(name, END)
    return built


panel = panel_builder().compile()
