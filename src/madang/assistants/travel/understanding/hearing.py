"""A message to travel, parsed and labelled once."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path

from madang.assistants.travel.data.cities import all_cities
from madang.assistants.travel.services import TravelTurn
from madang.assistants.travel.state import MultiAgentTravelState
from madang.assistants.travel.tools.topic_likeness import ALIKE, NONE, likeness_to_topics
from madang.assistants.travel.understanding.slots.city_names import Named, find_names
from madang.graph import acts
from madang.graph.danger import sounds_dangerous
from madang.graph.reading import Act, ActKind, Heard
from madang.text.gazetteer import Gazetteer
from madang.text.learnt import LearntReader
from madang.text.message import Finder, Message
from madang.text.parsed import Parsed, make

LONGEST = 4_000
# Topics of those who are not well: what is like them may be a danger.
_HEAVY = frozenset({"burnout"})
READER = Path(__file__).parents[1] / "data" / "reader.zip"


def message_of(text: str, today: date) -> Message:
    """The message with its values, as a traveller means them."""
    finders: list[tuple[str, Finder]] = [
        (kind, lambda words, kind=kind: _names(words, kind))  # type: ignore[misc]
        for kind in ("city", "region", "airline")
    ]
    return Message.read(text, today, context="travel", names=[*finders, ("sight", _sights)])


def hear(text: str, _state: MultiAgentTravelState, ctx: TravelTurn) -> Heard:
    """The message with what it does and what its words are to the trip."""
    return heard_on(text, ctx.today)


def heard_on(text: str, today: date) -> Heard:
    """The same on a day. What is beyond the limit is left unread: nobody describes a trip in more."""
    heard = acts.hear(message_of(text[:LONGEST], today), reader())
    if not any(act["kind"] == "danger" for act in heard.acts) or not _of_travel(heard.message):
        return heard
    return replace(heard, acts=tuple(Act({**act, "kind": _calm(act["kind"])}) for act in heard.acts))


def _of_travel(message: Message) -> bool:
    """Whether no word of it hints at danger, and it is much like what others asked about a trip."""
    if sounds_dangerous(message.text):
        return False
    like = likeness_to_topics(message.text, [message.text[start:end] for start, end in message.sentences])
    best = max(like, key=lambda topic: like[topic], default=NONE)
    return best not in {NONE, *_HEAVY} and like[best] >= ALIKE


def _calm(kind: ActKind) -> ActKind:
    return "tell" if kind == "danger" else kind


def reader() -> LearntReader:
    """What was learnt from labelled messages to travel."""
    return LearntReader.load(READER)


def _names(text: str, kind: str) -> Iterator[Parsed[Named]]:
    for name in find_names(text):
        if name.kind == kind:
            yield make(text, *name.span, Named(name.kind, name.name), 0.95)


def _sights(text: str) -> list[Parsed[Named]]:
    return _all_sights().find(text, typos=False)


@lru_cache(maxsize=1)
def _all_sights() -> Gazetteer[Named]:
    """Every place of every city we know, by its name and what people call it."""
    return Gazetteer(
        (surface, Named("place", place.name))
        for city in all_cities().values()
        for place in city.places
        for surface in (place.name, *place.aliases)
        if len(surface) > 1
    )
