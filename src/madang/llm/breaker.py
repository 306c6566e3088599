"""A circuit breaker: a model that keeps failing is left alone for a while, then probed once."""

import threading
from collections.abc import Callable
from typing import Literal

Phase = Literal["closed", "open", "half_open"]


class Breaker:
    """Opens after `threshold` failures in a row; after `cooldown` seconds lets one probe through.

    Every `allow()` that answers true must be followed by `succeeded`, `failed` or `abandoned`.
    """

    def __init__(self, clock: Callable[[], float], threshold: int = 5, cooldown: float = 30.0) -> None:
        self._clock = clock
        self._threshold = threshold
        self._cooldown = cooldown
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False
        self._lock = threading.Lock()

    @property
    def phase(self) -> Phase:
        """Where the breaker stands now."""
        if self._opened_at is None:
            return "closed"
        return "half_open" if self._clock() - self._opened_at >= self._cooldown else "open"

    def allow(self) -> bool:
        """Whether a call may be made now. In the half-open phase only one caller at a time hears yes."""
        with self._lock:
            match self.phase:
                case "closed":
                    return True
                case "open":
                    return False
                case "half_open":
                    if self._probing:
                        return False
                    self._probing = True
                    return True

    def succeeded(self) -> None:
        """The service answered: close."""
        with self._lock:
            self._failures, self._opened_at, self._probing = 0, None, False

    def failed(self) -> None:
        """The service did not answer: count, and open (again) when it is enough."""
        with self._lock:
            self._failures += 1
            if self._probing or self._failures >= self._threshold:
                self._opened_at = self._clock()
            self._probing = False

    def abandoned(self) -> None:
        """The call was given up by us: it says nothing about the service."""
        with self._lock:
            self._probing = False
