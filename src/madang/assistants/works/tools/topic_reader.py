"""Which topics of the guide a message asks about, learnt from what people say (`bench/data/reading/works-topics`)."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from madang.assistants.works import data
from madang.text.likeness import Likeness

LEARNT = Path(data.__file__).parent / "topics.zip"
NONE = "none"
"""What belongs to no topic."""
LONGEST = 1500


def likely_topics(parts: Sequence[str]) -> Mapping[str, float]:
    """How much any part of a message is about each topic, its best part counting."""
    best: dict[str, float] = {}
    for part in parts:
        for label, score in _model().of(part[:LONGEST]).items():
            best[label] = max(score, best.get(label, score))
    return best


@cache
def _model() -> Likeness:
    return Likeness.load(LEARNT)
