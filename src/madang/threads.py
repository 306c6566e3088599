"""Work on a user's text, off the event loop: other requests are answered meanwhile, and it ends within a limit."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import ParamSpec, TypeVar

from madang.errors import TooMuchText
from madang.texts import say

LIMIT = 30.0
P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` returns or raises. Raises `TooMuchText` if it takes longer than `LIMIT` seconds.

    A thread can't be stopped: then it goes on unheard. It is of its own, not of a pool, so that it never holds up
    other work nor the end of the process.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def settle(value: T | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(value)  # type: ignore[arg-type]

    def run() -> None:
        value, failed = None, None
        try:
            value = context.run(work, *args, **kwargs)
        except BaseException as error:  # noqa: BLE001
            failed = error
        # The loop may be gone by now: nobody waits any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, value, failed)

    threading.Thread(target=run, name=f"work on text: {work!r:.60}", daemon=True).start()
    try:
        async with asyncio.timeout(LIMIT):
            return await answer
    except TimeoutError as error:
        if answer.done() and not answer.cancelled():
            raise
        raise TooMuchText(say("too_much_text", seconds=LIMIT)) from error
