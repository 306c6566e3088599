"""A message with what it is read against, and the plan that is put together for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from madang.assistants.works.state import GlobalSessionState
from madang.assistants.works.tools.lexicon import Lexicon
from madang.assistants.works.tools.periods import Days
from madang.graph import Answer, StepRequest
from madang.graph.reading import Claim, Heard
from madang.search.faq import Near

REMEMBERED = 4
CHECK = StepRequest("ComplianceValidationAgent")


@dataclass(frozen=True)
class Incoming:
    """A message, and what it is read against."""

    heard: Heard
    state: GlobalSessionState
    lexicon: Lexicon
    today: date
    linked: Mapping[str, str] | None = None
    held: Days | None = None
    teams: Mapping[str, str] = field(default_factory=dict)
    """Which team each rep is of."""
    sample: bool = False
    """Whether the data is the invented sample."""
    narrow: Sequence[Near] = ()
    """The narrow questions that this may be, the nearest first."""

    @property
    def text(self) -> str:
        return self.heard.message.text

    @property
    def said_before(self) -> list[str]:
        """The messages before this one, the newest first."""
        told = [
            one.get("content") or ""
            for one in self.state.get("conversation_history") or ()
            if one.get("role") == "user"
        ]
        return [text for text in reversed(told[-REMEMBERED:]) if text]


@dataclass
class TurnPlan:
    """What is put together, task by task."""

    update: dict[str, Any] = field(default_factory=dict)
    steps: list[StepRequest] = field(default_factory=list)
    served: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    answer: Answer | None = None

    def add(self, *steps: StepRequest) -> None:
        self.steps += [one for one in steps if one.agent not in {s.agent for s in self.steps}]
