"""Which types may be made from stored bytes."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.event_hooks import register_serde_event_listener
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from madang.errors import UnreadableData

_blocked: ContextVar[list[str] | None] = ContextVar("blocked", default=None)
_listening = False


class StrictSerializer(JsonPlusSerializer):
    """LangGraph's serialiser with an allow-list whose breach is an error instead of a plain dict."""

    strict = True


def serializer(allow: Iterable[type | tuple[str, ...]] | None) -> JsonPlusSerializer:
    """LangGraph's own policy, or with `allow` only its safe types and those."""
    if allow is None:
        return JsonPlusSerializer()
    global _listening  # noqa: PLW0603 - LangGraph has one list of listeners for the process
    if not _listening:
        register_serde_event_listener(_hear)
        _listening = True
    return StrictSerializer(allowed_msgpack_modules=list(allow) or None)


def _hear(event: Any) -> None:
    heard = _blocked.get()
    if heard is not None and "blocked" in event["kind"]:
        heard.append(f"{event['module']}.{event['name']}")


@contextmanager
def guarded(serde: SerializerProtocol, channel: str, session_id: str) -> Iterator[None]:
    """Raises `UnreadableData` with channel and type if a type that isn't allowed was met inside."""
    if not isinstance(serde, StrictSerializer):
        yield
        return
    heard: list[str] = []
    token = _blocked.set(heard)
    try:
        yield
    finally:
        _blocked.reset(token)
    if heard:
        raise UnreadableData(
            f"channel {channel!r} of session {session_id} holds a type that is not allowed: {heard[0]}",
            channel=channel,
            type=heard[0],
            session_id=session_id,
        )
