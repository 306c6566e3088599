"""Figures of law and policy, each with its source and the date it was read.

They are configuration (`data/policy.toml`), never constants in code, so an answer can show where a
number comes from and an operator can change one file when a rule changes.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from madang.assistants.homes.state.results import RuleRecord
from madang.errors import UnreadableData


@dataclass(frozen=True)
class RuleFact:
    """The rule that a calculation used: where it stands, its value, and since when."""

    name: str
    article: str
    value: str
    as_of: str
    source: str

    def as_record(self) -> RuleRecord:
        """As the state holds it."""
        return {
            "name": self.name,
            "article": self.article,
            "value": self.value,
            "as_of": self.as_of,
            "source": self.source,
        }


Section = Mapping[str, Any]


@cache
def policy() -> Section:
    """The packaged policy file. Raises `UnreadableData` if it can't be parsed."""
    file = resources.files("madang.assistants.homes").joinpath("data/policy.toml")
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UnreadableData(f"policy.toml can't be read: {error}") from error


def section(*path: str) -> Section:
    """The table at `path`. Raises `UnreadableData` if the file lacks it."""
    found: Any = policy()
    for key in path:
        if not isinstance(found, Mapping) or key not in found:
            raise UnreadableData(f"policy.toml has no section {'.'.join(path)}")
        found = found[key]
    return found  # type: ignore[no-any-return]


def fact(name: str, value: str, *path: str) -> RuleFact:
    """The rule at `path` as it is shown beside a result."""
    table = section(*path)
    return RuleFact(name, str(table.get("article", "")), value, str(table["as_of"]), str(table["source"]))
