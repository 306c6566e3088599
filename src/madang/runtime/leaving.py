"""That a process is about to end, for whoever waits in it for a turn that will go on elsewhere."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Leaving:
    """Whether the process has begun to leave; it never comes back."""

    def __init__(self) -> None:
        self._begun = asyncio.Event()

    @property
    def begun(self) -> bool:
        return self._begun.is_set()

    def begin(self) -> None:
        self._begun.set()

    async def before(self, waiting: Coroutine[Any, Any, T], seconds: float | None = None) -> T | None:
        """What is waited for; None if it doesn't come before the process leaves, or in so many seconds."""
        coming, leaving = asyncio.ensure_future(waiting), asyncio.ensure_future(self._begun.wait())
        try:
            await asyncio.wait((coming, leaving), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            return coming.result() if coming.done() else None
        finally:
            for task in (coming, leaving):
                task.cancel()
            await asyncio.gather(coming, leaving, return_exceptions=True)
