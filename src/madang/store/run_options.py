"""How a run should go, as it is kept with it: the one place that knows its JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What a client asked for beside the input, and what a run goes on with.

    `config` has LangGraph's `tags`, `recursion_limit` and `configurable`; `command` is its `Command` as JSON.
    """

    stream_mode: tuple[str, ...] = ("custom",)
    # What a client of the SDK asked to see; None for a turn of our own surfaces.
    client_modes: tuple[str, ...] | None = None
    # Whether a client reads its stream from the beginning.
    heard: bool = False
    # Whether what it streams is logged for those who follow its thread.
    thread_events: bool = False
    stream_subgraphs: bool = False
    stream_resumable: bool = False
    config: Mapping[str, Any] = field(default_factory=dict)
    context: Any = None
    interrupt_before: str | tuple[str, ...] | None = None
    interrupt_after: str | tuple[str, ...] | None = None
    command: Mapping[str, Any] | None = None
    durability: str | None = None
    # When it may start at the earliest, as an ISO time.
    not_before: str | None = None
    # From -5, which begins first, to 5, as LangGraph counts.
    priority: int = 0
    # The assistant that a client made, of the run's graph.
    assistant_id: str | None = None
    # Answers to what the run waited for, by interrupt id.
    answers: Mapping[str, Any] = field(default_factory=dict)
    # The requests that brought answers.
    answered_by: tuple[str, ...] = ()
    # The runs of the same turn that this one took over from.
    earlier_runs: tuple[str, ...] = ()

    @property
    def configurable(self) -> Mapping[str, Any]:
        """What a client configured, and the checkpoint to start from."""
        return self.config.get("configurable") or {}

    def as_json(self) -> dict[str, Any]:
        """What differs from the defaults."""
        return {name: value for name, value in vars(self).items() if value != getattr(DEFAULT, name)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "RunOptions":
        """The options that `as_json` gave."""
        known: dict[str, Any] = {
            name: tuple(value) if isinstance(value := stored[name], list) else value
            for name in cls.__dataclass_fields__
            if name in stored
        }
        return cls(**known)


DEFAULT = RunOptions()
