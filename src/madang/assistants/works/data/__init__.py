"""The files that `works` reads: the sample company, the semantic layer, rules, forms and words."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=16)
def load(name: str) -> dict[str, Any]:
    """The TOML file of that name in this folder, read once."""
    return tomllib.loads((files(__name__) / f"{name}.toml").read_text("utf-8"))
