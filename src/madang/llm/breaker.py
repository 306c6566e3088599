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


KINDS = {"rate_limited": "rate", "key": "key"}
"""Reasons with a breaker of their own; all others tell of a service that can't be reached."""


class Breakers:
    """A breaker for each kind of failure of one provider's model: a wrong key says nothing about its reachability."""

    def __init__(self, clock: Callable[[], float], threshold: int = 5, cooldown: float = 30.0) -> None:
        self._all = {kind: Breaker(clock, threshold, cooldown) for kind in ("reach", *KINDS.values())}

    @property
    def phase(self) -> Phase:
        """The worst of all."""
        phases = {one.phase for one in self._all.values()}
        return next(phase for phase in ("open", "half_open", "closed") if phase in phases)

    def allow(self) -> bool:
        """Whether a call may be made now: none of them is open, and a half-open one gives its probe."""
        if any(one.phase == "open" for one in self._all.values()):
            return False
        return all(one.allow() for one in self._all.values())

    def succeeded(self) -> None:
        for one in self._all.values():
            one.succeeded()

    def failed(self, reason: str = "") -> None:
        for kind, one in self._all.items():
            if kind == KINDS.get(reason, "reach"):
                one.failed()
            else:
                one.abandoned()

    def abandoned(self) -> None:
        for one in self._all.values():
            one.abandoned()
