"""Doing something while something else waits for it."""

from collections.abc import Callable
from typing import Any


async def then(act: Callable[..., object], *given: Any) -> None:
    """Call it. After a listener in `asyncio.gather`, this comes when the listener has begun to wait."""
    act(*given)
