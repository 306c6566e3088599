"""Labelled example questions, for wordings that no cue foresees."""

import json
from functools import cache
from importlib import resources

from madang.text.likeness import Likeness


def likely_intents(question: str) -> dict[str, float]:
    """How much a question is like those of each intent; empty for one without letters."""
    return _model().of(question)


def examples() -> list[dict[str, str]]:
    """The packaged questions: `question` and `intent`."""
    text = resources.files("madang.assistants.homes").joinpath("data/intent_examples.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


@cache
def _model() -> Likeness:
    return Likeness([(example["question"], [example["intent"]]) for example in examples()])
