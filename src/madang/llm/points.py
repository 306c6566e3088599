"""A call point: one place where a model may help, with everything that keeps the product useful without it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypedDict, TypeVar

from pydantic import BaseModel

from madang.errors import InvalidAssistant, InvalidInput
from madang.llm.accounting import Account
from madang.llm.failures import Reason
from madang.llm.prompts import Prompt

T = TypeVar("T", bound=BaseModel | str)

Inputs = Mapping[str, Any]


@dataclass(frozen=True)
class Budget:
    """Tokens: at most this many of prompt (inputs are cut to fit), at most this many of answer."""

    input_tokens: int = 4000
    output_tokens: int = 1000


@dataclass(frozen=True, kw_only=True)
class CallPoint(Generic[T]):
    """A prompt, the type of its answer (`str` for free text), its limits, and its deterministic twin.

    `inputs` are the names the prompt uses, `local_inputs` those that only the twin gets (never sent anywhere),
    `sensitive` the fields that are masked at every depth of an input besides the personal numbers in any text.
    Raises `InvalidAssistant` when prompt and inputs don't fit together, so a misspelt placeholder is found at start-up.
    """

    name: str
    prompt: Prompt
    schema: type[T]
    inputs: tuple[str, ...]
    twin: Callable[[Inputs], T | Awaitable[T]]
    budget: Budget = Budget()
    timeout: float = 20.0
    local_inputs: tuple[str, ...] = ()
    sensitive: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        declared, used = frozenset(self.inputs), self.prompt.placeholders
        for wrong, reason in ((used - declared, "is not an input"), (declared - used, "is missing in the prompt")):
            if wrong:
                names = ", ".join(f"{{{name}}}" for name in sorted(wrong))
                raise InvalidAssistant(
                    f"call point {self.name}: {names} {reason} ({self.prompt.name})",
                    point=self.name,
                    names=sorted(wrong),
                )
        if self.timeout <= 0 or self.budget.input_tokens <= 0 or self.budget.output_tokens <= 0:
            raise InvalidAssistant(f"call point {self.name}: timeout and budget must be positive", point=self.name)

    def check_inputs(self, inputs: Inputs) -> None:
        """Raises `InvalidInput` naming what is missing."""
        missing = [name for name in (*self.inputs, *self.local_inputs) if name not in inputs]
        if missing:
            raise InvalidInput(
                f"call point {self.name}: missing {', '.join(missing)}", point=self.name, missing=missing
            )


class Fallback(TypedDict):
    """A note in state that a model's answer was replaced by the twin's."""

    point: str
    reason: str
    detail: str
    at: str


class CallUpdate(TypedDict):
    """What a call adds to state: `fallbacks` is appended, `llm_usage` merged by `merge_accounts`."""

    fallbacks: list[Fallback]
    llm_usage: Account


@dataclass(frozen=True, kw_only=True)
class Outcome(Generic[T]):
    """A call point's value, who made it, and what it cost."""

    value: T
    source: Literal["model", "twin"]
    usage: Account
    fallback_reason: Reason | None = None
    fallbacks: tuple[Fallback, ...] = ()
    model: str | None = None
    repaired: bool = False
    trimmed: tuple[str, ...] = ()

    def update(self) -> CallUpdate:
        """The fragment of a state update that this call leaves."""
        return {"fallbacks": list(self.fallbacks), "llm_usage": self.usage}
