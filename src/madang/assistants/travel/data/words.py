"""The words travellers use, read once from `words.toml`."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))


def word_set(name: str) -> frozenset[str]:
    """A list of plain words."""
    return frozenset(_words()[name])


@lru_cache(maxsize=1)
def request_stems() -> frozenset[str]:
    """Stems of which requests for a trip are made."""
    return frozenset(_words()["requests"]["stems"])


@lru_cache(maxsize=8)
def patterns(name: str) -> dict[str, re.Pattern[str]]:
    """One compiled pattern for each entry of a table."""
    return {key: re.compile("|".join(parts), re.IGNORECASE) for key, parts in _words()[name].items()}


def airlines() -> dict[str, list[str]]:
    """Airlines and their other names."""
    found: dict[str, list[str]] = _words()["airlines"]
    return found
