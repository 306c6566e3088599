"""What a process remembers of texts that it read: bounded by weight, told in `/metrics`."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

V = TypeVar("V")
Weigh = Callable[[str, V], int]

_sizes: dict[str, Callable[[], int]] = {}


def register(name: str, size: Callable[[], int]) -> None:
    """Let a cache be told: `size` gives about how many bytes it holds."""
    _sizes[name] = size


def sizes() -> Mapping[str, int]:
    """About how many bytes each cache of this process holds, by name."""
    return {name: size() for name, size in _sizes.items()}


class Remembered(Generic[V]):
    """A function of a text that remembers its last results, up to `most` bytes by `weigh`. Threads may share it."""

    def __init__(self, function: Callable[[str], V], name: str, most: int, weigh: Weigh[V]) -> None:
        self._function, self._most, self._weigh = function, most, weigh
        self._results: OrderedDict[str, tuple[V, int]] = OrderedDict()
        self._lock = threading.Lock()
        self.size = 0
        register(name, lambda: self.size)

    def __call__(self, text: str, /) -> V:
        with self._lock:
            known = self._results.get(text)
            if known is not None:
                self._results.move_to_end(text)
                return known[0]
        result = self._function(text)
        weight = self._weigh(text, result)
        # One that would push out many others isn't worth it.
        if weight > self._most // 8:
            return result
        with self._lock:
            if text not in self._results:
                self._results[text] = (result, weight)
                self.size += weight
            while self.size > self._most:
                self.size -= self._results.popitem(last=False)[1][1]
        return result


def remembered(name: str, most: int, weigh: Weigh[V]) -> Callable[[Callable[[str], V]], Remembered[V]]:
    """Make a function of a text remember its last results; see `Remembered`."""
    return lambda function: Remembered(function, name, most, weigh)
