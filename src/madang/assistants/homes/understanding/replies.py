"""Short replies: "네", "두 번째요", "그걸로" stand for what was offered or asked last."""

from collections.abc import Mapping
from typing import Any

from madang.graph.dialogue import pending_of, read_reply


def stands_for(text: str, state: Mapping[str, Any]) -> str | None:
    """The message that a short reply stands for, given what waits for an answer; None if it says more itself."""
    pending = pending_of(state)
    if pending is None:
        return None
    choices = pending.get("choices") or []
    reply = read_reply(text, choices)
    if reply is None:
        return None
    if reply.kind == "choice":
        return reply.choice
    offered = (pending.get("then") or {}).get("query")
    if reply.kind in ("yes", "that") and offered:
        return str(offered)
    return choices[0] if reply.kind in ("yes", "that") and len(choices) == 1 else None
