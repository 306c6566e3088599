"""Labelled example questions, for wordings that no cue foresees."""

from functools import cache

from madang.assistants.homes import data
from madang.text.likeness import Likeness


def likely_intents(question: str) -> dict[str, float]:
    """How much a question is like those of each intent; empty for one without letters."""
    return _model().of(question)


def examples() -> list[dict[str, str]]:
    """The packaged questions: `question` and `intent`."""
    return data.examples("intent_examples.jsonl")


@cache
def _model() -> Likeness:
    return Likeness([(example["question"], [example["intent"]]) for example in examples()])
