"""A message to works, parsed and labelled once."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

from madang.assistants.works.tools.lexicon import Lexicon, Meaning
from madang.assistants.works.tools.lexicon_search import scan
from madang.text.learnt import LearntReader
from madang.text.message import Message
from madang.text.parsed import Parsed, make

READER = Path(__file__).parents[1] / "data" / "reader.zip"


def message_of(text: str, today: date, lexicon: Lexicon) -> Message:
    """The message with its values: what the data names, and what the sales layer calls metric and dimension."""
    found = list(_words(text, lexicon))
    kinds = dict.fromkeys(item.value.name if item.value.role == "value" else item.value.role for item in found)
    finders = [(kind, lambda _text, kind=kind: _of(found, kind)) for kind in kinds]
    return Message.read(text, today, context="sales", direction="past", names=finders)


def reader() -> LearntReader:
    """What was learnt from labelled messages to works."""
    return LearntReader.load(READER)


def _of(found: list[Parsed[Meaning]], kind: str) -> list[Parsed[Meaning]]:
    return [item for item in found if (item.value.name if item.value.role == "value" else item.value.role) == kind]


def _words(text: str, lexicon: Lexicon) -> Iterator[Parsed[Meaning]]:
    for item in scan(text, lexicon):
        if item.exact:
            yield make(text, item.start, item.end, item.meaning, 0.95, item.meanings)
