"""Files that ship with the assistant, and how they are read."""

import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from madang.errors import UnreadableData


def text(name: str) -> str:
    """A file of this folder, by its path in it."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def load(name: str) -> dict[str, Any]:
    """A TOML file of this folder. Raises `UnreadableData`."""
    with well_formed(name):
        return tomllib.loads(text(name))


def examples(name: str) -> list[dict[str, Any]]:
    """A file of this folder with a JSON object on each line."""
    return [json.loads(line) for line in text(name).splitlines() if line.strip()]


@contextmanager
def well_formed(name: str) -> Iterator[None]:
    """Whatever is found missing or wrong inside is raised as `UnreadableData` that names the file."""
    try:
        yield
    except (KeyError, TypeError, ValueError, re.error) as error:
        raise UnreadableData(f"{name} can't be read: {error!r}") from error
