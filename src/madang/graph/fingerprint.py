"""Fingerprints: whether a step would see anything new if it ran again."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import orjson
from langchain_core.messages import BaseMessage

if TYPE_CHECKING:
    from madang.graph.agent import Agent
    from madang.graph.context import TurnContext


def digest(value: Any) -> str:
    """A short hash of a value's content; equal content gives equal digests, whatever the key order."""
    encoded = orjson.dumps(value, default=_encode, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return blake2b(encoded, digest_size=16).hexdigest()


def fingerprint(
    agent: "Agent", reads: Mapping[str, Any], arguments: Mapping[str, Any] | None, context: "TurnContext"
) -> str:
    """What the agent's result depends on: its reads, its arguments, its version, its data, and the date or model if
    declared."""
    return digest(
        {
            "agent": agent.name,
            "version": agent.version,
            "arguments": dict(arguments or {}),
            "reads": {path: digest(value) for path, value in reads.items()},
            "data": context.data_versions(agent.data),
            "today": context.today.isoformat() if agent.today else None,
            "model": context.model_name if agent.model else None,
        }
    )


def _encode(value: Any) -> Any:
    if isinstance(value, BaseMessage):
        return {"type": value.type, "content": value.content}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return str(value)
