"""The past of a delta channel as it is kept in memory, and how it grows by what this process stores.

A checkpoint's past is that of its parent, behind the parent's own writes. While one process stores a checkpoint after
the other, nothing of it must be read again.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from madang.store.saver.frames import Version
from madang.store.saver.rows import WriteRow
from madang.store.saver.shapes import Shape

_FIXED_WEIGHT, _ENTRY = 800, 24
_MOST = 4096

Entry = tuple[str, Shape]
"""A task's id and what it wrote."""
Seed = Shape | list[Any]
"""A stored value, or one in a list that stands in the checkpoint itself."""


class Past:
    """One channel's past: its writes newest first, and what they start from once that is found."""

    __slots__ = ("done", "entries", "seed")

    def __init__(self, entries: list[Entry] | None = None, seed: Seed | None = None) -> None:
        self.entries = entries or []
        self.seed = seed
        self.done = entries is not None

    @property
    def weight(self) -> int:
        """About how many bytes it takes, without the writes that it shares with the checkpoints around it."""
        return _FIXED_WEIGHT + _ENTRY * len(self.entries)

    def go_on_with(self, older: "Past") -> None:
        self.entries += older.entries
        self.seed, self.done = older.seed, True


@dataclass(slots=True)
class Followed:
    """What is stored with one checkpoint in the delta channels whose past is known.

    A channel is followed as long as all that was stored in it is here: what failed, or isn't stored yet, isn't.
    """

    channels: frozenset[str] = frozenset()
    seeds: dict[str, tuple[Version, Seed]] = field(default_factory=dict)
    _missed: frozenset[str] = frozenset()
    _on_the_way: dict[str, int] = field(default_factory=dict)
    _written: dict[tuple[str, int], tuple[str, str, Shape] | None] = field(default_factory=dict)

    def follow(self, channels: Iterable[str]) -> None:
        """From here on these channels' pasts are known."""
        self.channels = self.channels.union(channels) - self._missed

    def miss(self, channels: Iterable[str]) -> None:
        """Something was, or may have been, stored in these channels that isn't known here."""
        self._missed = self._missed.union(channels)
        self.channels -= self._missed

    @contextmanager
    def storing(self, rows: Sequence[WriteRow], shapes: Sequence[Shape], path: str) -> Iterator[None]:
        """Notes a task's writes once they are stored; as in the table the first counts, but for LangGraph's marks."""
        channels = {row.channel for row in rows}
        for channel in channels:
            self._on_the_way[channel] = self._on_the_way.get(channel, 0) + 1
        try:
            yield
        except BaseException:
            self.miss(channels)
            raise
        finally:
            for channel in channels:
                self._on_the_way[channel] -= 1
        self.miss(channels - self.channels)
        for row, shape in zip(rows, shapes, strict=True):
            key = row.task_id, row.idx
            if row.idx < 0 or key not in self._written:
                known = row.channel in self.channels
                self._written[key] = (path, row.channel, replace(shape, segments=())) if known else None

    def read(self, rows: Iterable[WriteRow]) -> None:
        """These writes were found stored."""
        others = [row for row in rows if (row.task_id, row.idx) not in self._written]
        self._written |= dict.fromkeys((row.task_id, row.idx) for row in others)
        self.miss(row.channel for row in others)

    def known(self) -> list[str]:
        """The channels of which all is known at this moment."""
        return [channel for channel in self.channels if not self._on_the_way.get(channel)]

    def after(self, channel: str, past: Past) -> Past:
        """The past of the checkpoint's child."""
        own = [(one[0], *key, one[2]) for key, one in self._written.items() if one is not None and one[1] == channel]
        entries = [(task_id, shape) for _, task_id, _, shape in sorted(own, reverse=True)]
        if channel in self.seeds:
            return Past(entries, self.seeds[channel][1])
        return Past([*entries, *past.entries], past.seed) if entries else past


Key = tuple[str, str, str]
"""Session, namespace and checkpoint."""


class OnTheWay:
    """What is followed of checkpoints that aren't stored yet: LangGraph may give their first writes before them."""

    def __init__(self) -> None:
        self._followed: dict[Key, Followed] = {}
        self._overflowed = False

    def of(self, key: Key, channels: Iterable[str]) -> Followed:
        """Of one checkpoint; `channels` are those that are followed in the newest that is stored."""
        if len(self._followed) >= _MOST and key not in self._followed:
            # Whoever gives writes to checkpoints that never come is not worth following.
            self._followed.clear()
            self._overflowed = True
        return self._followed.setdefault(key, Followed(frozenset() if self._overflowed else frozenset(channels)))

    def arrived(self, key: Key) -> None:
        self._followed.pop(key, None)
