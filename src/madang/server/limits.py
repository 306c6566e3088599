"""Rate limits: a token bucket per caller, bounded in number."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from madang.errors import RateLimited

MOST_KEPT = 10_000


class Limits:
    """So many requests a minute for each key (0: no limit), with a burst of a tenth of that, at least ten."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_minute / 60
        self._burst = max(10.0, per_minute / 10)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> None:
        """Count one request. Raises `RateLimited`, saying how many seconds to wait."""
        if not self._rate:
            return
        now = self._clock()
        left, since = self._buckets.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        if len(self._buckets) > MOST_KEPT:
            self._buckets.popitem(last=False)
        if not allowed:
            wait = max(1, math.ceil((1 - left) / self._rate))
            raise RateLimited(f"too many requests; try again in {wait} s", retry_after=wait)
