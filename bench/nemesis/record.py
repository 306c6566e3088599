"""What the clients know at the end: what they asked for, what they were told, what they heard."""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

TOKEN = re.compile(r"T\d{6}")
Frame = dict[str, Any]


@dataclass
class Call:
    """One request and how it was answered; `status` None if the connection was lost."""

    operation: str
    session_id: str
    port: int
    status: int | None = None
    body: Any = None
    sent_at: float = 0.0
    answered_at: float = 0.0


@dataclass
class Turn:
    """A turn that a server said it accepted."""

    run_id: str
    request_id: str | None
    kind: Literal["question", "edit", "answer"]
    call: Call
    text: str | None = None
    policy: str = ""
    cancel_confirmed: bool = False


@dataclass
class Conversation:
    """A session of a client. `deleted`: `maybe` once it was asked for, `yes` when it was confirmed."""

    session_id: str
    tokens: set[str] = field(default_factory=set)
    turns: list[Turn] = field(default_factory=list)
    titles: list[str | None] = field(default_factory=lambda: [None])
    answers: dict[str, list[Turn]] = field(default_factory=dict)
    rolled_back: bool = False
    deleted: Literal["no", "maybe", "yes"] = "no"
    heard: dict[int, Frame] = field(default_factory=dict)
    heard_at: dict[int, float] = field(default_factory=dict)
    unlike: list[tuple[Frame, Frame]] = field(default_factory=list)

    @property
    def last_heard(self) -> int:
        return max(self.heard, default=0)

    def hear(self, frame: Frame, at: float) -> None:
        """A numbered frame came over a socket."""
        known = self.heard.setdefault(frame["seq"], frame)
        self.heard_at.setdefault(frame["seq"], at)
        if known != frame:
            self.unlike.append((known, frame))


@dataclass
class Record:
    """Everything of one ordeal."""

    calls: list[Call] = field(default_factory=list)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    exits: list[str] = field(default_factory=list)
    slow_ends: int = 0
    _tokens: int = 0

    def token(self, conversation: Conversation | None = None) -> str:
        """A word that nobody used before; what a conversation's turns are made of."""
        self._tokens += 1
        made = f"T{self._tokens:06d}"
        if conversation is not None:
            conversation.tokens.add(made)
        return made
