"""State as JSON the way LangGraph's platform writes it: messages and models by their fields, nothing refused."""

import base64
import dataclasses
import math
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

import orjson

OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY
DEEPEST = 200


def dumps(value: Any) -> bytes:
    """JSON text of anything that a state may hold."""
    try:
        return orjson.dumps(value, default=_default, option=OPTIONS)
    except (TypeError, ValueError, RecursionError):
        # Integers beyond 64 bits, half a surrogate pair, keys of odd types: the long way round.
        return orjson.dumps(_tame(value, 0))


def plain(value: Any) -> Any:
    """`value` as a JSON reader would get it."""
    return orjson.loads(dumps(value))


def _default(value: Any) -> Any:
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return value.model_dump()
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return value._asdict()
    if isinstance(value, set | frozenset | tuple | range):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, BaseException):
        return {"error": type(value).__name__, "message": str(value)}
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Decimal):
        return int(value) if value.is_finite() and value == value.to_integral_value() else float(value)
    if isinstance(value, PurePath | UUID):
        return str(value)
    if isinstance(value, str):
        return str.__str__(value)
    return str(value)


def _tame(value: Any, depth: int) -> Any:
    if depth > DEEPEST:
        return str(type(value).__name__)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Enum):
        return _tame(value.value, depth + 1)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _tame(getattr(value, f.name), depth + 1) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(_tame(key, depth + 1)): _tame(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_tame(part, depth + 1) for part in value]
    return _tame(_default(value), depth + 1)
