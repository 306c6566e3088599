"""A message to homes, parsed and labelled once."""

from datetime import date
from pathlib import Path

from madang.text.learnt import LearntReader
from madang.text.message import Message

READER = Path(__file__).parents[1] / "data" / "reader.zip"


def message_of(text: str, today: date) -> Message:
    """The message with its values, as a tenant or landlord means them."""
    return Message.read(text, today, context="housing")


def reader() -> LearntReader:
    """What was learnt from labelled messages to homes."""
    return LearntReader.load(READER)
