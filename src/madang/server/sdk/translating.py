"""From what LangGraph streams to what SDK clients read: names of events, and messages put together."""

from collections.abc import Collection, Iterator
from typing import Any

from langchain_core.messages import (
    AIMessageChunk,
    BaseMessage,
    BaseMessageChunk,
    convert_to_messages,
    message_chunk_to_message,
)

from madang.runtime.served_graph import ServedGraph
from madang.runtime.streams import Part
from madang.server.sdk.shapes import debug_shape, interrupt_shape
from madang.store.runs import Run

Event = tuple[str, Any]


class Translator:
    """The events of one reader of one run. It has seen every part, also those that it isn't asked to show."""

    def __init__(self, run: Run, modes: Collection[str], served: ServedGraph | None) -> None:
        self._run = run
        self._modes = frozenset(modes)
        self._served = served
        self._messages: dict[str, BaseMessage] = {}

    def events(self, part: Part) -> Iterator[Event]:
        """What a part is to this reader: nothing, one event or several."""
        if part.mode == "metadata":
            yield "metadata", part.payload
        elif part.mode == "messages":
            yield from self._spoken(part, *part.payload)
        elif part.mode == "custom":
            chunk = self._served.answer_chunk(self._run, part.payload) if self._served is not None else None
            if chunk is not None:
                yield from self._answer(part, chunk)
            if "custom" in self._modes:
                yield self._named("custom", part), part.payload
        elif part.mode in self._modes:
            yield self._named(part.mode, part), shown(part.mode, part.payload)

    def _answer(self, part: Part, chunk: AIMessageChunk) -> Iterator[Event]:
        """A piece of an assistant's answer."""
        if part.payload.get("restart"):
            self._messages.pop(str(chunk.id), None)
        metadata = {
            "langgraph_node": "respond",
            "run_id": self._run.run_id,
            "thread_id": self._run.session_id,
            "graph_id": self._run.assistant,
        }
        yield from self._spoken(part, chunk, metadata)

    def _spoken(self, part: Part, message: Any, metadata: Any) -> Iterator[Event]:
        if not isinstance(message, BaseMessage):
            message = convert_to_messages([message])[0]
        about = {name: value for name, value in (metadata or {}).items() if not name.startswith("__")}
        if "messages-tuple" in self._modes:
            yield self._named("messages", part), [message, about]
        if "messages" not in self._modes:
            return
        # Put together by their ids, wherever they were said: LangGraph names no namespace here.
        key = message.id or ""
        known = self._messages.get(key)
        if known is None:
            yield "messages/metadata", {key: {"metadata": about}}
        partial = isinstance(message, BaseMessageChunk)
        whole = known + message if partial and isinstance(known, BaseMessageChunk) else message
        if isinstance(whole, BaseMessage):
            self._messages[key] = whole
            said = message_chunk_to_message(whole) if isinstance(whole, BaseMessageChunk) else whole
            yield "messages/partial" if partial else "messages/complete", [said]

    @staticmethod
    def _named(name: str, part: Part) -> str:
        return "|".join((name, *part.namespace))


def shown(mode: str, payload: Any) -> Any:
    """A part's payload without what only the server needs."""
    if mode in ("values", "updates") and isinstance(payload, dict) and "__interrupt__" in payload:
        return {**payload, "__interrupt__": [interrupt_shape(i) for i in payload["__interrupt__"]]}
    if mode in ("checkpoints", "tasks") and isinstance(payload, dict):
        return debug_shape(payload)
    if mode == "debug" and isinstance(payload, dict):
        return {**payload, "payload": debug_shape(payload["payload"])}
    return payload
