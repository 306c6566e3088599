"""What a client said, found in the messages that it gives a graph."""

from collections.abc import Mapping
from typing import Any

ASKING = 'input: should be {"messages": […]} with a human message, or {"query": …}'
LONGEST_ID = 255
HUMAN = frozenset({"human", "user"})


def last_human(messages: Any) -> str | None:
    """The text of the last message that a person wrote."""
    return _last_human(messages)[0]


def last_human_id(messages: Any) -> str | None:
    """The id that a client gave that message: it shows the message under it already."""
    given = _last_human(messages)[1]
    return given if isinstance(given, str) and 0 < len(given) <= LONGEST_ID else None


def _last_human(messages: Any) -> tuple[str | None, Any]:
    if isinstance(messages, str | Mapping):
        messages = [messages]
    for message in reversed(messages if isinstance(messages, list) else []):
        if isinstance(message, str):
            return message, None
        if isinstance(message, list) and len(message) == 2 and message[0] in HUMAN:
            return str(message[1]), None
        if isinstance(message, Mapping) and {message.get("type"), message.get("role")} & HUMAN:
            return text_of(message.get("content")), message.get("id")
    return None, None


def text_of(content: Any) -> str:
    """The text in a message's content, which may be a list of blocks."""
    if isinstance(content, list):
        blocks = [block.get("text") if isinstance(block, Mapping) else block for block in content]
        return "\n".join(block for block in blocks if isinstance(block, str))
    return content if isinstance(content, str) else ""
