"""Work on a user's text, off the event loop: other requests are answered meanwhile, and it ends within a limit."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import ParamSpec, TypeVar

from madang.errors import TooMuchText
from madang.texts import say

# Seconds of computing; on a busy machine a thread may wait far longer for its turn, or for a model to load.
LIMIT = 30.0
LONGEST_WAIT = 10 * LIMIT
P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` returns or raises. Raises `TooMuchText` if it computes for longer than `LIMIT` seconds.

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

    thread = threading.Thread(target=run, name=f"work on text: {work!r:.60}", daemon=True)
    thread.start()
    begun = loop.time()
    while not answer.done():
        await asyncio.wait([answer], timeout=LIMIT / 10)
        if not answer.done() and (_computed(thread) > LIMIT or loop.time() - begun > LONGEST_WAIT):
            answer.cancel()
            raise TooMuchText(say("too_much_text", seconds=LIMIT))
    return answer.result()


def _computed(thread: threading.Thread) -> float:
    """Seconds that a running thread has computed for; none where the system doesn't tell."""
    if not hasattr(time, "pthread_getcpuclockid") or thread.ident is None or not thread.is_alive():
        return 0.0
    return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
