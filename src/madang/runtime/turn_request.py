"""What a client asks of a session."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from madang.errors import InvalidInput
from madang.store.columns import new_id
from madang.store.run_options import RunOptions
from madang.store.turns import NewRun

Policy = Literal["reject", "enqueue", "interrupt", "rollback"]
LONGEST = 100_000
# A title: how far into the question one looks, what is too short to tell anything (a greeting), how long it is.
LOOKED_AT, TELLING, LONGEST_TITLE = 500, 8, 50
_SENTENCE = re.compile(r"(?<=[.!?。？！])\s+|\n+")


@dataclass(frozen=True)
class TurnRequest:
    """A message, or the graph's own input, and how to deal with a running turn.

    `continues` is the run whose turn goes on under the same request.
    """

    text: str = ""
    # A mapping, or whatever else a plain graph takes.
    input: Any = None
    request_id: str | None = None
    continues: str | None = None
    policy: Policy = "enqueue"
    options: RunOptions | None = None
    metadata: Mapping[str, Any] | None = None
    run_id: str | None = None
    # The run that it follows, where that isn't the newest one; empty: it begins the conversation again.
    branch_of: str | None = None
    # What is kept with the message, as the files that came with it.
    message_data: Mapping[str, Any] | None = None

    def check(self) -> None:
        """Raises `InvalidInput` if it can't be accepted."""
        if self.policy not in get_args(Policy):
            raise InvalidInput(f"multitask_strategy: {self.policy!r} is not one of {', '.join(get_args(Policy))}")
        if self.input is None and self.options is None and not self.text.strip():
            raise InvalidInput("the message is empty", field="query")
        if len(self.text) > LONGEST:
            raise InvalidInput(f"the message is longer than {LONGEST:,} characters", field="query")

    def as_run(self, assistant: str | None) -> NewRun:
        """The run that answers it."""
        query = {"query": self.text} if self.text else None
        return NewRun(
            run_id=self.run_id,
            assistant=assistant,
            input=query if self.input is None else _stored(self.input),
            request_id=self.request_id or new_id(),
            continues=self.continues,
            options=self.options or RunOptions(),
            metadata=self.metadata,
            multitask_strategy=self.policy,
            branch_of=self.branch_of,
            message=self.text or None,
            message_data=self.message_data,
            title=title_of(self.text),
        )


def title_of(text: str) -> str | None:
    """What a conversation that begins with a question is called: its first words, up to where they say something."""
    begun = ""
    for sentence in _SENTENCE.split(text[:LOOKED_AT]):
        begun = f"{begun} {sentence}".strip()
        if len(begun) >= TELLING:
            break
    line = " ".join(begun.split())
    return None if not line else line if len(line) <= LONGEST_TITLE else f"{line[:LONGEST_TITLE].rstrip()}…"


def _stored(given: Any) -> Any:
    return dict(given) if isinstance(given, Mapping) else given
