"""Stopping queries that take too long: one watching thread for all of them, started with the first."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb

from madang.errors import ServiceUnavailable


class TimeLimit:
    """Interrupts connections whose time is over. A thread per query would cost more than many a query."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._changed = threading.Condition()
        self._running: dict[object, tuple[float, Any]] = {}
        self._thread: threading.Thread | None = None

    @contextmanager
    def on(self, connection: Any) -> Iterator[None]:
        """Stop what runs on `connection` when the time is over. Raises `ServiceUnavailable` then."""
        query = object()
        self._begin(query, connection)
        try:
            yield
        except duckdb.InterruptException as error:
            raise ServiceUnavailable(f"{self.seconds:g}초 안에 끝나지 않아 중단했습니다") from error
        finally:
            with self._changed:
                self._running.pop(query, None)

    def _begin(self, query: object, connection: Any) -> None:
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="works-time-limit", daemon=True)
                self._thread.start()
            self._running[query] = (time.monotonic() + self.seconds, connection)
            if len(self._running) == 1:
                self._changed.notify()

    def _watch(self) -> None:
        with self._changed:
            while True:
                self._changed.wait(self._stop_late_ones())

    def _stop_late_ones(self) -> float | None:
        """Interrupt what is over its time; how long until the next may be, None when nothing runs."""
        now = time.monotonic()
        for query in [q for q, (until, _) in self._running.items() if until <= now]:
            self._running.pop(query)[1].interrupt()
        first = min((until for until, _ in self._running.values()), default=None)
        return None if first is None else max(0.0, first - now)
