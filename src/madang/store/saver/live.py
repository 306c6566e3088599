"""The messages of a channel as a run holds them, so that what nobody touched is neither compared nor made again.

A run is handed messages, adds a few and gives all of them back. Known by identity, the old ones need only a look at
whether one was changed in place; free again, they serve the next run.
"""

import marshal
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter, is_
from sys import getrefcount
from typing import Any

from langchain_core.messages import BaseMessage

from madang.store.saver.messages import Frozen, thaw_all

_DICT, _EXTRA = attrgetter("__dict__"), attrgetter("__pydantic_extra__")
_NESTED = (dict, list)
_MARSHAL = 2
"""Later formats depend on how often an object is referred to, so equal data wouldn't be equal bytes."""
_WEIGHT = 1024
"""Bytes of a message beside its text."""


def _most_references(objects: list[Any]) -> int:
    return max(map(getrefcount, objects), default=0)


_ONLY_LISTED = _most_references([object()])


class Snapshot:
    """Messages, and how they look now: their values by identity, what is nested in them by content."""

    __slots__ = ("_nested", "_stamp", "_values", "messages")

    def __init__(self, messages: Sequence[BaseMessage]) -> None:
        """All messages must be of plain data."""
        self.messages = list(messages)
        self._values = _values_of(self.messages)
        self._nested = [value for value in self._values if type(value) in _NESTED]
        self._nested += [extra for extra in map(_EXTRA, self.messages) if extra is not None]
        self._stamp = marshal.dumps(self._nested, _MARSHAL)

    def extend(self, messages: Sequence[BaseMessage]) -> None:
        """Takes more in. Those that are here must be `untouched`."""
        more = Snapshot(messages)
        self.messages += more.messages
        self._values += more._values
        self._nested += more._nested
        self._stamp = marshal.dumps(self._nested, _MARSHAL)

    def untouched(self) -> bool:
        """Whether no message was changed since."""
        values = _values_of(self.messages)
        if len(values) != len(self._values) or not all(map(is_, values, self._values)):
            return False
        try:
            return marshal.dumps(self._nested, _MARSHAL) == self._stamp
        except ValueError:
            return False

    def is_ours_alone(self) -> bool:
        """Whether nobody else could change a message: nothing refers to one, or into one, but this."""
        if _most_references(self.messages) > _ONLY_LISTED:
            return False
        # Nested data is referred to by its message and by two lists here; what pydantic adds by one less.
        return _most_references(self._nested) <= _ONLY_LISTED + 2


class LiveMessages:
    """One version of a channel: the messages that were handed out, then those that the run has added."""

    __slots__ = ("_added", "_handed", "version")

    def __init__(self, version: str, *, handed: Snapshot | None = None, added: Snapshot | None = None) -> None:
        self.version = version
        self._handed = handed or Snapshot(())
        self._added = [added] if added else []

    def __len__(self) -> int:
        return sum(len(part.messages) for part in self._parts)

    @property
    def weight(self) -> int:
        return _WEIGHT * len(self)

    @property
    def _parts(self) -> list[Snapshot]:
        return [self._handed, *self._added]

    def lead(self, value: Sequence[Any]) -> bool:
        """Whether a list begins with these very messages, unchanged."""
        mine = [message for part in self._parts for message in part.messages]
        if len(value) < len(mine) or not all(map(is_, mine, value)):
            return False
        return all(part.untouched() for part in self._parts)

    def grow(self, version: str, added: Snapshot) -> None:
        """These messages were stored behind the others."""
        self.version = version
        self._added.append(added)

    def again(self, frozen: Sequence[Frozen]) -> list[BaseMessage] | None:
        """All messages for another run; `None` if somebody else still holds one or has changed it."""
        handed = self._handed
        if len(frozen) != len(self) or not handed.is_ours_alone() or not handed.untouched():
            return None
        if self._added:
            # What the run added is its own: stored, it may look different, say in which fields count as set.
            handed.extend(thaw_all(frozen[len(handed.messages) :]))
            self._added = []
        return handed.messages.copy()


class LentMessages:
    """The messages of a delta channel's past that were handed out last."""

    __slots__ = ("_frozen", "_handed")

    def __init__(self) -> None:
        self._frozen: list[Frozen] = []
        self._handed = Snapshot(())

    @property
    def weight(self) -> int:
        return _WEIGHT * len(self._frozen)

    def again(self, frozen: Sequence[Frozen]) -> list[BaseMessage]:
        """All messages for another run: the very objects, and what is new behind them, if nobody else holds one."""
        handed, known = self._handed, len(self._frozen)
        begins = known <= len(frozen) and all(map(is_, self._frozen, frozen))
        if begins and handed.is_ours_alone() and handed.untouched():
            if known < len(frozen):
                handed.extend(thaw_all(frozen[known:]))
        else:
            self._handed = Snapshot(thaw_all(frozen))
        self._frozen = list(frozen)
        return self._handed.messages.copy()


def _values_of(messages: Sequence[BaseMessage]) -> list[Any]:
    return list(chain.from_iterable(map(dict.values, map(_DICT, messages))))
