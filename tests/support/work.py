"""How much work a reader of text does, by counting: calls, characters its patterns look at, characters it copies.

Together with `tests/test_patterns.py` (each pattern works in proportion to what it looks at) this is the growth of a
reader, the same on every machine however busy.
"""

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import madang.text


class Work:
    """What was counted so far."""

    def __init__(self) -> None:
        self.done = 0

    def of(self, read: Callable[[str], object], text: str) -> int:
        """The work of reading one text."""
        self.done = 0

        def count(_frame: object, event: str, _arg: object) -> None:
            self.done += event in {"call", "c_call"}

        sys.setprofile(count)
        try:
            read(Counted(text, self))
        finally:
            sys.setprofile(None)
        return self.done


class Counted(str):
    """A text that counts what is copied of it."""

    work: Work

    def __new__(cls, text: str, work: Work) -> "Counted":
        made = super().__new__(cls, text)
        made.work = work
        return made

    def __getitem__(self, key: Any) -> str:
        part = super().__getitem__(key)
        self.work.done += len(part)
        return part


def _counting(name: str) -> Callable[..., Any]:
    plain = getattr(str, name)

    def method(self: Counted, *args: Any, **named: Any) -> Any:
        self.work.done += len(self)
        return plain(self, *args, **named)

    return method


for _name in ("strip", "lstrip", "rstrip", "split", "splitlines", "lower", "replace", "find", "count", "__contains__"):
    setattr(Counted, _name, _counting(_name))


class Looking:
    """A pattern that counts the characters it looks at."""

    def __init__(self, pattern: re.Pattern[str], work: Work) -> None:
        self._pattern, self._work = pattern, work
        self.pattern, self.flags, self.groupindex = pattern.pattern, pattern.flags, pattern.groupindex

    def _one(self, name: str, text: str, places: tuple[int, ...]) -> re.Match[str] | None:
        found: re.Match[str] | None = getattr(self._pattern, name)(text, *places)
        start, end = (*places, *(0, len(text))[len(places) :])
        whole = name == "search" and not found
        self._work.done += end - start if whole else (found.end() - start if found else 1)
        return found

    def match(self, text: str, *places: int) -> re.Match[str] | None:
        return self._one("match", text, places)

    def search(self, text: str, *places: int) -> re.Match[str] | None:
        return self._one("search", text, places)

    def fullmatch(self, text: str, *places: int) -> re.Match[str] | None:
        return self._one("fullmatch", text, places)

    def finditer(self, text: str, *places: int) -> Iterator[re.Match[str]]:
        start, end = (*places, *(0, len(text))[len(places) :])
        self._work.done += end - start
        return self._pattern.finditer(text, *places)

    def findall(self, text: str) -> list[Any]:
        self._work.done += len(text)
        return self._pattern.findall(text)

    def split(self, text: str) -> list[Any]:
        self._work.done += len(text)
        return self._pattern.split(text)

    def sub(self, by: Any, text: str) -> str:
        self._work.done += len(text)
        return self._pattern.sub(by, text) if self._pattern.search(text) else text


def counted(monkeypatch: pytest.MonkeyPatch) -> Work:
    """Every pattern of `madang.text` made to count, for one test."""
    work = Work()
    modules = [
        importlib.import_module(f"madang.text.{item.name}") for item in pkgutil.iter_modules(madang.text.__path__)
    ]
    for module in modules:
        for name, value in list(vars(module).items()):
            if hasattr(value, "cache_clear") and name.startswith("_"):
                monkeypatch.setattr(module, name, _fresh(value, work))
            elif (made := _looking(value, work)) is not value:
                monkeypatch.setattr(module, name, made)
    return work


def _fresh(cached: Any, work: Work) -> Callable[..., Any]:
    """What a cached function returns, its patterns counting."""
    kept: dict[tuple[Any, ...], Any] = {}

    def call(*args: Any) -> Any:
        if args not in kept:
            kept[args] = _looking(cached(*args), work)
        return kept[args]

    return call


def _looking(value: Any, work: Work) -> Any:
    if isinstance(value, re.Pattern):
        return Looking(value, work)
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        made = [_looking(item, work) for item in value]
        same = all(one is two for one, two in zip(made, value, strict=True))
        return value if same else type(value)(made)
    if isinstance(value, dict):
        kept = {key: _looking(item, work) for key, item in value.items()}
        return value if all(kept[key] is item for key, item in value.items()) else kept
    return value
