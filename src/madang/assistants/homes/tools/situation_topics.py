"""Which situation a message is about, learnt from what people said of each (`bench/data/reading/homes-topics`)."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from madang.assistants.homes import data
from madang.text.likeness import Likeness

LEARNT = Path(data.__file__).parent / "topics.zip"
# What belongs to no situation.
NONE = "none"
# How much the question by itself, and the message read after the one before it, count beside the message.
QUESTION, AFTER = 0.3, 0.5
# And one that says it goes on.
GOING_ON = 1.2
LONGEST = 1500


def topics_of(
    question: str, message: str, before: Sequence[str] = (), *, goes_on: bool = False, model: Likeness | None = None
) -> Mapping[str, float]:
    """How much a question in its message is about each situation, and about none; empty without letters. Read by the
    packaged model if no other is given."""
    parts = [(1.0, message[-LONGEST:])]
    if question and question != message:
        parts.append((QUESTION, question))
    if before:
        parts.append((GOING_ON if goes_on else AFTER, f"{before[-1][-LONGEST:]} {message[-LONGEST:]}"))
    whole = sum(share for share, _ in parts)
    found: dict[str, float] = {}
    for share, text in parts:
        for label, score in (model or _model()).of(text).items():
            found[label] = found.get(label, 0.0) + share / whole * score
    return found


@cache
def _model() -> Likeness:
    return Likeness.load(LEARNT)
