"""What was asked last, and what a short reply does with it: yes, no, the second one, that one, again, cancel, go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from madang.graph.questions import answer_words, choose
from madang.graph.state import Pending
from madang.text.normalise import squeeze

ReplyKind = Literal["yes", "no", "choice", "cancel", "again", "that", "go_on"]


@dataclass(frozen=True)
class Reply:
    """What a short message does. `choice` is the one chosen, `place` its number from 1."""

    kind: ReplyKind
    choice: str | None = None
    place: int | None = None


def read_reply(text: str, choices: Sequence[str] = ()) -> Reply | None:
    """A message that only replies, or None when it says more than that."""
    bare = squeeze(text).strip(".,!?~^…ㅋㅎㅠㅜ")
    words = answer_words()["replies"]
    chosen = choose(list(choices), text) if choices else None
    if chosen is not None:
        return Reply("choice", chosen, list(choices).index(chosen) + 1)
    for kind in ("yes", "no", "cancel", "again", "that", "go_on"):
        if bare in words[kind]:
            return Reply(kind)
    return None


def pending_of(state: Mapping[str, Any]) -> Pending | None:
    """What waits for an answer, if anything does."""
    pending: Pending | None = state.get("pending")
    return pending
