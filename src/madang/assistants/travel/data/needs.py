"""Words for needs, facts for questions and the climate of cities: files read once."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def need_words() -> dict[str, Any]:
    """Words by which needs are named."""
    return _read("needs.toml")


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / name).read_text("utf-8"))
