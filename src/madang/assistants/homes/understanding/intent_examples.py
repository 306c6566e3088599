"""Labelled example questions, for wordings that no cue foresees."""

from functools import cache
from pathlib import Path

from madang.assistants.homes import data
from madang.text.likeness import Likeness

LEARNT = Path(data.__file__).parent / "intents.zip"


def likely_intents(question: str) -> dict[str, float]:
    """How much a question is like those of each intent; empty for one without letters."""
    return _model().of(question)


def examples() -> list[dict[str, str]]:
    """The packaged questions: `question` and `intent`."""
    return data.examples("intent_examples.jsonl")


def labelled() -> list[tuple[str, list[str]]]:
    """What the model learns from."""
    return [(example["question"], [example["intent"]]) for example in examples()]


@cache
def _model() -> Likeness:
    return Likeness.load(LEARNT)
