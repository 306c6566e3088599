"""Cursor paging: a page, and cursors that name the last row seen rather than a position."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from madang.errors import InvalidInput

MAX_LIMIT = 1000

T = TypeVar("T")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some rows, and the cursor that goes on after them; None at the end."""

    items: list[T]
    next_cursor: str | None = None


def encode_cursor(*position: str | int) -> str:
    """An opaque, URL-safe text for the position of one row."""
    return base64.urlsafe_b64encode(json.dumps(position, ensure_ascii=True).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, *kinds: type[str] | type[int]) -> tuple[str | int, ...]:
    """The position in `cursor`, its parts of `kinds`. Raises `InvalidInput` for anything we didn't make."""
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        position = None
    fits = isinstance(position, list) and len(position) == len(kinds)
    if not fits or any(type(part) is not kind for part, kind in zip(position, kinds, strict=True)):
        raise InvalidInput("the cursor is not one of ours", cursor=cursor)
    return tuple(position)


def check_limit(limit: int) -> int:
    """`limit` if it is from 1 to 1000. Raises `InvalidInput`."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_LIMIT:
        raise InvalidInput(f"limit: {limit!r} is not from 1 to {MAX_LIMIT}", limit=limit)
    return limit


def page_of(rows: Sequence[T], limit: int, cursor: Callable[[T], str]) -> Page[T]:
    """A page of at most `limit` from `rows`, which were asked for with one more than that."""
    kept = list(rows[:limit])
    return Page(kept, cursor(kept[-1]) if len(rows) > limit else None)
