"""How deep JSON from outside may be nested. Checked before it is parsed: parsers recurse, and run out of stack."""

import json
import re
from typing import Any

from madang.errors import InvalidInput
from madang.state.plain import MAX_DEPTH

# Values have `MAX_DEPTH`; a request puts some levels of its own around them.
MAX_NESTING = MAX_DEPTH + 36
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


class NestedTooDeeply(InvalidInput):
    """The JSON is nested too deeply."""

    code = "nested_too_deeply"

    def __init__(self) -> None:
        super().__init__(f"the JSON is nested deeper than {MAX_NESTING} levels", limit=MAX_NESTING)


def check_nesting(text: str | bytes) -> None:
    """Raises `NestedTooDeeply`. What isn't JSON is left to the parser."""
    if isinstance(text, bytes):
        # As `json.loads` reads it.
        text = text.decode(json.detect_encoding(text), "replace")
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > MAX_NESTING:
                raise NestedTooDeeply
        elif token[0] in "]}":
            depth -= 1


def read_json(text: str | bytes) -> Any:
    """The value in a JSON text. Raises `NestedTooDeeply`, and `ValueError` for what isn't JSON."""
    check_nesting(text)
    return json.loads(text)
