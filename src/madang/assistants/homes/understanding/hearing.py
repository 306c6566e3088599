"""A message to homes, parsed and labelled once."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from madang.graph import TurnContext
from madang.graph.acts import hear as hear_message
from madang.graph.reading import Heard
from madang.text.learnt import LearntReader
from madang.text.message import Message

READER = Path(__file__).parents[1] / "data" / "reader.zip"


def message_of(text: str, today: date) -> Message:
    """The message with its values, as a tenant or landlord means them."""
    return Message.read(text, today, context="housing")


def reader() -> LearntReader:
    """What was learnt from labelled messages to homes."""
    return LearntReader.load(READER)


def hear(text: str, _state: Mapping[str, Any], ctx: TurnContext[Any]) -> Heard:
    """The message with its acts and roles."""
    return hear_message(message_of(text, ctx.today), reader())
