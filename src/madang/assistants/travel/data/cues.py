"""Closed lists of words by which a message shows what it does, as expressions by name."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def _words() -> dict[str, list[str]]:
    return dict(_file()["cue"])


@lru_cache(maxsize=1)
def _file() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((files(__package__) / "cues.toml").read_text("utf-8"))


@lru_cache(maxsize=64)
def cue(name: str) -> re.Pattern[str]:
    """One expression for all words of a list."""
    return re.compile("|".join(f"(?:{word})" for word in _words()[name]), re.IGNORECASE)


def cue_place(words: str) -> str:
    """Where a question that we have no answer to can be asked, as a sentence; empty when we don't know."""
    plain = words.replace(" ", "").lower()
    for place, names in _file()["ask_at"].items():
        if any(name in plain for name in names):
            return f" {place}에 확인해 보세요."
    return ""
