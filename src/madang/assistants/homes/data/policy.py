"""Figures of law and policy, each with its source and the date it was read.

They are configuration (`data/policy.toml`), never constants in code, so an answer can show where a
number comes from and an operator can change one file when a rule changes.
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from madang.assistants.homes import data
from madang.assistants.homes.state.results import RuleRecord
from madang.errors import UnreadableData

Section = Mapping[str, Any]


_policy = cache(partial(data.load, "policy.toml"))


def section(*path: str) -> Section:
    """The table at `path`. Raises `UnreadableData` if the file lacks it."""
    found: Any = _policy()
    for key in path:
        if not isinstance(found, Mapping) or key not in found:
            raise UnreadableData(f"policy.toml has no section {'.'.join(path)}")
        found = found[key]
    return found  # type: ignore[no-any-return]


def fact(name: str, value: str, *path: str) -> RuleRecord:
    """The rule at `path` as it is shown beside a result."""
    table = section(*path)
    return {
        "name": name,
        "article": str(table.get("article", "")),
        "value": value,
        "as_of": str(table["as_of"]),
        "source": str(table["source"]),
    }
