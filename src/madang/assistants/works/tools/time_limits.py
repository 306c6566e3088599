"""Stopping queries that take too long: one watching thread for all of them, started with the first."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from madang.errors import ServiceUnavailable


class Watch:
    """Interrupts connections whose time is over. A thread per query would cost more than many a query."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: dict[int, tuple[float, Any]] = {}
        self._thread: threading.Thread | None = None
        self._next = 0

    def begin(self, connection: Any, seconds: float) -> int:
        """Watch `connection` from now on; the ticket ends it."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name="works-time-limit", daemon=True)
                self._thread.start()
            ticket, self._next = self._next, self._next + 1
            self._running[ticket] = (time.monotonic() + seconds, connection)
            if len(self._running) == 1 or seconds < 1.0:
                self._changed.notify()
            return ticket

    def end(self, ticket: int) -> None:
        with self._changed:
            self._running.pop(ticket, None)

    def _loop(self) -> None:
        with self._changed:
            while True:
                self._changed.wait(self._stop_late_ones())

    def _stop_late_ones(self) -> float | None:
        """Interrupt what is over its time; how long until the next may be, None when nothing runs."""
        now = time.monotonic()
        for ticket in [t for t, (until, _) in self._running.items() if until <= now]:
            self._running.pop(ticket)[1].interrupt()
        first = min((until for until, _ in self._running.values()), default=None)
        return None if first is None else max(0.0, first - now)


WATCH = Watch()


@contextmanager
def time_limit(connection: Any, seconds: float) -> Iterator[None]:
    """Stop what runs on `connection` when the time is over. Raises `ServiceUnavailable` then."""
    import duckdb

    ticket = WATCH.begin(connection, seconds)
    try:
        yield
    except duckdb.InterruptException as error:
        raise ServiceUnavailable(f"{seconds:g}초 안에 끝나지 않아 중단했습니다") from error
    finally:
        WATCH.end(ticket)
