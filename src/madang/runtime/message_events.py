"""Messages as the thread protocol tells them: a start, blocks that grow piece by piece, a finish."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk

Data = dict[str, Any]
# Which field of a block grows, and what its growth is called.
GROWING = {
    "text": ("text", "text-delta"),
    "reasoning": ("reasoning", "reasoning-delta"),
    "tool_call_chunk": ("args", "block-delta"),
}


@dataclass
class Spoken:
    """One message so far: its blocks in their order, each under the key that its pieces carry."""

    blocks: dict[tuple[str, Any], Data] = field(default_factory=dict)
    usage: Any = None


class MessageEvents:
    """The messages of one namespace of one run."""

    def __init__(self) -> None:
        self._open: dict[str, Spoken] = {}
        self._heard: set[str] = set()

    def hear(self, message: AIMessage) -> Iterator[Data]:
        """What a piece of a message, or a whole one that was not heard in pieces, tells."""
        named = message.id or ""
        if named not in self._open:
            if named in self._heard and not isinstance(message, AIMessageChunk):
                return
            yield from self._start(named)
        for place, block in enumerate(message.content_blocks):
            yield from self._grow(named, place, dict(block))
        self._open[named].usage = message.usage_metadata or self._open[named].usage
        if not isinstance(message, AIMessageChunk) or message.chunk_position == "last":
            yield from self._finish(named)

    def restart(self, message_id: str) -> None:
        """The message begins again: what was said of it doesn't count."""
        self._open.pop(message_id, None)

    def finish(self) -> Iterator[Data]:
        """Nothing more comes: whatever is open is complete."""
        for named in list(self._open):
            yield from self._finish(named)

    def heard(self, message_id: str | None) -> bool:
        """Whether this message was told already."""
        return message_id in self._heard

    def _start(self, named: str) -> Iterator[Data]:
        self._open[named] = Spoken()
        self._heard.add(named)
        yield {"event": "message-start", "role": "ai", "id": named}

    def _grow(self, named: str, place: int, piece: Data) -> Iterator[Data]:
        blocks = self._open[named].blocks
        kind, own = piece["type"], piece.pop("index", None)
        # Pieces of text carry no index: they go on with the text before them.
        key = (kind, own if own is not None or kind in ("text", "reasoning") else place)
        grows, delta = GROWING.get(kind, (None, None))
        if key not in blocks:
            blocks[key] = {**piece, grows: ""} if grows else piece
            yield self._told(named, key, "content-block-start", content=dict(blocks[key]))
        if grows is not None and (more := piece.get(grows)):
            blocks[key][grows] += more
            # A call that grows is told as it is so far: clients that know no other form add pieces of text only.
            grown = {"fields": dict(blocks[key])} if delta == "block-delta" else {grows: more}
            yield self._told(named, key, "content-block-delta", delta={"type": delta, **grown})

    def _finish(self, named: str) -> Iterator[Data]:
        for key, block in self._open[named].blocks.items():
            yield self._told(named, key, "content-block-finish", content=finished(block))
        usage = self._open.pop(named).usage
        yield {"event": "message-finish", "message_id": named, **({"usage": dict(usage)} if usage else {})}

    def _told(self, named: str, key: tuple[str, Any], event: str, **more: Any) -> Data:
        return {"event": event, "message_id": named, "index": list(self._open[named].blocks).index(key), **more}


def finished(block: Mapping[str, Any]) -> Data:
    """A block that is complete: the pieces of a tool call are a call, or not a valid one."""
    if block["type"] != "tool_call_chunk":
        return dict(block)
    named = {"id": block.get("id"), "name": block.get("name")}
    try:
        arguments = json.loads(block["args"] or "{}")
    except ValueError as error:
        return {"type": "invalid_tool_call", **named, "args": block["args"], "error": str(error)}
    if not isinstance(arguments, dict):
        return {"type": "invalid_tool_call", **named, "args": block["args"], "error": "the arguments are not an object"}
    return {"type": "tool_call", **named, "args": arguments}
