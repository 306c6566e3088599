"""Frames as text: each is encoded once, however many sockets and streams it goes to."""

from collections import OrderedDict
from typing import Any

import orjson

from madang.events import Event, to_wire
from madang.state.clock import now_iso

KEPT = 64
_encoded: OrderedDict[int, tuple[dict[str, Any], str]] = OrderedDict()


def encode(frame: dict[str, Any]) -> str:
    """The frame as JSON text."""
    known = _encoded.get(id(frame))
    if known is not None and known[0] is frame:
        return known[1]
    text = orjson.dumps(frame).decode()
    _encoded[id(frame)] = (frame, text)
    if len(_encoded) > KEPT:
        _encoded.popitem(last=False)
    return text


def own_frame(event: Event, session_id: str, request_id: str | None = None) -> dict[str, Any]:
    """A frame for one socket only: it has no number and isn't logged."""
    return to_wire(event, seq=None, session_id=session_id, request_id=request_id, timestamp=now_iso())
