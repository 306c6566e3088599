"""What travels beside the state: services, the date, the model, and a way to report. Never stored."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, cast

from pydantic import BaseModel
from typing_extensions import TypeVar

from madang.errors import NotFound
from madang.graph.reading import Heard
from madang.graph.state import Source, add_usage
from madang.llm.budgets import TurnBudget
from madang.state.size import SIZE_LIMIT, Blobs, holds_reference, measure, offload, restore

if TYPE_CHECKING:
    from madang.graph.model.reading import ModelReading
    from madang.llm import CallPoint, Outcome


class Memory(Protocol):
    """What is remembered of a user, as the turn graph uses it."""

    async def load(self, session_id: str, query: str) -> dict[str, Any]: ...

    async def remember(self, session_id: str, turn: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True)
class ToolAnswer:
    """What a tool outside says: in words, and as data if it has any."""

    text: str
    data: Any = None


@dataclass(frozen=True)
class OfferedTool:
    """A tool outside as a loop offers it: its name, what its server says of it, and its arguments, typed.

    `written` names the arguments that a model writes as JSON text, since their type is no simple one.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    written: frozenset[str] = frozenset()

    def read(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the tool takes them: without those left out. Raises `json.JSONDecodeError`."""
        given = {name: value for name, value in arguments.items() if value is not None}
        return {name: json.loads(value) if name in self.written else value for name, value in given.items()}


@dataclass(frozen=True)
class Offered:
    """The tools that can be had now, and the servers that can't."""

    tools: tuple[OfferedTool, ...] = ()
    lost: tuple[str, ...] = ()

    def named(self, name: str) -> OfferedTool | None:
        return next((one for one in self.tools if one.name == name), None)


class Tools(Protocol):
    """Tools outside, of servers that the settings name (MCP)."""

    async def offered(self, assistant: str) -> Offered: ...

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer: ...


class Controls(Protocol):
    """Requests made from outside while a turn runs, read by `dispatch`."""

    async def skipped(self) -> frozenset[str]: ...


Write = Callable[[dict[str, Any]], None]
T = TypeVar("T", bound=BaseModel | str)
ServicesT = TypeVar("ServicesT", default=Any)


def _discard(_: dict[str, Any]) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """Where an assistant is running: what its services may use when they are built, once per process."""

    data_dir: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    embed: Callable[[Sequence[str]], Any] | None = None


@dataclass(frozen=True, kw_only=True)
class TurnContext(Generic[ServicesT]):
    """LangGraph's runtime context of one run. `services` is the assistant's own: tools, data, providers."""

    today: date
    services: ServicesT = cast(Any, None)  # noqa: RUF009
    models: Any = None
    memory: Memory | None = None
    tools: Tools | None = None
    controls: Controls | None = None
    user_id: int | None = None
    company_id: str = ""
    estimates: Mapping[str, float] = field(default_factory=dict)
    blobs: Blobs | None = None
    size_limit: int = SIZE_LIMIT
    """How many bytes a written value may have before it is moved out of the state."""
    save_document: Callable[[dict[str, Any]], Awaitable[str]] | None = None
    write: Write = _discard
    fallbacks: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    answer_id: str | None = None
    heard: Heard | None = None
    """The message of this turn, parsed and labelled, for `understand`."""
    loop: asyncio.AbstractEventLoop | None = None
    """The loop that models are called on, where `understand` runs beside it."""

    read: "ModelReading | None" = None
    """What a model made of this turn's message, as far as it holds."""
    budget: TurnBudget = field(default_factory=TurnBudget)
    """The time that this turn has for its models."""

    async def call(self, point: "CallPoint[T]", inputs: Mapping[str, Any]) -> "Outcome[T]":
        """Ask the model at a call point, or its twin; a fall-back and what it cost are noted for the state."""
        asked = call_noted(self.models, point, inputs, self.budget, self.fallbacks, self.usage)
        if self.loop is None or self.loop is asyncio.get_running_loop():
            return await asked
        # Clients of models belong to the loop that opened them.
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asked, self.loop))

    def note(self, outcome: "Outcome[Any]") -> None:
        """Write down what a call cost and why it fell back."""
        noted(outcome, self.fallbacks, self.usage)

    async def whole(self, value: Any) -> Any:
        """A value of the state with everything that was too large for it read back."""
        if self.blobs is None or not holds_reference(value):
            return value
        return await asyncio.to_thread(restore, value, self.blobs)

    async def small(self, values: dict[str, Any]) -> dict[str, Any]:
        """Values as they go into the state: each that is over the size limit is moved out and leaves a reference."""
        if self.blobs is None or all(size <= self.size_limit for size in measure(values).values()):
            return values
        kept, _moved = await asyncio.to_thread(offload, values, limit=self.size_limit, blobs=self.blobs, keep=())
        return kept

    def token(self, text: str, *, restart: bool = False) -> None:
        """Stream a piece of the answer."""
        if text or restart:
            self.write({"type": "token", "text": text, "restart": restart})

    def data_versions(self, names: tuple[str, ...]) -> dict[str, str]:
        """The version of each data set, as the services tell it."""
        versions: Mapping[str, str] = getattr(self.services, "data_versions", None) or {}
        return {name: versions.get(name, "") for name in names}

    @property
    def model_name(self) -> str:
        return str(getattr(self.models, "name", "") or "")


@dataclass(frozen=True)
class Context(Generic[ServicesT]):
    """What an agent's function gets beside its request."""

    turn: TurnContext[ServicesT]
    step: Mapping[str, Any]
    answers: Mapping[str, Any]
    sources: dict[str, Source] = field(default_factory=dict)
    fallbacks: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)

    @property
    def today(self) -> date:
        return self.turn.today

    @property
    def services(self) -> ServicesT:
        return self.turn.services

    @property
    def models(self) -> Any:
        return self.turn.models

    async def call(self, point: "CallPoint[T]", inputs: Mapping[str, Any]) -> "Outcome[T]":
        """Ask the model at a call point, or its twin; a fall-back and what it cost are noted in the state."""
        return await call_noted(self.models, point, inputs, self.turn.budget, self.fallbacks, self.usage)

    async def tool(self, name: str, arguments: Mapping[str, Any] | None = None) -> ToolAnswer:
        """Call `server.tool` of a server that the settings name. Raises `NotFound`, `InvalidInput` if it refuses,
        `ServiceUnavailable`: the step fails with that unless the agent knows better."""
        if self.turn.tools is None:
            raise NotFound(f"no tool {name!r}: MADANG_MCP_SERVERS names no server", tool=name)
        return await self.turn.tools.call(name, arguments or {})

    def progress(self, percentage: int, note: str = "") -> None:
        """Report how far the step is (0–100). Shown live, never stored."""
        step_id = self.step["step_id"]
        self.turn.write({"type": "progress", "step_id": step_id, "progress": percentage, "note": note})

    def source(
        self,
        name: str,
        *,
        tool: str | None = None,
        source: str | None = None,
        as_of: str | None = None,
        note: str | None = None,
    ) -> None:
        """Say where the written field `name` comes from."""
        self.sources[name] = Source(tool=tool, source=source, as_of=as_of, note=note)


async def call_noted(
    models: Any,
    point: "CallPoint[T]",
    inputs: Mapping[str, Any],
    budget: TurnBudget,
    fallbacks: list[dict[str, Any]],
    usage: dict[str, Any],
) -> "Outcome[T]":
    """Call a point and note what it adds to the state. Without a model the twin answers, which is no fall-back."""
    from madang.llm import Models, call

    outcome = await call(point, inputs, models or Models.from_settings(""), budget=budget)
    noted(outcome, fallbacks, usage)
    return outcome


def noted(outcome: "Outcome[Any]", fallbacks: list[dict[str, Any]], usage: dict[str, Any]) -> None:
    """Add a call's fall-back and cost to those of the turn."""
    fallbacks += [dict(note) for note in outcome.fallbacks if note["reason"] != "no_model"]
    if outcome.source == "model" or outcome.fallbacks:
        total = add_usage(usage, {"llm": outcome.usage})
        usage.clear()
        usage.update(total)
