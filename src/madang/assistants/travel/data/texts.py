"""What travel says about itself, by name and language."""

import tomllib
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads((files(__package__) / "texts.toml").read_text("utf-8"))


def phrase(name: str, language: str) -> str:
    """The text of a name in a language."""
    return _texts()[name][language]
