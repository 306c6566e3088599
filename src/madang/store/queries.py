"""Named SQL: `sql/<name>.sql`, one block per query, with variants for a dialect where it needs one.

-- name: create_session
INSERT …;
-- name: create_session (postgres)
INSERT …;
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from types import MappingProxyType

from madang.errors import ConfigurationError

_HEADER = re.compile(r"^-- name:\s*(\w+)\s*(?:\((sqlite|postgres)\))?\s*$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|::|%|:([A-Za-z_]\w*)")


@lru_cache(maxsize=64)
def load(name: str, dialect: str) -> Mapping[str, str]:
    """The queries of `sql/<name>.sql` for a dialect, by name. Raises `ConfigurationError` if there is no such file."""
    try:
        text = resources.files("madang.store").joinpath("sql", f"{name}.sql").read_text("utf-8")
    except FileNotFoundError:
        raise ConfigurationError(f"no SQL file named {name!r}") from None
    shared: dict[str, str] = {}
    own: dict[str, str] = {}
    parts = _HEADER.split(text)
    for query, variant, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if variant in (None, dialect):
            # One line: shorter to send, and short enough for psycopg to remember how it parsed it.
            (own if variant else shared)[query] = " ".join(body.strip().rstrip(";").split())
    return MappingProxyType(shared | own)


@lru_cache(maxsize=1024)
def to_psycopg(sql: str) -> str:
    """`:name` placeholders as psycopg's `%(name)s`; literals, casts and comments stay as they are."""

    def replace(match: re.Match[str]) -> str:
        if match[1]:
            return f"%({match[1]})s"
        return match[0].replace("%", "%%")

    return _PLACEHOLDER.sub(replace, sql)
