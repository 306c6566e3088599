"""What an assistant declares so that a model can lead its turns: its guidance, its tools, how to plan and to prove."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from madang.graph.inputs import Input

if TYPE_CHECKING:
    from madang.graph.assistant import Answer, Understanding
    from madang.graph.context import TurnContext
    from madang.graph.model.loop import Loop
    from madang.graph.model.reading import ModelReading
    from madang.llm.evidence import Evidence

State = Mapping[str, Any]


@dataclass(frozen=True)
class Tool:
    """An agent as a model may ask for it. `arguments` is the type of what a step carries; None: it takes none."""

    agent: str
    use: str
    arguments: type[BaseModel] | None = None


@dataclass(frozen=True, kw_only=True)
class ModelUse:
    """How a model takes part in an assistant's turns.

    `guidance` and `answering` are prompt texts, `reference` what can be named in arguments (stable, so that providers
    can keep it), `here` what is worth knowing in this turn only, `example` a labelled message with its reading.
    `plan` makes steps of what was understood; `evidence` says what an answer may rest on.
    """

    package: str
    tools: tuple[Tool, ...]
    plan: "Callable[[Any, TurnContext[Any], ModelReading], Awaitable[Understanding]]"
    evidence: "Callable[[Any, TurnContext[Any], Answer], Evidence]"
    intents: Mapping[str, str]
    inputs: tuple[Input, ...] = ()
    """What can be told beside the form's inputs; `plan` makes other fields of them."""
    reference: "Callable[[Any], str]" = lambda _services: ""
    here: "Callable[[Any, TurnContext[Any]], Mapping[str, Any]]" = lambda _state, _ctx: {}
    asks: "Callable[[Any, TurnContext[Any]], Mapping[str, Any] | None]" = lambda _state, _ctx: None
    """Who asks, as far as that is known: both calls are told."""
    loop: "Loop | None" = None
    """Where a model may choose further steps after it has read results; None: nowhere."""
    shown: Sequence[str] = ()
    """Fields of the state, beside the inputs, that tell what is open."""
