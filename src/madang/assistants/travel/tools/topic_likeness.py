"""Which topics of the guide a message is about, learnt from what people wrote: `bench/data/reading/travel-topics`."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from madang.assistants.travel import data
from madang.text.likeness import Likeness

LEARNT = Path(data.__file__).parent / "topics.zip"
# What belongs to no topic.
NONE = "none"
# A topic whose words are said is sure from the first on, any other from the second; one with a note on the very country
# or city that is named from `NOTED` on. `ALIKE` is much alike. Calibrated on the development rounds of
# bench/data/people, each left out in turn (`madang bench eval-travel-topics`), and raised after a round of strangers: a
# sure answer to another question is worse than none.
SAID, UNSAID = 0.15, 0.38
NOTED, ALIKE = 0.1, 0.3
# How much a part of the message by itself counts beside the whole.
_PART = 0.8
_LONGEST, _SHORTEST, _PARTS = 1500, 5, 24


def likeness_to_topics(message: str, parts: Iterable[str], model: Likeness | None = None) -> Mapping[str, float]:
    """How much a message or one of its parts is about each topic, and about none; empty without letters. `model`: in
    place of the one that ships."""
    model = model or _model()
    whole = model.of(message[-_LONGEST:])
    said = [part[-_LONGEST:] for part in parts if len(part.strip()) >= _SHORTEST]
    scored = [model.of(part) for part in said[-_PARTS:]]
    found = {}
    for topic, score in whole.items():
        part = max((one.get(topic, 0.0) for one in scored), default=0.0)
        found[topic] = max(score, (score + part) / 2, _PART * part)
    return found | ({NONE: whole[NONE]} if NONE in whole else {})


def closest(topic: str, parts: Iterable[str]) -> str:
    """The part that is most about a topic."""
    return max(parts, key=lambda part: _model().of(part).get(topic, 0.0), default="")


@cache
def _model() -> Likeness:
    return Likeness.load(LEARNT)
