"""What a client said, found in the messages that it gives a graph."""

from collections.abc import Mapping
from typing import Any

ASKING = 'input: should be {"messages": […]} with a human message, or {"query": …}'
HUMAN = frozenset({"human", "user"})


def last_human(messages: Any) -> str | None:
    """The text of the last message that a person wrote."""
    if isinstance(messages, str | Mapping):
        messages = [messages]
    for message in reversed(messages if isinstance(messages, list) else []):
        if isinstance(message, str):
            return message
        if isinstance(message, list) and len(message) == 2 and message[0] in HUMAN:
            return str(message[1])
        if isinstance(message, Mapping) and {message.get("type"), message.get("role")} & HUMAN:
            return text_of(message.get("content"))
    return None


def text_of(content: Any) -> str:
    """The text in a message's content, which may be a list of blocks."""
    if isinstance(content, list):
        blocks = [block.get("text") if isinstance(block, Mapping) else block for block in content]
        return "\n".join(block for block in blocks if isinstance(block, str))
    return content if isinstance(content, str) else ""
