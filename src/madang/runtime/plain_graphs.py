"""Graphs that aren't ours on our surfaces: what they are asked and what they answer, where they talk in messages."""

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage

QUERY = {"query"}


def graph_input(graph: Any, given: Any, request_id: str | None) -> Any:
    """A question as such a graph takes it: a human message, unless it has a field for queries."""
    channels: Mapping[str, Any] = getattr(graph, "channels", {})
    if not isinstance(given, Mapping) or set(given) != QUERY or "query" in channels or "messages" not in channels:
        return given
    return {"messages": [HumanMessage(str(given["query"]), id=f"{request_id}:question")]}


def graph_response(values: Mapping[str, Any]) -> dict[str, Any]:
    """What such a graph says in the end: the text of its last message, if that is its own."""
    messages = values.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    answer = str(last.text) if isinstance(last, AIMessage) else ""
    return {"type": "answer", "answer": answer, "structured_data": {}, "teams_used": [], "data": {}}
