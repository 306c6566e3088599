"""A service that refused or failed is left alone for a while, so that not every question waits for it."""

import logging
import time
from collections.abc import Callable

from madang.errors import AccessDenied, ConfigurationError, MadangError, QuotaExceeded

log = logging.getLogger(__name__)

REFUSED = 600.0
FAILED = 60.0


class Outages:
    """The last failure of one service while it counts."""

    def __init__(self, name: str, clock: Callable[[], float] = time.time) -> None:
        self._name = name
        self._clock = clock
        self._error: MadangError | None = None
        self._until = 0.0

    def note(self, error: MadangError) -> None:
        """A used-up quota or a refused key lasts; anything else may pass soon."""
        if self.current is None:
            log.warning("live service left alone", extra={"service": self._name, "error": error.code})
        lasts = isinstance(error, QuotaExceeded | AccessDenied | ConfigurationError)
        self._error, self._until = error, self._clock() + (REFUSED if lasts else FAILED)

    @property
    def current(self) -> MadangError | None:
        """Why the service is not asked now, if it isn't."""
        return self._error if self._error is not None and self._clock() < self._until else None

    @property
    def version(self) -> str:
        """Part of the data's version: a result made without the service is stale once it may be asked again."""
        return f"without:{self.current.code}" if self.current is not None else ""
