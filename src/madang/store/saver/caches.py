"""What is kept in memory, bounded, and never needed: losing it costs time only."""

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from madang.store.codec import Dictionary
from madang.store.saver.frames import Version
from madang.store.saver.live import LentMessages, LiveMessages
from madang.store.saver.messages import Frozen
from madang.store.saver.pasts import Followed

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

FIRST_DICTIONARY = 32 * 1024
_FIRST_AT = 192 * 1024
LARGEST_DICTIONARY = 160 * 1024
_THRESHOLDS = (_FIRST_AT, 1 << 20, 1 << 24, 1 << 28)
_LARGEST_SAMPLE = 16 * 1024
_SMALLEST_SAMPLE = 64
_FIXED_WEIGHT = 4096
_FIXED_HEAD, _VERSION, _ADDRESS = 1100, 100, 64
_LIVE = 4
"""Lists of messages kept live in a session: subgraphs have namespaces of their own."""


class Recent(Generic[K, V]):
    """The most recently used entries up to a total weight, in bytes unless said otherwise."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.total = 0
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: K, value: V, weight: int = 1) -> None:
        self.drop(key)
        self._entries[key] = (value, weight)
        self.total += weight
        while self.total > self._limit and len(self._entries) > 1:
            _, (_, lost) = self._entries.popitem(last=False)
            self.total -= lost

    def drop(self, key: K) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.total -= entry[1]

    def clear(self) -> None:
        self._entries.clear()
        self.total = 0

    def values(self) -> Iterator[V]:
        return (value for value, _ in self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)


@dataclass(slots=True)
class Head:
    """The checkpoint last seen or put in a namespace, and the addresses that are sure to be stored with it."""

    checkpoint_id: str
    versions: dict[str, Version]
    stored: set[bytes] = field(default_factory=set)
    valued: frozenset[str] = frozenset()
    """Channels that have a value in it."""
    followed: Followed = field(default_factory=Followed)

    def follow(self, channels: Iterable[str]) -> None:
        """These channels' pasts are known; those that have a value need none."""
        self.followed.follow(frozenset(channels) - self.valued)

    @property
    def weight(self) -> int:
        return _FIXED_HEAD + _VERSION * len(self.versions) + _ADDRESS * len(self.stored)


@dataclass(slots=True)
class SessionState:
    """One session: its dictionaries, samples for the next one, and content that was read or written lately."""

    dictionaries: dict[bytes, Dictionary] = field(default_factory=dict)
    current: Dictionary | None = None
    chunks: dict[bytes, bytes | Frozen] = field(default_factory=dict)
    content: int = _FIXED_WEIGHT
    weighed: int = 0
    seen: int = 0
    samples: list[bytes] = field(default_factory=list)
    sampled: int = 0
    making: bool = False
    frame: bytes = b""
    packed: dict[bytes, bytes] = field(default_factory=dict)
    live: "Recent[tuple[str, str], LiveMessages]" = field(default_factory=lambda: Recent(_LIVE))
    lent: "Recent[tuple[str, str], LentMessages]" = field(default_factory=lambda: Recent(_LIVE))

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        live = sum(kept.weight for kept in self.live.values()) if len(self.live) else 0
        return self.content + live + (sum(kept.weight for kept in self.lent.values()) if len(self.lent) else 0)

    def renewed(self) -> "SessionState":
        """The same session without its content. Whoever reads from the old one at this moment can go on."""
        fresh = SessionState(seen=self.seen, samples=self.samples, sampled=self.sampled, frame=self.frame)
        for dictionary in self.dictionaries.values():
            fresh.adopt(dictionary)
        return fresh

    def adopt(self, dictionary: Dictionary) -> None:
        self.dictionaries[dictionary.header] = dictionary
        self.current = dictionary
        self.content += dictionary.weight

    def keep(self, address: bytes, entry: bytes | Frozen, raw: bytes) -> None:
        """Remembers content by its address, and as a sample of what this session holds."""
        if address in self.chunks:
            return
        self.chunks[address] = entry
        self.content += 2 * len(raw)
        self.seen += len(raw)
        if _SMALLEST_SAMPLE <= len(raw) <= _LARGEST_SAMPLE:
            self.samples.append(raw)
            self.sampled += len(raw)
            while self.sampled > self._size + _LARGEST_SAMPLE:
                self.sampled -= len(self.samples.pop(0))

    @property
    def _size(self) -> int:
        """How large the next dictionary will be."""
        return LARGEST_DICTIONARY if self.dictionaries else FIRST_DICTIONARY

    def next_dictionary(self) -> Dictionary | None:
        """A dictionary that is worth its own size by now; at most one at a time."""
        number = len(self.dictionaries)
        if self.making or number >= len(_THRESHOLDS) or self.seen < _THRESHOLDS[number]:
            return None
        if self.sampled < self._size // 2:
            return None
        return Dictionary(b"".join(self.samples)[-self._size :] + self.frame)


ShapeKey = tuple[str, str, str, str]
