"""Word tables, one JSON file each."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=32)
def load(name: str) -> Any:
    """The table `name`.json as JSON gives it; the caller names its type. Don't change what it returns."""
    return json.loads((files("madang.text.data") / f"{name}.json").read_text("utf-8"))
