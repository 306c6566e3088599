"""What the kit, the runtime and the server say to people: one file, every text in Korean and in English."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

DEFAULT = "ko"


@cache
def texts() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("madang").joinpath("texts.toml").read_text(encoding="utf-8"))


def say(name: str, language: str | None = None, **values: Any) -> str:
    """The text `name` in `language`, Korean if it has no such language. Raises `KeyError` for an unknown name."""
    wordings = texts()[name]
    return wordings.get(language or DEFAULT, wordings[DEFAULT]).format(**values)
